"""A model of a whole table, for tests."""

from smoothrank.tables.one_hot import Encoder
from smoothrank.tables.tabular_model import TabularModel


def fitted(table, estimator):
    frame, y = table
    encoder = Encoder(missing="impute").fit(frame)
    classifier = estimator.fit(encoder.transform(frame), y)
    return TabularModel(encoder, classifier, "buys", "no", "yes")
