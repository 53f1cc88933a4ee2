"""What a column of a model is: one file for each family."""
