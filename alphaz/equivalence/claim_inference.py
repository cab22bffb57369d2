"""Claims for C without annotations: inferred by running the model for small parameters, as functions through the
samples.

Source of the idea: dynamic detection of invariants (Ernst et al., TSE 2001). The claims are then proved; otherwise
nothing is.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from alphaz.equivalence.accumulation_chain import combined_terms, links, ways
from alphaz.equivalence.accumulation_chain import parts as parts_in
from alphaz.equivalence.affine_fitting import Sample, equalities, fitted, informative
from alphaz.equivalence.annotated_claims import annotated_sums
from alphaz.equivalence.annotations import annotated_body, annotated_point, is_of
from alphaz.equivalence.claims import Claim, Claims, Contribution, Need, Share
from alphaz.equivalence.copy_propagation import CopyOrigins
from alphaz.equivalence.expression_matching import Matching, pulled, sum_types_agree
from alphaz.equivalence.partial_reductions import PartialReduction, near_body, near_value
from alphaz.equivalence.symbolic_run import CellValue, ChainLink, SymbolicRun
from alphaz.equivalence.value_graph import (
    ASSOCIATIVITY,
    DISTRIBUTIVITY,
    IDENTITY,
    NEUTRAL,
    PADDING,
    RECIPROCAL,
    EquationValue,
    Item,
    Ref,
    constant_of,
)
from alphaz.equivalence.value_numbering import LATTICE
from alphaz.poly import Affine, Domain, equal
from alphaz.scop.c_model import CKernel, KernelStatement

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Laws:
    """The laws by which C may deviate from the equations, by name; `is_exact` excludes the exchange of operands as
    well. `is_real`: all laws, with expressions compared as polynomials."""

    allowed: frozenset[str] = frozenset()
    is_exact: bool = False
    is_real: bool = False

    @property
    def regroups(self) -> frozenset[str]:
        """Returns the operators whose operands may be parenthesised in any way."""
        if self.is_exact:
            return frozenset()
        return LATTICE | ({"*"} if ASSOCIATIVITY in self.allowed else frozenset())

    @property
    def has_reciprocals(self) -> bool:
        """Returns True if quotients of floats are products with reciprocals."""
        return RECIPROCAL in self.allowed and not self.is_exact

    @property
    def has_padding(self) -> bool:
        """Returns True if products with zero may be added to sums."""
        return PADDING in self.allowed and not self.is_exact

    @property
    def adds_zeros(self) -> bool:
        """Returns True if zeros may be added to sums."""
        return self.has_padding or (IDENTITY in self.allowed and not self.is_exact)

    @property
    def has_neutral(self) -> bool:
        """Returns True if an operation with its neutral element is the other operand."""
        return NEUTRAL in self.allowed and not self.is_exact

    @property
    def allows_all(self) -> bool:
        """Returns True if expressions may be treated as functions of real numbers."""
        return not self.is_exact and self.allowed >= {DISTRIBUTIVITY, ASSOCIATIVITY}


_SAMPLES_OF_RUN = 50
_CHECKED_SAMPLES = 24


PLAIN = Laws()

# The run, the instance, and the values that its reads found.
Event = tuple[SymbolicRun, Mapping[str, int], tuple[CellValue, ...]]


@dataclass(slots=True)
class Seen:
    """Observations of one statement in the sample runs."""

    statement: KernelStatement
    # By key: the instances with the points that they may have written.
    values: dict[str, list[tuple[Mapping[str, int], frozenset[Point]]]] = field(default_factory=dict)
    # By key, operator and whether it starts: the instances with the points of the sum, and by share the body points.
    sums: dict[tuple[str, str, bool, int], dict[int, "SumSample"]] = field(default_factory=dict)
    events: "list[Event]" = field(default_factory=list)


@dataclass(slots=True)
class SumSample:
    """Candidates for one instance: only the longest sums count, as a part of one may look like another."""

    instance: Mapping[str, int]
    length: int = 0
    points: set[Point] = field(default_factory=set)
    # For each part of the tree, the items and body points that have its name.
    shares: dict[int, set[tuple[int, Point]]] = field(default_factory=lambda: defaultdict(set))


def inferred(
    kernel: CKernel, values: Mapping[str, EquationValue], origins: CopyOrigins, runs: Sequence[SymbolicRun], laws: Laws,
    parts: Sequence[PartialReduction] = (),
) -> Claims:  # fmt: skip
    observations = {statement.name: Seen(statement) for statement in kernel.statements}
    for run in runs:
        _observe(run, observations, values)
    parts_by_title = {part.title: part for part in parts}
    annotated_variables: dict[str, set[str]] = defaultdict(set)
    for statement in kernel.statements:
        if statement.annotation is not None and not statement.target.array.is_argument:
            annotated_variables[statement.target.array.name].add(statement.annotation.variable)
    claims: list[Claim] = []
    contributions: list[Contribution] = []
    for observation in observations.values():
        plausible = Plausible(observation, values)
        observed = plausible if laws.is_real else None
        zeros = plausible if laws.adds_zeros else None
        matching = Matching(
            values=values,
            plausible=plausible,
            is_exact=laws.is_exact,
            regroups=laws.regroups,
            observed=observed,
            zeros=zeros,
            has_zero_products=laws.has_padding,
            neutral=plausible if laws.has_neutral else None,
        )
        of_values = list(_values(observation, values, origins, matching, parts_by_title))
        of_sums = (
            _sums(observation, values, origins, matching, parts_by_title)
            if observation.events
            else annotated_sums(observation.statement, values, matching, parts_by_title, annotated_variables)
        )
        claims += of_values
        contributions += _of_annotated_key(observation.statement, of_values, list(of_sums))
    return Claims(claims, contributions)


def _of_annotated_key(
    statement: KernelStatement, claims: Sequence[Claim], contributions: Sequence[Contribution]
) -> Sequence[Contribution]:
    """Filters claims about sums: a sum of one value looks like the value, so an annotated statement works on no other
    sum."""
    annotation = statement.annotation
    keys = [*(claim.key for claim in claims), *(contribution.key for contribution in contributions)]
    if annotation is None or not any(is_of(annotation, key) for key in keys):
        return contributions
    return [contribution for contribution in contributions if is_of(annotation, contribution.key)]


@dataclass(frozen=True, slots=True, eq=False)
class Plausible:
    """Tests whether observations agree with a need."""

    seen: Seen
    values: Mapping[str, EquationValue]

    def __call__(self, where: Domain, need: Need) -> bool:
        for run, instance, reads in self._events(where):
            point = tuple(affine.at(instance) for affine in need.point)
            if run.equations.name(need.key, point) != reads[need.number].name:
                return False
        return True

    def constants(self, where: Domain) -> Mapping[int, Fraction]:
        """Returns the reads that always found the same number, if the equations name that number."""
        events = self._events(where)
        literals = [number for value in self.values.values() if (number := constant_of(value)) is not None]
        return {
            position: number
            for position in range(len(self.seen.statement.reads) if events else 0)
            for number in literals
            if all(reads[position].name == run.equations.names.constant(number) for run, _, reads in events)
        }

    def finding(self, where: Domain, key: str) -> frozenset[int]:
        """Returns the reads that always found the value of this key, which has no indices."""
        events = self._events(where)
        count = len(self.seen.statement.reads) if events else 0
        return frozenset(
            position
            for position in range(count)
            if all(reads[position].name == run.equations.name(key, ()) for run, _, reads in events)
        )

    def value_at(self, where: Domain, number: int) -> Need | None:
        """Returns a value that agrees with all observations of a read."""
        samples: dict[str, list[Sample]] = defaultdict(list)
        events = self._events(where)
        for run, instance, reads in events:
            for key, points in run.points_of(reads[number].name).items():
                samples[key].append((instance, frozenset(points)))
        for key, own in samples.items():
            point = fitted(_names(self.seen.statement), own) if len(own) == len(events) else None
            if point is not None:
                return Need(number, key, point)
        return None

    def _events(self, where: Domain) -> "Sequence[Event]":
        pieces = where.pieces() if self.seen.events else ()
        events = [event for event in self.seen.events if any(piece.holds(event[1]) for piece in pieces)]
        last_of_run = {id(event[0]): event for event in events}
        return [*events[:: max(1, len(events) // _CHECKED_SAMPLES)], *last_of_run.values()]


def _observe(run: SymbolicRun, observations: Mapping[str, Seen], values: Mapping[str, EquationValue]) -> None:
    of_run: dict[str, list[Event]] = defaultdict(list)
    for event in run.events:
        observation = observations[event.statement.name]
        of_run[event.statement.name].append((run, event.instance, event.reads))
        for key, points in run.points_of(event.written.name).items():
            observation.values.setdefault(key, []).append((event.instance, frozenset(points)))
    for name, events in of_run.items():
        observations[name].events += events[:: -(-len(events) // _SAMPLES_OF_RUN)]
    for key, point, operator, chain in run.complete:
        _observe_sum(run, observations, values[key], key, point, operator, chain)
    for operator in dict.fromkeys(operator for operator, _ in (*run.begun, *run.idle)):
        empty: dict[str, set[Point]] = defaultdict(set)
        for key, point in run.empty(operator):
            empty[key].add(point)
        for link in (link for begun_operator, link in run.begun if begun_operator == operator):
            for key, points in empty.items():
                _keep(observations, key, operator, points, [(link, False, {}, 0)])
        for chain in (chain for idle_operator, chain in run.idle if idle_operator == operator):
            for key, points in empty.items():
                in_order = any(d.sum is not None and d.sum.in_order for d in values[key].definitions)
                _keep(observations, key, operator, points, _observed(run, chain, operator, {}, in_order=in_order))


Observed = tuple[ChainLink, bool, dict[int, set[tuple[int, Point]]], int]


def _observe_sum(
    run: SymbolicRun,
    observations: Mapping[str, Seen],
    value: EquationValue,
    key: str,
    point: Point,
    operator: str,
    chain: ChainLink,
) -> None:
    sum_ = next((d.sum for d in value.definitions if d.sum is not None and d.region.has(_at(run, value, point))), None)
    if sum_ is None:
        return
    by_name: dict[int, list[tuple[int, Point]]] = defaultdict(list)
    for number, body, item, _, name in run.equations.items(sum_, point):
        if name is not None:
            by_name[name * 2 + (item.sign < 0)].append((number, body))
    _keep(observations, key, operator, {point}, _observed(run, chain, operator, by_name, in_order=sum_.in_order))


def _observed(
    run: SymbolicRun, chain: ChainLink, operator: str, by_name: Mapping[int, Sequence[tuple[int, Point]]], *,
    in_order: bool,
) -> list[Observed]:  # fmt: skip
    """Returns the steps of a sum from the last one back to its start, with the terms that each may have added; none if
    a step added something else."""
    observed: list[Observed] = []
    for link in links(chain):
        is_update, parts = parts_in(link, operator, run.equations, in_order)
        shares: dict[int, set[tuple[int, Point]]] = defaultdict(set)
        for position, (sign, name) in enumerate(parts):
            options = by_name.get(name * 2 + (sign < 0))
            type_ = link.statement.target.array.type
            if not options and run.equations.names.is_padding(operator, name, type_):
                continue
            if not options:
                return []
            shares[position] = set(options)
        observed.append((link, is_update, shares, len(parts)))
        if not is_update:
            return observed
    return []


def _keep(
    observations: Mapping[str, Seen], key: str, operator: str, points: set[Point], observed: Sequence[Observed]
) -> None:
    for link, is_update, shares, count in observed:
        observation = observations[link.statement.name]
        samples = observation.sums.setdefault((key, operator, not is_update, count), {})
        sample = samples.setdefault(id(link.instance), SumSample(link.instance))
        if len(observed) < sample.length:
            continue
        if len(observed) > sample.length:
            sample.length, sample.points, sample.shares = len(observed), set(), defaultdict(set)
        sample.points |= points
        for at, share_points in shares.items():
            sample.shares[at] |= share_points


def _at(run: SymbolicRun, value: EquationValue, point: Point) -> dict[str, int]:
    return {**run.parameters, **dict(zip(value.indices, point, strict=True))}


# --- making claims ----------------------------------------------------------------------------------------------------


def _names(statement: KernelStatement) -> tuple[str, ...]:
    """Returns the names, most important last: a value that is the same for all parameters is expressed by iterators,
    preferably the innermost ones, which are those of points in tiled loops."""
    return (*statement.space.parameters, *statement.iterators)


def _values(
    seen: Seen,
    values: Mapping[str, EquationValue],
    origins: CopyOrigins,
    matching: Matching,
    parts: Mapping[str, PartialReduction],
) -> Iterator[Claim]:
    statement = seen.statement
    rest = statement.domain
    for claim in _copy_claims(seen, values, origins, matching):
        rest = rest - claim.domain
        yield claim
    if rest.is_empty():
        return
    later = []
    for key, samples in seen.values.items() or _only_annotated(statement, values, parts):
        point = _point(statement, values[key], samples, parts)
        if point is None:
            continue
        whole = statement.domain & pulled(_computed(key, values, origins), statement.domain, point)
        value_needs = matching.value(statement.value, key, point, whole)
        if not value_needs:
            later.append((key, point, whole & _flat(statement, [instance for instance, _ in samples])))
        for part, needs in value_needs:
            rest = rest - part
            yield Claim(statement=statement, key=key, point=point, domain=part, needs=needs)
    # A condition that holds for some instances only is claimed only if no other candidate exists. A polynomial may be
    # several values, only one of which can be read.
    for key, point, whole in later:
        value_needs = matching.value(statement.value, key, point, whole & rest)
        if not value_needs and matching.observed is not None:
            value_needs = matching.value(statement.value, key, point, whole)
        for part, needs in value_needs:
            yield Claim(statement=statement, key=key, point=point, domain=part, needs=needs)


def _copy_claims(
    seen: Seen, values: Mapping[str, EquationValue], origins: CopyOrigins, matching: Matching
) -> Iterator[Claim]:
    """Yields the annotated value of a statement as the value of which it is a copy, if all observations agree."""
    statement, annotation = seen.statement, seen.statement.annotation
    if annotation is None or annotation.body or annotation.variable not in values:
        return
    if len(annotation.point) != len(values[annotation.variable].indices):
        return
    for part, key, point in origins.read(annotation.variable, annotation.point, statement.domain):
        pieces = part.pieces()
        others = [
            sample for sample, points in seen.values.get(key, ()) if tuple(p.at(sample) for p in point) not in points
        ]
        if any(piece.holds(instance) for instance in others for piece in pieces):
            continue
        copies = matching.copied(statement.value, key, point, part) if origins.are_kept else []
        for domain, needs in copies or matching.value(statement.value, key, point, part):
            yield Claim(statement=statement, key=key, point=point, domain=domain, needs=needs)


def _only_annotated(
    statement: KernelStatement, values: Mapping[str, EquationValue], parts: Mapping[str, PartialReduction]
) -> list[tuple[str, list[Sample]]]:
    """Returns the annotated values of statements that no run executed and that add nothing; parts of sums if the
    statement works on them."""
    annotation = statement.annotation
    if annotation is None or annotation.body or annotation.variable not in values:
        return []
    own = [part.title for part in parts.values() if part.key == annotation.variable and statement.name in part.workers]
    return [(key, []) for key in own or [annotation.variable]]


def _point_by_names(
    statement: KernelStatement, value: EquationValue, samples: Sequence[Sample]
) -> tuple[Affine, ...] | None:
    """Returns the point whose indices are the iterators of the same names, if all observations agree: several points
    may have one value, and names are chosen on purpose."""
    iterators = {re.sub(r"_\d+$", "", iterator): Affine.name(iterator) for iterator in statement.iterators}
    if not value.indices or not iterators.keys() >= {*value.indices}:
        return None
    point = tuple(iterators[name] for name in value.indices)
    return point if _agrees(point, samples) else None


def _point(
    statement: KernelStatement, value: EquationValue, samples: Sequence[Sample], parts: Mapping[str, PartialReduction]
) -> tuple[Affine, ...] | None:
    """Returns the points of a value that the instances write; for a part of a sum its workers are known."""
    if value.key in parts:
        return parts[value.key].workers.get(statement.name)
    point = annotated_point(statement, value.key, len(value.indices), samples)
    if point is not None:
        return point
    near, named = near_value(value, statement), _point_by_names(statement, value, samples)
    if named is not None and statement.target.array.is_argument and _is_offset(near, named) and _agrees(near, samples):
        return near
    chosen = informative(_names(statement), [instance for instance, _ in samples])
    return named or fitted(_names(statement), [samples[at] for at in chosen], near)


def _is_offset(near: Sequence[Affine], named: Sequence[Affine]) -> bool:
    """Returns True if a cell is that of these iterators, possibly counted from 0 in each tile."""
    return len(near) == len(named) and all({*b.names} <= {*a.names} for a, b in zip(near, named, strict=True))


def _agrees(point: Sequence[Affine], samples: Sequence[Sample]) -> bool:
    return all(tuple(affine.at(instance) for affine in point) in points for instance, points in samples)


def _flat(statement: KernelStatement, instances: Sequence[Mapping[str, int]]) -> Domain:
    """Returns the equalities that hold for all observations."""
    names = _names(statement)
    flat_equalities = equalities(names, instances)
    return Domain.where(statement.space, [equal(equality, 0) for equality in flat_equalities])


def _computed(key: str, values: Mapping[str, EquationValue], origins: CopyOrigins) -> Domain:
    return values[key].domain if values[key].is_input else origins.computed[key].domain


def _sums(
    seen: Seen,
    values: Mapping[str, EquationValue],
    origins: CopyOrigins,
    matching: Matching,
    parts_by_title: Mapping[str, PartialReduction],
) -> Iterator[Contribution]:
    statement = seen.statement
    for (key, operator, starts, count), by_instance in seen.sums.items():
        every = list(by_instance.values())
        samples = [every[at] for at in informative(_names(statement), [sample.instance for sample in every])]
        point = _point(
            statement, values[key], [(sample.instance, frozenset(sample.points)) for sample in samples], parts_by_title
        )
        if point is not None and key in parts_by_title:
            samples = [s for s in samples if tuple(affine.at(s.instance) for affine in point) in s.points]
        if point is None or not sum_types_agree(statement, operator, values[key]):
            continue
        items = {
            n: item
            for d in values[key].definitions if d.sum
            for n, item in enumerate(d.sum.items) if _may_add(statement, item, parts_by_title)
        }  # fmt: skip
        # If sums are in their own cells, these cells also determine the added terms.
        is_own = statement.target.array.is_argument and point == near_value(values[key], statement)
        place = point if parts_by_title or is_own else None
        bodies = [_share(statement, key, samples, position, items, place) for position in range(count)]
        if any(not body for body in bodies) and matching.zeros is None:
            continue
        is_update, parts = combined_terms(statement, operator, matching.is_exact)
        if is_update == starts:
            continue
        for definition in values[key].definitions:
            if definition.sum is None or definition.sum.operator != operator:
                continue
            where = statement.domain & pulled(definition.region.domain, statement.domain, point)
            sum_ways = list(ways(statement, key, definition.sum, point, where, starts, bodies, parts, matching))
            flat = where & _flat(statement, [sample.instance for sample in samples])
            yield from sum_ways or ways(statement, key, definition.sum, point, flat, starts, bodies, parts, matching)


def _may_add(statement: KernelStatement, item: Item, parts: Mapping[str, PartialReduction]) -> bool:
    """Returns True if the statement may add the item: a part is added by its own statement."""
    part = parts.get(item.term.key) if isinstance(item.term, Ref) else None
    return part is None or part.statement.name == statement.name


def _share(
    statement: KernelStatement,
    key: str,
    samples: Sequence[SumSample],
    position: int,
    items: Mapping[int, Item],
    point: Sequence[Affine] | None,
) -> list[Share]:
    """Returns for one part of the tree its possible items, each with the function for its body points."""
    by_item: dict[int, list[Sample]] = defaultdict(list)
    for sample in samples:
        options: dict[int, set[Point]] = defaultdict(set)
        for number, body in sample.shares.get(position, ()):
            if number in items:
                options[number].add(body)
        for number, bodies in options.items():
            by_item[number].append((sample.instance, frozenset(bodies)))
    shares = []
    # The item with the most matches comes first: two items may agree in some points.
    for number, samples_of in sorted(by_item.items(), key=lambda candidate: -len(candidate[1])):
        # Register blocks are executed once or twice: the place of the sum determines theirs.
        near = () if point is None else near_body(items[number], point, statement)
        function = annotated_body(statement, key, items[number], samples_of, point or ())
        if function is None:
            function = fitted(_names(statement), samples_of, near)
        if function is not None:
            shares.append(Share(number, function))
    return shares
