"""The report that compares our results with the paper's tables."""
