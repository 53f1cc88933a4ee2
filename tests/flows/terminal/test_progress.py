"""How long it will take, and the lines where there is no terminal."""

import math
import re
import subprocess
import sys

import pytest

from flows.terminal.time_left import WINDOW_SECONDS, TimeLeft, in_words
from tests.support.checkout.repository import ROOT


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_what_is_left_at_the_pace_so_far(clock):
    left = TimeLeft(clock)
    left.begin(100, math.inf)
    assert left.seconds() is None
    for made in range(1, 21):
        clock.now += 0.5
        left.done(made)
    assert left.seconds() == pytest.approx(40.0)
    clock.now += 3.0
    assert left.seconds() == pytest.approx(37.0)


def test_the_budget_ends_it(clock):
    left = TimeLeft(clock)
    left.begin(100, clock.now + 15.0)
    clock.now += 5.0
    left.done(1)
    assert left.seconds() == pytest.approx(10.0)
    clock.now += 60.0
    assert left.seconds() == 0.0


def test_fits_that_were_there_already_do_not_count_for_long(clock):
    left = TimeLeft(clock)
    left.begin(200, math.inf)
    left.done(100)
    made = 100
    while clock.now < 100.0 + 2 * WINDOW_SECONDS:
        clock.now += 1.0
        made += 1
        left.done(made)
    assert left.seconds() == pytest.approx(200 - made, rel=0.1)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.2, "about 1 s left"), (40.4, "about 40 s left"), (200.0, "about 3 min left")],
)
def test_in_words(seconds, text):
    assert in_words(seconds) == text


SCRIPT = """
import time
from flows.terminal.progress_bar import ProgressBar
from tasks.project.progress import listener, listening
with ProgressBar(0.5) as bar, listening(bar):
    listener().step("train")
    listener().begin(40)
    for made in range(1, 11):
        time.sleep(0.13)
        listener().fitted("C", made)
        listener().scored(0.87)
    listener().step("refit")
    time.sleep(0.7)
    listener().step("track")
print("{}")
"""


def test_lines_are_written_where_there_is_no_terminal(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout == "{}\n"
    lines = done.stderr.splitlines()
    trained = r"train: \d+ of 40 fits, best validation AUC 0.87, about \d+ s left"
    assert re.fullmatch(trained, lines[0])
    assert 2 <= sum(line.startswith("train: ") for line in lines) <= 20
    assert any(re.fullmatch(r"refit: \d+ s so far", line) for line in lines)
