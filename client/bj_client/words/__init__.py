"""Words: the sentences for people, and how money is written."""
