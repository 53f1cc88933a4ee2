"""Nothing is left in the temporary folder, however a process ends."""

import os
import signal
import subprocess
import sys

import pytest

FITS = {
    "paper": "SmoothRankingPrototype(max_prototypes=3)",
    "dictionary": "DictionaryRanking(2.0, max_columns=3)",
    "small": "SmoothRanking(size=2)",
    "norm": "L1Ranking(1.0)",
}
PROGRAM = """
import os, signal
import numpy as np
from smoothrank import DictionaryRanking, L1Ranking, SmoothRanking, SmoothRankingPrototype
rng = np.random.default_rng(0)
X = rng.normal(size=(80, 3))
{model}.fit(X, X[:, 0] * X[:, 1] > 0.5)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("name", FITS)
def test_a_fit_of_a_killed_process_leaves_no_temporary_file(tmp_path, name):
    program = PROGRAM.format(model=FITS[name])
    there = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=there, check=False)
    assert done.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []
