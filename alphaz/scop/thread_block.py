"""The block of threads of a launch, while its kernel is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from alphaz.c import tree as c
from alphaz.poly import Constraint
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import Date, KernelBarrier
from alphaz.scop.scope import Context, PointerView


@dataclass(slots=True, eq=False)
class ThreadBlock:
    """The context of each thread, and the iterators around the block: a shared array is one for each of their values.
    `waits`: the positions of barriers, by the date of their block, `warp_waits` those of barriers of a warp, and
    `exchanges` those of shuffles. `lane`: the number of a thread in its warp, over the iterators `lanes`; None if warps
    are not used; `limits` are the greatest values of their numbers. `shared`: the objects in shared memory, by
    their declarations, and `size`: their bytes; `stated`: the factors of the bytes that the launch states. `passages`:
    the conditions under which threads reach barriers, by their dates."""

    nest: Context
    around: tuple[str, ...]
    threads: tuple[str, ...]
    waits: dict[Date, set[int]]
    warp_waits: dict[Date, set[int]] = field(default_factory=dict)
    exchanges: dict[Date, set[int]] = field(default_factory=dict)
    lane: Polynomial | None = None
    lanes: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)
    barriers: list[KernelBarrier] = field(default_factory=list)
    shared: dict[tuple[str, c.SourcePlace | None], PointerView] = field(default_factory=dict)
    size: int = 0
    stated: tuple[Polynomial, ...] = ()
    passages: dict[Date, tuple[Constraint, ...]] = field(default_factory=dict)
