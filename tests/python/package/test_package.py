"""Tests the installed package: its software bill of materials (SBOM), and a short run of every task."""

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import envpool_rs
import pytest
import smoke
from repository import ROOT
from tasks import TASKS


def sbom():
    """Returns the software bill of materials (SBOM, a CycloneDX document) in the installed wheel."""
    (found,) = [path for path in distribution("envpool_rs").files if ".dist-info/sboms/" in path.as_posix()]
    return json.loads(found.read_text())


def is_from_a_wheel():
    """Returns whether the imported package is the one that a wheel has installed."""
    try:
        return Path(distribution("envpool_rs").locate_file("envpool_rs")) == Path(envpool_rs.__file__).parent
    except PackageNotFoundError:
        return False


def locked():
    """Returns the versions and checksums of the crates in Cargo.lock, by name; the workspace's own crates have no
    checksum.
    """
    crates = {}
    for entry in (ROOT / "Cargo.lock").read_text().split("[[package]]")[1:]:
        name, version = re.search(r'^name = "(.+)"\nversion = "(.+)"', entry, re.M).groups()
        checksum = re.search(r'^checksum = "(.+)"', entry, re.M)
        crates.setdefault(name, {})[version] = checksum and checksum[1]
    return crates


def dependencies():
    """Returns the crates on which the workspace's crates depend, by their manifests, for every platform."""
    named = set()
    for manifest in (ROOT / "src").rglob("Cargo.toml"):
        table = re.search(r"^\[dependencies\]\n(.*?)^\[", manifest.read_text(), re.M | re.S)
        names = (re.match(r"[\w-]+", line) for line in (table[1] if table else "").splitlines())
        named |= {name[0] for name in names if name}
    return named


@pytest.mark.skipif(not is_from_a_wheel(), reason="needs the package installed from its wheel")
@pytest.mark.skipif(not (ROOT / "Cargo.lock").exists(), reason="needs the repository, not only the tests")
def test_the_wheel_lists_the_crates_in_its_build():
    document = sbom()
    assert document["bomFormat"] == "CycloneDX" and document["specVersion"] >= "1.4"
    component = document["metadata"]["component"]
    assert (component["name"], component["version"]) == ("envpool_rs_python", envpool_rs.__version__)
    crates, named = locked(), set()
    for each in document["components"]:
        name, version = each["name"], each["version"]
        assert each["purl"].startswith(f"pkg:cargo/{name}@{version}")
        if crates[name][version]:
            assert {"alg": "SHA-256", "content": crates[name][version]} in each["hashes"]
        assert each["licenses"], name
        named.add(name)
    assert dependencies() <= named and {"pyo3", "tiny-skia", "envpool_rs_engine"} <= named


@pytest.mark.slow
def test_every_task_family_runs_with_every_interface(monkeypatch):
    monkeypatch.setattr(smoke, "tasks", lambda: TASKS)
    monkeypatch.setattr(smoke, "files", lambda package: ["sboms"])
    smoke.main()
