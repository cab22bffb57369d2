"""The mutants of the verifier (`verifier.md`) and of the prover of C (`c.md`): a function, an operator, a node.

A function is known by its room and its name (`order:Order.failures`), a node by its text, whatever its layout and
the module it stands in. A mutant that fits nowhere, or in two places, is an error: a developer must restate it.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from tools.mutation.operators import OPERATORS, Edit, is_same, parsed

ROOT = Path(__file__).parents[2]
_MUTANT = re.compile(
    r"- (?P<name>[^`]+): `(?P<place>[\w.]+:[\w.]+)`, (?P<operator>[a-z ]+) `(?P<node>[^`]+)`"
    r"(?: by `(?P<argument>[^`]+)`)?"
)


class DoesNotApply(Exception):
    """The code has changed, and the mutant with it is no longer one."""


@dataclass(frozen=True)
class Function:
    """`tree` stands in the file `path`, which is told from the top of the checkout."""

    path: str
    name: str
    tree: ast.FunctionDef


@dataclass(frozen=True)
class Mutant:
    """In the function `place`, the operator changes the one `node`; `tests` are about it."""

    name: str
    place: str
    operator: str
    node: str
    argument: str = ""
    tests: tuple[str, ...] = ()

    def mutated(self, root: Path = ROOT) -> tuple[str, str]:
        """The path of the file, and its text with the fault. Raises DoesNotApply."""
        path, (old, new) = self._edit(root)
        return path, _with(_text(root, path), old, new)

    def _edit(self, root: Path) -> tuple[str, Edit]:
        functions = self._functions(root)
        results = [(function.path, edit) for function in functions for edit in self._edits(function.tree)]
        if len(results) != 1:
            raise DoesNotApply(self._misfit(functions, len(results)))
        return results[0]

    def _functions(self, root: Path) -> list[Function]:
        room, _, name = self.place.partition(":")
        results = [function for function in functions_of(root, room) if function.name == name]
        if not results:
            everywhere = {where.partition(":")[0] for where in _places(root, name)}
            known = ", ".join(sorted(everywhere)) or "none of this name in another room"
            near = get_close_matches(name, [function.name for function in functions_of(root, room)], 3)
            close = f"; close to it: {', '.join(near)}" if near else ""
            raise DoesNotApply(f"{self.name}: there is no function {name} in alphaz/{room} (elsewhere: {known}{close})")
        return results

    def _edits(self, tree: ast.AST) -> Iterator[Edit]:
        wanted = parsed(self.node)
        for node, parent in nodes_of(tree):
            if is_same(node, wanted):
                edit = OPERATORS[self.operator](node, parent, self.argument)
                if edit is not None:
                    yield edit

    def _misfit(self, functions: list[Function], count: int) -> str:
        """Returns a hint for a mutant that does not apply: the current function, and nodes with a similar text."""
        texts = {ast.unparse(node) for function in functions for node, _ in nodes_of(function.tree)}
        near = get_close_matches(self.node, texts, 3, 0.4)
        return "\n".join(
            (
                f"{self.name}: `{self.node}` stands {count} times in {self.place}, for the operator `{self.operator}`.",
                *(f"Close to it: `{text}`" for text in near),
                *(f"{function.path}:{function.tree.lineno}\n{ast.unparse(function.tree)}" for function in functions),
            )
        )


@cache
def table(name: str) -> tuple[Mutant, ...]:
    """The mutants of a file beside this one: a line of each, after a line of the tests that are nearest."""
    tests: tuple[str, ...] = ()
    results = []
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("Tests: "):
            tests = tuple(line.removeprefix("Tests: ").split(", "))
        elif line.startswith("- "):
            results.append(_mutant(line, tests))
    return tuple(results)


def _mutant(line: str, tests: tuple[str, ...]) -> Mutant:
    match_ = _MUTANT.fullmatch(line)
    if match_ is None or match_["operator"] not in OPERATORS:
        raise ValueError(f"this line states no mutant: {line}")
    return Mutant(tests=tests, **{key: value or "" for key, value in match_.groupdict().items()})


def nodes_of(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """All nodes that are expressions or statements, and their parents."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.expr | ast.stmt):
            yield child, tree
        yield from nodes_of(child)


@cache
def functions_of(root: Path, room: str) -> tuple[Function, ...]:
    """All of a room of alphaz, or of one of its modules."""
    folder = root / "alphaz" / room.replace(".", "/")
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    return tuple(
        Function(str(file.relative_to(root)), name, tree)
        for file in files
        if file.exists()
        for name, tree in functions_in(ast.parse(file.read_text(encoding="utf-8")))
    )


def _places(root: Path, name: str) -> list[str]:
    rooms = [folder.name for folder in sorted((root / "alphaz").iterdir()) if folder.is_dir()]
    return [f"{room}:{name}" for room in rooms for item in functions_of(root, room) if item.name == name]


def functions_in(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Its functions, and their names with what they stand in (`Order.failures`, `_in_turn.recheck`)."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{inside}{child.name}"
            if isinstance(child, ast.FunctionDef):
                yield name, child
            yield from functions_in(child, f"{name}.")
        elif not isinstance(child, ast.expr):
            yield from functions_in(child, inside)


@cache
def _text(root: Path, path: str) -> str:
    return (root / path).read_text(encoding="utf-8")


def _with(text: str, old: ast.expr | ast.stmt, new: ast.AST) -> str:
    """By position, which Python counts in bytes of UTF-8; all around stays as it is."""
    assert old.end_lineno is not None
    assert old.end_col_offset is not None
    lines = text.encode("utf-8").splitlines(keepends=True)
    start = sum(map(len, lines[: old.lineno - 1])) + old.col_offset
    end = sum(map(len, lines[: old.end_lineno - 1])) + old.end_col_offset
    changed_text = ast.unparse(ast.fix_missing_locations(new))
    if isinstance(new, ast.expr):
        changed_text = f"({changed_text})"
    whole = b"".join(lines)
    return (whole[:start] + changed_text.encode("utf-8") + whole[end:]).decode("utf-8")
