"""Side-by-side measurements and the comparison with the paper."""
