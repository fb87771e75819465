"""The admin port: health and figures, for the host's own machine alone."""
