"""Launches of CUDA: the blocks of a grid, and the threads of a block, become unordered loops around the kernel."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from alphaz.c import tree as c
from alphaz.c.parse import parse_expression
from alphaz.diagnostics import Rejected, Span
from alphaz.model.types import INT, UNSIGNED_INT, ScalarType
from alphaz.poly import Constraint
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.assigned_integers import named_integer
from alphaz.scop.assignments import domain_of, is_certain, local
from alphaz.scop.c_model import Date, KernelLoop, LoopKind, ThreadTeam
from alphaz.scop.calls import enter
from alphaz.scop.cuda_builtins import BLOCK, BLOCK_SIZE, DIMENSIONS, GRID_SIZE, MOST_BLOCKS, SIGNED, THREAD
from alphaz.scop.file_scope import reached, used_names
from alphaz.scop.grid_strides import without_strides
from alphaz.scop.index_expressions import condition, index, known_number
from alphaz.scop.index_polynomials import TRUE, Value, comparison, constant_polynomial, number, polynomial_of
from alphaz.scop.lane_exchanges import LANE, LANES, uses_lanes
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, NamedInteger
from alphaz.scop.shapes import Extents, declared_extents, factors, shaped
from alphaz.scop.thread_block import ThreadBlock
from alphaz.scop.tree_queries import element_type, is_integer, launch_bounds
from alphaz.scop.unsupported import outside, undefined

_MOST_THREADS = (1024, 1024, 64)
_MOST_BLOCKS = (2**31 - 1, MOST_BLOCKS, MOST_BLOCKS)
_MOST_SHARED = 48 * 1024


def launch(state: ReaderState, item: c.Launch, nest: Context) -> None:
    """Reads the launch of a kernel. Raises Rejected, also (AZ836) for a block that no GPU has."""
    span, kernel = state.span(item), state.functions.defined.get(item.kernel)
    if kernel is None or "__global__" not in kernel.qualifiers:
        raise outside(span, f"`{item.kernel}` is no kernel of this file")
    is_loop = any(isinstance(part, KernelLoop) and part.kind is not LoopKind.SEQUENTIAL for part in nest.date)
    if is_loop or nest.region is not None or nest.lane is not None or nest.mutex is not None:
        raise outside(span, "a launch by one of several threads is not supported")
    if item.stream is not None and known_number(state, nest, item.stream) != 0:
        raise outside(span, "a launch in a stream is not supported")
    for reason in kernel.body or ():
        if isinstance(reason, c.Unsupported):
            raise outside(state.span(reason), reason.message, reason.remedy)
    kernel, unlimited = without_strides(state, kernel, item, nest)
    _check_block(state, item, nest, span, unlimited)
    _check_bounds(state, item, nest, kernel)
    used = used_names(state.functions, kernel)
    # Arguments are copied in front.
    grid = _sized(state, item, nest.at(0), GRID_SIZE, item.grid, used)
    grid = _members(state, item, grid, BLOCK, item.grid, LoopKind.GRID, unlimited)
    lanes = _Lanes()
    if any(map(uses_lanes, reached(state.functions, kernel))):
        lanes = _lanes(state, item, grid)
    thread = lanes.thread or _members(state, item, grid, THREAD, item.block, LoopKind.BLOCK)
    thread = _sized(state, item, thread, BLOCK_SIZE, item.block, used)
    waits: dict[Date, set[int]] = {}
    of_warps: dict[Date, set[int]] = {}
    exchanges: dict[Date, set[int]] = {}
    passages: dict[Date, tuple[Constraint, ...]] = {}
    team = ThreadTeam(len(thread.date), barriers=waits, warp_barriers=of_warps, exchanges=exchanges, passages=passages)
    thread = replace(thread, block=team)
    around = state.around
    state.around = {**around, **{name: known for name, known in thread.names.items() if name not in nest.names}}
    threads = tuple(part.iterator for part in thread.date[len(grid.date) :] if isinstance(part, KernelLoop))
    block = state.block = ThreadBlock(
        nest=thread,
        around=grid.iterators,
        threads=threads,
        waits=waits,
        warp_waits=of_warps,
        exchanges=exchanges,
        lane=lanes.number,
        lanes=lanes.names,
        limits=lanes.limits,
        passages=passages,
    )
    block.stated = () if item.bytes in (None, c.ZERO) else factors(state, nest, item.bytes)
    enter(state, kernel, item.arguments, nest, span, within=thread)
    state.block, state.around = None, around
    state.barriers += block.barriers


def _check_block(state: ReaderState, item: c.Launch, nest: Context, span: Span, unlimited: Collection[str]) -> None:
    """Checks the limits of blocks, and of grids."""
    if domain_of(state, nest).is_empty():
        return
    sizes: list[int] = []
    for extent, most, dimension in zip(item.block, _MOST_THREADS, DIMENSIONS, strict=False):
        size = _number(state, nest, extent)
        if size is None:
            message = f"the size of the block in {dimension} must be a number"
            raise outside(state.span(extent), message, "use constants for the threads of a block")
        if not 0 < size <= most:
            raise undefined(
                state.span(extent), f"a block of {size} threads in {dimension}", f"at most {most} are allowed"
            )
        sizes.append(size)
    if prod(sizes) > _MOST_THREADS[0]:
        raise undefined(span, f"a block of {prod(sizes):,} threads", f"at most {_MOST_THREADS[0]:,} are allowed")
    for extent, most, dimension in zip(item.grid, _MOST_BLOCKS, DIMENSIONS, strict=False):
        if dimension in unlimited and not _is_index(state, nest, extent):
            state.assume(f"the grid has 1 to {most:,} blocks in {dimension} (line {span.position[0]})")
            continue
        size = _number(state, nest, extent)
        if size is not None and not 0 < size <= most:
            raise undefined(state.span(extent), f"a grid of {size} blocks in {dimension}", f"1 to {most} are allowed")
        if size is None:
            if not is_certain(state, nest, _has_blocks(extent)):
                state.assume(f"a launch without blocks fails, and does nothing (line {span.position[0]})")
            if dimension != DIMENSIONS[0] and not is_certain(state, nest, _is_at_most(extent, most)):
                state.assume(f"the grid has at most {most:,} blocks in {dimension}")


def _check_bounds(state: ReaderState, item: c.Launch, nest: Context, kernel: c.Function) -> None:
    """Checks the number of threads that a kernel is compiled for."""
    for word in launch_bounds(kernel):
        stated = parse_expression(word.partition("(")[2].rstrip(")").partition(",")[0])
        most = None if stated is None else known_number(state, replace(nest, names={**state.around}), stated)
        if most is None:
            raise outside(state.span(item), f"the number in `{word}` of `{item.kernel}` is not known", "write a number")
        size = prod(_number(state, nest, extent) or 0 for extent in item.block)
        if size > most:
            raise undefined(
                state.span(item), f"`{item.kernel}` is launched with {size:,} threads in a block",
                f"at most {most:,} are allowed by `{word}`",
            )  # fmt: skip


def _is_at_most(extent: c.Expression, most: int) -> c.Expression:
    return c.Binary("<=", extent, c.Literal(str(most), at=extent.at), at=extent.at)


def _has_blocks(extent: c.Expression) -> c.Expression:
    return c.Binary(">=", extent, c.Literal("1"), at=extent.at)


def _number(state: ReaderState, nest: Context, extent: c.Expression) -> int | None:
    try:
        return number(index(state, nest, extent, Existentials()))
    except NoIndex as problem:
        raise outside(problem.span, f"the sizes of this launch are not affine: {problem.why}") from None


def _is_index(state: ReaderState, nest: Context, extent: c.Expression) -> bool:
    try:
        _number(state, nest, extent)
    except Rejected:
        return False
    return True


def _sized(
    state: ReaderState,
    item: c.Launch,
    nest: Context,
    variable: str,
    extents: Sequence[c.Expression],
    used: frozenset[str],
) -> Context:
    """Returns the context with the sizes that the kernel uses."""
    for position, dimension in enumerate(DIMENSIONS):
        name = f"{variable}.{dimension}"
        if {name, f"{name}{SIGNED}"} & used:
            extent = extents[position] if position < len(extents) else c.Literal("1", at=item.at)
            nest = named_integer(state, name, extent, UNSIGNED_INT, nest, item)
            known = nest.names[name]
            assert isinstance(known, NamedInteger)
            nest = nest.with_names(_of_both_types(name, known.value))
    return nest


def _of_both_types(name: str, value: Value) -> Mapping[str, NamedInteger]:
    """Returns a built-in variable, and the signed number of the same value."""
    return {name: NamedInteger(value, UNSIGNED_INT), f"{name}{SIGNED}": NamedInteger(value, INT)}


def _members(
    state: ReaderState, item: c.Launch, nest: Context, variable: str, extents: Sequence[c.Expression], kind: LoopKind,
    unlimited: Collection[str] = (),
) -> Context:  # fmt: skip
    """Returns the context of each member: of each block, or of each thread of a block. There may be any number of
    members in the `unlimited` dimensions, and none if the stated number is 0."""
    for at, dimension in reversed([*enumerate(DIMENSIONS)]):
        name, extent = f"{variable}.{dimension}", extents[at] if at < len(extents) else c.Literal("1", at=item.at)
        is_open = dimension in unlimited
        if not is_open and _number(state, nest, extent) == 1:
            nest = nest.with_names(_of_both_types(name, constant_polynomial(0)))
            continue
        iterator, asides = state.fresh(name), Existentials()
        member = nest.with_names(_of_both_types(name, polynomial_of(iterator)))
        own = replace(member, iterators=(*nest.iterators, iterator))
        test = _has_blocks(extent) if is_open else _below(c.Name(name, at=extent.at), extent)
        is_there = is_open and (not _is_index(state, nest, extent) or is_certain(state, nest, test))
        below = TRUE if is_there else condition(state, own, test, asides)
        loop = KernelLoop(iterator, 1, kind, state.span(item))
        least = comparison(">=", polynomial_of(iterator), constant_polynomial(0))
        nest = asides.added(member).inside(loop, least, below)
    return nest


@dataclass(frozen=True, slots=True)
class _Lanes:
    """The context of a thread as a lane of a warp: its `number` there, over the iterators `names`, and the greatest
    values of the numbers of threads. All are empty if warps are not used, or have another form."""

    thread: Context | None = None
    number: Polynomial | None = None
    names: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)


def _lanes(state: ReaderState, item: c.Launch, nest: Context) -> _Lanes:
    """Returns the warps of a block: parts of its rows, or several rows."""
    sizes, limits = [_number(state, nest, extent) or 0 for extent in item.block], dict[str, int]()

    def counted(nest: Context, name: str, size: int, kind: LoopKind) -> tuple[Context, Polynomial]:
        """Returns the context of each of so many members, with their number."""
        if size == 1:
            return nest, constant_polynomial(0)
        iterator = state.fresh(name)
        own, limits[iterator] = polynomial_of(iterator), size - 1
        loop = KernelLoop(iterator, 1, kind, state.span(item))
        least, most = comparison(">=", own, constant_polynomial(0)), comparison("<", own, constant_polynomial(size))
        return nest.inside(loop, least, most), own

    x, y, z = (*sizes, 1, 1)[:3]
    if x % LANES == 0:
        nest, depth = counted(nest, "threadIdx.z", z, LoopKind.BLOCK)
        nest, row = counted(nest, "threadIdx.y", y, LoopKind.BLOCK)
        nest, warp = counted(nest, "warp", x // LANES, LoopKind.BLOCK)
        nest, lane = counted(nest, "lane", LANES, LoopKind.WARP)
        number, values, names = lane, (warp * constant_polynomial(LANES) + lane, row, depth), (*lane.names,)
    elif x > 0 and LANES % x == 0 and z == 1 and x * y % LANES == 0:
        rows = LANES // x
        nest, warp = counted(nest, "warp", y // rows, LoopKind.BLOCK)
        nest, row = counted(nest, "row", rows, LoopKind.WARP)
        nest, column = counted(nest, "lane", x, LoopKind.WARP)
        number, names = row * constant_polynomial(x) + column, (*row.names, *column.names)
        values = (column, warp * constant_polynomial(rows) + row, constant_polynomial(0))
    else:
        return _Lanes()
    for dimension, value in zip(DIMENSIONS, values, strict=True):
        nest = nest.with_names(_of_both_types(f"{THREAD}.{dimension}", value))
    return _Lanes(nest.with_names({LANE: NamedInteger(number, INT)}), number, names, limits)


def _below(member: c.Name, extent: c.Expression) -> c.Expression:
    """Returns the condition that a member exists: of a quotient the one that needs none."""
    match extent:
        case c.Binary("/", dividend, c.Literal(by) as divisor) if is_integer(divisor) and by != "0":
            whole = c.Binary(
                "*", c.Binary("+", member, c.Literal("1", at=extent.at), at=extent.at), divisor, at=extent.at
            )
            return c.Binary("<=", whole, dividend, at=extent.at)
    return c.Binary("<", member, extent, at=extent.at)


def declare_shared(state: ReaderState, item: c.Declare, nest: Context) -> Context:
    """Returns the context after the declaration of an object that the threads of a block share."""
    span, block, type_ = state.span(item), state.block, element_type(item.type)
    if block is None:
        raise outside(span, "shared memory is declared in a kernel")
    if (known := block.shared.get((item.name, item.at))) is not None:
        return nest.with_names({item.name: known})
    if type_ is not None and type_.kind == "int" and not isinstance(item.type, c.Array):
        raise outside(
            span, f"the integer `{item.name}` in shared memory is not supported", "use an array of one element"
        )
    if (
        item.value is not None
        or item.storage not in ("", "static", "extern")
        or type_ is None
        or isinstance(item.type, c.Pointer)
    ):
        raise outside(span, f"this declaration of `{item.name}` in shared memory is not supported")
    extents = declared_extents(state, nest, item.type, span)
    if item.storage == "extern":
        extents = _stated(block, type_, extents, span)
    sizes = [None if extent is None else number(extent) for extent in extents]
    if None in sizes:
        raise outside(span, f"the extents of `{item.name}` must be numbers")
    block.size += prod(size for size in sizes if size is not None) * type_.bits // 8
    if block.size > _MOST_SHARED:
        raise undefined(
            span, f"{block.size:,} bytes of shared memory in a block", f"at most {_MOST_SHARED:,} are allowed"
        )
    around = replace(nest, iterators=block.around)
    own = block.shared[item.name, item.at] = local(state, item.name, type_, extents, around, span, space=item.space)
    return nest.with_names({item.name: own})


def _stated(block: ThreadBlock, type_: ScalarType, extents: Extents, span: Span) -> Extents:
    """Returns the extents of the memory whose size the launch states."""
    stated, block.stated = block.stated, ()
    if not stated or extents[0] is not None:
        message = "the launch must state the bytes of this memory, and a kernel can have only one name for it"
        raise outside(
            span, message, "write `k<<<grid, block, n * sizeof(type)>>>`, and `extern __shared__ type name[];`"
        )
    return shaped(stated, type_, tuple(extent for extent in extents[1:] if extent is not None), span)
