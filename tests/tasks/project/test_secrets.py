"""Passwords in addresses and messages."""

from __future__ import annotations

import pytest

from tasks.project.mlflow_store import StoreError, check_mlflow_store, mlflow_store
from tasks.project.secrets import masked, without_secrets

PASSWORD = "p@s:s/w?rd"  # noqa: S105


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ada:secret@db:5432/runs", "postgresql://ada:***@db:5432/runs"),
        ("postgresql://ada:se@c:re/t?@db/runs?password=secret", "postgresql://ada:***@db/runs"),
        ("https://mlflow.example.org/team", "https://mlflow.example.org/team"),
        ("https://ada@mlflow.example.org", "https://ada@mlflow.example.org"),
        ("https://:secret@mlflow.example.org", "https://:***@mlflow.example.org"),
        ("mlruns", "mlruns"),
    ],
)
def test_addresses_are_shown_without_passwords(address, shown):
    assert masked(address) == shown


def test_messages_of_others_are_told_without_secrets(monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "postgresql://ada:p%40s%3As%2Fw%3Frd@db/runs")
    monkeypatch.setenv("MLFLOW_TRACKING_PASSWORD", "hush")
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", "team:quiet")
    said = f"p%40s%3As%2Fw%3Frd or {PASSWORD}, hush, team:quiet, quiet: no"
    assert without_secrets(said) == "*** or ***, ***, ***, ***: no"
    whole = "cannot open postgresql://ada:p%40s%3As%2Fw%3Frd@db/runs"
    assert without_secrets(whole) == "cannot open postgresql://ada:***@db/runs"


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("file:///tmp/runs", "name an MLflow server"),
        ("databricks", "name an MLflow server"),
        ("https://ada:secret@mlflow.example.org", r"https://ada:\*\*\*@mlflow"),
        ("postgresql+nothing://ada:secret@db/runs", "driver that is not installed"),
        ("postgresql://ada:secret@127.0.0.1:9/runs", r"postgresql://ada:\*\*\*@127.0.0.1:9/runs"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(named, said, tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    monkeypatch.setenv("MLFLOW_TRACKING_URI", named)
    with pytest.raises(StoreError, match=said) as error:
        check_mlflow_store(mlflow_store())
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []
