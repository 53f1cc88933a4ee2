"""Commands begin at once, and a file that cannot be used is refused before anything is started.

Seconds are those of the processor, which do not depend on what else the machine does.
"""

import os
import resource
import subprocess
import sys

import pytest

from tests.support.checkout.repository import ROOT


def run(folder, *arguments):
    """Run Python in a folder; return what it said, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "SMOOTHRANK_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    ("arguments", "most"),
    [(("-m", "flows.commands.cli", "--help"), 0.5), (("-c", "import smoothrank"), 0.3)],
)
def test_begins_at_once(tmp_path, arguments, most):
    run(tmp_path, *arguments)  # compiled now
    done, seconds = run(tmp_path, *arguments)
    assert done.returncode == 0
    assert seconds < most


REFUSED = {
    "there is no file": None,
    "has 1 classes": "a,y\n1,no\n2,no\n3,no\n",
    "too few rows": "a,y\n1,no\n2,yes\n",
    "line 3": "a,y\n1,no\n2,yes,4,5\n3,no\n",
    "no column 'y'": "a,b\n1,2\n2,3\n",
}


@pytest.mark.parametrize("said", REFUSED)
def test_a_file_that_cannot_be_used_is_refused_before_anything_is_started(tmp_path, said):
    if REFUSED[said] is not None:
        (tmp_path / "bad.csv").write_text(REFUSED[said])
    command = ("-m", "flows.commands.cli", "retrain", "bad.csv", "--target", "y")
    done, seconds = run(tmp_path, *command)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert seconds < 5.0
    assert [path.name for path in tmp_path.iterdir() if path.name != "bad.csv"] == []
