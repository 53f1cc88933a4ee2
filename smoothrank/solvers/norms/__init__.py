"""Ranking with a norm on all columns at once: interior points or linear programs."""
