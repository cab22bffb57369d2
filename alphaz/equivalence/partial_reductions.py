"""Partial reductions: the value added from a register, a lane or a buffer may be a sum of its own.

`V[p] = sum of b` is the same as `V[p] = sum of P[f], and of all b in none of them`, with `P[f] = sum of its b`, as long
as no b is in two (obligation R5). Here f are the instances of the statement that adds the part to the sum, so P is an
ordinary value, in an ordinary cell, and all obligations of sums apply to it.

Which b belong to which f is a guess from the samples, like all claims.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from alphaz.equivalence.accumulation_chain import combined_terms, links, own_read
from alphaz.equivalence.affine_fitting import Sample, fitted
from alphaz.equivalence.annotations import annotated_body, annotated_point, annotated_taker
from alphaz.equivalence.exact_projection import in_normal_form, projected
from alphaz.equivalence.expression_matching import pulled
from alphaz.equivalence.symbolic_run import CellValue, ChainLink, SymbolicRun, name_of
from alphaz.equivalence.value_graph import EquationValue, Item, ReductionValue, Ref, ValueDefinition, ValueRegion
from alphaz.poly import Affine, Domain, OutOfBudget, budget, equal
from alphaz.scop.c_model import KernelLoop, KernelStatement
from alphaz.scop.value_tree import ReadValue, Tree

Point = tuple[int, ...]
Values = Mapping[str, EquationValue]

OF = "'of"
_MOST_SAMPLES = 400
# Operations of isl to subtract parts from a sum before their projections are computed by quotients.
_SOON = 500_000
# A warp and a lane.
_MOST_DETERMINED = 2


@dataclass(frozen=True, slots=True, eq=False)
class PartialReduction:
    """The instances of `statement`, at the points of `domain` (`names` are their loops), add read `number` to the sum
    of `key` at `point`, with `sign`.

    `members`: by number of definition and of item, the points of the item's body, over `names` and those of the item.
    `workers`: by name, the statements that keep or compute parts, and the parts they work on.
    """

    key: str
    statement: KernelStatement
    number: int
    sign: int
    point: tuple[Affine, ...]
    names: tuple[str, ...]
    domain: Domain
    members: Mapping[tuple[int, int], Domain]
    workers: Mapping[str, tuple[Affine, ...]]

    @property
    def title(self) -> str:
        """Returns the key of the partial sum as a value."""
        return f"{self.key}.{self.statement.name}.{self.number}"


def near_value(value: EquationValue, statement: KernelStatement) -> tuple[Affine, ...]:
    """Returns the likely place of a value: the cell of its own indices; for a copy, that of its origin; for parts, the
    same iterations of loops."""
    own = {name: name.partition(OF)[0] for name in value.indices if OF in name}
    if own:
        return tuple(Affine.name(n) if (n := own[name]) in statement.iterators else Affine() for name in value.indices)
    accesses = [*statement.reads, statement.target] if isinstance(statement.value, ReadValue) else [statement.target]
    for access in accesses:
        cell = access.subscripts[len(access.array.prefix) :]
        if len(cell) == len(value.indices):
            return cell
    return ()


def near_body(item: Item, point: Sequence[Affine], statement: KernelStatement) -> tuple[Affine, ...]:
    """Returns the likely term that is added to the sum at a point: the one given by its region and projection; for
    parts those of the same iterations."""
    own_names = {name: Affine.name(own) for name in item.names if (own := name.partition(OF)[0]) in statement.iterators}
    own_names |= {p.names[0]: q for p, q in zip(item.projection, point, strict=True) if _is_name(p)}
    for piece in item.region.parts[:1]:
        for constraint in piece.constraints:
            unknown = [name for name in constraint.affine.names if name in item.names and name not in own_names]
            is_known = {*constraint.affine.names} <= {*item.names, *item.region.domain.space.parameters}
            if (
                constraint.equality
                and is_known
                and len(unknown) == 1
                and abs(constraint.affine.coefficient(unknown[0])) == 1
            ):
                rest = constraint.affine.substitute({unknown[0]: Affine(), **own_names})
                own_names[unknown[0]] = rest * -constraint.affine.coefficient(unknown[0])
    return tuple(own_names.get(name, Affine()) for name in item.names)


def _is_name(affine: Affine) -> bool:
    return len(affine.names) == 1 and affine == Affine.name(affine.names[0])


def refined(values: Values, parts: Sequence[PartialReduction]) -> dict[str, EquationValue]:
    """Returns the equations with values for partial sums: sums are then over their parts, and over the terms in no
    part."""
    refined_values = dict(values)
    for key in dict.fromkeys(part.key for part in parts):
        own = [part for part in parts if part.key == key]
        definitions = []
        for position, definition in enumerate(values[key].definitions):
            sum_ = definition.sum
            definitions.append(definition if sum_ is None else replace(definition, sum=_in_parts(sum_, position, own)))
        refined_values[key] = replace(values[key], definitions=tuple(definitions))
        for partial_sum in own:
            refined_values[partial_sum.title] = _value(partial_sum, values[key])
    return refined_values


def are_terms(part: PartialReduction, values: Values) -> bool:
    """Returns True if the members of a part are terms of its sum, at the points that the part is added to: those that
    are inferred for other sizes may be none."""
    for (at, number), members in part.members.items():
        sum_ = values[part.key].definitions[at].sum
        if sum_ is None or number >= len(sum_.items):
            return False
        item = sum_.items[number]
        body = members.space.names[len(part.names) :]
        if len(body) != len(item.names):
            return False
        renaming = dict(zip(item.names, body, strict=True))
        is_it = [equal(p.rename(renaming), q) for p, q in zip(item.projection, part.point, strict=True)]
        region = item.region.domain.renamed(body).embedded(members.space) & part.domain.embedded(members.space)
        if not members.is_subset(region & Domain.where(members.space, is_it)):
            return False
    return True


def _in_parts(sum_: ReductionValue, position: int, parts: Sequence[PartialReduction]) -> ReductionValue:
    items = []
    for number, item in enumerate(sum_.items):
        members = [part.members[position, number] for part in parts if (position, number) in part.members]
        remaining = _remaining_domain(item, members) if members else item.region.domain
        if not remaining.is_empty():
            items.append(replace(item, region=ValueRegion.of(remaining)) if members else item)
    for part in parts:
        identity = tuple(map(Affine.name, part.names))
        items.append(
            Item(
                sign=part.sign,
                names=part.names,
                region=ValueRegion.of(part.domain),
                projection=part.point,
                term=Ref(part.title, identity),
            )
        )
    return ReductionValue(sum_.operator, tuple(items))


def _remaining_domain(item: Item, members: Sequence[Domain]) -> Domain:
    """Returns the points of an item that are in no part: as isl projects parts, or by quotients if that takes long."""
    whole = item.region.domain
    try:
        with budget(_SOON):
            return _without(whole, [domain.onto(item.names) for domain in members]).simplify()
    except OutOfBudget:
        return in_normal_form(_without(whole, [projected(domain, item.names) for domain in members]).simplify())


def _without(whole: Domain, parts: Sequence[Domain]) -> Domain:
    for part in parts:
        whole = whole - part.renamed(whole.space.names)
    return whole


def _value(part: PartialReduction, whole: EquationValue) -> EquationValue:
    definitions = []
    for position, definition in enumerate(whole.definitions):
        if definition.sum is None:
            continue
        region = part.domain & pulled(definition.region.domain, part.domain, part.point)
        identity = tuple(map(Affine.name, part.names))
        items = []
        for number, item in enumerate(definition.sum.items):
            if (position, number) in part.members:
                members = ValueRegion.of(part.members[position, number])
                items.append(
                    Item(
                        sign=item.sign * part.sign,
                        names=members.domain.space.names,
                        region=members,
                        projection=identity,
                        term=item.term,
                    )
                )
        definitions.append(
            ValueDefinition(ValueRegion.of(region), None, ReductionValue(definition.sum.operator, tuple(items)))
        )
    return EquationValue(
        key=part.title, indices=part.names, domain=part.domain, type=whole.type, definitions=tuple(definitions)
    )


# --- inference --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A statement that added a term of the body, or only kept a term of other statements; `outer` took the result over,
    with a read and a sign, if any did: from the cell itself if `is_direct`, otherwise through others."""

    outer: tuple[ChainLink, int, int] | None
    link: ChainLink
    position: int
    options: tuple[tuple[int, Point], ...]
    is_direct: bool = True


