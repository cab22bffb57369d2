"""All that is asked of a C program, as sets that must be empty: the families C0 to C6 and R1 to R5.

C0 subscripts inside their arrays; C1 every value that is needed is written, in the cell that is read, before; C4
nobody overwrites it in between; C6 no race. Of sums: R1 every part is combined, and once; R2 after the start; R3
before the sum is read; R4 there is one start; R5 what is summed up in parts is in one of them. C2 (the expressions) is
decided where claims are made; C3 and C5 (cells and inputs) are parts of C1 and C4: inputs are written by the caller,
before everything.

That all claims are true follows by induction on the order of execution.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from alphaz.c_reading.kernel import Access, Array, Dividend, Kernel, Statement
from alphaz.c_reading.number import affine
from alphaz.model.program import System
from alphaz.poly import Affine, Constraint, Domain, at_least, equal, less
from alphaz.poly.plain.space import Space
from alphaz.verify.c.actor import Actor, actor, caller, meeting, one, same, together
from alphaz.verify.c.claims import Claim, Claims, Contribution, Need
from alphaz.verify.c.equations import Value
from alphaz.verify.c.layout import origin_of
from alphaz.verify.c.order import EVER, Relation, before, not_before, unordered
from alphaz.verify.c.origins import Origins
from alphaz.verify.c.partition import in_one_part
from alphaz.verify.c.parts import Part
from alphaz.verify.c.requirement import Requirement
from alphaz.verify.c.trace import IDEMPOTENT, Binding


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """Who needs the value `key` at `point` from the cell of `array` at `cell`, over his own dimensions."""

    who: Actor
    array: Array
    cell: tuple[Affine, ...]
    key: str
    point: tuple[Affine, ...]
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Who writes a value there: a claim, a contribution, or the caller."""

    who: Actor
    cell: tuple[Affine, ...]
    point: tuple[Affine, ...]
    origin: Claim | Contribution | None


@dataclass(slots=True, eq=False)
class Inquiry:
    """What the questions are about."""

    kernel: Kernel
    system: System
    values: Mapping[str, Value]
    origins: Origins
    binding: Binding
    claims: Claims
    parts: tuple[Part, ...] = ()
    writers: dict[str, list[Statement]] = field(default_factory=dict)

    def pruned(self) -> "Inquiry":
        """The same with fewer claims: without instances that need what no claim writes, until nothing changes.

        What is claimed in vain would only stand in the way.
        """
        inquiry = self
        for _ in range(_MOST_ROUNDS):
            values = [each for made in inquiry.claims.values for each in _supported(inquiry, made)]
            sums = [each for made in inquiry.claims.contributions for each in _supported(inquiry, made)]
            is_stable = values == list(inquiry.claims.values) and sums == list(inquiry.claims.contributions)
            inquiry = replace(inquiry, claims=Claims(values, sums), writers={})
            if is_stable:
                break
        return inquiry

    def __post_init__(self) -> None:
        for each in self.kernel.statements:
            self.writers.setdefault(each.target.array.name, []).append(each)


M = TypeVar("M", Claim, Contribution)
_MOST_ROUNDS = 12


def _supported(inquiry: Inquiry, made: M) -> list[M]:
    """The claim for the instances whose needs are written somewhere, before; nothing where none is left."""
    domain = made.domain
    for reader in _readers(inquiry, made):
        missing = _unwritten(reader, [s for s in _sources(inquiry, reader) if _begins(s)])
        if not missing.is_empty():
            domain = domain - missing.renamed(made.statement.iterators)
    if domain is made.domain:
        return [made]
    return [] if domain.is_empty() else [replace(made, domain=domain.simplify())]


def _begins(source: Source) -> bool:
    return not isinstance(source.origin, Contribution) or source.origin.starts


