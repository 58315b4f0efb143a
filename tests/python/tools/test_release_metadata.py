"""Tests that a release's README has no relative links, and that its metadata name the repository."""

import re

import release_metadata
from families import tomllib
from repository import ROOT

URL = "https://example.org/owner/name"


def released(name):
    return release_metadata.FILES[name]((ROOT / name).read_text(), URL, "v1.2.3")


def test_links_of_the_readme_lead_to_files_of_the_tag():
    text = released("README.md")
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert targets and all(target.startswith(("https://", "#")) for target in targets)
    for kind, path in re.findall(rf"{URL}/(blob|raw)/v1\.2\.3/([^)#\s]*)", text):
        assert (ROOT / path).exists()
        assert (kind == "raw") == path.endswith(".png")


def test_project_urls_and_the_crates_repository_are_set_once():
    project = tomllib.loads(released("pyproject.toml"))["project"]
    assert project["urls"]["Repository"] == URL
    assert project["scripts"] and project["authors"]
    assert tomllib.loads(released("Cargo.toml"))["package"]["repository"] == URL
