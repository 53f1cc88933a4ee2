"""The report of one retraining."""
