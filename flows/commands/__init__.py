"""The `smoothrank` command: one file for each command."""
