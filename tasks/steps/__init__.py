"""The steps of a retraining, in the order in which the data passes through them."""
