"""Clones of this repository, with an environment that is borrowed from this one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.conftest import MIRROR
from tests.support.checkout.repository import ROOT


def fresh_clone(folder: Path) -> Path:
    """Clone the repository into a folder; skip the test where that or a fetch cannot be."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("this is no git checkout")
    if not os.environ.get("SMOOTHRANK_DATA_MIRROR"):
        pytest.skip(f"a complete fetch needs the UCI files, and {MIRROR} is not there")
    subprocess.run(["git", "clone", "-q", ROOT, folder / "clone"], check=True)
    return folder / "clone"


def clone_as_it_is(folder: Path) -> Path:
    """Clone the repository, and bring what is changed here and not yet committed."""
    clone = fresh_clone(folder)
    listing = ["git", "-C", str(ROOT), "ls-files", "-z", "--exclude-standard"]
    done = subprocess.run([*listing, "-mo"], capture_output=True, text=True, check=True)
    for name in filter(None, done.stdout.split("\0")):
        if (ROOT / name).exists():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
        else:
            (clone / name).unlink(missing_ok=True)
    return clone


def borrow_environment(clone: Path) -> None:
    """Add to a clone the `.venv` that set-up would make, with the packages that are installed here.

    The code is the clone's own. Set-up itself is run by CI, which begins with a clean clone.
    """
    make_environment(clone / ".venv", first=clone)
    mark_as_set_up(clone)


def make_environment(venv: Path, first: Path | None = None) -> Path:
    """Make an environment with this one's packages, but not its smoothrank; return its Python.

    What lies in the folder `first` is found before them.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (packages,) = (venv / "lib").glob("python*/site-packages")
    places = [str(first)] if first else []
    (packages / "borrowed.pth").write_text(
        "\n".join([*places, sysconfig.get_path("purelib")]) + "\n"
    )
    for program in Path(sys.executable).parent.iterdir():
        if not (venv / "bin" / program.name).exists() and (first or program.stem != "smoothrank"):
            _borrow(program, venv / "bin" / program.name)
    return venv / "bin" / "python"


def _borrow(program: Path, copy: Path) -> None:
    """Have a program of this environment run in another one."""
    content, here = program.read_bytes(), str(program.parent).encode()
    if content.startswith(b"#!") and here in content:
        copy.write_bytes(content.replace(here, str(copy.parent).encode()))
        copy.chmod(0o755)
    else:
        copy.symlink_to(program)


def mark_as_set_up(tree: Path) -> None:
    """Write the stamp by which the set-up script knows that the environment is complete."""
    functions = (tree / "scripts" / "set-up.sh").read_text().split("\nmkdir -p")[0]
    script = functions + '\nstate "$(probe "$venv/bin/python")" >"$stamp"\n'
    path = tree / "scripts" / "stamp.sh"
    path.write_text(script)
    subprocess.run(["bash", path], check=True)
    path.unlink()


def clean_environment(**changes: str) -> dict[str, str]:
    """Return this process's environment without what tests and servers have set in it."""
    ours = ("SMOOTHRANK_HOME", "SMOOTHRANK_DATA", "PYTHONPATH", "VIRTUAL_ENV", "OMP_NUM_THREADS")
    left_out = tuple(name for name in os.environ if name.startswith(("PREFECT_", "MLFLOW_")))
    return {k: v for k, v in os.environ.items() if k not in (*ours, *left_out)} | changes
