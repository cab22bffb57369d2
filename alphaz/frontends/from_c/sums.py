"""Sums (and products, minima, maxima) that a kernel computes term by term.

`s = 0; for (k ..) s += t(k)` is `s = reduce(+, [k], t[k])`; `s = a; for (k ..) s += t(k)`, where `a` is computed from
inputs or is the sum of another loop, is `s = a + reduce(+, [k], t[k])`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from alphaz.frontends.from_c.flow import Flow, FlowNode
from alphaz.model.types import ScalarType, promoted
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, fresh_names
from alphaz.poly.algorithms.flow import FlowOrigin
from alphaz.poly.algorithms.functional_relations import hull_equalities
from alphaz.poly.plain.solve import solve
from alphaz.scop.value_tree import LiteralValue, OperationValue, ReadValue, Tree, reads_in


@dataclass(frozen=True, slots=True, eq=False)
class SumRecurrence:
    """Node `number` adds `term` for each of `inner`; for `outer`, node `start` has begun at `begins`, over `outer`.

    `is_valued`: the start is a value that is combined with the sum, not the neutral element, which is the value of an
    empty sum: then `back` are the outer indices over those of the start. `absorbs`: the start has no other reader
    there. `follows`: the start is another sum, and `begins` are the outer indices of that. `own` is the number of the
    read of the accumulator.
    """

    number: int
    start: int
    operator: str
    term: Tree
    own: int
    outer: tuple[str, ...]
    inner: tuple[str, ...]
    begins: tuple[Affine, ...]
    back: tuple[Affine, ...]
    domain: Domain
    is_valued: bool = False
    absorbs: bool = True
    follows: bool = False

    def loop(self, node: FlowNode) -> int:
        """Returns the component of the node's date that is the outermost loop of the sum; its position is before it."""
        return next(position for position, component in enumerate(node.date) if {*component.names} & {*self.inner})

    @property
    def is_subtracted(self) -> bool:
        """Returns True if the sum is subtracted from the start."""
        return self.is_valued and isinstance(self.term, OperationValue) and self.term.operator == "neg"

    @property
    def body(self) -> Tree:
        """Returns the summed expression."""
        return self.term.operands[0] if self.is_subtracted and isinstance(self.term, OperationValue) else self.term

    def absorbed(self, begun: FlowNode) -> Domain:
        """Returns the instances of the start that are part of the sum."""
        return self.domain.image(AffineFunction(self.domain.space, self.begins), begun.indices)


def accumulations(flow: Flow, values: bool) -> dict[int, SumRecurrence]:
    """Returns the sums, by the number of the node that adds. A neutral start belongs to one sum only. `values`:
    includes sums that start from a value."""
    sums: dict[int, SumRecurrence] = {}
    for number, node in enumerate(flow.nodes):
        made = None if node is None else _accumulation(flow, number, node, sums if values else None)
        if made is not None and all(e.is_valued and made.is_valued for e in sums.values() if e.start == made.start):
            sums[number] = made
    return sums


def _accumulation(
    flow: Flow, number: int, node: FlowNode, known: Mapping[int, SumRecurrence] | None
) -> SumRecurrence | None:
    """Returns the sum of a node, if it is one. `known` are sums before it; None: no sum starts from a value."""
    reads = node.statement.reads
    own = next((position for position, read in enumerate(reads) if read.same_cell(node.statement.target)), None)
    combined = None if own is None else _reduction_operator(node.value, own)
    if own is None or combined is None:
        return None
    operator, term = combined
    if term is None:
        return None
    steps = [read for read in node.reads[own] if read.writer == number]
    starts = [read for read in node.reads[own] if read.writer != number]
    writers = {start.writer for start in starts}
    if not steps or len(writers) != 1:
        return None
    (start,) = writers
    begun = flow.nodes[start] if start is not None else None
    if start is None or begun is None:
        return None
    moved = {n for step in steps for n, r in zip(node.indices, step.point, strict=True) if r.affine != Affine.name(n)}
    outer = tuple(name for name in node.indices if name not in moved)
    inner = tuple(name for name in node.indices if name in moved)
    if not is_identity(operator, begun.value, node.array.type):
        if known is None:
            return None
        domain = node.domain.onto(outer).in_context(flow.context)
        made = SumRecurrence(
            number=number, start=start, operator=operator, term=term, own=own, outer=outer, inner=inner,
            begins=(), back=(), domain=domain, is_valued=True,
        )  # fmt: skip
        if start in known:
            return _following(flow, made, node, begun, known[start], starts, steps)
        return _valued(flow, made, node, begun, starts, steps)
    ways = _both_ways(flow, node, begun, starts, outer)
    if ways is None:
        return None
    begins, back, domain = ways
    recurrence = SumRecurrence(
        number=number,
        start=start,
        operator=operator,
        term=term,
        own=own,
        outer=outer,
        inner=inner,
        begins=begins,
        back=back,
        domain=domain,
    )
    return recurrence if _is_whole(flow, recurrence, node, begun, steps) else None


