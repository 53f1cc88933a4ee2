"""The processes that run experiments."""

import os
import signal
import time
from concurrent.futures import CancelledError

import pytest

from tasks.experiment_pool import experiment_pool

THREADS = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")


@pytest.fixture(autouse=True)
def other_settings(monkeypatch):
    """Many threads, and Ctrl-C as it is in a shell's foreground."""
    for name in THREADS:
        monkeypatch.setenv(name, "8")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_process_has_one_thread_and_leaves_ctrl_c_to_its_parent():
    with experiment_pool(1) as pool:
        assert [pool.submit(os.getenv, name).result() for name in THREADS] == ["1"] * 3
        assert pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN


def test_what_has_not_begun_when_an_error_ends_the_block_never_does():
    block = experiment_pool(1)
    pool = block.__enter__()
    futures = [pool.submit(time.sleep, 0.2) for _ in range(8)]
    block.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    with pytest.raises(CancelledError):
        futures[-1].result(timeout=60)
