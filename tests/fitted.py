"""A model of a whole table, for tests."""

from smoothrank.preprocess import Encoder
from smoothrank.tabular import TabularModel


def fitted(table, estimator):
    frame, y = table
    encoder = Encoder(missing="impute").fit(frame)
    classifier = estimator.fit(encoder.transform(frame), y)
    return TabularModel(encoder, classifier, "buys", "no", "yes")
