"""Sphinx configuration of the documentation site, which `make docs` builds.

The source folder is the repository itself, so that README.md, docs/ and their links to each other are the same on a
forge and in the site; `include_patterns` lists the files that are pages. The build fetches nothing from the network.
"""

import sys
from pathlib import Path

import envpool_rs

sys.path.insert(0, str(Path(__file__).parent))

project = "envpool_rs"
author = "the envpool_rs authors"
copyright = author
release = version = envpool_rs.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "site_extension"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "src/**/README.md", "src/**/DECISIONS.md", "python/**/README.md"]
exclude_patterns = ["target", ".venv*", ".nox", ".git", ".hypothesis", ".pytest_cache", "fuzz", "tests"]

# Headings are link targets down to this depth, as on a forge.
myst_heading_anchors = 4

autodoc_member_order = "bysource"
# Members without a docstring are shown, and `site_extension` reports them.
autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}
# The docstring of a class documents its attributes; they have no separate entries.
napoleon_use_ivar = True
autodoc_typehints_format = "short"
# Packages with base classes of documented classes that are not installed where the site is built.
autodoc_mock_imports = ["pettingzoo", "pufferlib", "stable_baselines3", "torch"]

# Silences warnings about ambiguous references to classes with the same name in two modules.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = f"envpool_rs {release}"
html_copy_source = False
html_show_sphinx = False
# The folder with the site's start page; all other pages have the paths of their sources.
html_extra_path = ["extra"]
