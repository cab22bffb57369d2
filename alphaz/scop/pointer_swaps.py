"""Pointers exchanged at the end of each step, two or more in turn: the number of the step determines their targets.

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
from alphaz.c.walk import Part, copied, nodes, rebuilt, with_blocks, with_name
from alphaz.scop.idioms import is_behind_directive, substituted
from alphaz.scop.substitution import count, is_steady, names_in, touched
from alphaz.scop.tree_queries import (
    Statements,
    addressed,
    assigned,
    freed,
    is_wide_integer,
    names_among,
    scalar_type,
)


def parities(body: Statements, begin: int = 0) -> Statements:
    """Returns a function's body without pointers that a loop among its statements, from `begin` on, swaps in each
    step."""
    for position in range(begin, len(body)):
        loop = body[position]
        if isinstance(loop, c.For) and not is_behind_directive(body, position):
            unswapped = _unswapped(loop, body[position + 1 :], body)
            if unswapped is not None:
                return parities((*body[:position], *unswapped), position)
    return body


def _unswapped(loop: c.For, behind: Statements, whole: Statements) -> Statements | None:
    """Returns the loop and the statements after it; None if it swaps nothing, or its form is not supported. `whole` is
    the function's body."""
    start, end = start_of(loop), _end(loop)
    exchange = _exchanged_pointers(loop.body)
    if exchange is None or start is None or end is None:
        return None
    turn, spare, before, moves = exchange
    name, value = start
    names_used = {name, *names_in(value), *names_in(end)}
    # The two change nowhere else, and the temporary is not used; the number of steps is that before the first swap.
    if count(whole, spare) != (1 if isinstance(loop.body[len(before)], c.Declare) else 2):
        return None
    if (
        not is_steady({*turn, *names_used}, before)
        or {*turn, spare} & touched(behind)
        or {*turn, spare} & names_used
        or _changes(whole, {*turn}, except_for=moves)
    ):
        return None
    loop = replace(loop, body=(_by_turn(_difference(c.Name(name, at=loop.at), value), before, turn),))
    if not names_in(behind) & {*turn}:
        return loop, *behind
    if names_used & touched(behind) or any(isinstance(item, c.Omp | c.Pragma) for item in behind):
        return None
    used = [position for position, item in enumerate(behind) if names_in(item) & {*turn}]
    rest = [behind[at] for at in used if freed(behind[at]) is None]
    begin, until = used[0], used[len(rest) - 1] + 1 if rest else used[0]
    released = behind[until : used[-1] + 1]
    # All are released together, behind all that uses them.
    if any(map(freed, behind[begin:until])) or not all(map(freed, released)):
        return None
    if names_in(released) & {*turn} not in (set(), {*turn}):
        return None
    uses = behind[begin:until]
    if not _are_movable(uses):
        return None
    steps, zero = _difference(end, value), c.Literal("0", at=loop.at)
    number = c.Ternary(c.Binary(">", steps, zero, at=loop.at), steps, zero, at=loop.at)
    declared = [replace(item, type=replace(item.type, const=False), value=None) for item in _declared(uses)]
    choice = [_by_turn(number, tuple(filter(None, map(_assignment, uses))), turn)] if rest else []
    return loop, *behind[:begin], *declared, *choice, *behind[until:]


def _declared(statements: Sequence[c.Statement]) -> list[c.Declare]:
    return [item for item in statements if isinstance(item, c.Declare)]


def _are_movable(statements: Statements) -> bool:
    """Returns True if the declarations are those of numbers, and their names mean nothing else before."""
    return all(
        isinstance(item.type, c.Scalar | c.Named)
        and not item.storage
        and item.name not in names_in(statements[:position]) | names_in(item.value or ())
        for position, item in enumerate(statements)
        if isinstance(item, c.Declare)
    )


def _assignment(item: c.Statement) -> c.Statement | None:
    """Returns the statement; of a declaration the assignment of its value, None if it has none."""
    if not isinstance(item, c.Declare):
        return item
    return None if item.value is None else c.Assign(c.Name(item.name, at=item.at), item.value, at=item.at)


def _by_turn(steps: c.Expression, statements: Sequence[c.Statement], turn: Sequence[str]) -> c.If:
    """Returns these statements after a number of steps, in each of which a pointer becomes the next one in turn."""
    at, number = steps.at, c.Literal(str(len(turn)), at=steps.at)
    rest: Statements = ()
    for place in reversed(range(len(turn))):
        names = {name: c.Name(turn[(k + place) % len(turn)], at=at) for k, name in enumerate(turn)}
        body = tuple(statements)
        if place:
            body = tuple(map(copied, substituted(statements, names)))
            for name in _counters(body):
                body = _renamed(body, name, f"{name}'{place}")
        test = c.Binary("%", copied(steps), number, at=at)
        is_last = place == len(turn) - 1
        rest = (
            body if is_last else (c.If(c.Binary("==", test, c.Literal(str(place), at=at), at=at), body, rest, at=at),)
        )
    (choice,) = rest
    assert isinstance(choice, c.If)
    return choice


