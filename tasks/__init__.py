"""One Prefect task for each step of the pipeline."""
