"""Words: what is told to people in lines, and how money is written."""
