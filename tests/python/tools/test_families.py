"""Tests that the manifests of environment families are valid, and that generated files and blocks follow them."""

import pytest
from families import Family, differing, families
from tasks import FAMILIES, REGISTERED


def test_generated_files_follow_the_manifests_of_families():
    assert list(differing()) == []


def test_each_task_belongs_to_one_family():
    for task in REGISTERED:
        options = {option["name"] for option in task["options"]}
        assert len([family.key for family in families() if family.has(task["id"], options)]) == 1, task["id"]


def test_manifests_name_tasks_that_exist():
    for family in families():
        own = {*FAMILIES[family.key]}
        assert {*family.bench.get("tasks", [])} <= {task["id"] for task in REGISTERED}, family.key
        assert {*family.tests.get("representatives", []), *family.tests.get("options", {})} <= own, family.key
        for pictures in [family.mosaic, *family.pictures.values()]:
            assert pictures.keys() <= own, family.key


def test_an_unknown_key_of_a_manifest_is_refused(tmp_path):
    manifest = tmp_path / "family.toml"
    manifest.write_text('nam = "Toys"\n')
    with pytest.raises(ValueError, match="unknown keys nam: expected some of about, "):
        Family(manifest)
