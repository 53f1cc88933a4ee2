"""Steps of a flow, and the threads that wait for them."""

from collections import namedtuple

from prefect import task
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from flows.flow_run import step, task_runner
from tasks.project.progress import Nobody, listening


class Names(Nobody):
    def __init__(self):
        self.told = []

    def step(self, name):
        self.told.append(name)


def test_the_listener_is_told_of_a_step_and_its_arguments_are_data(monkeypatch):
    @step
    @task(name="look twice", persist_result=False)
    def look(table, times):
        return table, times

    seen, names = [], Names()
    Seen = namedtuple("Seen", "name submit")
    look.task = Seen("look twice", lambda *given: seen.append(given))
    with listening(names):
        look.submit([1, 2], 3)
    assert names.told == ["look twice"]
    assert seen == [(quote([1, 2]), quote(3))]


def test_threads_are_counted_when_a_run_begins(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    threads = task_runner()
    (tmp_path / "params.yaml").write_text("training: {jobs: 5}")
    assert threads.duplicate() == ThreadPoolTaskRunner(max_workers=6)
    assert task_runner(1).duplicate() == ThreadPoolTaskRunner(max_workers=2)
