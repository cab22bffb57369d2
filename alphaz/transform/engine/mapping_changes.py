"""Adapts target mappings to a transformation of their program: renaming, change of basis, split."""

from collections.abc import Mapping
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, rules
from alphaz.mapping.target_mapping import MemoryMap, SpaceTimeMap, TargetMapping
from alphaz.poly import AffineFunction


def rename_in_mapping(mapping: TargetMapping, names: Mapping[str, str]) -> TargetMapping:
    """Returns the mapping with every entry of a variable, and its memory space of that name, renamed."""

    return mapping.rebuilt(lambda entry: (entry.renamed(lambda name: names.get(name, name)),))


def compose_maps(
    mapping: TargetMapping, variable: str, function: AffineFunction, inverse: AffineFunction, body: bool
) -> TargetMapping:
    """Returns the variable's maps after a change of basis; `inverse` maps its new indices to its old ones.

    Dates and cells of its points do not change; a date that is the change of basis itself becomes the identity. `body`:
    its date is that of the body of its reduction, whose indices have not changed: then only the date of the
    initialisation is composed."""
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
    """Returns the variable's maps after a change of basis whose inverse divides; `names` are the new indices.

    A map that is the change of basis itself becomes the identity; the others are dropped, with a warning."""
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
    """Returns True if the functions are equal up to the names of their indices."""
    if one is None or one.domain.dimensions != other.domain.dimensions:
        return False
    return one.renamed(other.domain.names).outputs == other.outputs


def copy_in_mapping(mapping: TargetMapping, old: str, new: str) -> TargetMapping:
    """Returns the mapping with the entries of `old` copied to `new`: kinds, place in the statement ordering, date, and
    cell (in the same memory space)."""
    return mapping.rebuilt(lambda entry: (entry, *entry.copied(old, new)))


def with_mapping(
    mappings: Mapping[str, TargetMapping], system: str, mapping: TargetMapping | None
) -> dict[str, TargetMapping]:
    """Returns the mappings with that of one system replaced (None: the system has none)."""
    others = {name: m for name, m in mappings.items() if name != system}
    return others if mapping is None else {**others, system: mapping}
