"""MLflow: runs, logged models, versions and the champion."""
