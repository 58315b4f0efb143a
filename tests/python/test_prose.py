"""Tests that `tests/prose.py` finds forbidden words in each kind of file, and ignores code and quotations."""

import prose
import pytest

FORBIDDEN = ["anew", "begun", "likewise", "nobody"]
FOUND = {
    "a.rs": "//! Made anew.\nfn f<'a>(x: &'a str, c: 'a') {} // begun\n///\n/// Likewise.\n/* x\n * nobody */\n",
    "a.py": '"""Made anew."""\n\n\ndef f():\n    """Text.\n\n    Begun.\n    """  # likewise\n    return 1  # nobody\n',
    "a.pyi": "x: int\n'''Made\nanew.'''\ny: int  # begun\nclass A:\n    '''Likewise.'''\n    # nobody\n",
    "a.md": "# Made anew\n\n| begun | `x` |\n\n```py\nx\n```\n- likewise\n  nobody\n",
    "a.yml": "# Made anew.\njobs:  # begun\n  # likewise\n  run: x  # nobody\n",
    "a.toml": '# Made anew\nx = "y"  # begun\n# likewise, nobody\n',
    "Makefile": "# Made anew.\nall: ## begun\n\t# likewise\n# nobody\n",
    ".ci/run": "#!/bin/bash\n# Made anew, begun\nx # likewise\n# nobody\n",
}
IGNORED = {
    "a.rs": '/// `anew`\n/// ```\n/// anew();\n/// ```\nfn f() -> &str { "// anew" }\nlet told = r#"// "anew"#;\n',
    "a.py": '"""Text.\n\nArgs:\n    told: bytes.\n"""\nx = f(\n    "anew",\n    # as\n    "told",\n)\ny = """anew"""\n',
    "a.md": "`anew` and ``x ` told`` [text](anew.md)\n\n```py\nanew\n```\n<!-- told -->\n",
    "a.yml": "anew: told\n",
    "Makefile": "anew:\n\techo told > begun#told\n",
}


@pytest.mark.parametrize("path", FOUND)
def test_forbidden_words_are_found(path):
    lines = FOUND[path].splitlines()
    found = prose.findings(path, FOUND[path])
    assert [word.lower() for _, word, _ in found] == FORBIDDEN
    assert all(word in lines[line - 1] for line, word, _ in found)


@pytest.mark.parametrize("path", IGNORED)
def test_code_is_ignored(path):
    assert prose.findings(path, IGNORED[path]) == []


@pytest.mark.parametrize(("path", "mark"), [("a.rs", "///"), ("a.rs", "//"), ("a.py", "#"), ("Makefile", "#")])
def test_a_noun_clause_as_first_words_is_reported(path, mark):
    assert [found[:2] for found in prose.findings(path, f"{mark} What is kept.\n{mark} What is not.\n")] == [
        (1, "What is")
    ]


def test_quotations_are_allowed_in_their_file_only(monkeypatch):
    monkeypatch.setattr(prose, "QUOTATIONS", {"a.md": ['"told"']})
    assert prose.findings("a.md", 'Not "told".') == []
    assert prose.findings("a.md", "Not told.") != []
    assert prose.findings("b.md", 'Not "told".') != []


def test_a_finding_is_an_error_with_file_and_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    (tmp_path / "a.md").write_text("Good.\n")
    (tmp_path / "b.md").write_text("Good.\nOnce more.\n")
    assert prose.main(["a.md"]) == 0
    assert prose.main(["a.md", "b.md"]) == 1
    assert capsys.readouterr().out == "b.md:2: Once more: use again\n"


def test_retired_identifiers_are_found_in_sources_only():
    name, replacement = next(iter(prose.RETIRED.items()))
    text = f"x\nuse a::{name};\n"
    assert prose.retired("src/a.rs", text) == prose.retired("python/a.py", text) == [(2, name, replacement)]
    assert prose.retired("src/a.rs", f"{name}s not_{name}") == prose.retired("tests/a.rs", text) == []
    assert len(prose.RETIRED) > 400
