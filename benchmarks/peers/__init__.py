"""The comparison with other methods, over many data sets and splits."""
