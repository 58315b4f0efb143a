"""Tests that the package's folders form layers, and that modules import lower layers only.

The graph of imports is read from the sources, so that imports inside functions, for type checkers and by name count as
well.
"""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

import envpool_rs
import pytest

PACKAGE = Path(envpool_rs.__file__).parent
MAP = Path(__file__).parents[2] / "ARCHITECTURE.md"

LAYERS = [
    ("_core",),
    ("_arguments", "_errors", "_frame_ring", "_known_attributes", "_nested", "_on_demand"),
    ("_spec",),
    ("_tasks",),
    ("_workers",),
    ("xla",),
    ("_facades",),
    ("_python_pool",),
    ("_make",),
    ("batch", "crafter", "minigrid", "numba", "pools", "registration", "robotics", "spaces", "workers"),
    ("ray",),
    ("multi_env", "vector"),
    ("frame_memory", "pettingzoo", "pufferlib", "rllib", "sb3", "tianshou", "torch", "vector_env_check"),
    ("as_envpool",),
    ("envpool_alias",),
    ("cli",),
    ("__main__",),
    ("__init__",),
]
"""Modules and folders directly below the package, lowest layer first. Each may import lower layers only.

Modules of one layer do not import each other. ``__init__`` stands for the package's own file.
"""

NAMES_OF_WHAT_STANDS_ABOVE = {"_spec.entry_points"}
"""Modules that contain the names of other modules as strings without importing them."""

EVERYWHERE = {"gymnasium", "numpy"}
"""Packages that all modules may import."""


class Graph:
    """Imports of a package's modules.

    Attributes:
        edges: the modules of the package that each of its modules imports, by their names below the package.
        packages: the other packages that each module imports, except Python's standard library.
    """

    def __init__(self, folder, package, names_others=()):
        self.package = package
        self._names_others = names_others
        self._sources = {name(path, folder): path for kind in ("*.py", "*.pyi") for path in folder.rglob(kind)}
        self.edges = {module: set() for module in self._sources}
        self.packages = {module: set() for module in self._sources}
        for module, path in self._sources.items():
            self._read(module, ast.parse(path.read_text(), path))

    def _read(self, module, tree):
        texts = documentation(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for each in node.names:
                    self._add(module, each.name)
            elif isinstance(node, ast.ImportFrom):
                self._add_from(module, node)
            elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__"):
                self._add_by_name(module, node)
            elif isinstance(node, ast.Constant) and module not in self._names_others and node not in texts:
                # Strings such as "package.module" and "package.module:name", in tables of modules and entry points,
                # count as imports.
                named = re.fullmatch(rf"({self.package}(?:\.\w+)+)(?::\w+)?", str(node.value))
                if named is not None and self._module(named[1]) is not None:
                    self._add(module, named[1])

    def _add_from(self, module, node):
        base = (node.module or "").split(".") if node.module else []
        if node.level:
            is_folder = self._sources[module].stem == "__init__"
            own = [self.package, *([] if module == "__init__" else module.split("."))]
            base = own[: len(own) - node.level + is_folder] + base
        for each in node.names:
            inner = ".".join([*base, each.name])
            self._add(module, inner if self._module(inner) is not None else ".".join(base))

    def _add_by_name(self, module, call):
        argument = call.args[0]
        if isinstance(argument, ast.Constant):
            self._add(module, argument.value)
            return
        # The name is computed from `__name__`, so any module of the same folder may be imported.
        if isinstance(argument, ast.JoinedStr) and "__name__" in ast.dump(argument):
            prefix = "" if module == "__init__" else f"{module}."
            self.edges[module] |= {each for each in self._sources if each.startswith(prefix)} - {module}

    def _module(self, name):
        """Returns the module of this package with a dotted name; `None` if there is none."""
        first, _, rest = name.partition(".")
        if first != self.package:
            return None
        return (rest or "__init__") if (rest or "__init__") in self._sources else None

    def _add(self, module, imported):
        found = self._module(imported)
        if found is not None:
            self.edges[module] |= {found} - {module}
        elif imported.partition(".")[0] == self.package:
            raise AssertionError(f"{module} imports {imported}, which there is not")
        elif imported.partition(".")[0] not in sys.stdlib_module_names:
            self.packages[module].add(imported.partition(".")[0])

    def circles(self):
        """Returns import cycles, one after the other (Tarjan's strongly connected components)."""
        index, low, path, found = {}, {}, [], []

        def visit(module):
            index[module] = low[module] = len(index)
            path.append(module)
            for other in sorted(self.edges[module]):
                if other not in index:
                    visit(other)
                if other in path:
                    low[module] = min(low[module], low[other])
            if low[module] == index[module]:
                circle = path[path.index(module) :]
                del path[path.index(module) :]
                if len(circle) > 1:
                    found.append(sorted(circle))

        for module in sorted(self.edges):
            if module not in index:
                visit(module)
        return found

    def upwards(self, layers):
        """Returns messages about imports that do not go to a lower layer, and about modules without a layer."""
        height = {room: number for number, rooms in enumerate(layers) for room in rooms}
        lost = {f"{module} has no layer" for module in self.edges if room(module) not in height}
        return sorted(lost) + [
            f"{module} imports {other}"
            for module, others in sorted(self.edges.items())
            for other in sorted(others)
            if room(module) != room(other)
            if height.get(room(module), -1) <= height.get(room(other), -1)
        ]

    def rooms(self):
        """Returns the imports of each folder's modules: other folders, and other packages."""
        known, packages = defaultdict(set), defaultdict(set)
        for module, others in self.edges.items():
            known[room(module)] |= {room(other) for other in others} - {room(module)}
            packages[room(module)] |= self.packages[module] - EVERYWHERE
        return known, packages


def name(path, folder):
    """Returns a module's name below its package; ``__init__`` for the package itself."""
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def room(module):
    return module.partition(".")[0]


def called(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)


def documentation(tree):
    """Returns the strings that are separate statements in a module, such as docstrings."""
    return {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


@pytest.fixture(scope="module")
def graph():
    return Graph(PACKAGE, "envpool_rs", NAMES_OF_WHAT_STANDS_ABOVE)


def test_no_module_imports_a_higher_layer(graph):
    assert graph.upwards(LAYERS) == []


def test_no_modules_import_each_other(graph):
    assert graph.circles() == []


def test_every_layer_exists(graph):
    assert {room for rooms in LAYERS for room in rooms} == {room(module) for module in graph.edges}


@pytest.mark.skipif(not MAP.exists(), reason="needs the repository, not only the tests")
def test_the_documented_map_of_python_modules_is_correct(graph):
    text = MAP.read_text().partition("### The Python side")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|(.*?)\|(.*?)\|(.*?)\|$", text, re.M)
    rooms_of_rows = [re.findall(r"`(\w+)`", row[0]) for row in rows]
    height = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}
    heights = [height[rooms[0]] for rooms in rooms_of_rows]
    assert heights == sorted(heights, reverse=True)
    assert all({height[room] for room in rooms} == {height[rooms[0]]} for rooms in rooms_of_rows)
    assert sorted(room for rooms in rooms_of_rows for room in rooms) == sorted(height.keys() - {"_core"})
    known, packages = graph.rooms()
    for (_, _, knows, others), rooms in zip(rows, rooms_of_rows, strict=True):
        if rooms == ["__init__"]:
            assert knows.strip() == "everything"
            continue
        assert set(re.findall(r"`(\w+)`", knows)) == set().union(*(known[each] for each in rooms)), rooms
        assert set(re.findall(r"\w+", others)) == set().union(*(packages[each] for each in rooms)), rooms


# Tests of the check itself, on a small package with known violations.

TOY = {
    "__init__.py": "import importlib\ndef __getattr__(name):\n    importlib.import_module(f'{__name__}.{name}')\n",
    "low/__init__.py": "",
    "low/a.py": "def f():\n    from .b import g\n",
    "low/b.py": "import json\nimport numpy, jax\n",
    "high.py": '"""toy.low.a"""\nfrom toy.low import a\n',
}


def toy(tmp_path, **changes):
    for path, source in (TOY | {path.replace("__", "/") + ".py": source for path, source in changes.items()}).items():
        file = tmp_path / "toy" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)
    return Graph(tmp_path / "toy", "toy")


