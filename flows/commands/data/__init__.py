"""`smoothrank data`: one file for each group of commands."""
