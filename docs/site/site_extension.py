"""Sphinx extension of this site: keeps links to folders as text, and warns about missing docstrings."""

import inspect
from pathlib import Path

from sphinx.addnodes import pending_xref
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def keep_names_of_folders(app, doctree):
    """Replaces links to folders of the repository, which have no page, by their text; links to missing folders stay
    errors.
    """
    for link in list(doctree.findall(pending_xref)):
        folder = Path(app.srcdir, app.env.docname).parent / link["reftarget"]
        if link["reftype"] == "myst" and folder.is_dir():
            link.replace_self(link.children)


def complain_of_missing_docstring(app, what, name, obj, options, lines):
    """Warns about a public item without a docstring; the build treats warnings as errors."""
    ours = name.startswith("envpool_rs") and not name.rpartition(".")[2].startswith("_")
    documentable = what in ("module", "class", "exception") or inspect.isroutine(obj) or isinstance(obj, property)
    if ours and documentable and not any(line.strip() for line in lines):
        LOGGER.warning("%s has no docstring", name)


def setup(app):
    app.connect("doctree-read", keep_names_of_folders)
    app.connect("autodoc-process-docstring", complain_of_missing_docstring)
    return {"parallel_read_safe": True}
