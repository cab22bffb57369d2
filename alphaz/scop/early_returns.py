"""Early returns: `if (c) return ..;` before the rest of a function."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.poly import Affine, Domain, at_least
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.assignments import domain_of
from alphaz.scop.c_model import RESULT
from alphaz.scop.calls import succeed
from alphaz.scop.cuda_builtins import MOST_BLOCKS
from alphaz.scop.functions import returns_status_code
from alphaz.scop.generated_helpers import BEYOND, SIZE, SIZES
from alphaz.scop.ignored_calls import is_hint, is_report
from alphaz.scop.index_expressions import condition
from alphaz.scop.index_polynomials import FALSE, number
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, NamedInteger, PointerView, ReturnStatus
from alphaz.scop.substitution import names_in, touched
from alphaz.scop.tree_queries import addressed, changes, integer, is_integer, name_of, names_among, names_declared
from alphaz.scop.unsupported import outside

# Parameters (and, where positions are polynomials of parameters, positions) are assumed to be below this.
_LARGE, _LARGE_BESIDE_OTHERS = 1 << 31, 1 << 20


def assigned_result(
    state: ReaderState, value: c.Expression | None, nest: Context, item: c.Statement
) -> c.Assign | None:
    """Reads the end of a function. Returns the assignment of the returned value, if the caller uses it."""
    meaning = nest.names.get(RESULT)
    if isinstance(meaning, ReturnStatus) and returns_status_code(state.functions, value):
        succeed(state, value, nest)
    elif isinstance(meaning, ReturnStatus) and not _is_success(value, nest):
        message = "cannot interpret this return value as a status code (expected 0 or an error constant)"
        raise outside(state.span(item), message)
    if meaning is None or isinstance(meaning, ReturnStatus):
        return None
    if value is None:
        raise outside(state.span(item), "`return` without a value, but the caller uses the result")
    return c.Assign(c.Name(RESULT, at=item.at), value, at=item.at)


def with_outer_returns(statements: Sequence[c.Statement]) -> list[c.Statement]:
    """Returns the statements of a function with early returns behind the branches that end with them:

    if (m) { ..; if (n < 4) return; }        if (m) { ..; } if (m && n < 4) return;
    """
    block: list[c.Statement] = []
    for item in statements:
        match item:
            case c.If(test, (*before, c.If(_, (*_, c.Return()), ()) as last), ()) if _stays(test, before, last):
                both = c.Binary("&&", test, last.condition, at=last.condition.at)
                block += [replace(item, then=tuple(before)), replace(last, condition=both)]
            case _:
                block.append(item)
    return block


def _stays(test: c.Expression, before: Sequence[c.Statement], last: c.If) -> bool:
    """Returns True if a condition on variables is the same after these statements, which have neither calls nor jumps,
    and do not declare a name of the last one."""
    is_plain = not changes((test, last.condition)) and not nodes(test, (c.Call, c.Index, c.Member, c.Unary))
    other = nodes(before, (c.Call, c.Return, c.Goto, c.Omp, c.Pragma, c.Opaque))
    changed = touched(before) | names_among(addressed(before))
    return is_plain and not other and not names_in(test) & changed and not names_in(last) & names_declared(before)


def early_return(state: ReaderState, item: c.Statement, nest: Context, here: Context) -> Context | None:
    """Reads `if (c) { ..; return ..; }` and returns the context after it, where c does not hold; None for other
    statements."""
    match item:
        case c.If(asked, (*before, c.Return(value)) as inside, ()):
            pass
        case _:
            return None
    is_asked = is_data_returned(nest)
    if not is_asked and not all(_is_quiet(state, statement, nest) for statement in before):
        return None
    test = asked if is_asked or not _is_failure(value) else _but_for_sizes(state, asked, nest, state.span(item))
    if test is None:
        return nest
    asides = Existentials()
    try:
        rest = condition(state, nest, test, asides, is_wanted=False)
        then = condition(state, nest, test, more := Existentials())
    except NoIndex as problem:
        if is_asked:
            return None
        raise outside(problem.span, f"the condition of this early return must be affine: {problem.why}") from None
    has_failed = isinstance(nest.names.get(RESULT), ReturnStatus) and not _is_success(value, nest)
    if has_failed and not domain_of(state, more.added(nest).where(then)).is_empty():
        message = "the function may return a failure here, and its caller tests for it: expected 0"
        raise outside(state.span(item), message)
    if then != FALSE and is_asked:
        others = [statement for statement in inside if not _is_quiet(state, statement, nest)]
        state.read_block(state, others, more.added(here).where(then), True)
    return asides.added(nest).where(rest)


def _is_quiet(state: ReaderState, item: c.Statement, nest: Context) -> bool:
    """Returns True if a statement before a return only reports, or releases memory allocated here."""
    match item:
        case c.Evaluate(c.Call("free", (c.Name(name),))):
            meaning = nest.names.get(name)
            return isinstance(meaning, PointerView) and meaning.array.name in state.allocated
        case c.Evaluate(c.Call() as call):
            return is_report(call) or is_hint(call)
    return False


def _but_for_sizes(state: ReaderState, test: c.Expression, nest: Context, span: Span) -> c.Expression | None:
    """Returns a failure condition without its parts that hold only for excessive sizes; None if no other part
    remains. That no size is that large is recorded as an assumption."""
    remaining_test: c.Expression | None = None
    for part in _parts(test):
        if _is_oversize(state, part, nest):
            file = "" if span.source is state.source else f" of {span.source.name}"
            state.assume(f"the function returns 0 (line {span.position[0]}{file} does not return)")
        else:
            remaining_test = part if remaining_test is None else c.Binary("||", remaining_test, part, at=test.at)
    return remaining_test


def _is_oversize(state: ReaderState, test: c.Expression, nest: Context) -> bool:
    """Returns True if a condition tests that the bytes of an array cannot be counted, or the limit of a grid in a
    function that launches, or holds for very large parameters only."""
    recognised_helper = state.functions.recognised_helper
    match test:
        case c.Binary("<", c.Call(str(name), arguments), c.Literal("0")) if recognised_helper(name) == SIZE:
            return _are_counted(arguments)
        case c.Binary("<", c.Call(str(name), arguments), c.Literal("0")) if recognised_helper(name) in SIZES:
            return not nodes(arguments, c.Call)
        case c.Binary(">", left, c.Literal(text)) if text == str(MOST_BLOCKS):
            return any(left in launch.grid[1:] for launch in nodes(state.body, c.Launch))
    asides = Existentials()
    try:
        then = condition(state, nest, test, asides)
    except NoIndex:
        return False
    is_beyond = any(recognised_helper(name_of(call)) == BEYOND for call in nodes(test, c.Call))
    limit = _LARGE_BESIDE_OTHERS if is_beyond else _LARGE
    domain = domain_of(state, asides.added(nest).where(then))
    if domain.is_empty():
        return False
    sizes = [Affine.name(parameter) for parameter in domain.space.parameters]
    small = [at_least(sign, -limit) for size in sizes for sign in (size, size * -1)]
    return (domain & Domain.where(domain.space, small)).is_empty()


def is_data_returned(nest: Context) -> bool:
    """Returns True if the caller uses the result as data, not only as a status code."""
    return isinstance(nest.names.get(RESULT), PointerView)


def _is_success(value: c.Expression | None, nest: Context) -> bool:
    """Returns True if the value is the status code of success."""
    if isinstance(value, c.Name):
        meaning = nest.names.get(value.name)
        is_zero = (
            isinstance(meaning, NamedInteger) and isinstance(meaning.value, Polynomial) and number(meaning.value) == 0
        )
        return value.name == "EXIT_SUCCESS" or is_zero or isinstance(meaning, ReturnStatus)
    return value == c.ZERO


def _is_failure(value: c.Expression | None) -> bool:
    """Returns True if the value is a status code of failure."""
    match value:
        case c.Unary("-", operand):
            return _is_failure(operand)
        case c.Literal():
            return is_integer(value) and integer(value) != 0
    return False


def _are_counted(arguments: Sequence[c.Expression]) -> bool:
    """Returns True if a helper computes the bytes of `rank` extents, all of which are listed."""
    match arguments:
        case (_, c.Literal("0"), c.Name("NULL")):
            return True
        case (_, c.Literal(rank), c.Compound(_, c.Init(listed))):
            return not nodes(arguments, c.Call) and rank == str(len(listed))
    return False


def _parts(test: c.Expression) -> Iterator[c.Expression]:
    match test:
        case c.Binary("||", left, right):
            yield from _parts(left)
            yield from _parts(right)
        case _:
            yield test
