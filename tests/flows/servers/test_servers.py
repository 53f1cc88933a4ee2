from __future__ import annotations

import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from flows.servers import project_servers as servers
from flows.servers import server_process
from flows.servers.prefect_records import csrf_headers
from tasks.project.database_check import DamagedDatabaseError
from tasks.project.mlflow_database import ensure_mlflow_database
from tasks.project.paths import project_home, state_folder
from tests.support.running import wait_until

pytestmark = pytest.mark.services

N_TASKS = 40


def record(home, name):
    return json.loads((home / ".smoothrank" / f"{name}.json").read_text())


def connects(host, port):
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


def run_tasks():
    """Run a small flow."""
    import prefect

    @prefect.task
    def double(number):
        return 2 * number

    @prefect.flow
    def doubles():
        return [double.submit(number).result() for number in range(N_TASKS)]

    assert doubles() == [2 * number for number in range(N_TASKS)]


def body(address, question=None, headers=None):
    answer = server_process.get(address, question, headers)
    assert answer is not None
    return answer[1]


def count_task_runs(api):
    return body(f"{api}/task_runs/count", {}, csrf_headers(api))


def test_prefect_server_is_started_once_keeps_every_record_and_stops(project):
    api = servers.ensure_prefect_server()
    first = record(project, "prefect")
    assert api == f"http://127.0.0.1:{first['port']}/api"
    assert servers.ensure_prefect_server() == api
    assert record(project, "prefect") == first
    assert servers.running_servers() == {"prefect": api.removesuffix("/api"), "mlflow": None}
    # An address of this machine that only a server open to the network would listen at.
    assert not connects("127.0.0.2", first["port"])

    import prefect.settings

    assert prefect.settings.PREFECT_API_URL.value() == api
    services = body(f"{api}/admin/settings", None, csrf_headers(api))["server"]["services"]
    assert set(services["db_vacuum"]["enabled"]) == {"events", "flow_runs"}
    run_tasks()
    wait_until(lambda: count_task_runs(api) == N_TASKS)

    os.kill(first["pid"], signal.SIGKILL)
    wait_until(lambda: not connects("127.0.0.1", first["port"]))
    assert servers.ensure_prefect_server() == api
    assert record(project, "prefect")["pid"] != first["pid"]
    assert count_task_runs(api) == N_TASKS

    run_tasks()
    assert servers.stop_servers() == ["Prefect"]
    assert not connects("127.0.0.1", first["port"])
    assert servers.stop_servers() == []
    servers.ensure_prefect_server()
    assert count_task_runs(api) == 2 * N_TASKS


def test_two_processes_at_once_start_one_server(project):
    code = "from flows.servers.project_servers import ensure_mlflow_server as f; print(f())"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    addresses = {process.communicate(timeout=300)[0].strip() for process in both}
    assert addresses == {servers.ensure_mlflow_server()}
    log = (project / ".smoothrank" / "logs" / "mlflow.log").read_text()
    assert log.count("Security middleware enabled") == 1


def test_stale_record_is_not_believed_and_a_taken_port_is_avoided(project):
    class Stranger(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"home": "/elsewhere"}')

        def log_message(self, *_):
            pass

    bystander = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        threading.Thread(target=stranger.serve_forever, daemon=True).start()
        stale = {"pid": bystander.pid, "port": stranger.server_port, "token": "old"}
        for name in ("prefect", "mlflow"):
            (state_folder() / f"{name}.json").write_text(json.dumps(stale))
        try:
            assert servers.running_servers() == {"prefect": None, "mlflow": None}
            assert servers.stop_servers() == []
            assert bystander.poll() is None
            api = servers.ensure_prefect_server()
            assert api != f"http://127.0.0.1:{stranger.server_port}/api"
            assert body(f"{api}/health") is True
        finally:
            stranger.shutdown()
            bystander.kill()
            bystander.wait()


def test_a_port_that_another_program_was_faster_to_take_is_avoided(project, monkeypatch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        taken, free_port = [other.getsockname()[1]], server_process.free_port
        monkeypatch.setattr(
            server_process,
            "free_port",
            lambda wanted: taken.pop() if taken else free_port(wanted),
        )
        api = servers.ensure_prefect_server()
    assert body(f"{api}/health") is True


def test_unreadable_record_counts_as_none(project):
    (state_folder() / "mlflow.json").write_text('{"pid": ')
    assert servers.running_servers() == {"prefect": None, "mlflow": None}


def test_a_running_server_whose_record_is_damaged_or_gone_is_replaced_or_stopped(project):
    path = state_folder() / "mlflow.json"
    servers.ensure_mlflow_server()
    first = record(project, "mlflow")["pid"]
    path.write_text('{"pid": 1, "port": "x"}')
    address = servers.ensure_mlflow_server()
    assert server_process.get(f"{address}/health") is not None
    assert record(project, "mlflow")["pid"] != first
    path.unlink()
    assert servers.stop_servers() == ["MLflow"]
    assert servers.stop_servers() == []


def test_server_whose_database_is_damaged_is_not_started(project):
    (state_folder("prefect") / "prefect.db").write_text("This is no database. " * 100)
    with pytest.raises(DamagedDatabaseError, match=r"prefect\.db is damaged"):
        servers.ensure_prefect_server()
    assert "PREFECT_API_URL" not in os.environ


def test_server_of_a_team_is_used_or_missed(project, monkeypatch):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PREFECT_API_URL", f"http://127.0.0.1:{probe.getsockname()[1]}/api")
        with pytest.raises(server_process.ServerError, match="unset PREFECT_API_URL"):
            servers.ensure_prefect_server()
    assert servers.running_servers()["prefect"] is None
    assert not (project / ".smoothrank" / "prefect.json").exists()


def test_processes_that_race_to_create_the_mlflow_database_all_succeed(project):
    code = "from tasks.project.mlflow_database import ensure_mlflow_database as f; print(f())"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    said = [process.communicate(timeout=300) for process in racers]
    address = f"sqlite:///{project}/mlruns/mlflow.db"
    assert said == [(f"{address}\n", "")] * 3
    assert ensure_mlflow_database() == address


def test_a_database_whose_making_was_killed_is_made_anew(project):
    code = "from tasks.project.mlflow_database import ensure_mlflow_database as f; f()"
    process = subprocess.Popen([sys.executable, "-c", code])
    half = project / "mlruns" / "unfinished" / "mlflow.db"
    while not (half.exists() and half.stat().st_size > 100_000):
        assert process.poll() is None
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert not (project / "mlruns" / "mlflow.db").exists()
    assert ensure_mlflow_database() == f"sqlite:///{project}/mlruns/mlflow.db"
    assert not half.parent.exists()


def test_home_must_be_a_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(ValueError, match="nowhere, which is not a folder"):
        project_home()
    monkeypatch.delenv("SMOOTHRANK_HOME")
    monkeypatch.chdir(tmp_path)
    assert project_home() == tmp_path
