"""Write the software bill of materials: every locked package, as CycloneDX in JSON.

    make sbom

Names, versions, markers and checksums are those of `requirements.lock`; the licences are what the
installed packages say about themselves, so a package for another system has none. The same lock and
the same installed packages give the same bytes: there is no time in it, and its serial number is
derived from the rest.
"""

from __future__ import annotations

import json
import sys
import uuid
from importlib.metadata import Distribution, PackageNotFoundError, distribution, requires
from pathlib import Path
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.locked import LOCK, LockedPackage, locked_packages

SBOM = Path("dist", "sbom.cdx.json")
_CLASSIFIER = "License :: OSI Approved :: "
_LONGEST_NAME = 100
"""A longer licence field is the licence's text, not its name."""


def bill_of_materials(lock: Path = LOCK) -> dict[str, Any]:
    """Return the bill of materials of a lock file."""
    own, components = _own_component(), [_component(entry) for entry in locked_packages(lock)]
    bom = Bom(components=components)
    bom.metadata.component = own
    direct = {canonicalize_name(Requirement(text).name) for text in requires("smoothrank") or []}
    bom.register_dependency(own, [part for part in components if part.name in direct])
    content: dict[str, Any] = json.loads(JsonV1Dot6(bom).output_as_string())
    del content["metadata"]["timestamp"], content["serialNumber"]
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(content, sort_keys=True))
    return content | {"serialNumber": serial.urn}


def licences(installed: Distribution) -> list[License]:
    """Return the licences that a package's metadata names: its expression, field or classifiers."""
    make, metadata = LicenseFactory(), installed.metadata
    for field in ("License-Expression", "License"):
        text = next(iter(metadata.get_all(field) or []), "").strip()
        if text and text != "UNKNOWN" and "\n" not in text and len(text) <= _LONGEST_NAME:
            return [make.make_from_string(text)]
    classifiers = metadata.get_all("Classifier") or []
    names = {c.removeprefix(_CLASSIFIER) for c in classifiers if c.startswith(_CLASSIFIER)}
    return [make.make_with_name(name) for name in sorted(names)]


def _own_component() -> Component:
    own = distribution("smoothrank")
    return Component(
        type=ComponentType.APPLICATION,
        name="smoothrank",
        version=own.version,
        bom_ref="smoothrank",
        licenses=licences(own),
    )


def _component(package: LockedPackage) -> Component:
    marker = [Property(name="smoothrank:marker", value=package.marker)] if package.marker else []
    return Component(
        type=ComponentType.LIBRARY,
        name=package.name,
        version=package.version,
        bom_ref=f"{package.name}=={package.version}",
        purl=PackageURL("pypi", None, package.name, package.version),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=text) for text in package.sha256],
        licenses=_licences_if_installed(package),
        properties=marker,
    )


def _licences_if_installed(package: LockedPackage) -> list[License]:
    installed = installed_version(package)
    return licences(installed) if installed else []


def installed_version(package: LockedPackage) -> Distribution | None:
    """Return what is installed of a locked package, or None if it is for another system."""
    try:
        installed = distribution(package.name)
    except PackageNotFoundError:
        return None
    return installed if installed.version == package.version else None


def main() -> None:
    """Write the bill of materials, and say where it is and whose licence it does not know."""
    path, content = Path(sys.argv[1]) if len(sys.argv) > 1 else SBOM, bill_of_materials()
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"{len(content['components'])} packages in {path}")
    without = {part["bom-ref"] for part in content["components"] if not part.get("licenses")}
    for reason, is_installed in (("not installed on this system", False), ("names none", True)):
        names = [
            f"{package.name} {package.version}"
            for package in locked_packages()
            if f"{package.name}=={package.version}" in without
            and bool(installed_version(package)) is is_installed
        ]
        if names:
            print(f"without a licence, {reason}: {', '.join(names)}")


if __name__ == "__main__":
    main()
