"""Data sets: the paper's 73, and a user's own files."""
