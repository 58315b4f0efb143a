"""Writes what the code knows of each task (spaces, limits, options, pictures) into the pages of `docs/environments`,
and what it knows of the options of all tasks into the README.

    python docs/site/family_pages.py [--check]

`make docs-tables` writes, a test checks. The blocks lie between marks; everything around them is written by hand.
"""

import re
import sys
from pathlib import Path

from envpool_rs import _core
from envpool_rs._tasks.option_descriptions import kind_text, pool_options, task_descriptions
from envpool_rs.cli.text import array_text, bounds_text, space_text

FOLDER = Path(__file__).parents[1] / "environments"
README = Path(__file__).parents[2] / "README.md"
MARKS = re.compile(r"<!-- task (\S+): begin -->.*?<!-- task: end -->", re.S)
OPTIONS_MARKS = re.compile(r"<!-- options: begin -->.*?<!-- options: end -->", re.S)


def value_text(value):
    """A default as it is written in Python; fractions to four digits."""
    return f"`{round(value, 4) if isinstance(value, float) else value!r}`"


def option_lines(options):
    if not options:
        return ["No options of its own."]
    rows = [
        f"| `{each['name']}` | {value_text(each['default'])} | {kind_text(each)} | "
        f"{'yes' if each['each_episode'] else ''} | {each['doc']} |"
        for each in options
    ]
    head = ["| option | default | values | may be drawn | |", "|---|---|---|---|---|"]
    return [*head, *(row.replace("\\", "\\\\") for row in rows)]


def pool_options_block():
    """The options of every task as Markdown."""
    rows = [f"| `{each['name']}` | {each['default']} | {kind_text(each)} | {each['doc']} |" for each in pool_options()]
    lines = ["| option | default | values | |", "|---|---|---|---|", *rows]
    return "\n".join(["<!-- options: begin -->", "", *lines, "", "<!-- options: end -->"])


def space_line(space):
    bounds = bounds_text(space)
    return f"`{space_text(space)}`" + (f", from {bounds}" if bounds else "")


def infos(spec):
    """The environment's own infos."""
    return [f"`{name}` {array_text(dtype, shape).replace('-1', 'players')}" for name, dtype, shape in spec.info]


def facts(task, spec):
    """The first table, by rows; dtypes are those of gymnasium's dialect."""
    size = spec.picture_size
    limit, threshold = task["max_episode_steps"], task["reward_threshold"]
    yield "observation", space_line(spec.observation)
    yield "action", space_line(spec.action)
    if task["players"] > 1:
        yield "players", str(task["players"])
    yield "infos", ", ".join(infos(spec)) or "none of its own"
    yield "time limit", "none" if limit is None else f"{limit} steps"
    yield "solved at", "not said" if threshold is None else f"a mean return of {threshold:g}"
    yield "picture", f"{size[0]} x {size[1]} pixels" + (", and text" if spec.has_text else "") if size else "none"
    if task["reset_options"]:
        yield "options of `reset`", ", ".join(f"`{name}`" for name in task["reset_options"])


def block(task):
    """A task's facts and options as Markdown."""
    rows = [f"| {name} | {text} |" for name, text in facts(task, _core.Spec(task["id"], "gymnasium", {}))]
    lines = ["| | |", "|---|---|", *rows, "", *option_lines(task["options"])]
    return "\n".join([f"<!-- task {task['id']}: begin -->", "", *lines, "", "<!-- task: end -->"])


def filled(text):
    """A page with its blocks as the code has them."""
    tasks = {task["id"]: task for task in task_descriptions()}
    text = MARKS.sub(lambda found: block(tasks[found[1]]), text)
    return OPTIONS_MARKS.sub(lambda _: pool_options_block(), text)


def pages():
    """All that is written into."""
    return [*sorted(FOLDER.glob("*.md")), README]


def described():
    """The tasks that have a block on one of the pages."""
    return [task for page in sorted(FOLDER.glob("*.md")) for task in MARKS.findall(page.read_text())]


def main(check):
    for page in pages():
        text = page.read_text()
        new = filled(text)
        if check and new != text:
            sys.exit(f"{page.name} is not what the code says: make docs-tables")
        if new != text:
            page.write_text(new)


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
