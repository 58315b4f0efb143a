"""Tests the program that compares the results of two machines."""

import json

import hashes


def test_equal_results_have_equal_hashes_and_a_difference_names_its_step(tmp_path, capsys):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    hashes.record(first, ["bsuite"])
    hashes.record(second, ["bsuite"])
    assert hashes.compare(first, second) == 0
    changed = json.loads(second.read_text())
    changed["families"]["bsuite"]["Catch-v0"][7] ^= 1
    second.write_text(json.dumps(changed))
    assert hashes.compare(first, second) == 1
    assert "| bsuite | 1 | 0 | Catch-v0: 7 |" in capsys.readouterr().out
