"""Pointers swapped at the end of each step: the parity of the step determines their targets.

for (int t = 0; t < T; t++) {                for (int t = 0; t < T; t++) {
    .. p .. q ..                                 if ((t - 0) % 2 == 0) { .. p .. q .. }
    double *r = p; p = q; q = r;                 else { .. q .. p .. }
}                                            }
.. p .. q ..                                 if ((T - 0 > 0 ? T - 0 : 0) % 2 == 0) { .. p .. q .. }
                                             else { .. q .. p .. }
"""

from collections.abc import Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import copied, nodes
from alphaz.scop.idioms import is_behind_directive, substituted
from alphaz.scop.substitution import count, is_steady, names_in, touched
from alphaz.scop.tree_queries import Statements, addressed, freed, names_among


def parities(body: Statements, begin: int = 0) -> Statements:
    """Returns a function's body without pointers that a loop among its statements, from `begin` on, swaps in each
    step."""
    for at in range(begin, len(body)):
        loop = body[at]
        if isinstance(loop, c.For) and not is_behind_directive(body, at):
            unswapped = _unswapped(loop, body[at + 1 :], body)
            if unswapped is not None:
                return parities((*body[:at], *unswapped), at)
    return body


def _unswapped(loop: c.For, behind: Statements, whole: Statements) -> Statements | None:
    """Returns the loop and the statements after it; None if it swaps nothing, or its form is not supported. `whole` is
    the function's body."""
    start, end = start_of(loop), _end(loop)
    if len(loop.body) < 4 or start is None or end is None:
        return None
    *before, first, second, third = loop.body
    pair = _swapped_pointers(first, second, third)
    if pair is None:
        return None
    one, other, spare = pair
    name, value = start
    names_used = {name, *names_in(value), *names_in(end)}
    # The two change nowhere else, and the temporary is not used; the number of steps is that before the first swap.
    if count(whole, spare) != (1 if isinstance(first, c.Declare) else 2):
        return None
    if (
        not is_steady({one, other, *names_used}, before)
        or {one, other, spare} & touched(behind)
        or {one, other, spare} & names_used
        or _changes(whole, {one, other}, except_for=(second, third))
    ):
        return None
    loop = replace(loop, body=(_either(_difference(c.Name(name, at=loop.at), value), before, one, other),))
    if not names_in(behind) & {one, other}:
        return loop, *behind
    if names_used & touched(behind) or any(isinstance(item, c.Declare | c.Omp | c.Pragma) for item in behind):
        return None
    used = [at for at, item in enumerate(behind) if names_in(item) & {one, other}]
    rest = [behind[at] for at in used if freed(behind[at]) is None]
    begin, until = used[0], used[len(rest) - 1] + 1 if rest else used[0]
    released = behind[until : used[-1] + 1]
    # Both are released together, behind all that uses them.
    if any(map(freed, behind[begin:until])) or not all(map(freed, released)):
        return None
    if names_in(released) & {one, other} not in (set(), {one, other}):
        return None
    steps, zero = _difference(end, value), c.Literal("0", at=loop.at)
    number = c.Ternary(c.Binary(">", steps, zero, at=loop.at), steps, zero, at=loop.at)
    uses = [_either(number, behind[begin:until], one, other)] if rest else []
    return loop, *behind[:begin], *uses, *behind[until:]


def _either(steps: c.Expression, statements: Sequence[c.Statement], one: str, other: str) -> c.If:
    """Returns these statements for an even number of steps, else with both pointers exchanged."""
    at = steps.at
    turned = {one: c.Name(other, at=at), other: c.Name(one, at=at)}
    is_even = c.Binary("==", c.Binary("%", copied(steps), c.Literal("2", at=at), at=at), c.Literal("0", at=at), at=at)
    return c.If(is_even, tuple(statements), tuple(map(copied, substituted(statements, turned))), at=at)


def _swapped_pointers(first: c.Statement, second: c.Statement, third: c.Statement) -> tuple[str, str, str] | None:
    """Returns the two pointers of `r = p; p = q; q = r;`, and the temporary."""
    match first:
        case c.Declare(type=c.Pointer(), name=spare, value=c.Name(one), storage=""):
            pass
        case c.Assign(c.Name(spare), c.Name(one), "="):
            pass
        case _:
            return None
    match second, third:
        case (c.Assign(c.Name(into), c.Name(other), "="), c.Assign(c.Name(last), c.Name(from_), "=")) if (
            into,
            last,
            from_,
        ) == (one, other, spare) and len({one, other, spare}) == 3:
            return one, other, spare
    return None


def start_of(loop: c.For) -> tuple[str, c.Expression] | None:
    """Returns the iterator of a loop, and its start."""
    match loop.start:
        case (c.Declare(name=name, value=value),) if value is not None:
            return name, value
        case (c.Assign(c.Name(name), value, "="),):
            return name, value
    return None


def _end(loop: c.For) -> c.Expression | None:
    """Returns the end value of an ascending loop that starts below its end."""
    start = start_of(loop)
    match loop.steps, loop.test:
        case ((c.Step("++", _, c.Name(name)),), c.Binary("<" | "<=" as operator, c.Name(tested), end)) if (
            start is not None and name == tested == start[0]
        ):
            return end if operator == "<" else c.Binary("+", end, c.Literal("1", at=loop.at), at=loop.at)
    return None


def _difference(one: c.Expression, start: c.Expression) -> c.Expression:
    return c.Binary("-", copied(one), copied(start), at=one.at or start.at)


def _changes(body: Statements, names: set[str], except_for: tuple[c.Statement, ...]) -> bool:
    """Returns True if an operation besides these assigns one of the names, or takes its address."""
    changed = [node.target for node in nodes(body, (c.Assign, c.Set)) if not any(node is known for known in except_for)]
    changed += [node.operand for node in nodes(body, c.Step)]
    return bool(names & names_among((*changed, *addressed(body))))
