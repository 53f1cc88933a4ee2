"""What a command is not told is as `params.yaml` says."""

import pytest
from typer.testing import CliRunner

from flows.commands.cli import app
from flows.flow_run import retrain_run_name
from tasks.benchmark.figure import XorSettings
from tasks.project.config import ConfigError

PARAMS = """
training: {jobs: 3, method: linf}
figure: {seed: 4, rows: 40, noise: 0.2, iterations: 5, smooth_c: 0.5}
"""


class CalledError(Exception):
    """Carries what a command asked for."""


@pytest.fixture
def asked_by(tmp_path, monkeypatch):
    (tmp_path / "params.yaml").write_text(PARAMS)
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))

    def called(given):
        raise CalledError(given)

    for name in ("tasks.benchmark.figure.compute_figure", "flows.launch.run_benchmark"):
        monkeypatch.setattr(name, called)
    monkeypatch.setattr("flows.launch.check_savable_method", called)

    def ask(*arguments):
        done = CliRunner().invoke(app, arguments)
        assert isinstance(done.exception, CalledError), done.output
        return done.exception.args[0]

    return ask


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ([], XorSettings(seed=4, rows=40, noise=0.2, iterations=5, C=0.5)),
        (
            ["--seed", "0", "--noise", "0", "--smooth-c", "2"],
            XorSettings(seed=0, rows=40, noise=0.0, iterations=5, C=2.0),
        ),
        (
            ["--rows", "8", "--iterations", "2"],
            XorSettings(seed=4, rows=8, noise=0.2, iterations=2, C=0.5),
        ),
    ],
)
def test_figure(asked_by, arguments, settings):
    assert asked_by("figure", *arguments) == settings


@pytest.mark.parametrize(("arguments", "jobs"), [([], 3), (["--jobs", "1"], 1)])
def test_jobs_of_the_benchmark(asked_by, arguments, jobs):
    assert asked_by("benchmark", *arguments).jobs == jobs


@pytest.mark.parametrize(
    ("arguments", "method"), [([], "linf"), (["--method", "smooth"], "smooth")]
)
def test_method_of_a_retraining(asked_by, arguments, method):
    assert asked_by("retrain", "glass0", *arguments).method == method


def test_an_unknown_method_of_params_is_named(asked_by, tmp_path):
    (tmp_path / "params.yaml").write_text("training: {method: smoth}\n")
    for command in (["retrain", "glass0"], ["schedule", "glass0", "--interval", "5"]):
        done = CliRunner().invoke(app, command)
        assert isinstance(done.exception, ConfigError)
        assert str(done.exception).startswith(
            "params.yaml: training.method is 'smoth', but it is not one of smooth, "
        )


def test_a_retraining_without_params_takes_few_columns(asked_by, tmp_path):
    (tmp_path / "params.yaml").unlink()
    assert asked_by("retrain", "glass0").method == "smoothrank-small"


@pytest.mark.parametrize(("given", "name"), [(None, "linf on a.csv"), ("l1", "l1 on a.csv")])
def test_prefect_s_name_of_a_retraining_has_the_method(asked_by, monkeypatch, given, name):
    monkeypatch.setattr(
        "prefect.runtime.flow_run.parameters", {"source": "a.csv", "method": given}, raising=False
    )
    assert retrain_run_name() == name
