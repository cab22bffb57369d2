"""A parallel dimension made sequential, or a reduction dimension."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.diagnostics.rules import ACCUMULATION
from alphaz.mapping.target import DimensionKind, KindSetting
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint

_WORDS = {DimensionKind.SEQUENTIAL: "sequential", DimensionKind.REDUCTION: "as a reduction dimension"}


def kinds(case: Case) -> Iterator[Hint]:
    """For each unordered dimension of a statement of a witness, innermost first (that costs the least parallelism)."""
    found = {at for s in case.involved() for at, kind in enumerate(s.kinds) if kind.is_unordered}
    if case.has(ACCUMULATION):
        yield from (_changed(case, at, DimensionKind.REDUCTION) for at in sorted(found, reverse=True))
    yield from (_changed(case, at, DimensionKind.SEQUENTIAL) for at in sorted(found, reverse=True))


def _changed(case: Case, at: int, kind: DimensionKind) -> Hint:
    whose = dict.fromkeys(s.variable for s in case.resolved.statements if s.kinds[at].is_unordered)
    added = tuple(KindSetting(name, (), (at,), kind) for name in whose)
    mapping = replace(case.stated, kinds=(*case.stated.kinds, *added))
    line = case.command("setDimensionType", variables=", ".join(whose), dimension=at, type_=kind.value)
    return Hint(f"dimension {at} {_WORDS[kind]}", (line,), mapping)
