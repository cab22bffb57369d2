"""Loop trees in C."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.expressions import STATUS
from alphaz.codegen.c.hoisting import CONSTANT, INDEX, in_a_row
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.regions import PARALLEL, together
from alphaz.poly import Affine, Domain, OutOfBudget, budget
from alphaz.poly.plain.integer import Integer, Number, names_in
from alphaz.poly.scanning import (
    Block,
    Call,
    For,
    If,
    Let,
    Merge,
    Node,
    Pack,
    Scan,
    calls,
    in_row,
    inside,
    scan,
    with_inside,
)

_ZERO = c.Literal("0")

# Loops without guards may be this much longer than loops with guards.
_GROWTH = 4
_ENOUGH = 90

# What it may cost to tell parts apart, which is half a second of isl; what needs more is too long in the end anyway.
_STEPS = 500_000

# How often a loop runs, where tests are weighed against each other.
_TURNS = 16

Body = Callable[[str, tuple[Integer, ...]], tuple[c.Statement, ...]]

# Writes a loop in another way than as a loop of statements, or does not (None).
Special = Callable[[For | Merge | Pack], tuple[c.Statement, ...] | None]
# The pragma of a loop with this body.
Pragma = Callable[[For, Sequence[c.Statement]], str | None]


def readable_scan(
    scans: Sequence[Scan],
    context: Domain,
    iterators: Sequence[str],
    whole: Collection[int] = (),
    *,
    compact: bool = False,
) -> Node:
    """The loops, without guards inside them where that does not make them much longer.

    In the dimensions of `whole` there is one loop for everything. `compact`: with guards, rather than long; only the
    innermost loops are parted, so that guards stand around them. Where it takes long to find out there is one loop for
    everything, too, around the innermost ones.
    """
    loops = [at for at in range(len(iterators)) if at not in whole]
    innermost = [at for at in loops if not all(one.date[at].is_constant for one in scans)][-1:]
    try:
        with budget(_STEPS):
            apart = scan(scans, context, iterators, innermost if compact else loops, whole)
        if _size(apart) <= max(_ENOUGH, _GROWTH * len(scans)) and (compact or not _guards(apart)):
            return apart
        with budget(_STEPS):
            plain = scan(scans, context, iterators, whole=whole)
    except OutOfBudget:
        around = range(innermost[0] if innermost else 0)
        return scan(scans, context, iterators, whole={*whole, *around})
    longest = _GROWTH * _size(plain) if compact else max(_ENOUGH, _GROWTH * _size(plain))
    return apart if _guards(apart) < _guards(plain) and _size(apart) <= longest else plain


def short_scan(
    scans: Sequence[Scan],
    context: Domain,
    iterators: Sequence[str],
    whole: Collection[int] = (),
    *,
    compact: bool = True,
) -> Node:
    """The loops in their shortest form, which is always compact, with guards inside them where statements differ."""
    return scan(scans, context, iterators, whole=whole)


def _guards(node: Node, depth: int = 0) -> int:
    """What the tests inside loops cost: each loop around one runs it again and again."""
    here = _TURNS**depth - 1 if isinstance(node, If) else 0
    return here + sum(_guards(child, depth + isinstance(node, For)) for child in inside(node))


def _size(node: Node) -> int:
    return 1 + sum(_size(child) for child in inside(node))


def as_it_is(_: For | Merge | Pack) -> None:
    """No loop is special."""
    return


def loops_in_c(
    node: Node, names: Mapping[str, Affine], body: Body, special: Special = as_it_is
) -> tuple[c.Statement, ...]:
    """The statements of the tree; `names` says what parameters are in C, `body` writes the statement of a call."""

    def number(value: Integer) -> c.Expression:
        return integer(bound(value, names))

    match node:
        case For() | Merge() | Pack() if (written := special(node)) is not None:
            return written
        case For():
            return (loop_in_c(node, names, body, special, _pragma),)
        case Merge(body=inner) | Pack(body=inner):
            return loops_in_c(inner, names, body, special)
        case Let(iterator, _, value, inner):
            written = _scope(loops_in_c(inner, names, body, special))
            used = iterator in c.names_used(written)
            return (c.Block((_constant(iterator, number(value)), *written)),) if used else written
        case If(condition, then, otherwise):
            test = bound(condition, names)
            if isinstance(test, Number):
                chosen = then if test.value else otherwise
                return () if chosen is None else loops_in_c(chosen, names, body, special)
            second = () if otherwise is None else _scope(loops_in_c(otherwise, names, body, special))
            asked = integer(test)
            return (c.If(asked, _scope(loops_in_c(then, names, body, special)), _where_not(asked, second)),)
        case Block():
            return in_a_row(list(together([loops_in_c(child, names, body, special) for child in in_row(node)])))
        case Call(name, arguments):
            return body(name, tuple(bound(a, names) for a in arguments))


def _where_not(test: c.Expression, body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """What is done where a test has failed: nothing of what stands under the same test again."""
    match body:
        case (c.If(condition, _, otherwise),) if condition == test:
            return _where_not(test, otherwise)
        case (c.If() as other,):
            return (replace(other, otherwise=_where_not(test, other.otherwise)),)
    return body


def loop_in_c(loop: For, names: Mapping[str, Affine], body: Body, special: Special, pragma: Pragma) -> c.For:
    """A loop that is not special, under the pragma that its body lets it have."""
    written = _scope(loops_in_c(loop.body, names, body, special))
    return loop_around(loop, names, written, pragma(loop, written))


def innermost_body(loop: For, names: Mapping[str, Affine], body: Body) -> tuple[c.Statement, ...]:
    """What stands in a loop that has no loops inside."""
    return _scope(loops_in_c(loop.body, names, body))


def loop_around(
    loop: For, names: Mapping[str, Affine], body: tuple[c.Statement, ...], pragma: str | None = None
) -> c.For:
    """The same loop, around this body."""

    def number(value: Integer) -> c.Expression:
        return integer(bound(value, names))

    condition = c.Binary(loop.comparison, c.Name(loop.iterator), number(loop.bound))
    return c.For(INDEX, loop.iterator, number(loop.first), condition, number(loop.step), body, pragma)


def where_it_runs(
    loop: For, names: Mapping[str, Affine], body: tuple[c.Statement, ...], never_empty: bool
) -> c.Statement:
    """What is done around the loop as well, and only where it has a turn."""
    if never_empty:
        return c.Block(body)
    first, end = (integer(bound(value, names)) for value in (loop.first, loop.bound))
    return c.If(c.Binary(loop.comparison, first, end), body)


def counting(iterator: str, count: c.Expression, body: tuple[c.Statement, ...]) -> c.For:
    """A loop from 0 to the count, that one left out."""
    return c.For(INDEX, iterator, _ZERO, c.Binary("<", c.Name(iterator), count), c.Literal("1"), body)


def _pragma(loop: For, body: Sequence[c.Statement]) -> str | None:
    """A body that may set the status, which is an atomic operation, is not done at once."""
    at_once = loop.vector and STATUS.name not in c.names_used(body)
    if not loop.parallel:
        return "omp simd" if at_once else None
    pragma = f"{PARALLEL} simd" if at_once else PARALLEL
    collapse = f" collapse({loop.parallel})" if loop.parallel > 1 else ""
    return f"{pragma}{collapse}{' schedule(dynamic)' if loop.uneven else ''}"


def _scope(body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """What stands in braces anyway needs none of its own."""
    match body:
        case (c.Block(inner),):
            return inner
    return body


def _constant(name: str, value: c.Expression) -> c.Statement:
    return c.Declare(CONSTANT, name, value)


def only_outermost(node: Node, is_parallel: Callable[[For], bool]) -> Node:
    """Marks the outermost parallel loops: the ones inside them stay sequential, so that threads are made once."""
    if isinstance(node, For) and is_parallel(node):
        return replace(node, parallel=_collapsed(node, is_parallel))
    return with_inside(node, [only_outermost(child, is_parallel) for child in inside(node)])


def _collapsed(loop: For, is_parallel: Callable[[For], bool]) -> int:
    """How many loops can share their turns out as one: parallel, rectangular, and not the innermost, which goes along
    the rows.
    """
    outer = [loop]
    while isinstance(below := outer[-1].body, For) and is_parallel(below) and not is_innermost(below):
        if {each.iterator for each in outer} & {*names_in(below.first), *names_in(below.bound)}:
            break
        outer.append(below)
    return len(outer)


def with_vectors(node: Node, is_independent: Callable[[For], bool]) -> Node:
    """Marks the innermost loops, without tests inside, whose turns can be done at once."""
    found = with_inside(node, [with_vectors(child, is_independent) for child in inside(node)])
    if isinstance(found, For) and is_innermost(found) and is_independent(found):
        return replace(found, vector=True)
    return found


def is_innermost(loop: For) -> bool:
    """Whether there are no loops inside, and no tests."""
    waiting = [loop.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, For | If):
            return False
        waiting += inside(node)
    return True


def called(node: Node) -> frozenset[str]:
    """The names of the statements inside."""
    return frozenset(call.name for call in calls(node))
