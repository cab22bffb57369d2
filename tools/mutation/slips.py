"""Faults in the generator of C: one place of one function is changed, as a slip would.

They are drawn from all places of the passes over loops and of what writes C, by a seed: `<` for `<=`, a number one off,
`+` for `-`, `and` for `or`, a condition turned round or left out.
"""

import ast
import copy
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any

from tools.mutation.mutants import ROOT, functions_in, nodes_of
from tools.mutation.operators import ARITHMETIC, COMPARISONS, OPERATORS

ROOMS = ("alphaz/loops", "alphaz/codegen/scheduled", "alphaz/codegen/targets")
SEED = 14
# What is no loop and no cell: texts, the names of passes, targets by name, calls, storage formats.
_APART = ("text.py", "pipeline.py", "calls.py", "registry.py", "target.py", "storage.py", "provision.py", "length.py")
_ALIKE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "//": "*"}
_SYMBOLS = {kind: symbol for table in (COMPARISONS, ARITHMETIC) for symbol, kind in table.items()}
# An operator, and what it takes besides the node.
_Way = tuple[str, str]


@dataclass(frozen=True)
class Slip:
    """In `function` of the file `place`, the operator changes node number `node`, whose text is `text`."""

    place: str
    function: str
    node: int
    operator: str
    argument: str
    line: int
    text: str

    @property
    def change(self) -> str:
        return f"{self.operator} `{self.text}`{f' by `{self.argument}`' if self.argument else ''}"

    @property
    def name(self) -> str:
        return f"{self.place.removeprefix('alphaz/')}:{self.line} {self.function}: {self.change}"

    def make(self) -> None:
        """Puts the fault into the modules of this process."""
        tree = copy.deepcopy(_tree(self.place))
        node, parent = list(nodes_of(dict(functions_in(tree))[self.function]))[self.node]
        edit = OPERATORS[self.operator](node, parent, self.argument)
        assert edit is not None
        _Exchange(*edit).visit(tree)
        code = _code(compile(ast.fix_missing_locations(tree), self.place, "exec"), self.function.split("."))
        _target(self.place, self.function).__code__ = code


class _Exchange(ast.NodeTransformer):
    """Replaces a node by another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def slips() -> list[Slip]:
    """All of them, in an order that the seed gives."""
    results = [slip for place in _places() for slip in _slips(place)]
    Random(SEED).shuffle(results)
    return results


def reached(work: Callable[[], object]) -> set[tuple[str, int]]:
    """The places and lines that some work comes by."""
    lines: set[tuple[str, int]] = set()
    wanted = {str(ROOT / place): place for place in _places()}

    def step(frame: FrameType, event: str, _: object) -> Any:
        place = wanted.get(frame.f_code.co_filename)
        if place is None:
            return None
        lines.add((place, frame.f_lineno))
        return step

    sys.settrace(step)
    try:
        work()
    finally:
        sys.settrace(None)
    return lines


def _places() -> list[str]:
    files = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
    return [str(file.relative_to(ROOT)) for file in files if file.name not in _APART and file.name != "__init__.py"]


@cache
def _tree(place: str) -> ast.Module:
    return ast.parse((ROOT / place).read_text(encoding="utf-8"))


def _slips(place: str) -> Iterator[Slip]:
    for name, function in functions_in(_tree(place)):
        if name.rpartition(".")[2].startswith("__") or not _is_found(place, name):
            continue
        indices = {id(n) for sub in ast.walk(function) if isinstance(sub, ast.Subscript) for n in ast.walk(sub.slice)}
        for number, (node, parent) in enumerate(nodes_of(function)):
            # A wrong component of a tuple is no slip that survives its first run.
            if id(node) in indices:
                continue
            for operator, argument in _ways(node, parent):
                yield Slip(place, name, number, operator, argument, node.lineno, ast.unparse(node))


def _is_found(place: str, name: str) -> bool:
    """Returns True if the function can be changed from outside."""
    try:
        _target(place, name)
    except AttributeError:
        return False
    return True


def _target(place: str, name: str) -> FunctionType:
    result: object = importlib.import_module(place.removesuffix(".py").replace("/", "."))
    for part in name.split("."):
        result = inspect.getattr_static(result, part)
    for wrapper in ("__func__", "fget", "__wrapped__", "func"):
        result = getattr(result, wrapper, result)
    if not isinstance(result, FunctionType):
        raise AttributeError(name)
    return result


def _code(code: CodeType, path: list[str]) -> CodeType:
    for name in path:
        code = next(const for const in code.co_consts if isinstance(const, CodeType) and const.co_name == name)
    return code


def _ways(node: ast.AST, parent: ast.AST) -> Iterator[_Way]:
    """Returns the possible slips at a node."""
    match node:
        case ast.Compare(ops=[operator]) if (other := _ALIKE.get(_SYMBOLS[type(operator)])) is not None:
            yield "replace operator of", other
        case ast.BinOp() if not isinstance(node.left, ast.JoinedStr | ast.List):
            if (other := _ALIKE.get(_SYMBOLS.get(type(node.op), ""))) is not None:
                yield "replace operator of", other
        case ast.Constant(value=int(value)) if not isinstance(value, bool) and 0 <= value <= 8:
            yield "one more than", ""
        case ast.BoolOp():
            yield "replace operator of", "or" if isinstance(node.op, ast.And) else "and"
        case ast.UnaryOp(op=ast.Not()):
            yield "negate", ""
    match parent:
        case ast.BoolOp(values=[*_, last]) if last is node:
            yield "drop", ""
        case ast.If(test=test) if test is node:
            yield "never", ""
        case ast.IfExp(test=test) if test is node:
            yield "always", ""
            yield "never", ""