@dataclass(slots=True)
class _Walk:
    """A walk from the last value of a sum back to all its terms, through cells that were added as a whole.

    `used_reads` are the reads, by statement, that have taken over sums: they always do. `seen` are those of this
    walk. The part of a term is the outermost sum that was added as a whole, or the innermost one. With innermost ones,
    a read of a term may take over a sum of this term alone: `single` are the reads that did, `kept` those that
    could not.
    """

    run: SymbolicRun
    operator: str
    by_name: Mapping[tuple[int, bool], Sequence[tuple[int, Point]]]
    used_reads: set[tuple[str, int]]
    seen: set[tuple[str, int]] = field(default_factory=set)
    is_innermost: bool = False
    single: set[tuple[str, int]] = field(default_factory=set)
    kept: set[tuple[str, int]] = field(default_factory=set)

    def leaves(
        self, chain: ChainLink, outer: tuple[ChainLink, int, int] | None, sign: int = 1, is_direct: bool = True
    ) -> list[_Leaf] | None:
        leaves_ = []
        for link in links(chain):
            is_update, parts = combined_terms(link.statement, self.operator)
            leaves_.append(_Leaf(outer=outer, link=link, position=0, options=(), is_direct=is_direct))
            for index, (own, tree) in enumerate(parts):
                more = self._leaves(link, index, tree, own * sign, outer, is_direct)
                if more is None:
                    return None
                leaves_ += more
            if not is_update:
                return leaves_
        return None

    def _leaves(
        self,
        link: ChainLink,
        index: int,
        tree: Tree,
        sign: int,
        outer: tuple[ChainLink, int, int] | None,
        is_direct: bool,
    ) -> list[_Leaf] | None:
        inner = _cell_value(tree, link)
        title = (link.statement.name, tree.number) if isinstance(tree, ReadValue) else None
        number = name_of(tree, link, self.run.equations)
        options = self.by_name.get((number, sign < 0))
        type_ = link.statement.target.array.type
        if self.is_innermost and not options and self.run.equations.names.is_padding(self.operator, number, type_):
            return []
        if options and title not in self.used_reads:
            if self.is_innermost and title is not None and inner is not None and inner.chain is not None:
                self._note_single(title, inner.chain, sign)
            return [_Leaf(outer=outer, link=link, position=index, options=tuple(options), is_direct=is_direct)]
        if inner is None or inner.chain is None or title is None:
            return None
        self.seen.add(title)
        adds = self.is_innermost and not isinstance(link.statement.value, ReadValue)
        taker = (link, title[1], sign) if outer is None or adds else outer
        return self.leaves(inner.chain, taker, sign, adds or outer is None)

    def _note_single(self, title: tuple[str, int], chain: ChainLink, sign: int) -> None:
        """Notes whether a read of a term takes over a sum of terms."""
        is_sum, _ = combined_terms(chain.statement, self.operator)
        own = replace(self, seen=set())
        if is_sum and title not in self.kept and own.leaves(chain, None, sign) is not None and not own.seen:
            self.single.add(title)
        else:
            self.kept.add(title)


