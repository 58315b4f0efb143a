"""Runs code blocks of documentation pages, and compares the results in their comments with the actual ones.

A comment that is a Python literal is the result of the expression before it, on the same line or on the line above::

    env.render([3, 7]).shape  # (2, 400, 600, 3)
"""

import ast
import io
import re
import tokenize

_CHECK = "_doc_result"
_SHAPE = re.compile(r"\(\d*, ?[\d)]")


def literal_comments(block):
    """Returns the results in the comments of a block: their values, by the line on which the expression ends.

    Raises:
        ValueError: for a comment with a shape in prose, which cannot be compared.
    """
    results = {}
    for token in tokenize.generate_tokens(io.StringIO(block).readline):
        if token.type != tokenize.COMMENT:
            continue
        text = token.string.lstrip("#").strip()
        row, column = token.start
        is_alone = not token.line[:column].strip()
        try:
            results[row - is_alone] = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            if _SHAPE.search(text):
                raise ValueError(f"# {text}: expected a literal alone, after an expression that has it") from None
    return results


class _Checked(ast.NodeTransformer):
    """Wraps each expression that has a result in a comment, so that its value is passed to the check."""

    def __init__(self, results):
        self.results = dict(results)

    def visit_Expr(self, node):
        line = node.end_lineno
        if line not in self.results:
            return node
        del self.results[line]
        call = ast.Call(ast.Name(_CHECK, ast.Load()), [ast.Constant(line), node.value], [])
        return ast.copy_location(ast.Expr(call), node)


def run_block(block, name):
    """Runs a block, and compares each result in its comments with the value of its expression.

    Raises:
        AssertionError: for a result that differs, or that belongs to no expression.
    """
    expected = literal_comments(block)
    checked = _Checked(expected)
    tree = ast.fix_missing_locations(checked.visit(ast.parse(block)))
    assert not checked.results, f"{name}: results without an expression before them: {checked.results}"
    seen = set()

    def check(line, value):
        seen.add(line)
        assert repr(value) == repr(expected[line]), f"{name}, line {line}: {value!r}, not {expected[line]!r}"

    exec(compile(tree, name, "exec"), {_CHECK: check, "__name__": "__main__"})
    assert seen == set(expected), f"{name}: never run: lines {sorted(set(expected) - seen)}"
