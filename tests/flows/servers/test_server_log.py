"""Logs of servers stay short while the servers write to them."""

import subprocess
import sys

import pytest

from flows.servers import project_servers as servers
from flows.servers.server_log import MOST_BYTES, keep_short
from tests.support.running import wait_until

WRITER = """
import sys
for number in range(20_000):
    print(f"line {number}", flush=True)
"""


def test_a_server_goes_on_writing_while_its_log_is_shortened(tmp_path):
    log = tmp_path / "server.log"
    with log.open("ab") as output:
        writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=output)
        while writer.poll() is None:
            keep_short(log, 10_000)
    assert writer.returncode == 0
    keep_short(log, 10_000)
    assert log.stat().st_size <= 10_000
    earlier = (tmp_path / "server.log.1").read_bytes()
    assert len(earlier) > 10_000
    assert b"\0" not in earlier + log.read_bytes()


def test_a_short_log_and_one_that_is_not_there_stay_as_they_are(tmp_path):
    log = tmp_path / "server.log"
    keep_short(log)
    log.write_text("a line")
    keep_short(log)
    assert [path.name for path in tmp_path.iterdir()] == ["server.log"]


@pytest.mark.services
def test_the_log_of_a_running_server_is_shortened(project):
    servers.ensure_mlflow_server()
    log = project / ".smoothrank" / "logs" / "mlflow.log"
    with log.open("ab") as output:
        output.write(b"x" * (MOST_BYTES + 1))
    wait_until(lambda: log.stat().st_size <= MOST_BYTES, 30.0)
