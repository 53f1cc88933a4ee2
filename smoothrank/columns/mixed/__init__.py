"""Scores whose columns come from several families and views of the features."""
