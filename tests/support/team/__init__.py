"""A team's servers: PostgreSQL, MLflow with users and passwords, Prefect with an auth string."""
