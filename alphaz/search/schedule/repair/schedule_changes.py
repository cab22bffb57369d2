"""Changes of dates, kinds, orderings and bands that may make a refuted mapping legal."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations

from alphaz.diagnostics.rules import (
    ACCUMULATION,
    CAUSALITY,
    INPUT_LOST,
    LIFETIME,
    NOT_INJECTIVE,
    OUTPUT_LOST,
    OVERWRITE,
    RACE,
    TILING,
)
from alphaz.legality.mapping_obligations import sized_order
from alphaz.legality.verdicts import Options
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.target_mapping import (
    ArgumentDate,
    Band,
    CallMoment,
    DimensionKind,
    KindSetting,
    SpaceTimeMap,
    StatementOrder,
)
from alphaz.poly import Affine, AffineFunction
from alphaz.search.schedule.repair.case import Hint, RepairCase


def component(case: RepairCase) -> Iterator[Hint]:
    """Yields a changed component for each variable of a witness, innermost components first."""
    if not case.has(CAUSALITY, NOT_INJECTIVE):
        return
    dates = case.dates()
    for name in dict.fromkeys(s.variable for s in case.witness_statements()):
        entry = dates[name]
        space = entry.function.domain
        for dimension in reversed(range(case.resolved.dimensions)):
            for other in (*map(Affine.name, space.names), *map(Affine.name, space.parameters)):
                if entry.function.outputs[dimension].is_constant and entry.function.outputs[dimension] != other:
                    outputs = (*entry.function.outputs[:dimension], other, *entry.function.outputs[dimension + 1 :])
                    new_entry = replace(entry, function=replace(entry.function, outputs=outputs))
                    text = f"{name} with {other} in dimension {dimension}"
                    yield Hint(text, (case.dated(new_entry),), case.stated_mapping.with_space_time(new_entry))


_KIND_WORDS = {DimensionKind.SEQUENTIAL: "sequential", DimensionKind.REDUCTION: "as a reduction dimension"}


def kinds(case: RepairCase) -> Iterator[Hint]:
    """Yields a changed kind for each unordered dimension of a statement of a witness, innermost first (that costs the
    least parallelism)."""
    dimensions = {
        position for s in case.witness_statements() for position, kind in enumerate(s.kinds) if kind.is_unordered
    }
    if case.has(ACCUMULATION):
        yield from (
            _with_kind(case, dimension, DimensionKind.REDUCTION) for dimension in sorted(dimensions, reverse=True)
        )
    yield from (_with_kind(case, dimension, DimensionKind.SEQUENTIAL) for dimension in sorted(dimensions, reverse=True))


def _with_kind(case: RepairCase, position: int, kind: DimensionKind) -> Hint:
    whose = dict.fromkeys(s.variable for s in case.resolved.statements if s.kinds[position].is_unordered)
    added = tuple(KindSetting(name, (), (position,), kind) for name in whose)
    mapping = replace(case.stated_mapping, kinds=(*case.stated_mapping.kinds, *added))
    line = case.command("setDimensionType", variables=", ".join(whose), dimension=position, type_=kind.value)
    return Hint(f"dimension {position} {_KIND_WORDS[kind]}", (line,), mapping)


def orderings(case: RepairCase) -> Iterator[Hint]:
    """Yields statement orderings for every two operations of a witness at one date: the producer first, then the other
    order."""
    tried: set[tuple[str, str]] = set()
    for _, witness in case.refuted:
        roles = sorted(witness.places, key=lambda place: place.role != "producer")
        for one, two in permutations(roles, 2):
            first, second = case.statement(one), case.statement(two)
            if first is None or second is None or one.date != two.date:
                continue
            names = first.variable, second.variable
            if names[0] == names[1] or names in tried:
                continue
            tried.add(names)
            ordering = (*case.stated_mapping.ordering, StatementOrder(*names))
            line = case.command("setStatementOrdering", before=names[0], after=names[1])
            yield Hint(
                f"{names[0]} before {names[1]} at equal dates", (line,), replace(case.stated_mapping, ordering=ordering)
            )


def reversal(case: RepairCase) -> Iterator[Hint]:
    """Yields reversed components, innermost first: of each variable of a witness, of all of them, and of all variables
    with dates there."""
    if not case.has(CAUSALITY):
        return
    dates = case.dates()
    involved = tuple(dict.fromkeys(s.variable for s in case.witness_statements()))
    for dimension in reversed(range(case.resolved.dimensions)):
        moving = tuple(name for name, entry in dates.items() if not entry.function.outputs[dimension].is_constant)
        groups = [*((name,) for name in involved), involved, moving]
        for group in dict.fromkeys(groups):
            if group and set(group) <= set(moving):
                yield _reverse_dimension(
                    case, [_reversed_entry(dates[name], dimension) for name in group], group, dimension
                )


def _reverse_dimension(case: RepairCase, changed: list[SpaceTimeMap], names: tuple[str, ...], position: int) -> Hint:
    mapping = case.stated_mapping
    for entry in changed:
        mapping = mapping.with_space_time(entry)
    return Hint(f"dimension {position} of {', '.join(names)} reversed", tuple(map(case.dated, changed)), mapping)


def _reversed_entry(entry: SpaceTimeMap, position: int) -> SpaceTimeMap:
    init = None if entry.init is None else _reversed_function(entry.init, position)
    return replace(entry, function=_reversed_function(entry.function, position), init=init)


def _reversed_function(function: AffineFunction, position: int) -> AffineFunction:
    outputs = (-output if here == position else output for here, output in enumerate(function.outputs))
    return replace(function, outputs=tuple(outputs))


_SHIFTS = (1, -1, 2, -2)


def shift(case: RepairCase) -> Iterator[Hint]:
    """Yields shifts of each variable of a witness, by at most two in one dimension, innermost first."""
    if not case.has(CAUSALITY, ACCUMULATION, LIFETIME, OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE):
        return
    dates = case.dates()
    names = dict.fromkeys(s.variable for s in case.witness_statements())
    for dimension in reversed(range(case.resolved.dimensions)):
        for step in _SHIFTS:
            for name in names:
                entry = dates.get(name)
                if entry is None:
                    continue
                yield _shift_statement(
                    case, _shifted_entry(entry, dimension, step), f"{name} moved by {step} in dimension {dimension}"
                )
                if entry.init is not None:
                    first = replace(entry, init=_shifted_function(entry.init, dimension, step))
                    yield _shift_statement(
                        case, first, f"the initialisation of {name} moved by {step} in dimension {dimension}"
                    )


def _shifted_entry(entry: SpaceTimeMap, position: int, step: int) -> SpaceTimeMap:
    init = None if entry.init is None else _shifted_function(entry.init, position, step)
    return replace(entry, function=_shifted_function(entry.function, position, step), init=init)


def _shifted_function(function: AffineFunction, position: int, step: int) -> AffineFunction:
    return replace(function, outputs=tuple(o + step if d == position else o for d, o in enumerate(function.outputs)))


def _shift_statement(case: RepairCase, entry: SpaceTimeMap, text: str) -> Hint:
    return Hint(text, (case.dated(entry),), case.stated_mapping.with_space_time(entry))


def skew(case: RepairCase) -> Iterator[Hint]:
    """Yields skews of inner dimensions by one outer dimension, once or twice, for all statements of the band."""
    if not case.has(TILING):
        return
    for factor in (1, 2):
        for band in case.resolved.bands:
            first, last = band.first, band.last
            for outer, inner in combinations(range(first, last + 1), 2):
                yield _skew_hint(case, band, ((outer, inner),), factor)
            if last - first > 1:
                yield _skew_hint(case, band, tuple((first, inner) for inner in range(first + 1, last + 1)), factor)


def _skew_hint(case: RepairCase, band: Band, pairs: tuple[tuple[int, int], ...], factor: int) -> Hint:
    members = {s.variable for s in case.resolved.statements if has_prefix(s, band.prefix) and _moves(s.kinds, pairs)}
    changed = [_skewed_entry(entry, pairs, factor) for name, entry in case.dates().items() if name in members]
    mapping = case.stated_mapping
    for entry in changed:
        mapping = mapping.with_space_time(entry)
    inner = ",".join(str(i) for _, i in pairs)
    plural = "s" if len(pairs) > 1 else ""
    text = f"dimension{plural} {inner} skewed by {factor} times dimension {pairs[0][0]}"
    return Hint(text, tuple(map(case.dated, changed)), mapping)


def _moves(kinds: tuple[DimensionKind, ...], pairs: tuple[tuple[int, int], ...]) -> bool:
    """Returns False for an ordering dimension, which takes no shift."""
    return all(kinds[at] is not DimensionKind.ORDERING for pair in pairs for at in pair)


def _skewed_entry(entry: SpaceTimeMap, pairs: tuple[tuple[int, int], ...], factor: int) -> SpaceTimeMap:
    init = None if entry.init is None else _skewed_function(entry.init, pairs, factor)
    return replace(entry, function=_skewed_function(entry.function, pairs, factor), init=init)


def _skewed_function(function: AffineFunction, pairs: tuple[tuple[int, int], ...], factor: int) -> AffineFunction:
    added = {inner: function.outputs[outer] * factor for outer, inner in pairs}
    outputs = (o + added[position] if position in added else o for position, o in enumerate(function.outputs))
    return replace(function, outputs=tuple(outputs))


def tiles(case: RepairCase) -> Iterator[Hint]:
    """Yields changes of tile sizes, if the script gives all sizes."""
    order = sized_order(case.resolved) if case.has(TILING) else None
    if order is not None:
        text = f"the same mapping{order.scope} only (`alphaz verify --exact-tiles` accepts it),"
        yield Hint(text, (), case.stated_mapping, Options(exact_tiles=True))


_TRANSFER_SHIFTS = {CallMoment.ALLOCATION: (-1, -2), CallMoment.COPY: (1, -1, 2, -2), CallMoment.FREE: (1, 2)}
_COMMANDS = {CallMoment.ALLOCATION: "MemoryAllocation", CallMoment.COPY: "ValueCopy", CallMoment.FREE: "MemoryFree"}
_TRANSFER_WORDS = {CallMoment.ALLOCATION: "allocation", CallMoment.COPY: "copy", CallMoment.FREE: "release"}


def transfers(case: RepairCase) -> Iterator[Hint]:
    """Yields shifts of each transfer of a witness with a date of its own, by at most two in one dimension, innermost
    first."""
    if not case.has(LIFETIME, CAUSALITY, OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE):
        return
    names = {statement.name for statement in case.witness_statements()}
    entries = [entry for entry in case.stated_mapping.argument_dates if f"{entry.argument}.{entry.moment}" in names]
    for dimension in reversed(range(case.resolved.dimensions)):
        for entry in entries:
            for step in _TRANSFER_SHIFTS[entry.moment]:
                yield _moved_transfer(case, entry, dimension, step)


def _moved_transfer(case: RepairCase, entry: ArgumentDate, position: int, step: int) -> Hint:
    outputs = (o + step if d == position else o for d, o in enumerate(entry.function.outputs))
    new_entry = replace(entry, function=replace(entry.function, outputs=tuple(outputs)))
    line = case.command(
        f"setSpaceTimeMapFor{_COMMANDS[entry.moment]}",
        label=entry.label,
        is_output=int(entry.is_output),
        number=entry.number,
        map_=str(new_entry.function),
    )
    text = f"the {_TRANSFER_WORDS[entry.moment]} of {entry.argument} moved by {step} in dimension {position}"
    return Hint(text, (line,), case.stated_mapping.with_argument_date(new_entry))
