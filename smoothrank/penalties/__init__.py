"""Penalties on the weights: value and dual norm, one file for each kind."""
