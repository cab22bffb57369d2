"""Changes that make a mapping well formed: padded dates, one kind for a dimension, an ordering prefix, own spaces."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.mapping.target_mapping import DimensionKind, KindSetting, SpaceTimeMap, TargetMapping
from alphaz.model.program import Kind, Variable
from alphaz.poly import Affine, AffineFunction
from alphaz.search.schedule.repair.case import Hint, RepairCase


def padding(case: RepairCase) -> Iterator[Hint]:
    """Yields padded dates, only if the lengths of dates are wrong."""
    functions = [f for m in case.stated_mapping.space_time for f in (m.function, m.init) if f is not None]
    without = [v for v in _variables(case) if case.stated_mapping.space_time_of(v.name) is None]
    lengths = (*(len(f.outputs) for f in functions), *(v.domain.space.dimensions for v in without))
    length = max(lengths, default=0)
    short = [m for m in case.stated_mapping.space_time if any(_missing(f, length) for f in (m.function, m.init))]
    if not short:
        return
    changed = [_padded(entry, length) for entry in short]
    mapping = case.stated_mapping
    for entry in changed:
        mapping = mapping.with_space_time(entry)
    names = ", ".join(entry.variable for entry in changed)
    yield Hint(f"the dates of {names} padded with zeros", tuple(map(case.dated, changed)), mapping)


def _missing(function: AffineFunction | None, length: int) -> int:
    return 0 if function is None else length - len(function.outputs)


def _padded(entry: SpaceTimeMap, length: int) -> SpaceTimeMap:
    init = None if entry.init is None else _longer(entry.init, length)
    return replace(entry, function=_longer(entry.function, length), init=init)


def _longer(function: AffineFunction, length: int) -> AffineFunction:
    return replace(function, outputs=(*function.outputs, *(Affine(),) * _missing(function, length)))


def _variables(case: RepairCase) -> list[Variable]:
    return [v for v in case.design.program.system(case.system).variables if v.kind is not Kind.INPUT]


def one_kind(case: RepairCase) -> Iterator[Hint]:
    """Yields one kind for all statements, for each dimension that has a kind for some of them."""
    names = ", ".join(variable.name for variable in _variables(case))
    settings = [s for s in case.stated_mapping.kinds if s.variable is not None and not s.prefix]
    for setting in settings:
        for axis in setting.dimensions:
            for kind in dict.fromkeys((setting.kind, DimensionKind.SEQUENTIAL)):
                line = case.command("setDimensionType", variables=names, dimension=axis, type_=kind.value)
                yield Hint(f"dimension {axis} {kind} for all statements", (line,), _with_kind(case, (axis,), kind))


def ordering_prefix(case: RepairCase) -> Iterator[Hint]:
    """Yields ordering dimensions for the prefix of each band."""
    for count in dict.fromkeys(len(band.prefix) for band in case.stated_mapping.tiling if band.prefix):
        dimensions = tuple(range(count))
        line = case.command("setOrderingDimensions", dimensions=", ".join(map(str, dimensions)))
        text = f"the kind ORDERING for {'dimension 0' if count == 1 else f'dimensions 0 to {count - 1}'}"
        yield Hint(text, (line,), _with_kind(case, dimensions, DimensionKind.ORDERING))


def _with_kind(case: RepairCase, dimensions: tuple[int, ...], kind: DimensionKind) -> TargetMapping:
    setting = KindSetting(None, (), dimensions, kind)
    return replace(case.stated_mapping, kinds=(*case.stated_mapping.kinds, setting))


def own_spaces(case: RepairCase) -> Iterator[Hint]:
    """Yields spaces of their own for the variables of each shared memory space: for one of them, then for all."""
    memory = case.stated_mapping.memory
    shared = [m for m in memory if m.function is not None and any(m.space == o.space for o in memory if o is not m)]
    moved = [replace(entry, space=entry.variable) for entry in shared if entry.space != entry.variable]
    for entries in (*((entry,) for entry in reversed(moved)), tuple(moved)):
        mapping = case.stated_mapping
        for entry in entries:
            mapping = mapping.with_memory(entry)
        names = ", ".join(entry.variable for entry in entries)
        yield Hint(f"{names} in a memory space of its own", tuple(case.stored(entry) for entry in entries), mapping)