def _cell_value(tree: Tree, link: ChainLink) -> CellValue | None:
    return link.reads[tree.number] if isinstance(tree, ReadValue) and tree.number != own_read(link.statement) else None


@dataclass(slots=True)
class _Taken:
    """Observations of one read that takes over parts of the sums of a key."""

    statement: KernelStatement
    sign: int
    lengths: dict[int, int] = field(default_factory=dict)
    points: dict[int, tuple[Mapping[str, int], set[Point]]] = field(default_factory=dict)
    # By definition, item and adding statement: its instances, those that take over its result, and the terms.
    added: dict[tuple[int, int], dict[tuple[str, int], "list[_Added]"]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    workers: "dict[str, list[_Added]]" = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class _Added:
    statement: KernelStatement
    instance: Mapping[str, int]
    taker: Mapping[str, int]
    bodies: frozenset[Point]
    is_direct: bool = True


def parts_of(
    runs: Sequence[SymbolicRun], values: Values, whole: Collection[str] = (), *, has_trees: bool = False
) -> list[PartialReduction]:
    """Returns the partial sums that sums seem to have; none if each term is added in the cell of the sum, and none of
    statements known to compute a `whole` value. They are those that are added last; with trees of threads
    those that are added first, if only the terms of these are affine functions: a thread may add up the sums of every
    32nd block."""
    parts = _parts_of(runs, values, whole, is_innermost=False)
    if not has_trees or all(part.members for part in parts):
        return parts
    return [part for part in _parts_of(runs, values, whole, is_innermost=True) if part.members] or parts


def _parts_of(
    runs: Sequence[SymbolicRun], values: Values, whole: Collection[str], *, is_innermost: bool
) -> list[PartialReduction]:
    used_reads: set[tuple[str, int]] = set()
    candidates: dict[tuple[str, str, int], _Taken] = {}
    needed: dict[tuple[int, str, Point], set[tuple[str, int]]] = {}
    single, kept = set[tuple[str, int]](), set[tuple[str, int]]()
    for walk, key, point, _, _ in _walks(runs, values, used_reads, whole, is_innermost=is_innermost):
        title = id(walk.run), key, point
        single, kept = single | walk.single, kept | walk.kept
        # If all terms are added in one cell, there are no parts.
        seen_reads = needed.get(title, walk.seen)
        needed[title] = seen_reads | walk.seen if seen_reads and walk.seen else set()
    for run in runs:
        for operator in {operator for operator, link in run.begun if link.statement.name not in whole}:
            needed |= {(id(run), key, point): set() for key, point in run.empty(operator)}
    used_reads = {read for reads in needed.values() for read in reads}
    keys = {key for (_, key, _), reads in needed.items() if reads}
    if used_reads:
        used_reads |= single - kept
        longest: dict[tuple[int, str, Point], tuple[int, list[_Leaf]]] = {}
        for walk, key, point, definition, leaves in _walks(runs, values, used_reads, whole, is_innermost=is_innermost):
            title = id(walk.run), key, point
            if key not in keys:
                continue
            # A sum may be complete in a buffer already, and is added to another that is empty.
            if title not in longest or len(leaves) > len(longest[title][1]):
                longest[title] = definition, leaves
        for (_, key, point), (definition, leaves) in longest.items():
            for leaf in leaves:
                if leaf.outer is not None:
                    _note(candidates, key, point, definition, len(leaves), leaf)
        _note_empty(candidates, runs)
    new_parts = (
        _part(key, number, candidate, values, _loops_of(candidate, may_drop=is_innermost))
        for (key, _, number), candidate in candidates.items()
    )
    parts = [part for part in new_parts if part is not None]
    titles = [*values, *(part.title for part in parts if part.members)]
    return [part for part in parts if part.members or not _is_elsewhere(part, titles)]


def _is_elsewhere(part: PartialReduction, titles: Sequence[str]) -> bool:
    """Returns True if the same read adds parts to another sum, and only empty ones to this."""
    return any(title.endswith(f".{part.statement.name}.{part.number}") for title in titles)


def _walks(
    runs: Sequence[SymbolicRun],
    values: Values,
    used_reads: set[tuple[str, int]],
    whole: Collection[str],
    *,
    is_innermost: bool,
) -> Iterator[tuple[_Walk, str, Point, int, list[_Leaf]]]:
    for run in runs:
        for key, point, operator, chain in run.complete:
            value = values[key]
            bindings = {**run.parameters, **dict(zip(value.indices, point, strict=True))}
            sums = (n for n, part in enumerate(value.definitions) if part.sum is not None and part.region.has(bindings))
            definition = next(sums, None)
            if definition is None or _only_copies(chain, operator) or chain.statement.name in whole:
                continue
            if chain.statement.name in key.split(".")[1:]:
                # The statement that adds the part to another sum, which was empty.
                continue
            sum_ = value.definitions[definition].sum
            assert sum_ is not None
            by_name: dict[tuple[int, bool], list[tuple[int, Point]]] = defaultdict(list)
            for number, body, item, _, name in run.equations.items(sum_, point):
                if name is not None:
                    by_name[name, item.sign < 0].append((number, body))
            walk = _Walk(run=run, operator=operator, by_name=by_name, used_reads=used_reads, is_innermost=is_innermost)
            leaves = walk.leaves(chain, None)
            if leaves is not None:
                yield walk, key, point, definition, leaves


def _only_copies(chain: ChainLink, operator: str) -> bool:
    """Returns True if a sum is complete in one cell and copied to another: it is then a value, not a sum."""
    is_update, parts = combined_terms(chain.statement, operator)
    return not is_update and len(parts) == 1 and isinstance(parts[0][1], ReadValue)


def _note(
    candidates: dict[tuple[str, str, int], _Taken], key: str, point: Point, definition: int, length: int, leaf: _Leaf
) -> None:
    assert leaf.outer is not None
    taker, number, sign = leaf.outer
    candidate = candidates.setdefault((key, taker.statement.name, number), _Taken(taker.statement, sign))
    title = id(taker.instance)
    if length < candidate.lengths.get(title, 0) or sign != candidate.sign:
        return
    if length > candidate.lengths.get(title, 0):
        candidate.lengths[title] = length
        candidate.points[title] = taker.instance, set()
    candidate.points[title][1].add(point)
    if not leaf.options and len(candidate.workers[leaf.link.statement.name]) < _MOST_SAMPLES:
        added = _Added(
            statement=leaf.link.statement, instance=leaf.link.instance, taker=taker.instance, bodies=frozenset()
        )
        candidate.workers[leaf.link.statement.name].append(added)
    by_item: dict[int, set[Point]] = defaultdict(set)
    for item, body in leaf.options:
        by_item[item].add(body)
    for item, bodies in by_item.items():
        samples = candidate.added[definition, item][leaf.link.statement.name, leaf.position]
        if len(samples) < _MOST_SAMPLES:
            samples.append(
                _Added(
                    statement=leaf.link.statement,
                    instance=leaf.link.instance,
                    taker=taker.instance,
                    bodies=frozenset(bodies),
                    is_direct=leaf.is_direct,
                )
            )


def _note_empty(candidates: Mapping[tuple[str, str, int], _Taken], runs: Sequence[SymbolicRun]) -> None:
    """Adds the statements that leave a part empty to the workers of their candidates."""
    for run in runs:
        empty = {id(link) for _, link in (*run.begun, *run.idle)}
        for event in run.events:
            for number, read in enumerate(event.reads):
                if read.chain is None or id(read.chain) not in empty:
                    continue
                takers = [own for (_, *title), own in candidates.items() if title == [event.statement.name, number]]
                for taker in takers:
                    for link in links(read.chain):
                        own = taker.workers[link.statement.name]
                        if len(own) < _MOST_SAMPLES:
                            own.append(_Added(link.statement, link.instance, event.instance, frozenset()))


def _part(key: str, number: int, candidate: _Taken, values: Values, loops: Sequence[str]) -> PartialReduction | None:
    statement = candidate.statement
    sums = (definition.sum for definition in values[key].definitions if definition.sum is not None)
    terms = (item.term.key for sum_ in sums for item in sum_.items if isinstance(item.term, Ref))
    if any(statement.name in title.split(".")[1:] for title in (key, *terms)):
        return None
    names = tuple(f"{name}{OF}{statement.name}" for name in loops)
    samples = [(at, frozenset(points)) for at, points in candidate.points.values()]
    own = {*loops, *statement.space.parameters}
    point = annotated_point(statement, key, len(values[key].indices), samples)
    if point is None or not {n for p in point for n in p.names} <= own:
        point = fitted((*statement.space.parameters, *loops), samples, near_value(values[key], statement))
    if point is None or not {n for p in point for n in p.names} <= own:
        return None
    renaming = dict(zip(loops, names, strict=True))
    point = tuple(affine.rename(renaming) for affine in point)
    domain = statement.domain.onto(tuple(loops)).renamed(names)
    domain = domain & pulled(values[key].domain, domain, point)
    workers = {name: _taker(statement, loops, worker) for name, worker in candidate.workers.items()}
    frame = PartialFrame(
        key=key,
        statement=statement,
        number=number,
        loops=tuple(loops),
        names=names,
        domain=domain,
        point=point,
        workers=workers,
    )
    members = {}
    for (definition, item), adders in candidate.added.items():
        sum_ = values[key].definitions[definition].sum
        assert sum_ is not None
        united_members = [frame.members(sum_.items[item], adder[0].statement, adder) for adder in adders.values()]
        known_ = [domain for domain in united_members if domain is not None]
        if known_:
            members[definition, item] = union_of_domains(known_)
    return PartialReduction(
        key=key,
        statement=statement,
        number=number,
        sign=candidate.sign,
        point=point,
        names=names,
        domain=domain,
        members=members,
        workers={n: f for n, f in workers.items() if f is not None},
    )


def _loops_of(candidate: _Taken, *, may_drop: bool) -> list[str]:
    """Returns the loops by which parts differ: without some that the others determine, as a thread or a warp and a
    lane, if only then the parts that statements work on are affine functions, and they may be dropped."""
    statement = candidate.statement
    loops = list(dict.fromkeys(component.iterator for component in statement.date if isinstance(component, KernelLoop)))
    if not may_drop:
        return loops
    instances = [instance for instance, _ in candidate.points.values()]
    fewest = max(len(loops) - _MOST_DETERMINED, 0)
    for fewer in (some for size in range(len(loops), fewest - 1, -1) for some in combinations(loops, size)):
        points = {tuple(instance.get(name) for name in (*fewer, *statement.space.parameters)) for instance in instances}
        if len(points) == len(instances) and all(_taker(statement, fewer, own) for own in candidate.workers.values()):
            return [*fewer]
    return loops


def union_of_domains(domains: Sequence[Domain]) -> Domain:
    union = domains[0]
    for domain in domains[1:]:
        union = union | domain
    return union.simplify()


def _taker(taker: KernelStatement, loops: Sequence[str], worked: Sequence[_Added]) -> tuple[Affine, ...] | None:
    """Returns the parts that a statement works on."""
    statement = worked[0].statement
    samples: list[Sample] = [(a.instance, frozenset({tuple(a.taker[n] for n in loops)})) for a in worked]
    point = annotated_taker(taker, loops, statement, samples)
    if point is not None:
        return point
    own = {name: Affine.name(name) for name in statement.iterators}
    return fitted(_names(statement), samples, tuple(own.get(name, Affine()) for name in loops))


@dataclass(frozen=True, slots=True, eq=False)
class PartialFrame:
    """Partial reductions with unknown contributions. `loops` are the iterators of `names`."""

    key: str
    statement: KernelStatement
    number: int
    loops: tuple[str, ...]
    names: tuple[str, ...]
    domain: Domain
    point: tuple[Affine, ...]
    workers: Mapping[str, tuple[Affine, ...] | None]

    def members(self, item: Item, adder: KernelStatement, added: Sequence[_Added]) -> Domain | None:
        """Returns the terms that one statement adds to parts: for each part the points of the body. If no term was
        `added` in the samples, the annotated ones."""
        taker = self.workers[adder.name]
        if taker is None:
            return None
        there = dict(zip(self.names, taker, strict=True))
        hint = near_body(item, [affine.substitute(there) for affine in self.point], adder)
        samples = [(a.instance, a.bodies) for a in added]
        body = annotated_body(adder, self.key, item, samples) or fitted(_names(adder), samples, hint)
        if body is None:
            return None
        own = {name: f"{name}'by" for name in adder.iterators}
        its = {name: f"{name}'to" for name in self.statement.iterators}
        space = adder.space.with_names((*own.values(), *its.values(), *self.names, *item.names))
        is_it = [equal(Affine.name(n), Affine.name(its[loop])) for n, loop in zip(self.names, self.loops, strict=True)]
        is_it += [equal(Affine.name(n), affine.rename(own)) for n, affine in zip(self.names, taker, strict=True)]
        is_it += [equal(Affine.name(n), affine.rename(own)) for n, affine in zip(item.names, body, strict=True)]
        is_it += [equal(p, q) for p, q in zip(item.projection, self.point, strict=True)]
        read = self.statement.reads[self.number]
        if adder.target.array is read.array and all(a.is_direct for a in added):
            cells = zip(adder.target.subscripts, read.subscripts, strict=True)
            is_it += [equal(a.rename(own), b.rename(its)) for a, b in cells]
        members_ = adder.domain.renamed(tuple(own.values())).embedded(space) & Domain.where(space, is_it)
        members_ = members_ & self.statement.domain.renamed(tuple(its.values())).embedded(space)
        members_ = members_.onto((*self.names, *item.names))
        return members_ & self.domain.embedded(members_.space) & item.region.domain.embedded(members_.space)


def _names(statement: KernelStatement) -> tuple[str, ...]:
    return (*statement.space.parameters, *statement.iterators)
