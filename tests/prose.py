"""Finds words in comments, docstrings and Markdown that CONTRIBUTING.md's rules of language forbid, and retired names.

    python tests/prose.py [FILE ...]

Without files, checks all that git does not ignore. Prints `path:line: word: use X` for each finding, and exits with 1
if there is any. Does not check code, inline code, code blocks and targets of links for words. Code in `src` and
`python` must not contain identifiers that `tests/data/retired_identifiers.tsv` lists; the file lists a standard name
for each.
"""

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: Forbidden words as regular expressions, with the words to use instead.
WORDS = {
    "anew": "again, or a verb with re-",
    "as ever": "as before",
    "begun": "started",
    "beside": "next to, compared with",
    "for ever": "forever",
    "in the place of": "instead of",
    "likewise": "also",
    "nobody": "no caller, no thread, ...",
    "once more": "again",
    "so many": "the number",
    "somebody": "a caller, another thread, ...",
    "tells?|told": "reports, returns, says, passes",
    "whoever": "the caller, the thread that ...",
}
#: Matches a noun clause ("What is ...") as a comment's first words.
OPENING = re.compile(r"What (?:is|are|was|were|an?|the)\b")
#: Quotations in which forbidden words are allowed, by the path of their file.
QUOTATIONS = {
    "CONTRIBUTING.md": ['("What is ...")'],
}

#: Retired identifiers, with the names that replaced them.
RETIRED = dict(
    line.split("\t") for line in (ROOT / "tests/data/retired_identifiers.tsv").read_text(encoding="utf-8").splitlines()
)

_WORD = re.compile(rf"\b(?:{'|'.join(f'({word})' for word in WORDS)})\b", re.IGNORECASE)
#: Matches a comment in Rust, or a literal that may contain `//`.
_RUST = re.compile(
    r'(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)|b?r(?P<hashes>#*)"[\s\S]*?"(?P=hashes)|b?"(?:\\[\s\S]|[^"\\])*"'
    r"|'(?:\\[^'\n]*|[^\\'\n])'"
)
_NOT_PROSE = re.compile(r"(`+).+?(?<!`)\1(?!`)|\]\([^)]*\)|<!--.*?-->|^ *[\w*]+: ")


def _lines(text, first=1):
    return list(enumerate(text.splitlines(), first))


def _rust(text):
    for token in _RUST.finditer(text):
        if token["comment"]:
            for number, line in _lines(token[0], text.count("\n", 0, token.start()) + 1):
                yield number, re.sub(r"^\s*(//[/!]?|/?\*+/?) ?", "", line)


def _python(text):
    """Yields the lines of comments, and of strings that are statements: docstrings."""
    starts_statement = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#: ")
        elif token.type == tokenize.STRING and starts_statement:
            yield from _lines(token.string.lstrip("rbu").strip("\"'"), token.start[0])
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            starts_statement = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def _hashes(text):
    """Yields the comments of a Makefile, a shell script, YAML or TOML."""
    for number, line in _lines(text):
        if comment := re.search(r"(?:^|\s)#+ (.*)", line):
            yield number, comment[1]


def _extractor(path):
    """Returns the function that yields the numbered lines of a file's prose; `None` for unknown kinds of files."""
    if path.suffix in (".yml", ".yaml", ".toml") or path.name == "Makefile" or path.parent.name == ".ci":
        return _hashes
    return {".rs": _rust, ".py": _python, ".pyi": _python, ".md": _lines}.get(path.suffix)


def findings(path, text):
    """Returns the line, the word and its replacement of each finding in a file's text.

    Args:
        path: from the repository's root; its suffix or name is the kind of the file.
        text: the contents.
    """
    result = []
    is_in_block, last = False, None
    for number, line in _extractor(Path(path))(text):
        is_first = last is None or number > last + 1
        # An unclosed code block ends with the comment that contains it.
        is_in_block, last = is_in_block and not is_first, number
        if line.lstrip().startswith("```"):
            is_in_block = not is_in_block
        if is_in_block:
            continue
        words = _NOT_PROSE.sub("", line)
        for quotation in QUOTATIONS.get(path, ()):
            words = words.replace(quotation, "")
        if is_first and path[-3:] != ".md" and (opening := OPENING.match(words)):
            result.append((number, opening[0], "a noun or a verb"))
        for match in _WORD.finditer(words):
            result.append((number, match[0], list(WORDS.values())[match.lastindex - 1]))
    return result


def retired(path, text):
    """Returns the line, the name and its replacement of each retired identifier in a source file."""
    if not path.startswith(("src/", "python/")) or not path.endswith((".rs", ".py", ".pyi")):
        return []
    lines = _lines(text)
    names = ((number, name) for number, line in lines for name in re.findall(r"[A-Za-z_]\w*", line))
    return [(number, name, RETIRED[name]) for number, name in names if name in RETIRED]


def checked_files():
    """Returns the paths of all files that this lint reads and git does not ignore."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = (path for path in done.stdout.split("\0") if path)
    return [path for path in paths if _extractor(Path(path)) and (ROOT / path).is_file()]


def main(paths):
    count = 0
    for path in paths or checked_files():
        text = (ROOT / path).read_text(encoding="utf-8")
        for number, word, instead in [*findings(path, text), *retired(path, text)]:
            print(f"{path}:{number}: {word}: use {instead}")
            count += 1
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
