"""History: past rounds, played again from the journal and told to their players."""
