"""A hundred scheduled retrains in one run, and what they leave behind."""
