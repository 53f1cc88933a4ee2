"""The results that pass from step to step."""
