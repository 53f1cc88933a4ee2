"""The work of the pipeline as plain functions; `flows` runs them as Prefect tasks."""
