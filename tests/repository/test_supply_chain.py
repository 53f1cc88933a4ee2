"""The bill of materials and the audit of the locked packages, as `make` runs them."""

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, version

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from scripts.audit import verdict
from tests.support.checkout.repository import ROOT

LOCK = (ROOT / "requirements.lock").read_text()
NAME_NO_LICENCE = {"huey", "namex", "skops"}
"""Their metadata names no licence; each comes with a file of it."""


def write_sbom(tmp_path):
    """Return the bytes that the script writes in a process of its own."""
    path = tmp_path / "sbom.json"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "scripts.sbom", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return path.read_bytes()


@pytest.fixture(scope="module")
def sbom(tmp_path_factory):
    return write_sbom(tmp_path_factory.mktemp("sbom"))


def is_installed(part):
    try:
        return version(part["name"]) == part["version"]
    except PackageNotFoundError:
        return False


def test_bill_of_materials_is_valid_cyclonedx(sbom):
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(sbom.decode()) is None


def test_bill_of_materials_is_the_same_each_time(sbom, tmp_path):
    assert write_sbom(tmp_path) == sbom


def test_bill_of_materials_lists_what_is_locked(sbom):
    parts = json.loads(sbom)["components"]
    pinned = re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE)
    assert [(part["name"], part["version"]) for part in parts] == sorted(pinned)
    checksums = [found["content"] for part in parts for found in part["hashes"]]
    assert sorted(checksums) == sorted(re.findall(r"--hash=sha256:(\w+)", LOCK))


def test_bill_of_materials_names_the_licence_of_what_is_installed(sbom):
    parts = [part for part in json.loads(sbom)["components"] if is_installed(part)]
    assert len(parts) > 200
    assert {part["name"] for part in parts if not part.get("licenses")} <= NAME_NO_LICENCE
    by_name = {part["name"]: part["licenses"] for part in parts if part.get("licenses")}
    assert by_name["pandas"] == [{"license": {"id": "BSD-3-Clause"}}]


class Advisories(BaseHTTPRequestHandler):
    """An advisory service in the format of OSV that knows of one bad version."""

    def do_POST(self):
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        package = query["package"]
        bad = (package["name"], query["version"]) == ("bad-package", "1.0")
        ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.1"}]}]
        found = {"id": "OSV-1", "affected": [{"package": package, "ranges": ranges}]}
        body = json.dumps({"vulns": [found]} if bad else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def service():
    with ThreadingHTTPServer(("127.0.0.1", 0), Advisories) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
        server.shutdown()
        thread.join()


def audit(service, *lock):
    settings = {"PIP_AUDIT_VULNERABILITY_SERVICE": "osv", "PIP_AUDIT_OSV_URL": service}
    done = subprocess.run(
        [sys.executable, "-m", "scripts.audit", *map(str, lock)],
        cwd=ROOT,
        env=os.environ | settings | {"NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).splitlines()


def test_all_locked_packages_are_audited(service):
    code, (line,) = audit(service)
    assert code == 0, line
    assert int(line.split()[0]) > 200
    assert "none with a known vulnerability" in line


def test_vulnerable_package_is_named(service, tmp_path):
    lock = tmp_path / "bad.lock"
    lock.write_text(f"bad-package==1.0 --hash=sha256:{'0' * 64}\n")
    assert audit(service, lock) == (1, ["bad-package 1.0: OSV-1, mended in 1.1"])


def test_service_that_cannot_be_reached_is_one_line():
    code, (line,) = audit("http://127.0.0.1:9/v1/query")
    assert code == 3
    assert line.startswith("audit: the advisory service cannot be asked: ")


def test_packages_that_the_service_does_not_know_are_not_called_safe():
    """Behind a mirror without advisories, pip-audit itself finds no vulnerability."""
    known = {"name": "known", "version": "1", "vulns": []}
    unknown = {"name": "unknown", "skip_reason": "Dependency not found"}
    vulnerable = {"name": "bad", "version": "1", "vulns": [{"id": "OSV-1", "fix_versions": []}]}

    def code_and_lines(*packages):
        return verdict(json.dumps({"dependencies": packages}), "No known vulnerabilities found")

    code, (line,) = code_and_lines(known, unknown)
    assert code == 3
    assert "knows nothing about 1 of 2 packages (unknown)" in line
    code, lines = code_and_lines(vulnerable, unknown)
    assert (code, len(lines)) == (1, 2)
    assert code_and_lines(known)[0] == 0
