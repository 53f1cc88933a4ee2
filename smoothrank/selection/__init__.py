"""Methods and their grids, folds, the choice of a candidate, and the experiment."""
