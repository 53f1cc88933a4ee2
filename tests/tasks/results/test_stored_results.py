"""What earlier versions stored is still read, and what is printed keeps its form."""

import json
import math

from smoothrank.selection.fold_fit import FoldFit
from tasks.results.confusion import Confusion
from tasks.results.fits import Trained, all_fits
from tasks.results.outcome import JSON_KEYS, RetrainOutcome
from tasks.results.peers import Peer
from tasks.tracking.retrain_result import tracked_confusion, tracked_peers

STORED = (
    '{"value": 0.1, "fits": {"none": [{"auc_by_iteration": [0.5, 0.75], "n_prototypes": 2, '
    '"gap": 1e-09, "prototypes": [[1.0, 2.0]], "weights": [-0.5], "seconds": 0.25, '
    '"staged": true}], "standard": []}}'
)
FIT = FoldFit((0.5, 0.75), 2, 1e-9, [[1.0, 2.0]], [-0.5], 0.25)
PEER = Peer("logistic", 0.8, 0.6, 0.1, seconds=1.5, n_train=120, difference=0.1, p=0.04)


def outcome(**more):
    return RetrainOutcome(
        *("rare", "smooth", "honest", 0.1, None, 0.8, 0.1, 0.9, 0.8, 0.95, 3, math.nan, 7.0),
        *("run", "1", "smoothrank-rare", 1, True, "it is the first version"),
        **more,
    )


def test_fits_are_stored_as_ever():
    trained = Trained.from_json(json.loads(STORED))
    assert trained == Trained(0.1, {None: (FIT,), "standard": ()})
    assert json.dumps(trained.to_json()) == STORED
    assert all_fits([trained]) == {(0.1, None): [FIT], (0.1, "standard"): []}


def test_outcome_is_printed_with_peers_by_name_and_null_for_the_unknown():
    printed = outcome(peers=(PEER,), confusion=Confusion(5, 2, 1, 30)).to_json()
    assert tuple(printed) == (*JSON_KEYS, "C")
    assert printed["gap"] is None
    assert json.loads(json.dumps(printed["peers"])) == {
        "logistic": {
            "test_auc": 0.8,
            "test_average_precision": 0.6,
            "test_brier": 0.1,
            "seconds": 1.5,
            "n_train": 120,
            "difference": 0.1,
            "p": 0.04,
        }
    }
    assert printed["confusion"] == {
        "true_positives": 5,
        "false_positives": 2,
        "false_negatives": 1,
        "true_negatives": 30,
    }
    assert outcome().to_json()["confusion"] == {}


def test_runs_that_were_tracked_without_some_measures_are_read():
    assert tracked_confusion({"test_auc": 0.9}) is None
    assert tracked_peers({"test_auc": 0.9}) == ()
    (found,) = tracked_peers({"peer.boosting.test_auc": 0.7, "peer.boosting.p": 0.5})
    assert (found.name, found.test_auc, found.p, found.n_train) == ("boosting", 0.7, 0.5, 0)
    assert math.isnan(found.test_brier)
