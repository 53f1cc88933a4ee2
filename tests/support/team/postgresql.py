"""A PostgreSQL cluster of a test's own: on loopback, with a password, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from flows.servers.server_process import free_port

USER = "team"


@dataclass(frozen=True)
class Cluster:
    """A running cluster, whose user may do everything."""

    port: int
    password: str

    def address(self, database: str, scheme: str = "postgresql") -> str:
        """The address of a database as SQLAlchemy takes it."""
        return f"{scheme}://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def make_database(self, name: str) -> None:
        """Make an empty database."""
        self.ask("postgres", f"CREATE DATABASE {name}")

    def ask(self, database: str, statement: str) -> list[tuple[object, ...]]:
        """Run one statement, and return its rows."""
        import psycopg2

        connection = psycopg2.connect(self.address(database))
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(statement)
                return list(cursor.fetchall()) if cursor.description else []
        finally:
            connection.close()


def find_postgresql() -> Path:
    """Return the folder of its programs; without it the test is skipped, but not in CI."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found and os.environ.get("CI"):
        pytest.fail("PostgreSQL is not installed; .ci/run should have installed it")
    if not found:
        pytest.skip("PostgreSQL is not installed (on Debian: apt-get install postgresql)")
    return found[-1].parent


@contextmanager
def postgresql(password: str) -> Iterator[Cluster]:
    """Run a cluster while the block lasts; it refuses to run as root, so root lends it a user."""
    programs, port = find_postgresql(), free_port(0)
    folder = Path(tempfile.mkdtemp(prefix="smoothrank-postgresql-"))
    data, secret = folder / "data", folder / "secret"
    secret.write_text(password)
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres")
        shutil.chown(secret, "postgres")

    def run(program: str, *arguments: str) -> None:
        command = [*as_user, str(programs / program), "-D", str(data), *arguments]
        # The server keeps what it inherits open: its output goes to its log, not to a pipe.
        with (folder / f"{program}.out").open("ab") as said:
            done = subprocess.run(command, cwd=folder, stdout=said, stderr=said, check=False)
        assert done.returncode == 0, (folder / f"{program}.out").read_text()

    listen = f"-p {port} -h 127.0.0.1 -k {folder} -c fsync=off"
    try:
        run("initdb", "-U", USER, "--auth=scram-sha-256", f"--pwfile={secret}", "--no-sync")
        run("pg_ctl", "start", "-w", "-l", str(folder / "log"), "-o", listen)
        try:
            yield Cluster(port, password)
        finally:
            run("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
