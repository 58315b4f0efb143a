"""Reads the manifests of environment families, `src/envs/**/family.toml`, and writes all that is generated from them.

    python tools/families.py            # `make generate`: writes the generated files and blocks
    python tools/families.py --check    # fails if one of them differs
    python tools/families.py bench NAME # `nox -s bench -- NAME`: measures a family, and fills its page
    python tools/families.py exact NAME # `nox -s exact -- NAME`: compares a family with its reference over many steps
    python tools/families.py exactness  # compares all families with their references; further arguments are pytest's

CONTRIBUTING.md describes the keys of a manifest. This file needs only the standard library, because the Makefile runs
it before the package is built.
"""

import json
import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:  # only pip is installed when the Makefile runs this
    from pip._vendor import tomli as tomllib

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "python"
KEYS = {
    *(
        "name",
        "group",
        "position",
        "about",
        "exact_to",
        "needs",
        "page",
        "guide",
        "feature",
        "other_features",
        "crates",
    ),
    *("module", "is_reexported", "has_names", "is_for_tests", "option", "without_option", "ids"),
    *("options_class", "extras"),
    *("assets", "gymnasium_module", "python", "tests", "exactness", "exact", "bench", "programs", "pictures", "mosaic"),
    *("benchmarks", "keys"),
}
"""All keys of a manifest."""

WRITTEN = "written by tools/families.py (`make generate`) from src/envs/**/family.toml"


class Family:
    """A manifest as an object: keys are attributes, and absent tables are empty.

    ``key`` is the name of the manifest's folder.
    """

    def __init__(self, path):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        unknown = table.keys() - KEYS
        if unknown:
            raise ValueError(
                f"{path}: unknown keys {', '.join(sorted(unknown))}: expected some of {', '.join(sorted(KEYS))}"
            )
        self.key = path.parent.name
        self.name, self.position, self.feature, self.module = (
            table[key] for key in ("name", "position", "feature", "module")
        )
        self.page = table.get("page", f"docs/environments/{self.key}.md")
        self.is_for_tests = table.get("is_for_tests", False)
        self.is_reexported = table.get("is_reexported", False)
        self.has_names = table.get("has_names", False)
        for key in ("group", "about", "exact_to", "needs", "guide", "option", "without_option", "gymnasium_module"):
            setattr(self, key, table.get(key, ""))
        for key in ("other_features", "ids", "assets"):
            setattr(self, key, table.get(key, []))
        for key in ("options_class", "crates", "extras", "python", "tests", "exactness", "exact", "bench", "programs"):
            setattr(self, key, table.get(key, {}))
        self.benchmarks, self.keys = table.get("benchmarks", {}), table.get("keys", {})
        self.pictures, self.mosaic = table.get("pictures", {}), table.get("mosaic", {})

    def has(self, task_id, options):
        """Returns whether a task with these names of options is one of the family."""
        if self.option:
            return self.option in options and self.without_option not in options
        return any(fnmatch(task_id, pattern) for pattern in self.ids)


@cache
def families():
    """Returns all families, in the order of their tasks."""
    found = [Family(path) for path in (ROOT / "src" / "envs").rglob("family.toml")]
    return sorted(found, key=lambda family: family.position)


def family_of(task):
    """Returns the family of a task, as the package describes it; ``None`` for a task of a library."""
    options = {option["name"] for option in task["options"]}
    return next((family for family in families() if family.has(task["id"], options)), None)


def merged(name):
    """Returns the union of a table of all families, whose entries may be split over several manifests."""
    found = {}
    for family in families():
        for key, entry in getattr(family, name).items():
            known = found.setdefault(key, {})
            if differing := [each for each in entry.keys() & known if entry[each] != known[each]]:
                raise ValueError(f"{name}.{key}.{differing[0]}: expected the same value in all manifests")
            known.update(entry)
    return found


def listed(table, key):
    """Returns the elements of all families' lists under ``table.key``, without duplicates."""
    return list(dict.fromkeys(each for family in families() for each in getattr(family, table).get(key, [])))


# --- generated text ---------------------------------------------------------------------------------------------------


def crate_name(path):
    return "envpool_rs_" + path.removeprefix("src/").replace("/", "_")


def features():
    """Returns the lines of `Cargo.toml` with the families' features."""
    found = {}
    for family in families():
        needs = found.setdefault(family.feature, {})
        for path in family.crates:
            needs[f"dep:{crate_name(path)}"] = None
        crate = family.module.partition("::")[0]
        if crate.removeprefix("envpool_rs_envs_") != family.feature:
            needs[f"{crate}/{family.feature}"] = None
        needs.update(dict.fromkeys(family.other_features))
    lines = [f"all_envs = {_list(sorted(found))}"]
    return lines + [f"{name} = {_list(needs)}" for name, needs in sorted(found.items())]


