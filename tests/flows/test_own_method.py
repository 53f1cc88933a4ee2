"""A classifier of another package, registered by a user: retrained, tracked, loaded and served."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from flows.launch import run_retrain
from flows.requests import RetrainRequest
from smoothrank.errors import SmoothrankError
from smoothrank.selection.methods import METHODS, Method, register
from tests.support.project import mlflow_runs, project, table, write
from tests.support.registries import restored

pytestmark = pytest.mark.services


class Mine(ClassifierMixin, BaseEstimator):
    """A class of a user's own, which no saved model may bring back to life."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return X[:, 0]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("own method") / "home") as folder:
        yield folder


@pytest.fixture(autouse=True)
def registered():
    with restored(METHODS):
        pipeline = make_pipeline(StandardScaler(), SVC())
        register(Method("svc", lambda C: clone(pipeline).set_params(svc__C=C), (0.1, 1.0, 10.0)))
        forest = RandomForestClassifier(30, random_state=0)
        register(Method("forest", lambda n: clone(forest).set_params(max_depth=int(n)), (2.0, 4.0)))
        register(Method("mine", lambda C: Mine(), (1.0,)))
        yield


def pyfunc_of(name):
    """Load the model as MLflow's server does."""
    import mlflow

    from tasks.project.mlflow_database import mlflow_uri

    mlflow.set_tracking_uri(mlflow_uri())
    return mlflow.pyfunc.load_model(f"models:/smoothrank-{name}@champion")


@pytest.mark.parametrize("name", ["svc", "forest"])
def test_it_is_retrained_registered_and_scores_new_rows(home, name):
    from tasks.tracking.served_model import load_served_model

    frame = table(300, seed=3)
    source = write(home / f"{name}.csv", frame)
    found = run_retrain(RetrainRequest(source, "y", "rare", name))
    assert found.promoted
    assert 0.6 < found.test_auc <= 1.0
    model = load_served_model(f"models:/smoothrank-{name}@champion")
    scores = model.decision_function(frame)
    again = load_served_model(f"models:/smoothrank-{name}/1").decision_function(frame)
    assert np.array_equal(scores, again)
    probability = model.predict_proba(frame)
    assert ((probability > 0) & (probability < 1)).all()
    assert pd.Series(scores).corr(pd.Series(probability), method="spearman") > 0.999
    served = pyfunc_of(name).predict(frame.drop(columns="y"))
    assert served["score"].to_numpy() == pytest.approx(scores, rel=1e-12)
    assert {run.info.status for run in mlflow_runs(name)} == {"FINISHED"}
    page = next((home / ".smoothrank" / "reports").glob(f"{name}*.html")).read_text()
    assert "AUC lost" in page


def test_types_of_other_modules_are_refused_before_anything_is_trained(home):
    source = write(home / "refused.csv", table(100, seed=1))
    with pytest.raises(SmoothrankError, match=r"not trusted: .*Mine"):
        run_retrain(RetrainRequest(source, "y", "rare", "mine"))
    assert not mlflow_runs("refused")