def questions(inquiry: Inquiry) -> Iterator[Requirement]:
    """In the order in which they are cheap; those of claims follow what is needed, from the outputs back."""
    yield from _bounds(inquiry)
    yield from _races(inquiry)
    waiting = list(_outputs(inquiry))
    done: set[int] = set()
    sums: dict[tuple[str, str], list[Contribution]] = {}
    while waiting:
        reader = waiting.pop()
        sources = list(_sources(inquiry, reader))
        contributions = [s for s in sources if isinstance(s.origin, Contribution)]
        writers = [s for s in sources if not isinstance(s.origin, Contribution)]
        if contributions and _unwritten(reader, writers).is_empty():
            sources, contributions = writers, []
        yield from _of_reader(inquiry, reader, writers, contributions)
        if contributions:
            sums[reader.key, reader.array.name] = [s.origin for s in contributions]  # type: ignore[misc]
        for source in sources:
            if source.origin is not None and id(source.origin) not in done:
                done.add(id(source.origin))
                waiting += _readers(inquiry, source.origin)
    for made in sums.values():
        yield from _of_sum(inquiry, made)
    yield from in_one_part(inquiry.parts)


# --- C0, C6 -----------------------------------------------------------------------------------------------------------


def _bounds(inquiry: Inquiry) -> Iterator[Requirement]:
    for dividend in inquiry.kernel.dividends:
        claim = f"no dividend is negative (line {dividend.span.position[0]})"
        yield Requirement("C0", claim, partial(_negative, dividend), (), None, span=dividend.span)
    for statement in inquiry.kernel.statements:
        who = actor("s", statement)
        accesses = {(a.array.name, a.subscripts): a for a in (statement.target, *statement.reads)}
        for access in accesses.values():
            if len(access.subscripts) > len(access.array.prefix):
                claim = f"{access.array.label} is accessed inside its bounds ({statement})"
                yield Requirement("C0", claim, partial(_outside, who, access), (who,), statement)


def _outside(who: Actor, access: Access) -> Domain:
    statement, limit = who.statement, access.array.limit
    assert statement is not None
    space = statement.space.with_names((*statement.iterators, *(() if limit is None else (limit.name,))))
    cases: list[list[Constraint]] = []
    subscripts = access.subscripts[len(access.array.prefix) :]
    for subscript, extent in zip(subscripts, access.array.extents, strict=True):
        bound = None if extent is None else affine(extent)
        assert bound is not None, "extents that are not affine are refused before"
        cases += [[less(subscript, Affine())], [at_least(subscript, bound)]]
    found = statement.domain.embedded(space) & Domain.where(space, *cases)
    if limit is not None:
        found = (found & Domain.where(space, *limit.condition)).onto(statement.iterators)
    return found.renamed(who.dimensions)


def _negative(dividend: Dividend) -> Domain:
    return dividend.domain & Domain.where(dividend.domain.space, [less(dividend.value, Affine())])


def _races(inquiry: Inquiry) -> Iterator[Requirement]:
    statements = inquiry.kernel.statements
    for at, left in enumerate(statements):
        for right in statements[at:]:
            x, y = actor("x", left), actor("y", right)
            cases = unordered(x, y)
            for a, b in _conflicts(left, right) if cases else ():
                pairs = tuple(pair for pair, at in cases if not _is_shielded(left, right, a, b, at))
                if not pairs:
                    continue
                claim = f"no race for {a.array.label} between {left} and {right}"
                build = partial(_at_once, x, y, a, b, pairs)
                yield Requirement("C6", claim, build, (x, y), left, (right,))


def _is_shielded(left: Statement, right: Statement, a: Access, b: Access, at: int) -> bool:
    """Whether two accesses are kept apart that are not ordered by component `at` of the dates."""
    lock, other = left.write.mutex, right.write.mutex
    if lock is not None and other is not None and lock.name == other.name and at < min(lock.depth, other.depth):
        is_cell = a.same_cell(left.target) and b.same_cell(right.target)
        return is_cell or not lock.is_atomic
    own = left.write.reduction
    return own is not None and own is right.write.reduction and own is left.date[at]


def _conflicts(left: Statement, right: Statement) -> Iterator[tuple[Access, Access]]:
    pairs = [(left.target, right.target)]
    pairs += [(left.target, read) for read in right.reads]
    pairs += [(read, right.target) for read in left.reads] if left is not right else []
    seen: set[tuple[object, ...]] = set()
    for a, b in pairs:
        title = (a.subscripts, b.subscripts)
        if a.array is b.array and title not in seen:
            seen.add(title)
            yield a, b


