"""One file for each family of columns."""
