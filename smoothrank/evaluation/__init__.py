"""How good a model is, how sure that is, and which of several is better."""