def _at_once(x: Actor, y: Actor, a: Access, b: Access, pairs: Relation) -> Domain:
    return meeting((x, y), same(x.own(a.subscripts), y.own(b.subscripts)), pairs)


# --- readers and sources ----------------------------------------------------------------------------------------------


def _outputs(inquiry: Inquiry) -> Iterator[Reader]:
    for array, variable in inquiry.binding.outputs.items():
        domain = inquiry.values[variable].domain
        end = caller("END", domain, is_end=True)
        origin = origin_of(inquiry.system.variable(variable), inquiry.system)
        point = tuple(map(Affine.name, domain.space.names))
        cell = tuple(p - low for p, low in zip(point, origin, strict=True))
        for part, key, origin_point in inquiry.origins.read(variable, point, domain):
            yield Reader(
                end.within(part), inquiry.kernel.arrays[array], end.own(cell), key, end.own(origin_point),
                f"output {variable}",
            )  # fmt: skip


def _readers(inquiry: Inquiry, made: Claim | Contribution) -> Iterator[Reader]:
    statement = made.statement
    for need in dict.fromkeys(made.needs):
        who = actor("r", statement, made.domain)
        access = statement.reads[need.number]
        for part, key, point in inquiry.origins.read(need.key, need.point, made.domain):
            yield Reader(
                who.within(part), access.array, who.own(access.subscripts), key, who.own(point),
                f"{need.key} from {access.array.label} ({statement})",
            )  # fmt: skip
        yield from _nowhere(inquiry, need, made, access)


def _nowhere(inquiry: Inquiry, need: Need, made: Claim | Contribution, access: Access) -> Iterator[Reader]:
    """The instances that need a value which no equation defines: nobody can write it."""
    rest = made.domain
    for part, _, _ in inquiry.origins.read(need.key, need.point, made.domain):
        rest = rest - part
    if not rest.is_empty():
        who = actor("r", made.statement, rest)
        text = f"{need.key} outside its domain from {access.array.label} ({made.statement})"
        yield Reader(who, access.array, who.own(access.subscripts), "", (), text)


def _sources(inquiry: Inquiry, reader: Reader) -> Iterator[Source]:
    for array, variable in inquiry.binding.inputs.items():
        if variable == reader.key and array == reader.array.name:
            start = caller("w", inquiry.values[variable].domain, is_end=False)
            origin = origin_of(inquiry.system.variable(variable), inquiry.system)
            point = tuple(map(Affine.name, start.dimensions))
            yield Source(start, tuple(p - low for p, low in zip(point, origin, strict=True)), point, None)
    made: tuple[Claim | Contribution, ...] = (*inquiry.claims.values, *inquiry.claims.contributions)
    for each in made:
        if each.key == reader.key and each.statement.target.array is reader.array:
            who = actor("w", each.statement, each.domain)
            yield Source(who, who.own(each.statement.target.subscripts), who.own(each.point), each)


def _meets(reader: Reader, source: Source) -> list[Constraint]:
    """The same value in the same cell."""
    return [*same(source.point, reader.point), *same(source.cell, reader.cell)]


def _earlier(reader: Reader, source: Source) -> Domain:
    """Reader and writer of what is needed, in the cell that is read, before."""
    return meeting((reader.who, source.who), _meets(reader, source), before(source.who, reader.who))


# --- C1, C4 -----------------------------------------------------------------------------------------------------------


def _of_reader(
    inquiry: Inquiry, reader: Reader, writers: Sequence[Source], parts: Sequence[Source]
) -> Iterator[Requirement]:
    starts = [s for s in parts if isinstance(s.origin, Contribution) and s.origin.starts]
    about = reader.who.statement
    yield Requirement(
        "C1", f"{reader.text} is written before it is read",
        partial(_unwritten, reader, (*writers, *starts)), (reader.who,), about,
    )  # fmt: skip
    overwriting = []
    for source in (*writers, *starts):
        for statement in inquiry.writers.get(reader.array.name, ()):
            excused = [c for c in (parts if source in starts else writers) if _statement(c) is statement]
            overwriting.append(partial(_overwritten, reader, source, actor("y", statement), tuple(excused)))
    if overwriting:
        build = partial(_lost, reader, (*writers, *starts), tuple(overwriting))
        yield Requirement("C4", f"{reader.text} is not overwritten before", build, (reader.who,), about)
    if starts:
        yield from _of_sum_reader(reader, starts, parts)


