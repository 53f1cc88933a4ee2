"""Generators of bad input: tables, frames and saved models."""
