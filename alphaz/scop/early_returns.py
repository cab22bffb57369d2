"""Early returns: `if (c) return ..;` before the rest of a function."""

from collections.abc import Iterator, Sequence
from typing import Any

from pycparser import c_ast

from alphaz.diagnostics import Span
from alphaz.poly import Affine, Domain, at_least
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.calls import CallReader
from alphaz.scop.functions import returns_status_code
from alphaz.scop.generated_helpers import BEYOND, SIZE
from alphaz.scop.idioms import items
from alphaz.scop.ignored_calls import is_hint, is_report
from alphaz.scop.index_expressions import condition
from alphaz.scop.index_values import FALSE, number
from alphaz.scop.kernel import RESULT
from alphaz.scop.pycparser_queries import nodes
from alphaz.scop.reader_state import Existentials, NoIndex
from alphaz.scop.scope import Context, NamedInteger, PointerView, ReturnStatus
from alphaz.scop.unsupported import outside

# Parameters (and, where positions are polynomials of parameters, positions) are assumed to be below this.
_LARGE, _LARGE_BESIDE_OTHERS = 1 << 31, 1 << 20


class ReturnReader(CallReader):
    """Reads returned values, and the statements after an early return."""

    def block(self, statements: list[Any], nest: Context, *, is_entry: bool = False) -> None:
        """Reads statements in order, with their early returns."""
        raise NotImplementedError

    def result(self, value: Any, nest: Context, item: Any) -> None:
        """Reads the end of the function: assigns the returned value if the caller uses it."""
        result_meaning = nest.names.get(RESULT)
        if isinstance(result_meaning, ReturnStatus) and returns_status_code(self.words.functions, value):
            self.succeed(value, nest)
        elif isinstance(result_meaning, ReturnStatus) and not _is_success(value, nest):
            raise outside(
                self.words.span(item),
                "cannot interpret this return value as a status code (expected 0 or an error constant)",
            )
        if result_meaning is None or isinstance(result_meaning, ReturnStatus):
            return
        if value is None:
            raise outside(self.words.span(item), "`return` without a value, but the caller uses the result")
        self.assignment(c_ast.Assignment("=", c_ast.ID(RESULT, item.coord), value, item.coord), nest)

    def assignment(self, item: Any, nest: Context) -> None:
        raise NotImplementedError

    def early_return(self, item: Any, nest: Context, here: Context) -> Context | None:
        """Reads `if (c) { ..; return ..; }` and returns the context after it, where c does not hold; None for other
        statements."""
        if not isinstance(item, c_ast.If) or item.iffalse is not None:
            return None
        inside = items(item.iftrue)
        if not inside or not isinstance(inside[-1], c_ast.Return):
            return None
        is_asked = is_data_returned(nest)
        if not is_asked and not all(self._is_quiet(statement, nest) for statement in inside[:-1]):
            return None
        test = (
            item.cond
            if is_asked or not _is_failure(inside[-1].expr)
            else self._but_for_sizes(item.cond, nest, self.words.span(item))
        )
        if test is None:
            return nest
        asides = Existentials()
        try:
            rest = condition(self.words, nest, test, asides, is_wanted=False)
            then = condition(self.words, nest, test, more := Existentials())
        except NoIndex as problem:
            if is_asked:
                return None
            raise outside(problem.span, f"the condition of this early return must be affine: {problem.why}") from None
        has_failed = isinstance(nest.names.get(RESULT), ReturnStatus) and not _is_success(inside[-1].expr, nest)
        if has_failed and not self._domain(more.added(nest).where(then)).is_empty():
            raise outside(
                self.words.span(item),
                "the function may return a failure here, and its caller tests for it: expected 0",
            )
        if then != FALSE and is_asked:
            others = [statement for statement in inside if not self._is_quiet(statement, nest)]
            self.block(others, more.added(here).where(then), is_entry=True)
        return asides.added(nest).where(rest)

    def _is_quiet(self, item: Any, nest: Context) -> bool:
        """Returns True if a statement before a return only reports, or releases memory allocated here."""
        match item:
            case c_ast.FuncCall(name=c_ast.ID(name="free"), args=c_ast.ExprList(exprs=[c_ast.ID(name=name)])):
                meaning = nest.names.get(name)
                return isinstance(meaning, PointerView) and meaning.array.name in self.allocated
            case c_ast.FuncCall():
                return is_report(item) or is_hint(item)
        return False

    def _but_for_sizes(self, test: Any, nest: Context, span: Span) -> Any:
        """Returns a failure condition without its parts that hold only for excessive sizes; None if no other part
        remains. That no size is that large is recorded as an assumption."""
        remaining_test = None
        for part in _parts(test):
            if self._is_oversize(part, nest):
                file = "" if span.source is self.words.source else f" of {span.source.name}"
                note = f"the function returns 0 (line {span.position[0]}{file} does not return)"
                if note not in self.words.assumed:
                    self.words.assumed.append(note)
            else:
                remaining_test = (
                    part if remaining_test is None else c_ast.BinaryOp("||", remaining_test, part, test.coord)
                )
        return remaining_test

    def _is_oversize(self, test: Any, nest: Context) -> bool:
        """Returns True if a condition tests that the bytes of an array cannot be counted, or holds for very large
        parameters only."""
        recognised_helper = self.words.functions.recognised_helper
        match test:
            case c_ast.BinaryOp(op="<", left=c_ast.FuncCall(name=c_ast.ID(name=name)), right=c_ast.Constant(value="0")):
                if recognised_helper(name) == SIZE:
                    return _are_counted(test.left.args.exprs)
        asides = Existentials()
        try:
            then = condition(self.words, nest, test, asides)
        except NoIndex:
            return False
        called = {node.name.name for node in nodes(test, c_ast.FuncCall)}
        limit = _LARGE_BESIDE_OTHERS if any(recognised_helper(call) == BEYOND for call in called) else _LARGE
        domain = self._domain(asides.added(nest).where(then))
        if domain.is_empty():
            return False
        sizes = [Affine.name(parameter) for parameter in domain.space.parameters]
        small = [at_least(sign, -limit) for size in sizes for sign in (size, size * -1)]
        return (domain & Domain.where(domain.space, small)).is_empty()