TOY_LAYERS = [("low",), ("high",), ("__init__",)]


def test_the_check_reads_all_imports(tmp_path):
    graph = toy(tmp_path)
    assert graph.edges == {
        "__init__": {"low", "low.a", "low.b", "high"},
        "low": set(),
        "low.a": {"low.b"},
        "low.b": set(),
        "high": {"low.a"},
    }
    assert graph.packages["low.b"] == {"numpy", "jax"}
    assert graph.rooms()[1]["low"] == {"jax"}
    assert graph.circles() == [] and graph.upwards(TOY_LAYERS) == []


@pytest.mark.parametrize(
    "source",
    [
        "from toy.low import a",
        "from toy.low.a import f",
        "import toy.low.a",
        "from . import a",
        "from .a import f",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from toy.low.a import f",
        "def g():\n    from toy.low.a import f",
        "import importlib\nimportlib.import_module('toy.low.a')",
        "ON_DEMAND = {'f': 'toy.low.a'}",
        "ENTRY = 'toy.low.a:f'",
    ],
)
def test_the_check_detects_a_cycle(tmp_path, source):
    assert toy(tmp_path, low__b=source).circles() == [["low.a", "low.b"]]


@pytest.mark.parametrize(
    "source", ["import toy", "from toy import high", "from .. import high", "from ..high import a", "X = 'toy.high:a'"]
)
def test_the_check_detects_an_upward_import(tmp_path, source):
    (found,) = toy(tmp_path, low__b=source).upwards(TOY_LAYERS)
    assert found == f"low.b imports {'__init__' if source == 'import toy' else 'high'}"


def test_the_check_detects_sibling_imports_and_unknown_modules(tmp_path):
    graph = toy(tmp_path, beside="from toy import high")
    assert graph.upwards([("low",), ("high", "beside"), ("__init__",)]) == ["beside imports high"]
    assert "beside has no layer" in graph.upwards(TOY_LAYERS)
    with pytest.raises(AssertionError, match=r"low.b imports toy.nothing, which there is not"):
        toy(tmp_path, low__b="from toy.nothing import x")
