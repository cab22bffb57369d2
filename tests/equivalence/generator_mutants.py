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
from pathlib import Path
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any

ROOT = Path(__file__).parents[2]
ROOMS = ("alphaz/loops", "alphaz/codegen/scheduled", "alphaz/codegen/targets")
SEED = 14
# What is no loop and no cell: texts, the names of passes, targets by name, calls, storage formats.
_APART = ("text.py", "pipeline.py", "calls.py", "all.py", "target.py", "storage.py", "provision.py", "length.py")
_TURNED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
_OPPOSITE: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.FloorDiv: ast.Mult}


@dataclass(frozen=True)
class Slip:
    """In `function` of the file `place`, node number `node` is changed in way number `way`."""

    place: str
    function: str
    node: int
    way: int
    line: int
    said: str

    @property
    def name(self) -> str:
        return f"{self.place.removeprefix('alphaz/')}:{self.line} {self.function}: {self.said}"

    def make(self) -> None:
        """Puts the fault into the modules of this process."""
        tree = copy.deepcopy(_tree(self.place))
        function = dict(_functions(tree))[self.function]
        node = list(ast.walk(function))[self.node]
        list(_ways(node))[self.way][1](node)
        ast.fix_missing_locations(tree)
        code = _code(compile(tree, self.place, "exec"), self.function.split("."))
        _target(self.place, self.function).__code__ = code


def slips() -> list[Slip]:
    """All of them, in an order that the seed gives."""
    found = [slip for place in _places() for slip in _slips(place)]
    Random(SEED).shuffle(found)
    return found


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


def _functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef):
            yield f"{inside}{child.name}", child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{inside}{child.name}.")


def _slips(place: str) -> Iterator[Slip]:
    for name, function in _functions(_tree(place)):
        if name.rpartition(".")[2].startswith("__") or not _is_found(place, name):
            continue
        indices = {
            id(n) for each in ast.walk(function) if isinstance(each, ast.Subscript) for n in ast.walk(each.slice)
        }
        for number, node in enumerate(ast.walk(function)):
            # A wrong component of a tuple is no slip that survives its first run.
            if id(node) in indices:
                continue
            for way, (said, _) in enumerate(_ways(node)):
                yield Slip(place, name, number, way, getattr(node, "lineno", function.lineno), said)


def _is_found(place: str, name: str) -> bool:
    """Whether the function can be changed from outside."""
    try:
        _target(place, name)
    except AttributeError:
        return False
    return True


def _target(place: str, name: str) -> FunctionType:
    found: object = importlib.import_module(place.removesuffix(".py").replace("/", "."))
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    for wrapper in ("__func__", "fget", "__wrapped__", "func"):
        found = getattr(found, wrapper, found)
    if not isinstance(found, FunctionType):
        raise AttributeError(name)
    return found


def _code(code: CodeType, path: list[str]) -> CodeType:
    for name in path:
        code = next(const for const in code.co_consts if isinstance(const, CodeType) and const.co_name == name)
    return code


def _ways(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """What may be wrong with a node: in words, and what makes it so."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _TURNED:
            other = _TURNED[type(operator)]
            yield f"`{ast.unparse(node)}` with {other.__name__}", lambda n: setattr(n, "ops", [other()])
        case ast.BinOp() if type(node.op) in _OPPOSITE and not isinstance(node.left, ast.JoinedStr | ast.List):
            opposite = _OPPOSITE[type(node.op)]
            yield f"`{ast.unparse(node)}` with {opposite.__name__}", lambda n: setattr(n, "op", opposite())
        case ast.Constant(value=int(value)) if not isinstance(value, bool) and 0 <= value <= 8:
            yield f"{value + 1} for {value}", lambda n: setattr(n, "value", value + 1)
        case ast.BoolOp():
            turned = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield f"`{ast.unparse(node)}` with {turned.__name__}", lambda n: setattr(n, "op", turned())
            yield f"`{ast.unparse(node)}` without its last part", lambda n: setattr(n, "values", n.values[:1] * 2)
        case ast.UnaryOp(op=ast.Not()):
            yield (
                f"`{ast.unparse(node)}` turned round",
                lambda n: setattr(n, "operand", ast.UnaryOp(ast.Not(), n.operand)),
            )
        case ast.If():
            yield f"`if {ast.unparse(node.test)}` never", lambda n: setattr(n, "test", ast.Constant(value=False))
        case ast.IfExp():
            yield f"`if {ast.unparse(node.test)}` always", lambda n: setattr(n, "test", ast.Constant(value=True))
            yield f"`if {ast.unparse(node.test)}` never", lambda n: setattr(n, "test", ast.Constant(value=False))
