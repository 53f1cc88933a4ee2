"""The stages of DVC, and the results that are committed."""
