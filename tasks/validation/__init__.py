"""Validation of data sets and files with Great Expectations."""
