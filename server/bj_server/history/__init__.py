"""The recall: past rounds, made again from the journal and told to their players."""