def _reduction_operator(tree: Tree, own: int) -> tuple[str, Tree | None] | None:
    """Returns the operator that combines the value read as number `own` with the rest, which does not read it."""
    match tree:
        case OperationValue("-", (left, right)) if _reads(left, own) and not _reads(right, own):
            inside = _rest(left, own, "+")
            if inside is None:
                return None
            negative = OperationValue("neg", (right,), promoted(right.type))
            return "+", negative if inside[0] is None else OperationValue("-", (inside[0], right), tree.type)
        case OperationValue("+" | "*" | "min" | "max" | "and" | "or" as operator, _):
            inside = _rest(tree, own, operator)
            return None if inside is None else (operator, inside[0])
    return None


def _rest(tree: Tree, own: int, operator: str) -> tuple[Tree | None] | None:
    """Returns the terms combined with the value; None if it is used in another way, (None,) if there are no terms."""
    match tree:
        case ReadValue(number) if number == own:
            return (None,)
        case OperationValue("-", _) if operator == "+":
            reduction = _reduction_operator(tree, own)
            return None if reduction is None else (reduction[1],)
        case OperationValue(found_, (left, right), type_) if found_ == operator and _reads(left, own) != _reads(
            right, own
        ):
            one, other = (left, right) if _reads(left, own) else (right, left)
            inside = _rest(one, own, operator)
            if inside is None:
                return None
            return (other,) if inside[0] is None else (OperationValue(operator, (inside[0], other), type_),)
    return None


def _reads(tree: Tree, number: int) -> bool:
    return any(read.number == number for read in reads_in(tree))


_LEAST = ("INFINITY", "HUGE_VAL")


def is_identity(operator: str, tree: Tree, type_: ScalarType) -> bool:
    """Returns True if the value is the neutral element of the operator in this type."""
    match operator, tree:
        case "min", LiteralValue(str() as name):
            return name in _LEAST
        case "max", OperationValue("neg", (LiteralValue(str() as name),)):
            return name in _LEAST
        case "+" | "or", LiteralValue(Fraction() as value):
            return value == 0
        case "*" | "and", LiteralValue(Fraction() as value):
            return value == 1
        case "min" | "max", LiteralValue(Fraction() as value) if type_.kind == "int" and type_.signed:
            return value == ((1 << (type_.bits - 1)) - 1 if operator == "min" else -(1 << (type_.bits - 1)))
    return False


# --- which start belongs to which sum ---------------------------------------------------------------------------------


def _valued(
    flow: Flow,
    sum_: SumRecurrence,
    node: FlowNode,
    begun: FlowNode,
    starts: Sequence[FlowOrigin],
    steps: Sequence[FlowOrigin],
) -> SumRecurrence | None:
    """Returns the sum, if its start can also be computed after it: it is computed from inputs."""
    if not _is_in_one_block(sum_, node):
        return None
    equalities = _pairs(flow, node, begun, starts, sum_.outer)
    names = _start_names(flow, node, begun)
    there = None if equalities is None else solve(equalities, names)
    if there is None or any(origin.writer is not None for origins in begun.reads for origin in origins):
        return None
    sum_ = replace(sum_, begins=tuple(there[name] for name in names))
    absorbed = sum_.absorbed(begun)
    others = (origin for origins in _other_reads(flow, sum_) for origin in origins if origin.writer == sum_.start)
    if any(not (other.where.image(_function(other), begun.indices) & absorbed).is_empty() for other in others):
        sum_ = replace(sum_, absorbs=False)
    return sum_ if _is_complete(flow, sum_, node, steps) else None


def _is_in_one_block(sum_: SumRecurrence, node: FlowNode) -> bool:
    """Returns True if the sum stays in one cell, and there is a date just before and after its loops."""
    if node.cell is None or any(name in sum_.inner for subscript in node.cell for name in subscript.names):
        return False
    return node.date[sum_.loop(node) - 1].is_constant