def _lost(reader: Reader, sources: Sequence[Source], overwriting: Sequence["partial[Domain]"]) -> Domain:
    """Readers that nobody's value reaches. Cheap where nothing is overwritten; else each reader needs one writer whose
    value stays."""
    lost = {id(source): Domain.empty(_pair(reader, source)) for source in sources}
    is_any = False
    for build in overwriting:
        found = build()
        if not found.is_empty():
            is_any = True
            source = build.args[1]
            lost[id(source)] = lost[id(source)] | found.onto(_pair(reader, source).names)
    if not is_any:
        return Domain.empty(reader.who.domain.space)
    rest = reader.who.domain
    for source in sources:
        rest = rest - (_earlier(reader, source) - lost[id(source)]).onto(reader.who.dimensions)
    return rest


def _pair(reader: Reader, source: Source) -> Space:
    space = reader.who.domain.space
    return space.with_names((*reader.who.dimensions, *source.who.dimensions))


def _statement(source: Source) -> Statement | None:
    return source.origin.statement if source.origin is not None else None


def _unwritten(reader: Reader, sources: Sequence[Source]) -> Domain:
    rest = reader.who.domain
    for source in sources:
        rest = rest - _earlier(reader, source).onto(reader.who.dimensions)
    return rest


def _overwritten(reader: Reader, source: Source, y: Actor, excused: Sequence[Source]) -> Domain:
    """Reader, writer, and who writes something else into the cell when the writer is over and the reader is not."""
    others = _others(reader, y, excused)
    space = together(reader.who, source.who, y).space
    # Most often there is nobody, whoever the writer is: that takes two at once, and not three.
    if others.is_empty():
        return Domain.empty(space)
    earlier = _earlier(reader, source).embedded(space)
    late = Domain.where(space, *not_before(y, source.who))
    found = (earlier & others.embedded(space)) & late
    itself = one(y, source.who)
    return found if itself is None else found - Domain.where(space, itself)


def _others(reader: Reader, y: Actor, excused: Sequence[Source]) -> Domain:
    """Reader, and who else writes something else into the cell and is not over after the reader."""
    assert y.statement is not None
    cell = same(y.own(y.statement.target.subscripts), reader.cell)
    found = both = meeting((reader.who, y), cell, not_before(reader.who, y))
    itself = one(y, reader.who)
    if itself is not None:
        found = found - Domain.where(both.space, itself)
    for each in excused:
        own = Actor(y.role, y.statement, y.names, each.who.domain.renamed(y.dimensions))
        assert each.origin is not None
        is_it = same(own.own(each.origin.point), reader.point)
        found = found - (own.domain.embedded(both.space) & Domain.where(both.space, is_it))
    return found


# --- sums -------------------------------------------------------------------------------------------------------------


def _of_sum_reader(reader: Reader, starts: Sequence[Source], parts: Sequence[Source]) -> Iterator[Requirement]:
    about = reader.who.statement
    first = parts[0].origin
    assert isinstance(first, Contribution)
    for number, item in enumerate(first.sum.items):
        names = tuple(f"{name}.b" for name in item.names)
        build = partial(_missing, reader, starts, parts, number, names)
        yield Requirement("R1", f"all is in the sum: {reader.text}, part {number + 1}", build, (reader.who,), about)
    for each in parts:
        statement = _statement(each)
        assert statement is not None
        claim = f"{reader.text} is read after {statement} has added to it"
        build = partial(_too_early, reader, each)
        yield Requirement("R3", claim, build, (reader.who, each.who), about, (statement,))


