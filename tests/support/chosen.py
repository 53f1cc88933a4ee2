"""A choice made by hand."""

from tasks.results.chosen import Chosen


def chosen_by_hand(value: float, n_prototypes: int | None = None) -> Chosen:
    """A value of C on standardised features, whose validation AUC nobody looks at."""
    return Chosen(value, "standard", n_prototypes, cv_auc_mean=0.5, cv_auc_std=0.0, cv_auc={})
