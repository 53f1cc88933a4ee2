"""Ranking over a finite dictionary of columns, with a certificate for all of them."""
