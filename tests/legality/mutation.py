"""Mutants of the verifier: one expression (or statement) of one function is replaced by a wrong one.

The place is found in the syntax tree, whatever stands around it: a function by its name, in it the one node that reads
as `old`. A mutant that fits nowhere, or in two places, is an error: somebody has to look at it again.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


class DoesNotApply(Exception):
    """The code has changed, and the mutant with it is no longer one."""


@dataclass(frozen=True)
class Mutant:
    """In `alphaz/<place>`, `function` (`Order.failures`, `_kept.recheck`), `old` becomes `new`."""

    name: str
    place: str
    function: str
    old: str
    new: str

    @property
    def path(self) -> str:
        return f"alphaz/{self.place}"

    def text(self, root: Path = ROOT) -> str:
        """The file with the fault in it. Raises DoesNotApply."""
        before = (root / self.path).read_text(encoding="utf-8")
        wanted = _parsed(self.old)
        found = [node for node in ast.walk(self._body(before)) if _is_same(node, wanted)]
        if len(found) != 1:
            raise DoesNotApply(f"{self.name}: `{self.old}` stands {len(found)} times in {self.function} of {self.path}")
        after = _replaced(before, found[0], self.new)
        ast.parse(after)
        return after

    def _body(self, text: str) -> ast.AST:
        found = [node for name, node in _functions(ast.parse(text), "") if name == self.function]
        if len(found) != 1:
            raise DoesNotApply(f"{self.name}: there are {len(found)} functions {self.function} in {self.path}")
        return found[0]


def _functions(node: ast.AST, inside: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{inside}{child.name}"
            if isinstance(child, ast.FunctionDef):
                yield name, child
            yield from _functions(child, f"{name}.")
        else:
            yield from _functions(child, inside)


def _parsed(text: str) -> ast.AST:
    """The expression, or the statement where it is none."""
    (node,) = ast.parse(text).body if "return" in text else [ast.parse(text, mode="eval").body]
    return node


def _is_same(node: ast.AST, wanted: ast.AST) -> bool:
    return type(node) is type(wanted) and ast.dump(node) == ast.dump(wanted)


def _replaced(text: str, node: ast.AST, new: str) -> str:
    """By position, which Python counts in bytes of UTF-8."""
    assert isinstance(node, ast.expr | ast.stmt)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    lines = text.encode("utf-8").splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    whole = b"".join(lines)
    if isinstance(node, ast.expr):
        new = f"({new})"
    return (whole[:start] + new.encode("utf-8") + whole[end:]).decode("utf-8")
