"""The set-up script says in one line what is wrong, and leaves nothing half made."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.support.checkout.clone import mark_as_set_up
from tests.support.checkout.repository import ROOT

CLOSED = "http://127.0.0.1:9/simple"


@pytest.fixture
def tree(tmp_path):
    """Return a folder that holds what the set-up script reads, and nothing else."""
    for name in ("requirements.lock", "pyproject.toml", "scripts/set-up.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def environment(**changes):
    """Return this environment without any setting of pip, uv or Python, and with `changes`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "UV_", "PYTHON"))}
    return kept | {"PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"} | changes


def set_up(tree, **changes):
    return subprocess.run(
        ["bash", "scripts/set-up.sh"],
        cwd=tree,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def script(path, body):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def failing_python(tree):
    """Return a PATH on which the first Python looks good and fails at once."""
    script(tree / "bin" / "python3", "echo 3.11.9 venv /bin/false")
    return f"{tree / 'bin'}:{os.environ['PATH']}"


def one_line(done):
    """Return the only line of a failed call's error output."""
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("set-up: ")
    return line


@pytest.mark.parametrize("version", ["2.7.18", "3.10.14", "3.14.0"])
def test_unsuitable_python(tree, version):
    fake = script(tree / "bin" / "python", f"echo {version} venv /usr/bin/python")
    line = one_line(set_up(tree, PYTHON=fake))
    assert version in line
    assert "needs Python 3.11, 3.12 or 3.13" in line
    assert "PYTHON=" in line


def test_python_that_does_not_run(tree):
    shim = script(tree / "bin" / "python", "echo 'pyenv: no such version' >&2; exit 127")
    assert f"PYTHON={shim} does not run" in one_line(set_up(tree, PYTHON=shim))


def test_missing_venv_module(tree):
    fake = script(tree / "bin" / "python", "echo 3.12.3 no-venv /usr/bin/python3.12")
    assert "apt install python3.12-venv" in one_line(set_up(tree, PYTHON=fake))


def test_missing_ensurepip_is_seen(tree):
    """Debian's Python without its venv package has the module venv but not ensurepip."""
    (tree / "ensurepip.py").write_text("raise ImportError")
    line = one_line(set_up(tree, PYTHON=sys.executable, PYTHONPATH=str(tree)))
    assert "has no venv module" in line


def test_no_python_at_all(tree):
    tools = tree / "tools"
    tools.mkdir()
    for name in ("bash", "cat", "dirname", "flock", "mkdir", "sha256sum"):
        (tools / name).symlink_to(str(shutil.which(name)))
    assert "none was found" in one_line(set_up(tree, PATH=str(tools)))


def test_first_python_that_will_do_is_taken(tree):
    """A shim that fails and a Python that is too old are passed over."""
    folder = tree / "bin"
    script(folder / "python3", "exit 127")
    script(folder / "python3.13", "echo 3.10.2 venv /usr/bin/python3.10")
    script(folder / "python3.12", "echo 3.12.3 no-venv /usr/bin/python3.12")
    script(folder / "python3.11", "echo 3.11.9 venv /bin/false")
    done = set_up(tree, PATH=f"{folder}:{os.environ['PATH']}")
    assert "with Python 3.11.9" in done.stdout
    assert "/bin/false -m venv" in one_line(done)


def test_no_way_to_the_package_index(tree):
    line = one_line(set_up(tree, PYTHON=sys.executable, PIP_INDEX_URL=CLOSED))
    assert "no way to the package index" in line
    assert ".smoothrank/set-up.log" in line
    assert (tree / ".smoothrank/set-up.log").stat().st_size > 0
    assert not (tree / ".venv").exists()


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("Hash mismatch for `numpy==2.2.0`", "differs from its hash in requirements.lock"),
        ("ERROR: Could not find a version; no matching distribution found", "package index"),
        ("something new", "failed (log: .smoothrank/set-up.log)"),
    ],
)
def test_failed_step_is_one_line(tree, output, message):
    fake = script(
        tree / "bin" / "python",
        f"[ \"$1\" = -c ] && echo 3.11.9 venv $0 && exit\nprintf 'a\\nb\\n{output}\\n'; exit 1",
    )
    assert message in one_line(set_up(tree, PYTHON=fake))
    assert output in (tree / ".smoothrank/set-up.log").read_text()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_interrupted_set_up_is_not_believed(tree, sent):
    slow = script(tree / "bin" / "slow", "mkdir -p .venv/bin; sleep 1")
    fake = script(
        tree / "bin" / "python", f'[ "$1" = -c ] && echo 3.11.9 venv {slow} && exit\nexec {slow}'
    )
    command = ["bash", "scripts/set-up.sh"]
    with subprocess.Popen(command, cwd=tree, env=environment(PYTHON=fake)) as running:
        wait_for(tree / ".venv")
        running.send_signal(sent)
    assert running.returncode != 0
    again = set_up(tree, PYTHON=fake)
    assert "Setting up .venv" in again.stdout


def wait_for(path):
    deadline = time.monotonic() + 10
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not appear"
        time.sleep(0.02)


def complete(tree):
    """Make for `tree` an environment that the script's own stamp calls complete."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tree / ".venv"], check=True)
    mark_as_set_up(tree)


def test_second_call_does_nothing(tree):
    complete(tree)
    done = set_up(tree)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml"])
def test_changed_file_sets_up_again(tree, name):
    complete(tree)
    with (tree / name).open("a") as file:
        file.write("\n")
    done = set_up(tree, PATH=failing_python(tree))
    assert "Setting up .venv" in done.stdout
    assert not (tree / ".venv").exists()


def test_other_python_sets_up_again(tree):
    complete(tree)
    fake = script(tree / "bin" / "python", "echo 3.12.99 venv /bin/false")
    assert "with Python 3.12.99" in set_up(tree, PYTHON=fake).stdout


def test_moved_tree_sets_up_again(tree, tmp_path_factory):
    complete(tree)
    moved = tmp_path_factory.mktemp("moved") / "tree"
    tree.rename(moved)
    assert "Setting up .venv" in set_up(moved, PATH=failing_python(moved)).stdout


@pytest.mark.parametrize(("code", "goes_on"), [(0, True), (3, True), (1, False), (2, False)])
def test_make_goes_on_without_missing_data_and_stops_at_a_crash(tmp_path, code, goes_on):
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / ".venv").mkdir()
    script(tmp_path / "scripts" / "set-up.sh", "exit 0")
    script(tmp_path / ".venv/bin" / "smoothrank", f"exit {code}")
    done = subprocess.run(["make", "data"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode == 0) == goes_on


def test_make_without_a_target_lists_the_targets():
    done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    for target in ("retrain", "protocol", "test", "lint", "format", "lock", "clean"):
        (line,) = [line for line in lines if line.split()[1] == target]
        assert len(line.split()) > 3
