"""Shuffles of the lanes of a warp, as writes and reads of registers that all lanes see.

v += __shfl_down_sync(0xffffffff, v, d);     shfl$(s$1, v, ..);  v += lane$ + d < 32 ? s$1[lane$ + d] : s$1[lane$];
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from alphaz.c import tree as c
from alphaz.c.walk import Part, blocks, nodes, rebuilt, with_blocks
from alphaz.diagnostics import Source
from alphaz.model.types import INT, UNSIGNED_INT
from alphaz.scop.assignments import assign, local
from alphaz.scop.block_barriers import note_arrival
from alphaz.scop.c_model import KernelLoop
from alphaz.scop.conversions import type_of
from alphaz.scop.data_expressions import tree
from alphaz.scop.index_expressions import known_number
from alphaz.scop.index_polynomials import constant_polynomial
from alphaz.scop.lvalues import element
from alphaz.scop.reader_state import ConditionalValue, Existentials, ReaderState
from alphaz.scop.scope import Context
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.tree_queries import is_integer
from alphaz.scop.unsupported import outside, span_of

LANES = 32
LANE, EXCHANGE = "lane$", "shfl$"
_SHUFFLES = {
    "__shfl_sync": "index",
    "__shfl_down_sync": "down",
    "__shfl_up_sync": "up",
    "__shfl_xor_sync": "xor",
}
_REDUCTIONS = {
    "__reduce_add_sync": "+",
    "__reduce_max_sync": "max",
    "__reduce_min_sync": "min",
}
_FULL = 0xFFFF_FFFF
_NOT_FULL = ("the mask of this exchange is not known to name all lanes of a warp", "use 0xffffffff")


def uses_lanes(function: c.Function) -> bool:
    """Returns True if a function exchanges values between lanes, or makes them wait."""
    names = {call.function for call in nodes(function.body, c.Call)}
    return not names.isdisjoint({EXCHANGE, "__syncwarp", *_SHUFFLES, *_REDUCTIONS})


def with_exchanges(source: Source, function: c.Function) -> c.Function:
    """Returns a function of a GPU in which each shuffle is a statement, in front of that which uses its values."""
    if function.body is None or not any(call.function in _ALL for call in nodes(function.body, c.Call)):
        return function
    numbers = count(1)
    return replace(function, body=_block(source, function.body, numbers))


_ALL = frozenset({*_SHUFFLES, *_REDUCTIONS})


def _block(source: Source, statements: Sequence[c.Statement], numbers: Iterator[int]) -> tuple[c.Statement, ...]:
    rewritten: list[c.Statement] = []
    for statement in statements:
        inner = with_blocks(statement, lambda block: _block(source, block, numbers))
        exchanges: list[c.Statement] = []
        if any(True for _ in blocks(inner)):
            _check_none(source, inner)
            rewritten.append(inner)
            continue
        _check_certain(source, inner)
        changed = _exchanged(source, inner, exchanges, numbers)
        rewritten += [*exchanges, changed]
    return tuple(rewritten)


def _check_none(source: Source, statement: c.Statement) -> None:
    """Raises Rejected for a shuffle in a condition or the head of a loop."""
    heads: list[Part] = []
    match statement:
        case c.If(test):
            heads = [test]
        case c.For(start, test, steps):
            heads = [*start, *([] if test is None else [test]), *steps]
        case c.While(test) | c.DoWhile(condition=test):
            heads = [test]
    for call in nodes(heads, c.Call):
        if call.function in _ALL:
            raise outside(span_of(source, call), f"`{call.function}` in a condition is not supported")


def _check_certain(source: Source, statement: c.Statement) -> None:
    """Raises Rejected for a shuffle that only some lanes may execute."""
    for choice in nodes(statement, (c.Ternary, c.Binary)):
        if isinstance(choice, c.Ternary) or choice.operator in ("&&", "||"):
            for call in nodes(choice, c.Call):
                if call.function in _ALL:
                    raise outside(span_of(source, call), f"`{call.function}` under a condition is not supported")


def _exchanged(
    source: Source, statement: c.Statement, exchanges: list[c.Statement], numbers: Iterator[int]
) -> c.Statement:
    def change(part: Part) -> Part | None:
        if not isinstance(part, c.Call) or part.function not in _ALL:
            return None
        at, arguments = part.at, [rebuilt(argument, change) for argument in part.arguments]
        kind = _SHUFFLES.get(part.function, "all")
        needed = 2 if kind == "all" else 3
        if not needed <= len(arguments) <= needed + (kind != "all"):
            raise outside(span_of(source, part), f"`{part.function}` has another number of arguments")
        mask, value, *rest = arguments
        whole = c.Literal(str(LANES), at=at)
        by, width = rest[0] if rest else whole, rest[1] if len(rest) > 1 else whole
        name = c.Name(f"s${next(numbers)}", at=at)
        call = c.Call(EXCHANGE, (name, value, mask, c.String(f'"{kind}"', at=at), by, width), at=at)
        exchanges.append(c.Evaluate(call, at=at))
        if kind == "all":
            cells = [_cell(name, c.Literal(str(lane), at=at)) for lane in range(LANES)]
            return _reduced(_REDUCTIONS[part.function], cells)
        return _taken(kind, name, by, width)

    return rebuilt(statement, change)


def _cell(name: c.Name, lane: c.Expression) -> c.Expression:
    return c.Index(name, lane, at=name.at)


def _reduced(operator: str, cells: Sequence[c.Expression]) -> c.Expression:
    if len(cells) == 1:
        return cells[0]
    left, right = (_reduced(operator, half) for half in (cells[: len(cells) // 2], cells[len(cells) // 2 :]))
    if operator == "+":
        return c.Binary("+", left, right, at=left.at)
    return c.Call(operator, (left, right), at=left.at)


def _taken(kind: str, name: c.Name, by: c.Expression, width: c.Expression) -> c.Expression:
    """Returns the value that a lane gets, as an element of the exchanged values."""
    at = name.at
    lane = c.Name(LANE, at=at)

    def binary(operator: str, left: c.Expression, right: c.Expression) -> c.Binary:
        return c.Binary(operator, left, right, at=at)

    inside = binary("%", lane, width)
    match kind:
        case "down":
            test: c.Expression = binary("<", binary("+", inside, by), width)
            return c.Ternary(test, _cell(name, binary("+", lane, by)), _cell(name, lane), at=at)
        case "up":
            test = binary(">=", inside, by)
            return c.Ternary(test, _cell(name, binary("-", lane, by)), _cell(name, lane), at=at)
        case "xor":
            bit = binary("%", binary("/", lane, by), c.Literal("2", at=at))
            sign = binary("-", c.Literal("1", at=at), binary("*", c.Literal("2", at=at), bit))
            return _cell(name, binary("+", lane, binary("*", by, sign)))
    first = binary("-", lane, inside)
    return _cell(name, binary("+", first, binary("%", by, width)))


# --- reading ----------------------------------------------------------------------------------------------------------


def exchange(state: ReaderState, call: c.Call, nest: Context) -> Context:
    """Reads an exchange; returns the context with the values of all lanes."""
    span, block = state.span(call), state.block
    name, value, mask, kind, by, width = call.arguments
    assert isinstance(name, c.Name)
    assert isinstance(kind, c.String)
    if block is None or nest.block is None or block.lane is None:
        message = "lanes exchange values in kernels whose blocks have a multiple of 32 threads"
        raise outside(span, f"{message}, in x or in rows of 2, 4, 8 or 16")
    if not is_full(state, mask, nest):
        raise outside(span, *_NOT_FULL)
    size = known_number(state, nest, width)
    if size not in (2, 4, 8, 16, LANES):
        raise outside(span, "the width of a shuffle must be 2, 4, 8, 16 or 32")
    step = known_number(state, nest, by)
    if kind.text == '"xor"' and (step not in (1, 2, 4, 8, 16) or size != LANES):
        raise outside(span, "the mask of lanes in `__shfl_xor_sync` must be a power of two below 32, and the width 32")
    if kind.text in ('"up"', '"down"') and (step is None or not 0 <= step < LANES):
        raise outside(span, "the distance of lanes in a shuffle must be a number from 0 to 31")
    reading = StatementReads(state, nest, Existentials(depth=nest.depth))
    try:
        type_ = type_of(tree(reading, value))
    except ConditionalValue:
        raise outside(span, "a value that is exchanged must not be a choice: assign it to a variable first") from None
    if kind.text == '"all"' and type_ not in (INT, UNSIGNED_INT):
        message = f"`__reduce_.._sync` takes `int` or `unsigned int`, and this value has the type `{type_.c_name}`"
        raise outside(span, message, "use shuffles: `v += __shfl_xor_sync(0xffffffff, v, d)` for d = 16, 8, 4, 2, 1")
    loops = {part.iterator for part in nest.date if isinstance(part, KernelLoop)} - {*block.lanes}
    around = replace(nest, iterators=tuple(name for name in nest.iterators if name in loops))
    own = local(state, "shfl", type_, (constant_polynomial(LANES),), around, span)
    state.arrays[own.array.name] = array = replace(own.array, is_exchanged=True)
    own = replace(own, array=array)
    assign(state, element(own, block.lane), value, nest, span)
    note_arrival(state, block, nest, span, block.exchanges, block.lanes)
    return nest.with_names({name.name: own})


def is_full(state: ReaderState, mask: c.Expression, nest: Context) -> bool:
    """Returns True if a mask names all lanes of a warp."""
    return _mask(state, mask, nest) == _FULL


def _mask(state: ReaderState, mask: c.Expression, nest: Context) -> int | None:
    """Returns a mask of 32 bits; None if it is no constant."""
    match mask:
        case c.Literal() if is_integer(mask):
            return int(mask.text.rstrip("uUlL"), 0) & _FULL
        case c.Unary("~" | "-" as operator, operand) if (value := _mask(state, operand, nest)) is not None:
            return (~value if operator == "~" else -value) & _FULL
        case c.Cast(_, operand):
            return _mask(state, operand, nest)
    value = known_number(state, nest, mask)
    return None if value is None else value & _FULL