def optional_dependencies():
    return [f"{crate_name(path)} = {{ workspace = true, optional = true }}" for path in sorted(merged("crates"))]


def workspace_dependencies():
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    return [
        f'{crate_name(path)} = {{ path = "{path}", version = "{version}"'
        + ("" if crate.get("default_features", True) else ", default-features = false")
        + " }"
        for path, crate in sorted(merged("crates").items())
    ]


def dev_profile():
    """Yields the lines of `Cargo.toml` that set the optimisation of crates in the profile `dev`."""
    for path, crate in sorted(merged("crates").items()):
        if "dev_opt_level" in crate:
            yield from (f"[profile.dev.package.{crate_name(path)}]", f"opt-level = {crate['dev_opt_level']}")


def extras():
    """Yields the lines of `pyproject.toml` with the families' extras."""
    for name, extra in merged("extras").items():
        yield from (f"# {line}" for line in extra["about"].strip().splitlines())
        yield f"{name} = {_list(extra['packages'])}"


def _list(items):
    return f"[{', '.join(_quoted(each) for each in items)}]"


def _quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def reexports():
    """Yields the features and the paths of the families' modules in `src/envs/mod.rs`."""
    for family in families():
        if family.is_reexported:
            name = family.module.removeprefix("envpool_rs_envs_")
            yield family.module, family.feature, "" if "::" in family.module else f" as {name}"
    yield "envpool_rs_pictures::resize", "pictures", ""


def uses(items):
    """Returns the source of public imports behind features."""
    return "".join(
        f'#[doc(inline)]\n#[cfg(feature = "{feature}")]\npub use {path}{alias};\n'
        for path, feature, alias in sorted(items)
    )


def envs_module():
    """Returns the text of `src/envs/mod.rs`."""
    calls = "".join(
        f'    #[cfg(feature = "{family.feature}")]\n    registry.add({family.module}::tasks());\n'
        for family in families()
    )
    names = "".join(
        f'        #[cfg(feature = "{family.feature}")]\n        "{family.key}" => {family.module}::names(),\n'
        for family in families()
        if family.has_names
    )
    return f"""\
// {WRITTEN[0].upper()}{WRITTEN[1:]}.
//! Builds the registry of the tasks of all environment families.

{uses(reexports())}
use envpool_rs_engine::Registry;

/// Returns the registry of the tasks of every environment family that this build includes.
pub fn registry() -> Registry {{
    #[allow(unused_mut, reason = "a build without families adds nothing")]
    let mut registry = Registry::default();
{calls}    registry
}}

/// Returns what a family names: lists of names by subject, empty for a family without any.
pub fn names(family: &str) -> Vec<(&'static str, Vec<&'static str>)> {{
    match family {{
{names}        _ => Vec::new(),
    }}
}}
"""


def sim_module():
    """Returns the text of `src/sim/mod.rs`."""
    simulators = {
        (crate_name(path), family.feature, f" as {Path(path).name}")
        for family in families()
        for path in family.crates
        if path.startswith("src/sim/")
    }
    return f"""\
// {WRITTEN[0].upper()}{WRITTEN[1:]}.
//! Simulators: machines and physics engines that environments are built on.
//!
//! The simulators depend neither on the pool engine nor on the environments.

{uses([("envpool_rs_pictures::raster", "pictures", ""), *simulators])}"""


def facts():
    """Returns the text of `python/envpool_rs/_spec/families.json`."""
    found = {
        "written by": WRITTEN,
        "assets": [asset for family in families() for asset in family.assets],
        "gymnasium_modules": [family.gymnasium_module for family in families() if family.gymnasium_module],
        "benchmarks": merged("benchmarks"),
        "keys": merged("keys"),
    }
    return json.dumps(found, indent=2) + "\n"


def family_modules():
    """Returns the text of `python/envpool_rs/_family_modules.pyi`, the families' modules that type checkers know."""
    imports = "".join(f"from envpool_rs import {name} as {name}\n" for name in sorted(merged_modules()))
    return f"# {WRITTEN[0].upper()}{WRITTEN[1:]}.\n\n{imports}"


def merged_modules():
    """Returns the public names of the families' Python modules, by module."""
    return {module: names for family in families() for module, names in family.python.items()}


def links(family):
    """Returns the links to the pages of a family, as pages of `docs` write them."""
    pages = {family.name: family.page, **({"guide": family.guide} if family.guide else {})}
    return ", ".join(f"[{name}]({page.removeprefix('docs/')})" for name, page in pages.items())


def codes(names):
    return ", ".join(f"`{name}`" for name in names)


