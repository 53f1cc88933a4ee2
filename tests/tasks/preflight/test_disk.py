"""A folder that cannot be written, or a disk that is full, is refused before a run begins."""

import subprocess
import sys
from pathlib import Path

import pytest

from tasks.preflight.disk import NoSpaceError, check_disk

MOUNT, UMOUNT = "mount", "umount"


@pytest.fixture
def disk(tmp_path):
    """Yield a function that makes the folder a small disk, or one that cannot be written."""
    folder = tmp_path / "home"
    folder.mkdir()

    def mounted(options):
        command = [MOUNT, "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        done = subprocess.run(command, check=False, capture_output=True)
        if done.returncode != 0:
            pytest.skip("only root may mount a disk for this test")
        return folder

    yield mounted
    subprocess.run([UMOUNT, str(folder)], check=False, capture_output=True)


def command(home, *arguments):
    program = [str(Path(sys.executable).parent / "smoothrank"), *arguments]
    return subprocess.run(
        program, cwd=home, env={"PATH": ""}, capture_output=True, text=True, check=False
    )


def test_an_ordinary_folder_is_accepted_and_left_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    check_disk()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "said"), [("ro", "cannot write in"), ("size=1m", "MB are free on the disk")]
)
def test_a_full_or_read_only_disk_is_one_line(disk, monkeypatch, options, said):
    home = disk(options)
    monkeypatch.setenv("SMOOTHRANK_HOME", str(home))
    with pytest.raises(NoSpaceError, match=said):
        check_disk()
    done = command(home, "retrain", "glass0")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert said in line
    assert "SMOOTHRANK_HOME" in line
    assert list(home.iterdir()) == []
