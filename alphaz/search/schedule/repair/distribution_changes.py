"""Changes of a distribution over ranks, and of the cells of sent and received values, that may make a mapping legal."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.diagnostics.rules import CAUSALITY, GHOST_LOST, LATE_MESSAGE, OVERWRITE, SENT_LOST, SEVERAL_PLACES
from alphaz.mapping.distribution import Distribution
from alphaz.mapping.factors import Factor, factors_text
from alphaz.mapping.target_mapping import DimensionKind, GhostMap, KindSetting, MemoryMap, Ownership, SpaceTimeMap
from alphaz.poly import AffineFunction
from alphaz.search.schedule.repair.case import Hint, HintCommand, RepairCase


def _distribution(case: RepairCase, *rules: object) -> Distribution | None:
    """Returns the distribution, if an obligation of one of the rules is refuted."""
    is_refuted = any(rule in rules for rule, _ in case.refuted)
    return case.resolved.distribution if is_refuted else None


def combination(case: RepairCase) -> Iterator[Hint]:
    """Yields the distributed dimension as a reduction dimension, if contributions have several places."""
    distribution = _distribution(case, SEVERAL_PLACES)
    if distribution is not None:
        index = distribution.position
        setting = KindSetting(None, (), (index,), DimensionKind.REDUCTION)
        mapping = replace(case.stated_mapping, kinds=(*case.stated_mapping.kinds, setting))
        line = case.command("setReductionDimension", prefix="", dimensions=str(index))
        yield Hint(f"dimension {index} as a reduction dimension, across which ranks combine,", (line,), mapping)


def blocks(case: RepairCase) -> Iterator[Hint]:
    """Yields blocks for places that are dealt out."""
    distribution = _distribution(case, LATE_MESSAGE, SENT_LOST, GHOST_LOST)
    if distribution is not None and not distribution.is_by_blocks:
        entries = tuple(replace(entry, ownership=Ownership.BLOCK, size=0) for entry in case.stated_mapping.distribution)
        lines = tuple(
            case.command(
                "setDistributed", prefix=",".join(map(str, e.prefix)), dimension=e.dimension, ownership="block"
            )
            for e in entries
        )
        yield Hint("a distribution by blocks", lines, replace(case.stated_mapping, distribution=entries))


def places(case: RepairCase) -> Iterator[Hint]:
    """Yields places that are skewed by another dimension, once or twice, for all statements."""
    distribution = _distribution(case, LATE_MESSAGE, CAUSALITY)
    if distribution is None:
        return
    index = distribution.position
    for factor in (1, 2):
        for other in (d for d in range(case.resolved.dimensions) if d != index):
            changed = [_skewed(entry, index, other, factor) for entry in case.dates().values()]
            mapping = case.stated_mapping
            for entry in changed:
                mapping = mapping.with_space_time(entry)
            text = f"dimension {index} skewed by {factor} times dimension {other}"
            yield Hint(text, tuple(map(case.dated, changed)), mapping)


def _skewed(entry: SpaceTimeMap, position: int, other: int, factor: int) -> SpaceTimeMap:
    def skewed(function: AffineFunction) -> AffineFunction:
        outputs = list(function.outputs)
        outputs[position] = outputs[position] + outputs[other] * factor
        return replace(function, outputs=tuple(outputs))

    return replace(entry, function=skewed(entry.function), init=None if entry.init is None else skewed(entry.init))


def ghosts(case: RepairCase) -> Iterator[Hint]:
    """Yields larger mod factors of the ghost maps, then no ghost maps."""
    if _distribution(case, GHOST_LOST) is None:
        return
    for entry in case.stated_mapping.ghosts:
        for moduli in _larger(entry.moduli):
            new_entry = replace(entry, moduli=moduli)
            text = f"a ghost map with {_rows(moduli)} for {entry.variable}"
            yield Hint(text, (_ghost(case, new_entry),), case.stated_mapping.with_ghosts(new_entry))
    for entry in case.stated_mapping.ghosts:
        halo = case.stated_mapping.memory_of(entry.variable)
        space = case.resolved.system.variable(entry.variable).domain.space
        cell = halo or MemoryMap(entry.variable, entry.variable, AffineFunction.identity(space))
        function = cell.function or AffineFunction.identity(space)
        new_entry = GhostMap(
            variable=entry.variable, space=cell.space, function=function, moduli=cell.moduli, span=entry.span
        )
        text = f"received values of {entry.variable} next to its own ones (a halo)"
        yield Hint(text, (_ghost(case, new_entry),), case.stated_mapping.with_ghosts(new_entry))


def _ghost(case: RepairCase, entry: GhostMap) -> HintCommand:
    """Returns the command that gives received values these cells."""
    moduli = {"moduli": factors_text(entry.moduli)} if any(entry.moduli) else {}
    return case.command("setGhostMap", variables=entry.variable, space=entry.space, map_=str(entry.function), **moduli)


def rows(case: RepairCase) -> Iterator[Hint]:
    """Yields larger mod factors of the memory maps of a distributed mapping."""
    if _distribution(case, SENT_LOST, GHOST_LOST, OVERWRITE) is None:
        return
    for entry in case.stated_mapping.memory:
        for moduli in _larger(entry.moduli):
            new_entry = replace(entry, moduli=moduli)
            text = f"a memory map with {_rows(moduli)} for {entry.variable}"
            yield Hint(text, (case.stored(new_entry),), case.stated_mapping.with_memory(new_entry))


def _larger(moduli: tuple[Factor, ...]) -> Iterator[tuple[Factor, ...]]:
    """Yields the factors, one of them larger: by one or two, doubled, or doubled and one more."""
    for position, factor in enumerate(moduli):
        if isinstance(factor, int) and factor:
            for larger in dict.fromkeys((factor + 1, factor + 2, 2 * factor, 2 * factor + 1)):
                yield (*moduli[:position], larger, *moduli[position + 1 :])


def _rows(moduli: tuple[Factor, ...]) -> str:
    return f'mod factors "{factors_text(moduli)}"'
