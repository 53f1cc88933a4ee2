"""Losses over pairs of a positive and a negative row, without building the pairs."""
