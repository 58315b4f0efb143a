"""Tests that modules of the package import modules of their own folder and of lower layers only, without cycles."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import envpool_rs
from families import families

PACKAGE = Path(envpool_rs.__file__).parent
FAMILY_MODULES = {module for family in families() for module in family.python} - {"robotics"}
LAYERS = [
    "_core",
    "_arguments _errors _known_attributes _nested _on_demand",
    "_spec robotics",
    "_tasks",
    "_workers",
    "xla",
    "_facades",
    "_python_pool",
    "_make",
    " ".join(["batch films frame_memory numba pools recording registration spaces workers", *FAMILY_MODULES]),
    "evaluation ray",
    "multi_env vector",
    "multi_agent pettingzoo pufferlib rllib sb3 tianshou torch vector_env_check",
    "as_envpool",
    "envpool_alias",
    "cli",
    "__main__",
    "_family_modules",
    "__init__",
]
"""Modules and folders directly below the package, lowest layer first; those of one layer do not import each other."""


def imports():
    """Returns the modules that each module imports, also in functions, for type checkers, and by name."""
    paths = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in PACKAGE.rglob("*.py*")}
    paths = {name.removesuffix(".__init__"): path for name, path in paths.items() if path.suffix in (".py", ".pyi")}
    edges = {module: set() for module in paths}
    for module, path in paths.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = []
            if isinstance(node, ast.Import):
                named = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom):
                folder = ["envpool_rs", *path.relative_to(PACKAGE).parts[:-1]][: 1 - node.level or None]
                base = ".".join([*(folder if node.level else []), *filter(None, [node.module])])
                named = [f"{base}.{each.name}" for each in node.names]
            elif isinstance(node, ast.Constant) and module != "_spec.entry_points":  # which only names others
                found = re.fullmatch(r"(envpool_rs\.([\w.]+))(:\w+)?", str(node.value))
                named = [found[1]] if found and found[2] in paths else []
            for name in filter(re.compile(r"envpool_rs\b").match, named):
                ends = (name, name.rpartition(".")[0])
                edges[module].add(next((end[11:] for end in ends if end[11:] in paths), "__init__"))
        edges[module].discard(module)
    return edges


def test_modules_import_lower_layers_only_and_without_cycles():
    edges = imports()
    height = {name: index for index, layer in enumerate(LAYERS) for name in layer.split()}
    assert {module.split(".")[0] for module in edges} == height.keys()
    tops = [(a, b) for a, others in edges.items() for b in others if a.split(".")[0] != b.split(".")[0]]
    assert [(a, b) for a, b in tops if height[a.split(".")[0]] <= height[b.split(".")[0]]] == []
    TopologicalSorter(edges).prepare()
