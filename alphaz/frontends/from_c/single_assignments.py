"""The values of a kernel: one variable for each statement, sum, or array with single assignment, with its operands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.frontends.from_c.flow import End, Flow, FlowNode, box_of, extents_of
from alphaz.frontends.from_c.sums import SumRecurrence, accumulations, are_equal_on
from alphaz.model.program import Kind
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, AffineFunction, Constraint, Domain
from alphaz.poly.algorithms.flow import FlowOrigin
from alphaz.scop.c_model import KernelArray, KernelLoop
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import OperationValue, ReadValue, Tree, map_affine


@dataclass(frozen=True, slots=True, eq=False)
class ValueSource:
    """In `where`, the value called `name` at `point`: over the names of the equation (and of the body of its sum)."""

    where: Domain
    name: str
    point: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SumValue:
    """The summed terms of an equation: over `names`, at each point of `domain` (over the indices and these names)."""

    operator: str
    names: tuple[str, ...]
    domain: Domain
    start: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FlowValue:
    """A variable and its equation. `tree` reads `sources` by number; None: it equals the only source.

    `date` is over the indices and the names of the sum. `space` is the array of C that holds it, `cell` its cell.
    """

    name: str
    kind: Kind
    type: ScalarType
    indices: tuple[str, ...]
    domain: Domain
    tree: Tree | None = None
    sources: tuple[tuple[ValueSource, ...], ...] = ()
    date: tuple[Affine, ...] = ()
    sum: SumValue | None = None
    array: KernelArray | None = None
    cell: tuple[Affine, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _End:
    """The resolved contents of an array at the end: where, the number of the node (None: the initial contents), and its
    point."""

    where: Domain
    number: int | None
    point: tuple[Affine, ...]


@dataclass(slots=True)
class _Making:
    """Names of nodes, given on first use; `inputs` are those of arrays by their names in C."""

    flow: Flow
    sums: Mapping[int, SumRecurrence]
    taken: set[str]
    inputs: dict[str, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    # Nodes that are outputs: the indices of the array for them, and the function to the indices of the node.
    turned: dict[int, tuple[End, _End]] = field(default_factory=dict)

    def node(self, number: int) -> FlowNode:
        node = self.flow.nodes[number]
        assert node is not None
        return node

    def outer(self, number: int) -> tuple[str, ...]:
        return self.sums[number].outer if number in self.sums else self.node(number).indices

    def sums_of(self, start: int) -> SumRecurrence:
        return next(sum_ for sum_ in self.sums.values() if sum_.start == start and sum_.absorbs)

    def left(self, number: int) -> Domain:
        """Returns the instances of a node that are not part of a sum that includes their value."""
        node = self.node(number)
        domain = node.domain.in_context(self.flow.context)
        for sum_ in self.sums.values():
            if sum_.start == number and sum_.is_valued and sum_.absorbs:
                domain = domain - sum_.absorbed(node)
        return domain.simplify()

    def leader(self, number: int, point: Sequence[Affine]) -> tuple[int, tuple[Affine, ...]]:
        """Returns the node and point that represent a value: the sum for a start, and the point of the sum for one of
        its body."""
        values = dict(zip(self.node(number).indices, point, strict=True))
        for sum_ in self.sums.values():
            if sum_.start == number and not sum_.is_valued:
                return sum_.number, tuple(a.substitute(values) for a in sum_.back)
        return number, tuple(values[name] for name in self.outer(number))


def values_of(flow: Flow, by_value: frozenset[str], is_serial: bool = False) -> tuple[FlowValue, ...]:
    """Returns all variables: inputs, outputs and locals, in the order in which C computes them. `is_serial`: terms
    added to another value than zero stay a recurrence."""
    taken = {*flow.kernel.parameters}
    making = _Making(flow, accumulations(flow, values=not is_serial), taken)
    ends = [end for end in flow.ends if end.array.name not in by_value]
    resolved = [_resolve_ends(making, end) for end in ends]
    starts = {sum_.start for sum_ in making.sums.values() if sum_.absorbs}
    left = [n for n in starts if making.sums_of(n).is_valued and not making.left(n).is_empty()]
    numbers = [n for n, node in enumerate(flow.nodes) if node is not None and (n not in starts or n in left)]
    wholes = _needed_at_first(flow, making, ends, resolved, [*numbers, *starts])
    _name_arguments(making, wholes)
    for end, parts in zip(ends, resolved, strict=True):
        if len(parts) == 1 and parts[0].number is not None and _is_whole(making, parts[0]):
            making.turned[parts[0].number] = end, parts[0]
            making.names[parts[0].number] = end.array.label
    _name_nodes(making, numbers)
    flow_values = [_input(making, array, name) for array, name in making.inputs.items()]
    flow_values += [value for number in numbers for value in _values(making, number)]
    turned = {id(end) for end, _ in making.turned.values()}
    flow_values += [_last(making, e, p) for e, p in zip(ends, resolved, strict=True) if id(e) not in turned]
    return tuple(flow_values)


# --- contents of arrays at the end ------------------------------------------------------------------------------------


def _resolve_ends(making: _Making, end: End) -> list[_End]:
    domains: dict[tuple[int | None, tuple[Affine, ...]], Domain] = {}
    for origin in end.origins:
        key = (None, ()) if origin.writer is None else making.leader(origin.writer, _plain(origin))
        domains[key] = (domains[key] | origin.where).simplify() if key in domains else origin.where
    return [_End(where, number, point) for (number, point), where in domains.items()]


def _plain(origin: FlowOrigin) -> tuple[Affine, ...]:
    assert all(ratio.divisor == 1 for ratio in origin.point)
    return tuple(ratio.affine for ratio in origin.point)


def _is_whole(making: _Making, part: _End) -> bool:
    """Returns True if all values of the node are in the array at the end, each in one cell."""
    assert part.number is not None
    node = making.node(part.number)
    domain = making.sums[part.number].domain if part.number in making.sums else node.domain
    image = part.where.image(AffineFunction(part.where.space, part.point), making.outer(part.number))
    return node.cell is not None and domain.in_context(making.flow.context).is_subset(image)


def _needed_at_first(
    flow: Flow, making: _Making, ends: Sequence[End], resolved: list[list[_End]], numbers: Sequence[int]
) -> list[str]:
    """Returns the arguments whose initial contents are read, or remain at the end where the shape would differ
    otherwise."""
    names = set()
    for number in numbers:
        node = making.node(number)
        for access, origins in zip(node.statement.reads, node.reads, strict=True):
            if any(origin.writer is None for origin in origins):
                names.add(access.array.name)
    for position, (end, parts) in enumerate(zip(ends, resolved, strict=True)):
        left = [part for part in parts if part.number is None]
        if not left or end.array.name in names:
            continue
        if _fills(flow, end, [part.where for part in parts if part.number is not None]):
            resolved[position] = [part for part in parts if part.number is not None]
        else:
            names.add(end.array.name)
    return [name for name in flow.kernel.arrays if name in names and flow.kernel.arrays[name].is_argument]


def _fills(flow: Flow, end: End, parts: Sequence[Domain]) -> bool:
    """Returns True if the smallest box around the parts is the array, for all parameters."""
    if not parts:
        return False
    domain = parts[0]
    for part in parts[1:]:
        domain = domain | part
    for name, extent in zip(end.indices, extents_of(end.array), strict=True):
        for bound in (Affine(), extent - 1):
            edge = domain & Domain.where(domain.space, [Constraint(Affine.name(name) - bound, equality=True)])
            if not flow.context.is_subset(edge.parameters()):
                return False
    return bool(end.indices) and not domain.is_empty()


# --- names ------------------------------------------------------------------------------------------------------------


def _name_arguments(making: _Making, wholes: Sequence[str]) -> None:
    arrays = making.flow.kernel.arrays
    names = {end.array.name for end in making.flow.ends}
    making.taken |= {arrays[name].label for name in (*wholes, *names)}
    for name in wholes:
        making.inputs[name] = _fresh(making, f"{name}_in") if name in names else arrays[name].label


def _fresh(making: _Making, stem: str) -> str:
    name, count = stem, 1
    while name in making.taken:
        count += 1
        name = f"{stem}{count}"
    making.taken.add(name)
    return name


def _name_nodes(making: _Making, numbers: Sequence[int]) -> None:
    """Names each value after its array, with a number if there are several."""
    by_label: dict[str, list[int]] = {}
    for number in numbers:
        if number not in making.names:
            by_label.setdefault(making.node(number).array.label, []).append(number)
    for label, members in by_label.items():
        if len(members) == 1 and label not in making.taken:
            making.names[members[0]] = _fresh(making, label)
            continue
        count = 0
        for number in members:
            count += 1
            while f"{label}_{count}" in making.taken:
                count += 1
            making.names[number] = _fresh(making, f"{label}_{count}")


_LETTERS = ("i", "j", "k", "l", "m", "p", "q", "r", "s", "t")


def _short(making: _Making, names: Sequence[str], unnamed: Sequence[str] = ()) -> dict[str, str]:
    """Returns the iterators as named in the text; the reader has numbered those that share a name, and named those of
    copies of whole arrays (`unnamed`)."""
    taken, letters = {*making.taken}, {}
    for name in names:
        if name in unnamed:
            letters[name] = next(letter for letter in _LETTERS if letter not in taken)
            taken.add(letters[name])
            continue
        stem = name.rstrip("0123456789")
        plain = stem[:-1] if stem != name and stem.endswith("_") and len(stem) > 1 else name
        count, short = 1, plain
        while short in taken:
            count += 1
            short = f"{plain}{count}"
        taken.add(short)
        letters[name] = short
    return letters


# --- equations --------------------------------------------------------------------------------------------------------


def _input(making: _Making, array: str, name: str) -> FlowValue:
    kernel_array = making.flow.kernel.arrays[array]
    extents = extents_of(kernel_array)
    taken = making.taken
    letters = [letter for letter in _LETTERS if letter not in taken] + [f"i{n}" for n in range(len(extents))]
    names = tuple(letters[: len(extents)])
    return FlowValue(
        name=name, kind=Kind.INPUT, type=kernel_array.type, indices=names,
        domain=box_of(kernel_array, names, making.flow.context), array=kernel_array,
    )  # fmt: skip


def _within_box(making: _Making, array: KernelArray, names: Sequence[str], parts: Sequence[Domain]) -> Domain:
    """Returns the union of the parts: the whole array, in its plain form, if it is that."""
    box, domain = box_of(array, names, making.flow.context), Domain.empty(making.flow.context.space.with_names(names))
    for part in parts:
        domain = domain | part
    return box if box.is_subset(domain) else domain.simplify()


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """The names of an equation, and the indices of its node over them."""

    names: tuple[str, ...]
    values: Mapping[str, Affine]
    indices: tuple[str, ...]

    def pulled(self, domain: Domain) -> Domain:
        space = domain.space.with_names(self.names)
        return domain.preimage(AffineFunction(space, tuple(self.values[name] for name in domain.space.names)))

    def translated(self, affine: Affine) -> Affine:
        return affine.substitute(self.values)


def _values(making: _Making, number: int) -> Iterator[FlowValue]:
    """Yields the value of a node; for a sum that starts from a value, the sum, and their combination."""
    node, sum_ = making.node(number), making.sums.get(number)
    frame, outer = _frame(making, number, node, sum_)
    whole = frame.pulled(making.left(number))
    domain = whole if sum_ is None else outer.pulled(sum_.domain)
    if number in making.turned:
        end, part = making.turned[number]
        domain = _within_box(making, end.array, outer.names, [part.where.renamed(outer.names)])
    sources = tuple(
        () if sum_ is not None and position == sum_.own else _sources(making, frame, node, position)
        for position in range(len(node.reads))
    )
    added = None
    if sum_ is not None:
        start = _start_date(making, node, sum_, outer)
        inner = frame.names[len(outer.names) :]
        added = SumValue(sum_.operator, inner, whole, start)
    kind = Kind.OUTPUT if number in making.turned else Kind.LOCAL
    cell = node.cell
    if cell is not None:
        cell = tuple(map(frame.translated, cell[len(node.array.prefix) :]))
        if not {name for subscript in cell for name in subscript.names} <= {
            *outer.names,
            *making.flow.kernel.parameters,
        }:
            cell = None
    if number in making.turned:
        cell = tuple(map(Affine.name, outer.names))
    tree = node.value if sum_ is None else sum_.body
    value = FlowValue(
        name=making.names[number], kind=kind, type=node.array.type, indices=outer.names,
        domain=domain.in_context(making.flow.context), tree=map_affine(tree, frame.translated), sources=sources,
        date=_spaced(map(frame.translated, node.date)), sum=added, array=node.array, cell=cell,
    )  # fmt: skip
    if sum_ is None or not sum_.is_valued:
        yield value
        return
    terms = replace(value, name=_fresh(making, f"{value.name}_sum"), kind=Kind.LOCAL)
    if sum_.follows:
        # The cell still holds the first sum.
        terms = replace(terms, array=None, cell=None)
    yield terms
    yield _together(making, node, sum_, value, terms, outer)


def _together(
    making: _Making, node: FlowNode, sum_: SumRecurrence, value: FlowValue, terms: FlowValue, outer: "_Frame"
) -> FlowValue:
    """Returns the start combined with the sum: directly after the last term."""
    begun, type_ = making.node(sum_.start), node.array.type
    operator = "-" if sum_.is_subtracted else sum_.operator
    date = _beside(node, sum_, outer, 1)
    whole = ValueSource(value.domain, terms.name, tuple(map(Affine.name, value.indices)))
    if sum_.follows:
        first = ValueSource(value.domain, *_named_point(making, sum_.start, sum_.begins, outer))
        added = OperationValue(operator, (ReadValue(0, type_), ReadValue(1, type_)), type_)
        return replace(value, tree=added, sources=((first,), (whole,)), date=date, sum=None)
    inside = _Frame(outer.names, dict(zip(begun.indices, map(outer.translated, sum_.begins), strict=True)), outer.names)
    sources = tuple(_sources(making, inside, begun, position) for position in range(len(begun.reads)))
    tree = OperationValue(operator, (map_affine(begun.value, inside.translated), ReadValue(len(sources), type_)), type_)
    return replace(value, tree=tree, sources=(*sources, (whole,)), date=date, sum=None)


def _start_date(making: _Making, node: FlowNode, sum_: SumRecurrence, outer: "_Frame") -> tuple[Affine, ...]:
    """Returns the date at which a sum is zero: that of its start, or just before its first term."""
    if not sum_.absorbs:
        return _beside(node, sum_, outer, -1)
    begun = making.node(sum_.start)
    values = dict(zip(begun.indices, map(outer.translated, sum_.begins), strict=True))
    return _spaced(position.substitute(values) for position in begun.date)


def _beside(node: FlowNode, sum_: SumRecurrence, outer: "_Frame", side: int) -> tuple[Affine, ...]:
    """Returns the date just before (-1) or after (1) the loops of a sum."""
    at = sum_.loop(node)
    rest = (
        position
        for position in node.date[at + 1 :]
        if not {*position.names} & {*sum_.inner} and not position.is_constant
    )
    return tuple(map(outer.translated, (*_spaced(node.date[: at - 1]), node.date[at - 1] * 2 + side, *rest)))


def _spaced(date: Iterable[Affine]) -> tuple[Affine, ...]:
    """Returns the date with doubled positions, so that there is room between them."""
    return tuple(position * 2 if position.is_constant else position for position in date)


def _frame(making: _Making, number: int, node: FlowNode, sum_: SumRecurrence | None) -> tuple[_Frame, _Frame]:
    """Returns the frames with the names of the sum, and without."""
    outer = making.outer(number)
    inner = () if sum_ is None else sum_.inner
    if number not in making.turned:
        short = _short(making, (*outer, *inner), _unnamed(node))
        values = {name: Affine.name(own) for name, own in short.items()}
        own = tuple(short[name] for name in outer)
        return _Frame(tuple(short.values()), values, own), _Frame(own, values, own)
    end, part = making.turned[number]
    assert node.cell is not None
    subscripts = node.cell[len(node.array.prefix) :]
    stems = _index_names(making, subscripts, inner, _unnamed(node))
    cells = dict(zip(end.indices, map(Affine.name, stems), strict=True))
    values = {name: value.substitute(cells) for name, value in zip(outer, part.point, strict=True)}
    rest = _short_beside(making, inner, stems)
    values |= {name: Affine.name(own) for name, own in rest.items()}
    return _Frame((*stems, *rest.values()), values, stems), _Frame(stems, values, stems)


def _unnamed(node: FlowNode) -> tuple[str, ...]:
    """Returns the iterators of loops that are not in the text."""
    loops = (component for component in node.statement.date if isinstance(component, KernelLoop))
    return tuple(loop.iterator for loop in loops if loop.span == node.statement.span)


def _index_names(
    making: _Making, subscripts: Sequence[Affine], avoided: Sequence[str], unnamed: Sequence[str]
) -> tuple[str, ...]:
    """Returns names for the indices of an array: those of the iterators that are its subscripts, or letters."""
    names: list[str] = []
    for subscript in subscripts:
        plain = subscript.names[0] if len(subscript.terms) == 1 and subscript == Affine.name(subscript.names[0]) else ""
        is_named = plain not in ("", *making.flow.kernel.parameters, *unnamed)
        wanted = _short(making, (plain,))[plain] if is_named else ""
        letters = (wanted, *(n for n in _LETTERS if n not in making.taken and n not in avoided))
        names.append(next(name for name in letters if name and name not in names))
    return tuple(names)


def _short_beside(making: _Making, names: Sequence[str], taken: Sequence[str]) -> dict[str, str]:
    before = set(making.taken)
    making.taken |= {*taken}
    letters = _short(making, names)
    making.taken.clear()
    making.taken |= before
    return letters


def _sources(making: _Making, frame: _Frame, node: FlowNode, position: int) -> tuple[ValueSource, ...]:
    access = node.statement.reads[position]
    sources = []
    for read in node.reads[position]:
        where = frame.pulled(read.where)
        if where.in_context(making.flow.context).is_empty():
            continue
        if read.writer is None:
            if not access.array.is_argument:
                raise outside(access.span, f"`{access.array.label}` is read where it is not initialised")
            key = making.inputs[access.array.name], tuple(map(frame.translated, _plain(read)))
        else:
            key = _named_point(making, *making.leader(read.writer, _plain(read)), frame)
        sources.append(ValueSource(where, *key))
    return _merge_sources(sources)


def _merge_sources(sources: Sequence[ValueSource]) -> tuple[ValueSource, ...]:
    """Returns fewer sources: one point may express another where both agree."""
    merged: list[ValueSource] = []
    for source in sources:
        for position, other in enumerate(merged):
            point = _common(source, other)
            if point is not None:
                merged[position] = ValueSource((source.where | other.where).simplify(), source.name, point)
                break
        else:
            merged.append(source)
    return tuple(merged)


def _common(one: ValueSource, other: ValueSource) -> tuple[Affine, ...] | None:
    if one.name != other.name:
        return None
    for point, rest, where in ((other.point, one.point, one.where), (one.point, other.point, other.where)):
        if all(are_equal_on(where, a, b) for a, b in zip(point, rest, strict=True)):
            return point
    return None


def _named_point(
    making: _Making, number: int, point: Sequence[Affine], frame: _Frame
) -> tuple[str, tuple[Affine, ...]]:
    subscripts = tuple(map(frame.translated, point))
    if number in making.turned:
        node = making.node(number)
        assert node.cell is not None
        values = dict(zip(making.outer(number), subscripts, strict=True))
        subscripts = tuple(subscript.substitute(values) for subscript in node.cell[len(node.array.prefix) :])
    return making.names[number], subscripts


def _last(making: _Making, end: End, parts: Sequence[_End]) -> FlowValue:
    """Returns an output that collects the contents of the array at the end."""
    writers = [making.node(part.number) for part in parts if part.number is not None]
    last = next((writer for writer in reversed(writers) if writer.cell is not None), None)
    subscripts = tuple(Affine() for _ in end.indices) if last is None or last.cell is None else last.cell
    names = _index_names(making, subscripts, (), () if last is None else _unnamed(last))
    values = {own: Affine.name(name) for own, name in zip(end.indices, names, strict=True)}
    frame = _Frame(names, values, names)
    sources = []
    for part in parts:
        where = frame.pulled(part.where)
        if part.number is None:
            sources.append(ValueSource(where, making.inputs[end.array.name], tuple(map(Affine.name, names))))
        else:
            sources.append(ValueSource(where, *_named_point(making, part.number, part.point, frame)))
    joined = _merge_sources(sources)
    domain = _within_box(making, end.array, names, [source.where for source in joined])
    cells = tuple(map(Affine.name, names))
    date = (Affine(constant=2 * making.flow.latest), *cells)
    return FlowValue(
        name=end.array.label, kind=Kind.OUTPUT, type=end.array.type, indices=names, domain=domain,
        tree=None, sources=(joined,), date=date, sum=None, array=end.array, cell=cells,
    )  # fmt: skip
