"""The Prefect and MLflow servers of a project."""
