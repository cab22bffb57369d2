"""Dataflow of a kernel: the value that each read finds, and the contents of arrays at the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from alphaz.diagnostics import Span
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, fresh_names
from alphaz.poly.algorithms.flow import FlowAccess, FlowOrigin, NotAffine, Ratio, origins
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelArray, KernelLoop, KernelStatement
from alphaz.scop.index_polynomials import affine
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import IndexLeaf, Tree, leaves_in

Date = tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FlowNode:
    """A statement: the indices of its value (the iterators of its loops), and for each of its reads the value found.

    `cell` is the written cell, over the indices; None if expressing it needs a division.
    """

    statement: KernelStatement
    indices: tuple[str, ...]
    domain: Domain
    date: Date
    cell: tuple[Affine, ...] | None
    value: Tree
    reads: tuple[tuple[FlowOrigin, ...], ...]

    @property
    def array(self) -> KernelArray:
        return self.statement.target.array


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """The contents of an argument's cells when the function returns, over `indices`."""

    array: KernelArray
    indices: tuple[str, ...]
    origins: tuple[FlowOrigin, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """`nodes` has a node for each statement by its number; None for those whose values are not used. `latest` is the
    first component of a date after all others."""

    kernel: CKernel
    context: Domain
    nodes: tuple[FlowNode | None, ...]
    ends: tuple[End, ...]
    latest: int


def flow_of(kernel: CKernel, context: Domain) -> Flow:
    """Returns the dataflow of the kernel in sequential order. Raises Rejected (AZ832) if it is not affine."""
    width = width_of(kernel)
    nodes = tuple(node_of(kernel, statement) for statement in kernel.statements)
    latest = 1 + max((_first(statement) for statement in kernel.statements), default=0)
    end_date = (Affine(constant=latest), *(Affine() for _ in range(width - 1)))
    arrays = dict.fromkeys(statement.target.array.name for statement in kernel.statements)
    ends = [_end(kernel, context, kernel.arrays[n], end_date) for n in arrays if kernel.arrays[n].is_argument]
    return _scaled(_living(Flow(kernel=kernel, context=context, nodes=nodes, ends=tuple(ends), latest=latest)))


def width_of(kernel: CKernel) -> int:
    """Returns the length of the longest date."""
    return max((len(statement.date) for statement in kernel.statements), default=1)


def meaningless(kernel: CKernel, flow: Flow | None = None) -> Domain:
    """Returns the parameters for which the C is undefined: an access outside its array, a negative dividend, and (with
    the dataflow) a read of uninitialised data."""
    union = Domain.empty(kernel.statements[0].domain.space.with_names(())) if kernel.statements else None
    assert union is not None
    for domain in (*_outside(kernel), *(() if flow is None else _unwritten(flow))):
        union = union | domain.parameters()
    return union.simplify()


def _outside(kernel: CKernel) -> Iterator[Domain]:
    for statement in kernel.statements:
        for access in (statement.target, *statement.reads):
            own = access.subscripts[len(access.array.prefix) :]
            for subscript, extent in zip(own, extents_of(access.array), strict=True):
                space = statement.domain.space
                beyond = [Constraint(-subscript - 1)], [Constraint(subscript - extent)]
                yield statement.domain & Domain.where(space, *beyond)
    for dividend in kernel.dividends:
        yield dividend.domain & Domain.where(dividend.domain.space, [Constraint(-dividend.value - 1)])


def _unwritten(flow: Flow) -> Iterator[Domain]:
    for node in flow.nodes:
        for access, read_origins in zip(node.statement.reads, node.reads, strict=True) if node is not None else ():
            if not access.array.is_argument:
                yield from (origin.where for origin in read_origins if origin.writer is None)


def extents_of(array: KernelArray) -> tuple[Affine, ...]:
    """Returns the extents of an array. Raises Rejected (AZ832) if one is not affine in the parameters."""
    extents = [None if extent is None else affine(extent) for extent in array.extents]
    changing = {*array.prefix, *(() if array.limit is None else (array.limit.name,))}
    if any(extent is None or changing & {*extent.names} for extent in extents):
        raise outside(array.span, f"the extents of `{array.label}` are not affine in the parameters")
    return tuple(extent for extent in extents if extent is not None)


# --- accesses and dates -----------------------------------------------------------------------------------------------


def _first(statement: KernelStatement) -> int:
    position = statement.date[0]
    assert isinstance(position, int)
    return position


def _date(statement: KernelStatement, width: int) -> Date:
    components = [
        Affine.name(component.iterator) * component.step
        if isinstance(component, KernelLoop)
        else Affine(constant=component)
        for component in statement.date
    ]
    return (*components, *(Affine() for _ in range(width - len(components))))


def _loop_iterators(statement: KernelStatement) -> tuple[str, ...]:
    return tuple(component.iterator for component in statement.date if isinstance(component, KernelLoop))


def _touch(statement: KernelStatement, access: ArrayAccess, width: int) -> FlowAccess:
    return FlowAccess(statement.domain, _loop_iterators(statement), _date(statement, width), access.subscripts)


def _writes(kernel: CKernel, array: KernelArray, width: int) -> tuple[list[int], list[FlowAccess]]:
    numbered = [(n, s) for n, s in enumerate(kernel.statements) if s.target.array is array]
    return [n for n, _ in numbered], [_touch(s, s.target, width) for _, s in numbered]


def _numbered(origins: Sequence[FlowOrigin], numbers: Sequence[int]) -> tuple[FlowOrigin, ...]:
    return tuple(
        origin if origin.writer is None else replace(origin, writer=numbers[origin.writer]) for origin in origins
    )


def origins_of(kernel: CKernel, statement: KernelStatement, access: ArrayAccess) -> tuple[FlowOrigin, ...]:
    """Returns the values that a statement (of the kernel, or an additional one) finds by an access. Raises Rejected
    (AZ832)."""
    width = max(width_of(kernel), len(statement.date))
    numbers, writes = _writes(kernel, access.array, width)
    try:
        return _numbered(origins(_touch(statement, access, width), writes, access.array.is_argument), numbers)
    except NotAffine:
        raise outside(
            access.span, f"the source of a read of `{access.array.label}` is not an affine function"
        ) from None


def node_of(kernel: CKernel, statement: KernelStatement) -> FlowNode:
    """Returns the node of a statement, with the values that its reads find. Raises Rejected (AZ832)."""
    reads = [origins_of(kernel, statement, access) for access in statement.reads]
    width = width_of(kernel)
    indices = _loop_iterators(statement)
    known = {*indices, *kernel.parameters}
    is_plain = all(known.issuperset(subscript.names) for subscript in statement.target.subscripts)
    if any(not known.issuperset(position.affine.names) for position in _positions(statement.value)):
        raise outside(statement.span, "a quotient of iterators is used as a value")
    return FlowNode(
        statement=statement, indices=indices, domain=statement.domain.onto(indices), date=_date(statement, width),
        cell=statement.target.subscripts if is_plain else None, value=statement.value, reads=tuple(reads),
    )  # fmt: skip


def _positions(tree: Tree) -> Iterator[IndexLeaf]:
    return (leaf for leaf in leaves_in(tree) if isinstance(leaf, IndexLeaf))


def _end(kernel: CKernel, context: Domain, array: KernelArray, date: Date) -> End:
    names = fresh_names(len(array.extents), "cell", kernel.parameters)
    domain = box_of(array, names, context)
    numbers, writes = _writes(kernel, array, len(date))
    cells = tuple(map(Affine.name, names))
    try:
        return End(array, names, _numbered(origins(FlowAccess(domain, names, date, cells), writes, True), numbers))
    except NotAffine:
        message = f"the final contents of `{array.label}` are not an affine function"
        raise outside(
            array.span, message, "for tiled code and swapped pointers, write the equations and use `alphaz prove`"
        ) from None


def box_of(array: KernelArray, names: Sequence[str], context: Domain) -> Domain:
    """Returns the cells of an array, over these names. Raises Rejected (AZ832)."""
    space = context.space.with_names(names)
    limits = [c for n, e in zip(names, extents_of(array), strict=True) for c in _from_zero(Affine.name(n), e)]
    return Domain.where(space, limits).in_context(context)


def _from_zero(value: Affine, extent: Affine) -> tuple[Constraint, Constraint]:
    return Constraint(value), Constraint(extent - value - 1)


# --- used values ------------------------------------------------------------------------------------------------------


def _living(flow: Flow) -> Flow:
    """Returns the dataflow without unused values."""
    needed: set[int] = set()
    waiting = [o.writer for end in flow.ends for o in end.origins if o.writer is not None]
    while waiting:
        number = waiting.pop()
        if number in needed:
            continue
        needed.add(number)
        node = flow.nodes[number]
        assert node is not None
        waiting += [o.writer for read_origins in node.reads for o in read_origins if o.writer is not None]
    return replace(flow, nodes=tuple(node if n in needed else None for n, node in enumerate(flow.nodes)))


# --- rescaled iterators -----------------------------------------------------------------------------------------------


def _scaled(flow: Flow) -> Flow:
    """Returns the dataflow with rescaled iterators: if the value of iteration T/2 is read, iterations are counted by
    twos, and it is that of T."""
    factors: dict[str, int] = {}
    for _, read_origins in _all_origins(flow):
        for origin in read_origins:
            for name, ratio in zip(_indices(flow, origin), origin.point, strict=origin.writer is not None):
                factors[name] = lcm(factors.get(name, 1), ratio.divisor)
    factors = {name: factor for name, factor in factors.items() if factor > 1}
    if not factors:
        return flow
    nodes = tuple(None if node is None else _scaled_node(flow, node, factors) for node in flow.nodes)
    ends = tuple(replace(e, origins=_scaled_origins(flow, e.origins, (), factors, e.array.span)) for e in flow.ends)
    return replace(flow, nodes=nodes, ends=ends)


def _all_origins(flow: Flow) -> Iterator[tuple[FlowNode | End, tuple[FlowOrigin, ...]]]:
    for node in flow.nodes:
        for read_origins in node.reads if node is not None else ():
            assert node is not None
            yield node, read_origins
    for end in flow.ends:
        yield end, end.origins


def _indices(flow: Flow, origin: FlowOrigin) -> tuple[str, ...]:
    node = None if origin.writer is None else flow.nodes[origin.writer]
    return () if node is None else node.indices


def _scaled_node(flow: Flow, node: FlowNode, factors: dict[str, int]) -> FlowNode:
    span = node.statement.span
    cell = None if node.cell is None else [_in_units(subscript, 1, factors) for subscript in node.cell]
    if any(not factors.keys().isdisjoint(position.affine.names) for position in _positions(node.value)):
        raise outside(span, "an iterator is used as a value, and only every second of its iterations is read")
    return replace(
        node, domain=_spread(node.domain, factors),
        cell=None if cell is None or None in cell else tuple(subscript for subscript in cell if subscript is not None),
        reads=tuple(_scaled_origins(flow, read_origins, node.indices, factors, span) for read_origins in node.reads),
    )  # fmt: skip


def _spread(domain: Domain, factors: dict[str, int]) -> Domain:
    names = domain.space.names
    outputs = tuple(Affine.name(name) * factors.get(name, 1) for name in names)
    return domain.image(AffineFunction(domain.space, outputs), names)


def _scaled_origins(
    flow: Flow, origins: Sequence[FlowOrigin], indices: Sequence[str], factors: dict[str, int], span: Span
) -> tuple[FlowOrigin, ...]:
    own = {name: factor for name, factor in factors.items() if name in indices}
    result = []
    for origin in origins:
        point = []
        # Cells that hold their initial values keep their count.
        scales = (
            [1] * len(origin.point) if origin.writer is None else [factors.get(n, 1) for n in _indices(flow, origin)]
        )
        for scale, ratio in zip(scales, origin.point, strict=True):
            value = _in_units(ratio.affine * scale, ratio.divisor, own)
            if value is None:
                raise outside(span, "the source of a read is not an affine function, for any step")
            point.append(Ratio(value))
        result.append(replace(origin, where=_spread(origin.where, own), point=tuple(point)))
    return tuple(result)


def _in_units(affine: Affine, divisor: int, factors: dict[str, int]) -> Affine | None:
    """Returns the quotient of the value, where each name stands for a multiple of itself; None if it has no integer
    coefficients."""
    terms = [(name, Fraction(c, divisor * factors.get(name, 1))) for name, c in affine.terms]
    constant = Fraction(affine.constant, divisor)
    if any(value.denominator > 1 for value in (constant, *(c for _, c in terms))):
        return None
    return Affine.of(((name, int(c)) for name, c in terms), int(constant))
