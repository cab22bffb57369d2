"""Mappings that follow a transformation: renamed, composed with a change of basis, copied to the parts of a split."""

from collections.abc import Mapping
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, rules
from alphaz.mapping.target import MemoryMap, SpaceTimeMap, StatementOrder, TargetMapping
from alphaz.poly import AffineFunction


def renamed(mapping: TargetMapping, names: Mapping[str, str]) -> TargetMapping:
    """Every entry about a variable goes over to its new name; a memory space of that name does too."""

    def new(name: str) -> str:
        return names.get(name, name)

    return TargetMapping(
        tuple(replace(m, variable=new(m.variable)) for m in mapping.space_time),
        tuple(replace(k, variable=k.variable and new(k.variable)) for k in mapping.kinds),
        tuple(replace(o, before=new(o.before), after=new(o.after)) for o in mapping.ordering),
        tuple(replace(m, variable=new(m.variable), space=new(m.space)) for m in mapping.memory),
        mapping.tiling,
        tuple(replace(a, label=new(a.label)) for a in mapping.argument_dates),
        tuple(replace(a, label=new(a.label), space=new(a.space)) for a in mapping.argument_spaces),
        mapping.registers,
        tuple(replace(p, statement=new(p.statement), variable=new(p.variable)) for p in mapping.packing),
    )


def composed(
    mapping: TargetMapping, variable: str, function: AffineFunction, inverse: AffineFunction, body: bool
) -> TargetMapping:
    """The variable's maps after a change of basis; `inverse` leads from its new indices to its old ones.

    Dates and cells of its points stay what they were; a date that is the change of basis itself is the indices then.
    `body` says that its date is that of the body of its reduction, whose indices have not changed: then only the date
    of the initialisation is composed.
    """
    return replace(
        mapping,
        space_time=tuple(
            _date(m, function, inverse, body) if m.variable == variable else m for m in mapping.space_time
        ),
        memory=tuple(_cell(m, inverse) if m.variable == variable else m for m in mapping.memory),
    )


def _date(entry: SpaceTimeMap, function: AffineFunction, inverse: AffineFunction, body: bool) -> SpaceTimeMap:
    if not body and _is_same(entry.function, function):
        return replace(entry, function=AffineFunction.identity(inverse.domain))
    init = entry.init and inverse.then(entry.init)
    return replace(entry, function=entry.function if body else inverse.then(entry.function), init=init)


def _cell(entry: MemoryMap, inverse: AffineFunction) -> MemoryMap:
    return replace(entry, function=inverse if entry.function is None else inverse.then(entry.function))


def through(
    mapping: TargetMapping, variable: str, function: AffineFunction, names: tuple[str, ...]
) -> tuple[TargetMapping, tuple[Diagnostic, ...]]:
    """The variable's maps after a change of basis whose inverse divides; `names` are the new indices.

    A map that is the change of basis itself becomes the identity; the others are dropped, with a warning.
    """
    identity = AffineFunction.identity(function.domain.with_names(names))
    dropped: list[Diagnostic] = []

    def keep(entry: SpaceTimeMap | MemoryMap, what: str, fits: bool) -> bool:
        if entry.variable == variable and not fits:
            message = f"the {what} of {variable} is dropped: it would have to divide the new indices of `{variable}`"
            dropped.append(Diagnostic(rules.IGNORED, message, Label(entry.span)))
        return entry.variable != variable or fits

    dates = tuple(
        replace(m, function=identity) if m.variable == variable else m
        for m in mapping.space_time
        if keep(m, "space-time map", m.init is None and _is_same(m.function, function))
    )
    cells = tuple(
        replace(m, function=identity) if m.variable == variable else m
        for m in mapping.memory
        if keep(m, "memory map", _is_same(m.function, function))
    )
    return replace(mapping, space_time=dates, memory=cells), tuple(dropped)


def _is_same(one: AffineFunction | None, other: AffineFunction) -> bool:
    """Whether the functions are one, whatever they call their indices."""
    if one is None or one.domain.dimensions != other.domain.dimensions:
        return False
    return one.renamed(other.domain.names).outputs == other.outputs


def copied(mapping: TargetMapping, old: str, new: str) -> TargetMapping:
    """`new` gets what `old` has: kinds, place in the statement ordering, date, and cell (in the same memory space)."""
    dates = tuple(replace(m, variable=new) for m in mapping.space_time if m.variable == old)
    kinds = tuple(replace(k, variable=new) for k in mapping.kinds if k.variable == old)
    cells = tuple(replace(m, variable=new) for m in mapping.memory if m.variable == old)
    packed = tuple(replace(p, statement=new) for p in mapping.packing if p.statement == old)
    orders: list[StatementOrder] = []
    for order in mapping.ordering:
        if old in (order.before, order.after):
            before, after = (new if name == old else name for name in (order.before, order.after))
            orders.append(replace(order, before=before, after=after))
    return TargetMapping(
        (*mapping.space_time, *dates), (*mapping.kinds, *kinds), (*mapping.ordering, *orders),
        (*mapping.memory, *cells), mapping.tiling, mapping.argument_dates, mapping.argument_spaces,
        mapping.registers, (*mapping.packing, *packed),
    )  # fmt: skip


def with_mapping(
    mappings: Mapping[str, TargetMapping], system: str, mapping: TargetMapping | None
) -> dict[str, TargetMapping]:
    """The mappings with that of one system exchanged (None: the system has none)."""
    kept = {name: m for name, m in mappings.items() if name != system}
    return kept if mapping is None else {**kept, system: mapping}
