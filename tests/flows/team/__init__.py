"""Retraining on a team's servers: PostgreSQL, MLflow with users, Prefect with an auth string."""
