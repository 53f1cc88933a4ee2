"""The same data and parameters give the same files, byte for byte."""

import subprocess
import sys

import pytest

# Other addresses in memory and another order of sets, as in any other run.
PROGRAM = """
import sys
import numpy as np
from sklearn.linear_model import LogisticRegression
from smoothrank.datasets.xor import noisy_xor
from smoothrank.estimators.foreign import ForeignRanking
from smoothrank.estimators.norm_ranking import L1Ranking
from smoothrank.estimators.prototypes import RankingCGPrototype, SmoothRankingPrototype
from smoothrank.estimators.smooth_ranking import SmoothRanking
from smoothrank.persistence.model_file import save_model

kept = [bytearray(number) for number in range(int(sys.argv[2]))]
X, y = noisy_xor(60, 0.2, np.random.default_rng(0))
models = {
    "smooth": SmoothRankingPrototype(0.01),
    "ranking-cg": RankingCGPrototype(1e-3),
    "l1": L1Ranking(1.0),
    "small": SmoothRanking(3),
    "best": SmoothRanking("best"),
    "foreign": ForeignRanking(LogisticRegression()),
}
save_model(models[sys.argv[1]].fit(X, y), sys.argv[3])
"""


@pytest.mark.parametrize("name", ["smooth", "ranking-cg", "l1", "small", "best", "foreign"])
def test_two_processes_save_the_same_bytes(tmp_path, name):
    folders = [tmp_path / "one", tmp_path / "two"]
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, name, str(7 * i), str(folder)])
        for i, folder in enumerate(folders)
    ]
    assert [one.wait() for one in running] == [0, 0]
    one, two = ({p.name: p.read_bytes() for p in folder.iterdir()} for folder in folders)
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []
