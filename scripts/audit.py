"""Ask an advisory service about every locked package, by pip-audit.

    make audit

`PIP_AUDIT_VULNERABILITY_SERVICE` and `PIP_AUDIT_OSV_URL` choose another service. pip-audit says
that nothing was found also where it could not ask; here that is another answer, with an exit
code of its own: 0 no known vulnerability, 1 some, 3 not all packages could be asked about.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.locked import LOCK

CLEAN, VULNERABLE, NOT_ASKED = 0, 1, 3
_SHOWN = 5


def pip_audit(lock: Path) -> tuple[str, str]:
    """Return what pip-audit writes about a lock file: its report in JSON, and its messages."""
    options = ("--format", "json", "--desc", "off", "--progress-spinner", "off")
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", *options]
    done = subprocess.run(
        [*command, "--requirement", str(lock)], capture_output=True, text=True, check=False
    )
    return done.stdout, done.stderr


def verdict(report: str, messages: str) -> tuple[int, list[str]]:
    """Return the exit code and the lines for what pip-audit wrote."""
    if not report.strip():
        reason = messages.strip().splitlines()[-1] if messages.strip() else "it says nothing"
        return NOT_ASKED, [f"audit: the advisory service cannot be asked: {reason}"]
    packages = json.loads(report)["dependencies"]
    found = [line for package in packages for line in _vulnerabilities(package)]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    if skipped:
        found.append(
            f"audit: the advisory service knows nothing about {len(skipped)} of {len(packages)} "
            f"packages ({_some(skipped)}), so these are not audited"
        )
    if found:
        return (VULNERABLE if len(found) > bool(skipped) else NOT_ASKED), found
    return CLEAN, [f"{len(packages)} packages, none with a known vulnerability"]


def _vulnerabilities(package: dict[str, Any]) -> list[str]:
    return [
        f"{package['name']} {package['version']}: {found['id']}, "
        f"mended in {_some(found['fix_versions']) or 'no version yet'}"
        for found in package.get("vulns", [])
    ]


def _some(names: Sequence[str]) -> str:
    return ", ".join([*names[:_SHOWN], *(["…"] if len(names) > _SHOWN else [])])


def main() -> None:
    """Print the verdict on a lock file, `requirements.lock` unless another is named."""
    code, lines = verdict(*pip_audit(Path(sys.argv[1]) if len(sys.argv) > 1 else LOCK))
    print("\n".join(lines), file=sys.stderr if code else sys.stdout)
    sys.exit(code)


if __name__ == "__main__":
    main()
