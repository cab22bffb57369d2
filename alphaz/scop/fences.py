"""Checks that all writes of a block are ordered before the memory fence of the thread that counts finished blocks.

Accesses of other threads are ordered before this fence by a barrier, and its own ones by its program order (PTX ISA,
memory consistency model: release patterns and causality order).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.scop.cuda_builtins import THREAD
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import Statements, assigned, body_of, is_wide_integer, scalar_type

FENCES = frozenset({"__threadfence", "__threadfence_system"})
BARRIER = "__syncthreads"
_OF_REGISTERS = ("__shfl", "__reduce_", "__syncwarp", *FENCES, BARRIER)


def without_wide_casts(expression: c.Expression) -> c.Expression:
    """Returns an expression without conversions to wide integers around it."""
    is_converted = isinstance(expression, c.Cast) and is_wide_integer(scalar_type(expression.type))
    return without_wide_casts(expression.operand) if isinstance(expression, c.Cast) and is_converted else expression


def is_thread_number(expression: c.Expression | None, numbers: Iterable[str] = ()) -> bool:
    """Returns True for `threadIdx.x`, or one of its names."""
    match None if expression is None else without_wide_casts(expression):
        case c.Member(c.Name(name), "x", False):
            return name == THREAD
        case c.Name(name):
            return name in numbers
    return False


def numbers_of_threads(body: Statements, numbers: Iterable[str] = (), outer: Iterable[str] = ()) -> frozenset[str]:
    """Returns the names of `threadIdx.x` at the end of a body, besides these, that never change; none of the names
    `outer` around it."""
    changed, every = assigned(body), [node.name for node in nodes(body, c.Declare)]
    own = {one.name for one in body if isinstance(one, c.Declare) and is_thread_number(one.value)}
    return frozenset({*(name for name in own - {*outer} if every.count(name) == 1), *numbers} - changed)


def is_first_thread(test: c.Expression, numbers: Iterable[str]) -> bool:
    """Returns True for `threadIdx.x == 0`."""
    match test:
        case c.Binary("==", left, c.Literal("0")):
            return is_thread_number(left, numbers)
        case c.Unary("!", operand):
            return is_thread_number(operand, numbers)
    return False


@dataclass(slots=True)
class Fences:
    """The accesses so far to global memory that no fence follows: `of_first` those of the thread that counts, or
    ordered before it by a barrier, `of_others` those of all other threads. `defined` are the functions of the file,
    `outer` the names of its variables."""

    defined: Mapping[str, c.Function]
    outer: frozenset[str]
    of_first: bool = False
    of_others: bool = False

    def pass_all(self, block: Statements, arrays: frozenset[str], numbers: frozenset[str], is_first: bool) -> None:
        """Passes the statements of a block of all threads, or of the first one. `arrays` are in shared memory, or
        registers; `numbers` are names of the number of the thread."""
        for statement in block:
            match statement:
                case c.Evaluate(c.Call(function, ())) if function in FENCES:
                    self.of_first = False
                case c.Evaluate(c.Call(function, ())) if function == BARRIER and not is_first:
                    self.of_first, self.of_others = self.of_first or self.of_others, False
                case c.If(test, then, ()) if is_first_thread(test, numbers):
                    self.pass_all(then, arrays, numbers, is_first=True)
                case (
                    c.Evaluate(c.Call(str() as name, arguments))
                    | c.Declare(value=c.Call(str() as name, arguments))
                    | c.Assign(c.Name(), c.Call(str() as name, arguments))
                ) if name in self.defined:
                    self._pass_call(self.defined[name], arguments, arrays, numbers, is_first)
                case _ if self._touches(statement, arrays, frozenset()):
                    self._note(is_first)

    def _note(self, is_first: bool) -> None:
        self.of_first, self.of_others = True, self.of_others or not is_first

    def _pass_call(
        self, callee: c.Function, arguments: tuple[c.Expression, ...], arrays: frozenset[str],
        numbers: frozenset[str], is_first: bool,
    ) -> None:  # fmt: skip
        body = body_of(callee)
        is_whole = not nodes(body[:-1], c.Return) and callee.name not in names_in(body)
        if not is_whole or len(arguments) != len(callee.parameters):
            self._note(is_first)
            return
        if self._touches(arguments, arrays, frozenset()):
            self._note(is_first)
        passed = [*zip(callee.parameters, map(without_wide_casts, arguments), strict=True)]
        kept = [(one, value) for one, value in passed if one.name not in assigned(body)]
        own = {one.name for one, value in kept if isinstance(value, c.Name) and value.name in arrays}
        same = {one.name for one, value in kept if is_thread_number(value, numbers)}
        outer = self.outer | {parameter.name for parameter in callee.parameters}
        self.pass_all(body, (arrays_of(body) - outer) | own, numbers_of_threads(body, same, outer), is_first)

    def _touches(self, part: c.Node | Iterable[c.Node], arrays: frozenset[str], seen: frozenset[str]) -> bool:
        """Returns True if a part may access global memory."""
        arrays = arrays | arrays_of(part)
        for node in nodes(part, (c.Index, c.Unary, c.Member, c.Call)):
            match node:
                case c.Index(base) if _object(base) not in arrays:
                    return True
                case c.Unary("*", operand) if _object(operand) not in arrays:
                    return True
                case c.Member(arrow=True):
                    return True
                case c.Call(function, arguments) if self._may_access(function, arguments, arrays, seen):
                    return True
        return False

    def _may_access(
        self, function: str | c.Expression, arguments: tuple[c.Expression, ...], arrays: frozenset[str],
        seen: frozenset[str],
    ) -> bool:  # fmt: skip
        if not isinstance(function, str) or function in seen:
            return True
        if function in self.defined:
            return self._touches(body_of(self.defined[function]), frozenset(), seen | {function})
        if function.startswith(_OF_REGISTERS):
            return False
        # Functions of the library have no pointers, except those that are named so.
        return function.startswith(("atomic", "__ld", "__st", "__pipeline")) or "$" in function or "mem" in function


def arrays_of(part: c.Node | Iterable[c.Node]) -> frozenset[str]:
    """Returns the arrays that are declared in a part, and nothing else of the same name."""
    declared = nodes(part, c.Declare)
    others = {one.name for one in declared if not isinstance(one.type, c.Array)}
    return frozenset({one.name for one in declared} - others)


def _object(expression: c.Expression) -> str:
    match expression:
        case c.Name(name):
            return name
        case c.Index(base):
            return _object(base)
        case c.Binary("+", left, _):
            return _object(left)
    return ""
