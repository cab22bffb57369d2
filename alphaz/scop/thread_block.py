"""The block of threads of a launch, while its kernel is read."""

from dataclasses import dataclass, field

from alphaz.scop.kernel import Date, KernelBarrier
from alphaz.scop.scope import Context


@dataclass(slots=True, eq=False)
class ThreadBlock:
    """The context of each thread, and the iterators around the block: a shared array is one for each of their values.
    `waits`: the positions of barriers, by the date of their block; `size`: bytes of shared memory."""

    nest: Context
    around: tuple[str, ...]
    threads: tuple[str, ...]
    waits: dict[Date, set[int]]
    barriers: list[KernelBarrier] = field(default_factory=list)
    size: int = 0