def is_data_returned(nest: Context) -> bool:
    """Returns True if the caller uses the result as data, not only as a status code."""
    return isinstance(nest.names.get(RESULT), PointerView)


def _is_success(value: Any, nest: Context) -> bool:
    """Returns True if the value is the status code of success."""
    if isinstance(value, c_ast.ID):
        meaning = nest.names.get(value.name)
        is_zero = (
            isinstance(meaning, NamedInteger) and isinstance(meaning.value, Polynomial) and number(meaning.value) == 0
        )
        return value.name == "EXIT_SUCCESS" or is_zero or isinstance(meaning, ReturnStatus)
    return isinstance(value, c_ast.Constant) and value.type == "int" and value.value == "0"


def _is_failure(value: Any) -> bool:
    """Returns True if the value is a status code of failure."""
    if isinstance(value, c_ast.UnaryOp) and value.op == "-":
        return _is_failure(value.expr)
    return isinstance(value, c_ast.Constant) and value.type == "int" and value.value.strip("0") != ""


def _are_counted(arguments: Sequence[Any]) -> bool:
    """Returns True if a helper computes the bytes of `rank` extents, all of which are listed."""
    match arguments:
        case [_, c_ast.Constant(value="0"), c_ast.ID(name="NULL")]:
            return True
        case [_, c_ast.Constant(type="int", value=rank), c_ast.CompoundLiteral(init=c_ast.InitList(exprs=listed))]:
            is_plain = not any(nodes(argument, c_ast.FuncCall) for argument in arguments)
            return is_plain and rank == str(len(listed or []))
    return False


def _parts(test: Any) -> Iterator[Any]:
    if isinstance(test, c_ast.BinaryOp) and test.op == "||":
        yield from _parts(test.left)
        yield from _parts(test.right)
    else:
        yield test