def families_page():
    """Returns the text of `docs/families.md`."""
    rows = [
        f"| {links(family)} | {codes(family.ids) or f'those with the option `{family.option}`'} | `{family.feature}` | "
        f"{codes(family.extras)} | {codes(f'envpool_rs.{module}' for module in family.python)} |"
        for family in families()
        if not family.is_for_tests
    ]
    crates = [
        f"| `{crate_name(path)}` | `{path}` | {description(path)} |"
        for path in sorted(merged("crates"), key=lambda path: (path.startswith("src/envs"), path))
    ]
    return f"""\
<!-- {WRITTEN[0].upper()}{WRITTEN[1:]}. -->

# Families

A family is a group of tasks with one manifest, `family.toml`, next to its rules in `src/envs`. A program in Rust
selects families by features of the crate `envpool_rs`. `pip install 'envpool_rs[EXTRA]'` installs the files and
libraries that some families need.

| family | tasks | feature | extra | Python module |
|---|---|---|---|---|
{chr(10).join(rows)}

The families consist of these crates:

| crate | folder | contents |
|---|---|---|
{chr(10).join(crates)}
"""


def description(path):
    return tomllib.loads((ROOT / path / "Cargo.toml").read_text(encoding="utf-8"))["package"]["description"]


BLOCKS = {
    "Cargo.toml": {
        "features": features,
        "dependencies": optional_dependencies,
        "workspace dependencies": workspace_dependencies,
        "dev": dev_profile,
    },
    "pyproject.toml": {"extras": extras},
}
"""Functions that return the lines of the generated blocks of files, by the names in the blocks' marks."""

FILES = {
    "src/envs/mod.rs": envs_module,
    "src/sim/mod.rs": sim_module,
    "python/envpool_rs/_spec/families.json": facts,
    "python/envpool_rs/_family_modules.pyi": family_modules,
    "docs/families.md": families_page,
}
"""Functions that return the text of files that are generated as a whole."""


def filled(path, text):
    """Returns the text of a file with its blocks, or the whole text, generated again."""
    if path in FILES:
        return FILES[path]()
    for name, lines in BLOCKS[path].items():
        begin, end = f"# families: begin {name}\n", "# families: end\n"
        body = "".join(f"{line}\n" for line in lines())
        pattern = f"{re.escape(begin)}.*?{end}"
        text, count = re.subn(pattern, lambda _, new=begin + body + end: new, text, flags=re.S)
        if count != 1:
            raise SystemExit(f"{path}: {count} blocks {name!r}: expected 1")
    return text


def differing():
    """Returns the new text of each generated file that differs from it, by path."""
    found = {}
    for path in [*BLOCKS, *FILES]:
        file = ROOT / path
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        new = filled(path, old)
        if new != old:
            found[path] = new
    return found


# --- commands ---------------------------------------------------------------------------------------------------------


def named(key, table):
    """Returns a family by key, whose manifest must have a table."""
    having = {family.key: family for family in families() if getattr(family, table)}
    if key not in having:
        raise SystemExit(f"{key}: expected a family whose manifest has [{table}]: {', '.join(having)}")
    return having[key]


def bench(key):
    """Measures a family, and fills the page that its manifest names."""
    table = named(key, "bench").bench
    if "cpus" in table:
        os.sched_setaffinity(0, table["cpus"])
    command = [sys.executable, "benches/python", "bench", *table["tasks"], *table["arguments"].split()]
    command += ["--json", f"docs/benchmark_{key}.json", "--markdown", table["page"]]
    return subprocess.call(command, cwd=ROOT, env={**os.environ, **table.get("environment", {})})


def compare(tables, *options):
    """Runs the tests that compare families with their references, for the numbers of steps that the manifests set.

    A variable of the environment replaces the manifest's number.
    """
    steps = {name: str(number) for table in tables for name, number in table.get("steps", {}).items()}
    environment = {**steps, **os.environ}
    files = [str(path) for table in tables for file in table.get("test", []) for path in TESTS.rglob(file)]
    failed = (
        subprocess.call([sys.executable, "-m", "pytest", *options, *files], cwd=ROOT, env=environment) if files else 0
    )
    environment["PYTHONPATH"] = os.pathsep.join(str(ROOT / name) for name in ("tests/python/shared", "tests", "tools"))
    for script in [script for table in tables for script in table.get("scripts", [])]:
        failed |= subprocess.call([sys.executable, *script.split()], cwd=ROOT, env=environment)
    return failed


def main(command="", *arguments):
    if command == "bench":
        return bench(*arguments)
    if command == "exact":
        return compare([named(*arguments, "exact").exact], "-s", "--all-instances")
    if command == "exactness":
        return compare([family.exactness for family in families()], *arguments)
    changed = differing()
    if command == "--check":
        return f"{', '.join(changed)}: differ from the families' manifests: run make generate" if changed else 0
    for path, text in changed.items():
        (ROOT / path).write_text(text, encoding="utf-8")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
