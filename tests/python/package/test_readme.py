"""Runs the examples of README.md and docs/ unchanged, and checks that link targets exist."""

import re
import runpy
from multiprocessing.process import BaseProcess

import envpool_rs
import pytest
from doc_blocks import literal_comments, run_block
from envpool_rs import _core
from families import families
from repository import ROOT
from tasks import FAMILIES, MINIGRID, REGISTERED, matching

PAGES = [
    page for page in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))] if (ROOT / "docs").exists()
]
BLOCKS = [
    pytest.param(block[1], id=f"{page.name}:{page.read_text()[: block.start()].count(chr(10)) + 1}")
    for page in PAGES
    for block in re.finditer(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S)
]
#: Pages with code blocks that are marked ``py`` and not run by these tests, with the packages that the blocks need.
NOT_RUN_HERE = {
    "consumers.md": "trainers; the programs in examples/consumers run with `nox -s consumers consumers_gym`",
    "jax.md": "jax; run by test_xla.py",
    "learner.md": "torch and a GPU",
    "myosuite.md": "myosuite; run by test_myosuite.py",
    "plugins.md": "a library in C; compiled and loaded by test_plugins.py",
    "ray.md": "ray; run by tests/ray/test_ray_docs.py",
    "rendering.md": "moviepy",
    "stable_baselines3.md": "Stable-Baselines3; its suite runs with `nox -s sb3_suite`",
    "tutorial.md": "torch; run by tests/consumers/test_tutorial.py",
}

pytestmark = pytest.mark.skipif(not PAGES, reason="needs the repository, not only the tests")


@pytest.fixture
def started(monkeypatch):
    """Returns a list to which each process that multiprocessing starts is added."""
    processes = []
    start = BaseProcess.start

    def record(process):
        processes.append(process)
        start(process)

    monkeypatch.setattr(BaseProcess, "start", record)
    return processes


def check_import_in_workers(block, started):
    """Checks that a block starts no process when workers import it, as they do with `spawn` and `forkserver`."""
    started.clear()
    exec(compile(block, "block", "exec"), {"__name__": "__mp_main__"})
    assert not started, "processes start outside of `if __name__ == '__main__':`"


@pytest.mark.parametrize("block", BLOCKS)
def test_the_example_runs(block, started):
    run_block(block, "README")
    if started:
        check_import_in_workers(block, started)


def test_a_program_without_a_guard_is_noticed(started):
    program = "import multiprocessing\nprocess = multiprocessing.Process(target=int)\nprocess.start()\nprocess.join()\n"
    with pytest.raises(AssertionError, match="processes start outside"):
        check_import_in_workers(program, started)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("x = (2, 3)\nx  # (2, 4)\n", "line 2"),
        ("[1, 2]\n# [2, 1]\n", "line 1"),
        ("x = 3  # 3\n", "without an expression"),
        ("if False:\n    3  # 3\n", "never run"),
    ],
)
def test_a_wrong_result_in_a_comment_fails(block, message):
    with pytest.raises(AssertionError, match=message):
        run_block(block, "block")


def test_a_shape_in_prose_is_refused():
    with pytest.raises(ValueError, match="expected a literal alone"):
        run_block("x = 3  # four pictures (2, 4), uint8\n", "block")


def test_blocks_run_with_their_results_compared():
    run_block("x = 3\nif x:\n    x, 'a'  # (3, \"a\")\nx\n# 3\n", "block")


def test_only_examples_of_optional_packages_are_left_out():
    left_out = {page.name for page in PAGES if re.search(r"^``` *(py|py3|pycon|Python)$", page.read_text(), re.M)}
    assert left_out <= set(NOT_RUN_HERE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_that_are_not_compared_have_no_results(page):
    for block in re.findall(r"^``` *py\n(.*?)^```", page.read_text(), re.M | re.S):
        assert literal_comments(block) == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_have_existing_targets(page):
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
    missing = [
        target
        for target in targets
        # benchmark.png may not exist yet, because `make bench` writes it.
        if not target.endswith("benchmark.png") and not (page.parent / target).exists()
    ]
    assert not missing


def ids():
    """Returns the ids of all tasks, except tasks that exist for tests only."""
    return {task["id"] for task in REGISTERED if not task["id"].startswith("test/")}


def documented():
    """Returns the tasks that have a block on their family's page.

    Blocks of a large family describe the tasks that its manifest names under ``tests.documented``; those of other
    families, and of families without the key, describe all tasks but EnvPool's aliases.
    """
    found = set()
    for family in families():
        own = FAMILIES[family.key]
        tests = family.tests
        found |= {*matching(own, tests["documented"])} if "documented" in tests else {*own}
        found -= {*matching(own, tests.get("aliases", []))}
    return found & ids()


def test_the_pages_of_families_name_every_id():
    """Checks that the page of each family names all of its ids, or those of its blocks if its manifest says so."""
    for family in families():
        page = ROOT / family.page
        if family.is_for_tests:
            continue
        text = page.read_text()
        named = set(re.findall(r"`([\w/-]+-v\d+)`", text)) | set(re.findall(r"<!-- task (\S+): begin -->", text))
        tasks = {*FAMILIES[family.key]}
        if family.tests.get("names_examples_only"):
            tasks &= documented()
        assert tasks <= named, family.key


def test_every_named_id_of_the_readme_exists():
    named = set(re.findall(r"`((?:ALE/)?[A-Za-z0-9]+-v\d+)`", (ROOT / "README.md").read_text()))
    assert named and named <= ids()


def test_the_table_of_options_lists_the_pools_options():
    table = (ROOT / "docs" / "options.md").read_text()
    config = envpool_rs.make("Catch-v0").config
    own = {option["name"] for task in _core.tasks() for option in task["options"]}
    missing = [name for name in config if name not in own and f"`{name}`" not in table]
    assert not missing


def test_every_task_is_on_the_page_of_its_family():
    family_pages = runpy.run_path(str(ROOT / "docs" / "site" / "family_pages.py"))
    assert sorted(family_pages["described"]()) == sorted(documented())


def test_every_level_of_minigrid_is_on_its_page_with_its_class():
    page = (ROOT / "docs" / "environments" / "minigrid.md").read_text()
    assert set(re.findall(r"`((?:MiniGrid|BabyAI)-[^`]+)`", page)) >= set(MINIGRID)


def test_the_pages_of_families_match_the_code():
    family_pages = runpy.run_path(str(ROOT / "docs" / "site" / "family_pages.py"))
    for page in family_pages["pages"]():
        text = page.read_text()
        assert family_pages["filled"](text) == text, f"{page.name}: make generate"