def _following(
    flow: Flow,
    sum_: SumRecurrence,
    node: FlowNode,
    begun: FlowNode,
    first: SumRecurrence,
    starts: Sequence[FlowOrigin],
    steps: Sequence[FlowOrigin],
) -> SumRecurrence | None:
    """Returns the sum that adds to the result of another one, `first`."""
    if not _is_in_one_block(sum_, node):
        return None
    chosen = [begun.indices.index(name) for name in first.outer]
    results = [replace(start, point=tuple(start.point[position] for position in chosen)) for start in starts]
    if any(ratio.divisor != 1 for result in results for ratio in result.point):
        return None
    ends = replace(begun, indices=first.outer)
    equalities, names = _pairs(flow, node, ends, results, sum_.outer), _start_names(flow, node, ends)
    there = None if equalities is None else solve(equalities, names)
    if there is None:
        return None
    sum_ = replace(sum_, begins=tuple(there[name] for name in names), absorbs=False, follows=True)
    return sum_ if _is_complete(flow, sum_, node, steps) else None


def _start_names(flow: Flow, node: FlowNode, begun: FlowNode) -> tuple[str, ...]:
    return fresh_names(len(begun.indices), "start", (*flow.kernel.parameters, *node.indices))


def _pairs(
    flow: Flow, node: FlowNode, begun: FlowNode, starts: Sequence[FlowOrigin], outer: tuple[str, ...]
) -> list[Affine] | None:
    """Returns the relation between outer indices and instances of the start; None if it is not a single function."""
    names = _start_names(flow, node, begun)
    equalities: list[Affine] | None = None
    for start in starts:
        space = start.where.space
        pairs = start.where.image(
            AffineFunction(space, (*map(Affine.name, outer), *(ratio.affine for ratio in start.point))),
            (*outer, *names),
        )
        if equalities is not None and equalities != hull_equalities(pairs):
            return None
        equalities = hull_equalities(pairs)
    return equalities


def _both_ways(
    flow: Flow, node: FlowNode, begun: FlowNode, starts: Sequence[FlowOrigin], outer: tuple[str, ...]
) -> tuple[tuple[Affine, ...], tuple[Affine, ...], Domain] | None:
    """Returns the map from the outer indices to the instance that starts, its inverse, and the outer indices of all of
    these."""
    names = _start_names(flow, node, begun)
    equalities = _pairs(flow, node, begun, starts, outer)
    if equalities is None:
        return None
    there, back = solve(equalities, names), solve(equalities, outer)
    if there is None or back is None:
        return None
    begins = tuple(there[name] for name in names)
    renaming = {name: Affine.name(own) for name, own in zip(names, begun.indices, strict=True)}
    own = tuple(back[name].substitute(renaming) for name in outer)
    home = AffineFunction(begun.domain.space, own)
    domain = begun.domain.image(home, outer)
    around = home.then(AffineFunction(domain.space, begins))
    identity = map(Affine.name, begun.indices)
    for value, wanted in zip(around.outputs, identity, strict=True):
        if not are_equal_on(begun.domain, value, wanted):
            return None
    if not node.domain.onto(outer).in_context(flow.context).is_subset(domain):
        return None
    return begins, own, domain


def are_equal_on(domain: Domain, one: Affine, other: Affine) -> bool:
    """Returns True if both are equal at all points."""
    difference = one - other
    if difference.is_constant:
        return difference.constant == 0
    apart = Domain.where(domain.space, [Constraint(difference - 1)], [Constraint(-difference - 1)])
    return (domain & apart).is_empty()


def _is_whole(flow: Flow, sum_: SumRecurrence, node: FlowNode, begun: FlowNode, steps: Sequence[FlowOrigin]) -> bool:
    """Returns True if no incomplete sum is read, nor its start if terms are added."""
    home = AffineFunction(begun.domain.space, sum_.back)
    added = node.domain.onto(sum_.outer)
    for origins in _other_reads(flow, sum_):
        for origin in origins:
            if origin.writer == sum_.start:
                seen = origin.where.image(_function(origin), begun.indices).image(home, sum_.outer)
                if not (seen & added).in_context(flow.context).is_empty():
                    return False
    return _is_complete(flow, sum_, node, steps)


def _is_complete(flow: Flow, sum_: SumRecurrence, node: FlowNode, steps: Sequence[FlowOrigin]) -> bool:
    """Returns True if no partial result of the sum is read."""
    passed = [step.where.image(_function(step), node.indices) for step in steps]
    for origins in _other_reads(flow, sum_):
        for origin in origins:
            if origin.writer == sum_.number:
                seen = origin.where.image(_function(origin), node.indices)
                if any(not (seen & part).is_empty() for part in passed):
                    return False
    return True


def _function(origin: FlowOrigin) -> AffineFunction:
    return AffineFunction(origin.where.space, tuple(ratio.affine for ratio in origin.point))


def _other_reads(flow: Flow, sum_: SumRecurrence) -> Iterator[tuple[FlowOrigin, ...]]:
    for number, node in enumerate(flow.nodes):
        for position, origins in enumerate(node.reads if node is not None else ()):
            if (number, position) != (sum_.number, sum_.own):
                yield origins
    for end in flow.ends:
        yield end.origins
