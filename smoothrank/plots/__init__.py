"""Figures of models and results, in one style."""
