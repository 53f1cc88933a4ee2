"""Suites of expectations: where they are, how they are made, read and widened."""