def _missing(
    reader: Reader, starts: Sequence[Source], parts: Sequence[Source], number: int, names: tuple[str, ...]
) -> Domain:
    """Readers of the sum with the points of its body that nobody has combined in the cell."""
    first = parts[0].origin
    assert isinstance(first, Contribution)
    item = first.sum.items[number]
    renaming = dict(zip(item.names, names, strict=True))
    own = reader.who.domain.space
    space = own.with_names((*own.names, *names))
    started = Domain.empty(own)
    for start in starts:
        started = started | _earlier(reader, start).onto(own.names)
    wanted = started.embedded(space) & item.region.domain.renamed(names).embedded(space)
    belongs = [equal(p.rename(renaming), q) for p, q in zip(item.projection, reader.point, strict=True)]
    wanted = wanted & Domain.where(space, belongs)
    for each in parts:
        assert isinstance(each.origin, Contribution)
        for share in each.origin.shares:
            if share.number == number:
                wanted = wanted - _combined(reader, each, share.body, names, space)
    return wanted


def _combined(reader: Reader, source: Source, body: Sequence[Affine], names: Sequence[str], space: Space) -> Domain:
    both = together(reader.who, source.who)
    wide = both.space.with_names((*both.space.names, *names))
    is_it = same([Affine.name(name) for name in names], source.who.own(body))
    found = both.embedded(wide) & Domain.where(wide, [*_meets(reader, source), *is_it])
    return found.onto(space.names)


def _too_early(reader: Reader, source: Source) -> Domain:
    return meeting((reader.who, source.who), _meets(reader, source), not_before(source.who, reader.who))


def _of_sum(inquiry: Inquiry, made: Sequence[Contribution]) -> Iterator[Requirement]:
    """What is asked of the contributions to one key in one array, whoever reads."""
    for at, left in enumerate(made):
        for right in made[at:]:
            yield from _twice(left, right)
        for right in made:
            if left.starts:
                yield from _start(left, right)


def _epoch(x: Actor, left: Contribution, y: Actor, right: Contribution) -> list[Constraint]:
    """The same sum in the same cell."""
    cells = same(x.own(left.statement.target.subscripts), y.own(right.statement.target.subscripts))
    return [*same(x.own(left.point), y.own(right.point)), *cells]


def _twice(left: Contribution, right: Contribution) -> Iterator[Requirement]:
    if left.sum.operator in IDEMPOTENT:
        return
    x, y = actor("x", left.statement, left.domain), actor("y", right.statement, right.domain)
    for i, a in enumerate(left.shares):
        for j, b in enumerate(right.shares):
            if a.number == b.number and not (left is right and j < i):
                is_same = left is right and i == j
                build = partial(_both, x, y, left, right, a.body, b.body, is_same)
                claim = f"nothing is added twice to {left.key}: {left.statement} and {right.statement}"
                yield Requirement("R1", claim, build, (x, y), left.statement, (right.statement,))


def _both(
    x: Actor, y: Actor, left: Contribution, right: Contribution, a: Sequence[Affine], b: Sequence[Affine],
    is_same: bool,
) -> Domain:  # fmt: skip
    found = meeting((x, y), [*_epoch(x, left, y, right), *same(x.own(a), y.own(b))], EVER)
    itself = one(x, y)
    return found - Domain.where(found.space, itself) if is_same and itself is not None else found


def _start(start: Contribution, other: Contribution) -> Iterator[Requirement]:
    x, y = actor("x", start.statement, start.domain), actor("y", other.statement, other.domain)
    if other.starts:
        claim = f"{start.key} is started once: {start.statement} and {other.statement}"
        yield Requirement(
            "R4", claim, partial(_started_twice, x, y, start, other), (x, y), start.statement, (other.statement,)
        )
    else:
        claim = f"{start.key} is started ({start.statement}) before {other.statement} adds to it"
        yield Requirement(
            "R2", claim, partial(_added_before, x, y, start, other), (x, y), start.statement, (other.statement,)
        )


def _started_twice(x: Actor, y: Actor, left: Contribution, right: Contribution) -> Domain:
    found = meeting((x, y), _epoch(x, left, y, right), EVER)
    itself = one(x, y)
    return found if itself is None else found - Domain.where(found.space, itself)


def _added_before(x: Actor, y: Actor, start: Contribution, other: Contribution) -> Domain:
    return meeting((x, y), _epoch(x, start, y, other), not_before(x, y))
