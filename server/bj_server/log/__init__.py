"""The log: one line of standard error for each thing that a host may want to know."""
