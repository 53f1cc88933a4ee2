"""The learning problem of a run: source, rows, split, encoding."""
