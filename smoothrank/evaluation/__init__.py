"""How good a model is, how certain that is, and which of several is better."""
