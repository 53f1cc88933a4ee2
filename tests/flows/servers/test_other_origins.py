"""The servers on loopback answer their own pages and local programs, and no other web page."""

from __future__ import annotations

import http.client
import http.server
import json
import threading
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

import pytest

from flows.servers import project_servers as servers
from flows.servers.prefect_records import csrf_headers
from tests.support.browser import chromium
from tests.support.project import project

pytestmark = pytest.mark.services

FLOWS, EXPERIMENTS = "/api/flows/", "/api/2.0/mlflow/experiments/create"
READS = {"prefect": "/api/admin/settings", "mlflow": "/api/2.0/mlflow/experiments/search"}
WRITES = {"prefect": FLOWS, "mlflow": EXPERIMENTS}
EVIL = "http://evil.example"


@pytest.fixture(scope="module")
def addresses(tmp_path_factory):
    with project(tmp_path_factory.mktemp("origins") / "home"):
        found = {
            "prefect": servers.ensure_prefect_server().removesuffix("/api"),
            "mlflow": servers.ensure_mlflow_server(),
        }
        yield found


def ask(address, method, path, content=None, **headers):
    """Return status, headers and text of an answer; `Host` and `Origin` can be given."""
    at = urlsplit(address)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection(str(at.hostname), at.port, timeout=30)) as connection:
        connection.request(method, path, content, sent)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode("utf-8", "replace")


def names(addresses):
    """Return the names of all flows and experiments."""
    prefect, mlflow = addresses["prefect"], addresses["mlflow"]
    plain = {"Content-Type": "application/json"}
    asked = csrf_headers(f"{prefect}/api") | plain
    flows = ask(prefect, "POST", "/api/flows/filter", "{}", **asked)[2]
    found = ask(mlflow, "POST", READS["mlflow"], '{"max_results": 100}', **plain)[2]
    experiments = json.loads(found).get("experiments", [])
    return {one["name"] for one in [*json.loads(flows), *experiments]}


@pytest.mark.parametrize("server", ["prefect", "mlflow"])
def test_another_host_is_refused(addresses, server):
    address = addresses[server]
    port = urlsplit(address).port
    for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}"):
        status, _, text = ask(address, "GET", READS[server] + "?max_results=5", Host=host)
        assert status == 403
        assert "home" not in text
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        assert ask(address, "GET", "/", Host=host)[0] == 200


@pytest.mark.parametrize("server", ["prefect", "mlflow"])
@pytest.mark.parametrize("origin", [EVIL, "http://127.0.0.1:1", "http://localhost:1", "null"])
@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_a_page_of_another_origin_changes_nothing(addresses, server, origin, kind):
    before = names(addresses)
    asked = {"Origin": origin, "Content_Type": kind}
    content = json.dumps({"name": "evil"})
    status, headers, _ = ask(addresses[server], "POST", WRITES[server], content, **asked)
    assert status in (400, 403)
    assert headers.get("Access-Control-Allow-Origin") in (None, addresses[server])
    assert names(addresses) == before


@pytest.mark.parametrize("server", ["prefect", "mlflow"])
def test_a_preflight_allows_no_other_origin(addresses, server):
    asked = {"Origin": EVIL, "Access_Control_Request_Method": "POST"}
    asked["Access_Control_Request_Headers"] = "content-type"
    _, headers, _ = ask(addresses[server], "OPTIONS", WRITES[server], **asked)
    assert headers.get("Access-Control-Allow-Origin") is None


def test_a_program_without_a_token_changes_nothing(addresses):
    asked = {"Content_Type": "application/json"}
    status, _, text = ask(addresses["prefect"], "POST", FLOWS, '{"name": "evil"}', **asked)
    assert (status, "CSRF" in text) == (403, True)


ATTACK = """
async ([prefect, mlflow]) => {
  const tries = [], json = {'Content-Type': 'application/json'}, body = '{"name": "evil"}';
  const read = async (name, address, options) => {
    try { tries.push([name, (await (await fetch(address, options)).text()).length]); }
    catch (error) { tries.push([name, 'refused']); }
  };
  for (const [server, page, write] of [
    [prefect, '/api/admin/settings', '/api/flows/'],
    [mlflow, '/api/2.0/mlflow/experiments/search?max_results=5',
     '/api/2.0/mlflow/experiments/create']]) {
    await read('read', server + page, {});
    await read('write', server + write, {method: 'POST', headers: json, body});
    await read('blind', server + write, {method: 'POST', mode: 'no-cors', body});
  }
  const socket = new WebSocket(prefect.replace('http', 'ws') + '/api/events/in');
  tries.push(['socket', await new Promise(end => {
    socket.onopen = () => end('open');
    socket.onerror = () => end('refused');
  })]);
  return tries;
}
"""


@contextmanager
def page_elsewhere():
    """Serve an empty page on another port."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>another page</title>")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.mark.long
def test_a_real_browser_on_another_page_reads_and_changes_nothing(addresses):
    before = names(addresses)
    with chromium() as browser, page_elsewhere() as port:
        page = browser.new_page()
        page.goto(f"http://localhost:{port}/")
        tries = page.evaluate(ATTACK, [addresses["prefect"], addresses["mlflow"]])
    found = {(name, result) for name, result in tries if name != "blind"}
    assert found == {("read", "refused"), ("write", "refused"), ("socket", "refused")}
    assert {result for name, result in tries if name == "blind"} <= {0, "refused"}
    assert names(addresses) == before


@pytest.mark.long
def test_the_servers_own_pages_work(addresses):
    headers = csrf_headers(f"{addresses['prefect']}/api")
    asked = {"Content-Type": "application/json", **headers}
    status, _, _ = ask(addresses["prefect"], "POST", FLOWS, '{"name": "of-our-own"}', **asked)
    assert status == 201
    with chromium() as browser:
        page = browser.new_page()
        page.goto(f"{addresses['prefect']}/flows")
        page.get_by_text("1 Flow").first.wait_for()
        page.goto(f"{addresses['mlflow']}/#/experiments?workflowType=machine_learning")
        page.get_by_text("Default").first.wait_for()
