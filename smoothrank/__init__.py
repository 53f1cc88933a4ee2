"""Small prototype models that maximise AUC on imbalanced binary data."""

__version__ = "0.1.0"