def _counters(statements: Sequence[c.Statement]) -> list[str]:
    """Returns the integers and pointers that the statements declare, and change outside of heads of loops."""
    declared = [item for item in nodes(statements, c.Declare) if item.name in assigned(statements)]
    moving = [item for item in declared if isinstance(item.type, c.Pointer) or is_wide_integer(scalar_type(item.type))]
    return sorted({item.name for item in moving if not item.storage})


def _renamed(statements: Statements, old: str, new: str) -> Statements:
    """Returns the statements with a variable that they declare under another name."""

    def change(part: Part) -> Part | None:
        return replace(part, name=new) if isinstance(part, c.Declare) and part.name == old else None

    return with_name((rebuilt(item, change) for item in statements), old, new)


def _exchanged_pointers(
    body: Statements,
) -> tuple[tuple[str, ...], str, Statements, tuple[c.Assign, ...]] | None:
    """Returns the pointers of `r = p; p = q; q = r;` at the end of a body, in turn, the temporary, the statements
    before, and the moves; None if the body ends otherwise."""
    moves: list[c.Assign] = []
    for position in reversed(range(len(body))):
        match body[position]:
            case c.Declare(type=c.Pointer(), name=spare, value=c.Name(first), storage=""):
                break
            case c.Assign(c.Name(spare), c.Name(first), "=") if moves and _closes(first, spare, moves):
                break
            case c.Assign(c.Name(), c.Name(), "=") as move:
                moves.insert(0, move)
            case _:
                return None
    else:
        return None
    turn = tuple(move.target.name for move in moves if isinstance(move.target, c.Name))
    if len(moves) < 2 or not _closes(first, spare, moves) or len({*turn, spare}) != len(turn) + 1:
        return None
    return turn, spare, body[:position], tuple(moves)


def _closes(first: str, spare: str, moves: Sequence[c.Assign]) -> bool:
    """Returns True if the moves `p = q; q = r; r = spare;` begin with the first pointer, and each has the next one."""
    targets = [move.target.name for move in moves if isinstance(move.target, c.Name)]
    sources = [move.value.name for move in moves if isinstance(move.value, c.Name)]
    return targets[:1] == [first] and sources == [*targets[1:], spare]


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


# --- functions that exchange two pointers -----------------------------------------------------------------------------


def with_swaps(file: c.File) -> c.File:
    """Returns a file with calls of functions that exchange two pointers as assignments."""
    types = {item.name: type_ for item in file.items if isinstance(item, c.Function) and (type_ := _exchanged(item))}
    if not types:
        return file

    def plain(statements: Statements) -> Statements:
        block: list[c.Statement] = []
        for item in statements:
            match item:
                case c.Evaluate(c.Call(str(name), (c.Unary("&", c.Name(one)), c.Unary("&", c.Name(other)))), at=at) if (
                    name in types and one != other
                ):
                    spare = f"{one}_before"
                    block.append(c.Declare(types[name], spare, c.Name(one, at=at), at=at))
                    block.append(c.Assign(c.Name(one, at=at), c.Name(other, at=at), at=at))
                    block.append(c.Assign(c.Name(other, at=at), c.Name(spare, at=at), at=at))
                case _:
                    block.append(with_blocks(item, plain))
        return tuple(block)

    items = (
        replace(item, body=plain(item.body)) if isinstance(item, c.Function) and item.body is not None else item
        for item in file.items
    )
    return replace(file, items=tuple(items))


def _exchanged(function: c.Function) -> c.Type | None:
    """Returns the type of the pointers that a function exchanges; None for other functions."""
    match function.parameters, function.body:
        case (
            (c.Parameter(c.Pointer(c.Pointer() as type_), one), c.Parameter(c.Pointer(c.Pointer()), other)),
            (
                c.Declare(name=spare, value=c.Unary("*", c.Name(first))),
                c.Assign(c.Unary("*", c.Name(into)), c.Unary("*", c.Name(second)), "="),
                c.Assign(c.Unary("*", c.Name(last)), c.Name(from_), "="),
            ),
        ) if (first, into, second, last, from_) == (one, one, other, other, spare):
            return type_
    return None
