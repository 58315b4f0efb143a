"""Writes the spaces, limits, options and picture sizes of each task into the pages of `docs/environments`.

It also writes the table of options that all pools take into `docs/options.md`, and the README's table of families.

    python docs/site/family_pages.py [--check]

`make generate` writes them, and a test checks them. All text outside the marks of the blocks is written by hand.
"""

import re
import sys
from collections import Counter
from pathlib import Path

from envpool_rs import _core
from envpool_rs._tasks.table import kind_text, pool_option_descriptions
from envpool_rs.cli.text import array_text, bounds_text, space_text

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from families import families, family_of

FOLDER = Path(__file__).parents[1] / "environments"
OPTIONS = FOLDER.parent / "options.md"
MARKS = re.compile(r"<!-- task (\S+): begin -->.*?<!-- task: end -->", re.S)
SHARED_MARKS = re.compile(r"<!-- shared options: begin -->.*?<!-- shared options: end -->", re.S)
HEADING = re.compile(r"^(#+) ", re.M)
README = FOLDER.parents[1] / "README.md"
FAMILIES_MARKS = re.compile(r"<!-- families: begin -->.*?<!-- families: end -->", re.S)
OPTIONS_MARKS = re.compile(r"<!-- options: begin -->.*?<!-- options: end -->", re.S)


def value_text(value):
    """Formats a default value as Python source; floats are rounded to four decimals."""
    return f"`{round(value, 4) if isinstance(value, float) else value!r}`"


def option_lines(options):
    rows = [
        f"| `{each['name']}` | {value_text(each['default'])} | {kind_text(each)} | "
        f"{'yes' if each['each_episode'] else ''} | {each['doc']} |"
        for each in options
    ]
    head = ["| option | default | values | may be drawn | description |", "|---|---|---|---|---|"]
    return [*head, *(row.replace("\\", "\\\\") for row in rows)]


def pool_options_block():
    """Returns the table of pool options as Markdown."""
    rows = [
        f"| `{each['name']}` | {each['default']} | {kind_text(each)} | {each['doc']} |"
        for each in pool_option_descriptions()
    ]
    lines = ["| option | default | values | description |", "|---|---|---|---|", *rows]
    return "\n".join(["<!-- options: begin -->", "", *lines, "", "<!-- options: end -->"])


def families_block(tasks):
    """Returns the README's table of families. Families without a reference are counted in the row of their page."""
    counts = Counter(family_of(task).page for task in tasks)
    rows = [
        f"| [{family.group or family.name}]({family.page}){f': {family.about}' if family.about else ''}"
        f" | {counts[family.page]} | {family.exact_to} | {family.needs} |"
        for family in families()
        if family.exact_to
    ]
    lines = ["| family | ids | exact to | needs |", "|---|---:|---|---|", *rows]
    return "\n".join(["<!-- families: begin -->", "", *lines, "", "<!-- families: end -->"])


def space_line(space):
    bounds = bounds_text(space)
    return f"`{space_text(space)}`" + (f", from {bounds}" if bounds else "")


def infos(spec):
    """Returns the infos of a task with their dtypes and shapes."""
    return [f"`{name}` {array_text(dtype, shape).replace('-1', 'players')}" for name, dtype, shape in spec.info]


def facts(task, spec):
    """Yields the rows of a task's first table; dtypes are those of gymnasium's dialect."""
    size = spec.picture_size
    limit, threshold = task["max_episode_steps"], task["reward_threshold"]
    yield "observation", space_line(spec.observation)
    yield "action", space_line(spec.action)
    if task["players"] > 1:
        yield "players", str(task["players"])
    yield "infos", ", ".join(infos(spec)) or "only those that every task has"
    yield "time limit", "none" if limit is None else f"{limit} steps"
    yield "solved at", "not specified" if threshold is None else f"a mean return of {threshold:g}"
    yield "picture", f"{size[0]} x {size[1]} pixels" + (", and text" if spec.has_text else "") if size else "none"
    if task["reset_options"]:
        yield "options of `reset`", ", ".join(f"`{name}`" for name in task["reset_options"])


def block(task, shared):
    """Returns a task's facts, and those of its options that no table of shared options has, as Markdown."""
    rows = [f"| {name} | {text} |" for name, text in facts(task, _core.Spec(task["id"], "gymnasium", {}))]
    lines = ["| | |", "|---|---|", *rows]
    if own := [option for option in task["options"] if option not in shared]:
        lines += ["", *option_lines(own)]
    elif not task["options"]:
        lines += ["", "This task has no options of its own."]
    return "\n".join([f"<!-- task {task['id']}: begin -->", "", *lines, "", "<!-- task: end -->"])


def section(text, start):
    """Returns the end of the section in which the position ``start`` of a page lies, subsections included."""
    level = len(HEADING.findall(text[:start])[-1])
    ends = [found.start() for found in HEADING.finditer(text, start) if len(found[1]) <= level]
    return ends[0] if ends else len(text)


def filled(text):
    """Returns the text of a page with up-to-date generated blocks.

    A table of shared options lists the options that are equal in all tasks of its section of the page, except those in
    the table of an enclosing section. The tables of these tasks leave them out.
    """
    tasks = {task["id"]: task for task in _core.tasks()}
    shared = {task: [] for task in MARKS.findall(text)}
    tables = []
    for mark in SHARED_MARKS.finditer(text):
        ids = MARKS.findall(text, mark.end(), section(text, mark.start()))
        first = tasks[ids[0]]["options"]
        alike = [each for each in first if all(each in tasks[task]["options"] for task in ids)]
        tables.append([each for each in alike if each not in shared[ids[0]]])
        for task in ids:
            shared[task] += tables[-1]
    remaining = iter(tables)
    text = SHARED_MARKS.sub(lambda _: shared_block(next(remaining)), text)
    text = MARKS.sub(lambda found: block(tasks[found[1]], shared[found[1]]), text)
    text = FAMILIES_MARKS.sub(lambda _: families_block(tasks.values()), text)
    return OPTIONS_MARKS.sub(lambda _: pool_options_block(), text)


def shared_block(options):
    return "\n".join(["<!-- shared options: begin -->", "", *option_lines(options), "", "<!-- shared options: end -->"])


def pages():
    """Returns the pages with generated blocks."""
    return [*sorted(FOLDER.glob("*.md")), OPTIONS, README]


def described():
    """Returns the ids of the tasks that have a generated block on a page."""
    return [task for page in sorted(FOLDER.glob("*.md")) for task in MARKS.findall(page.read_text())]


def main(check):
    for page in pages():
        text = page.read_text()
        new = filled(text)
        if check and new != text:
            sys.exit(f"{page.name} differs from the tables that the code generates: run make generate")
        if new != text:
            page.write_text(new)


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
