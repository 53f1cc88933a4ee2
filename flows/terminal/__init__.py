"""What a person at a terminal sees: progress, Ctrl-C, errors."""
