"""The interface of a target, and the target for one thread."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from alphaz.c.tree import AddressSpace
from alphaz.codegen.c.nest import ONE_THREAD, LoopForms
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.loop_program import LoopProgram, c_files
from alphaz.codegen.targets.rank_program import RankProgram
from alphaz.codegen.toolchain import CUDA, Harness, Toolchain
from alphaz.loops.modes import Blocks, Mode, Parallel, Register, Sequential, Vector
from alphaz.loops.passes.launches import KeptCell, LaunchRole, Shared
from alphaz.loops.passes.scan import Pass
from alphaz.loops.passes.teams import Collected
from alphaz.loops.tree import For, Instance, Merge, Node
from alphaz.machine import USUAL, Machine, Vectors


class TargetNest(Protocol):
    """Facts about the loops of a mapping, for the passes of a target."""

    @property
    def statement_of(self) -> Mapping[str, str]:
        """Returns the names of the statements of calls."""

    def is_parallel(self, loop: For) -> bool:
        """Returns True if the script makes the loop parallel for all statements inside."""

    def chunk(self, loop: For) -> int:
        """Returns the largest chunk that the script sets for a statement inside."""

    def operations(self, name: str) -> int | None:
        """Returns the number of operations of an instance, an estimate; None where it is unknown."""

    def collects(self, node: Merge) -> Collected:
        """Returns how a parallel loop combines its accumulations."""

    def collected(self, node: Merge) -> frozenset[str] | None:
        """Returns the instances whose contributions a merge collects; None if one of its results has an array."""

    def are_sums(self, node: Merge) -> bool:
        """Returns True if a GPU can add the contributions that a merge collects atomically."""

    def conflict(self, one: For, other: For) -> bool:
        """Returns True if one of two loops may write an array that the other one accesses."""

    def role(self, loop: For) -> LaunchRole | None:
        """Returns the role of a loop in a launch; None where the script has none for the statements inside."""

    def meet(self, one: Shared, other: Shared, around: Sequence[str]) -> bool:
        """Returns True if instances of two groups may access a cell, and one of them writes it, in different threads of
        a block, in one iteration of the loops `around`.
        """

    def fills_own(self, names: Collection[str], threads: Sequence[tuple[str, int]]) -> bool:
        """Returns True if each thread of a block reads only those elements of the buffers that it has filled. For each
        axis of the threads, there is their number.
        """

    def kept(self, instances: Sequence[Instance], outside: Collection[str], points: Collection[str]) -> KeptCell | None:
        """Returns the cell that all instances access in an iteration of the loops `points`, if one of them writes it
        first. The statements `outside` have further instances.
        """

    def new_name(self, stem: str) -> str:
        """Returns a new name of a loop."""


def _no_passes(_: TargetNest) -> tuple[Pass[Node], ...]:
    return ()


_CC, _DIRECTLY = Toolchain(), Harness()


@dataclass(frozen=True, slots=True)
class Target:
    """A target: its `passes` rewrite the loops after the shared passes up to the scan; `forms` makes C of what they
    have left of teams and modes; `lower` makes files of the C of a system, which the `toolchain` compiles and the
    `harness` executes. Loops with other `modes`, and scratch memory in other `spaces`, are refused. `vectors`: those of
    the machine. `distribute` makes files of a distributed system, which targets without it refuse. `without`: optional
    passes that it does not use; `copies` rewrites the loops before and after those of the mapping, which copy values.
    """

    name: str
    passes: Callable[[TargetNest], tuple[Pass[Node], ...]] = _no_passes
    forms: LoopForms = ONE_THREAD
    lower: Callable[[LoopProgram], Sources] = c_files
    modes: frozenset[type[Mode]] = frozenset({Sequential, Vector, Register})
    spaces: frozenset[AddressSpace] = frozenset({AddressSpace.HOST})
    toolchain: Toolchain = _CC
    harness: Harness = _DIRECTLY
    vectors: Vectors = USUAL.vectors
    distribute: Callable[[RankProgram], Sources] | None = None
    without: frozenset[str] = frozenset()
    copies: Pass[Node] | None = None

    @property
    def has_ranks(self) -> bool:
        return self.distribute is not None

    @property
    def has_threads(self) -> bool:
        return Parallel in self.modes or Blocks in self.modes

    def of_architecture(self, architecture: str) -> "Target":
        """Returns the same target for an architecture of its machines; empty for none."""
        if not architecture or self.toolchain.language != CUDA:
            return self
        return replace(
            self, toolchain=replace(self.toolchain, meaning=(*self.toolchain.meaning, f"-arch={architecture}"))
        )

    def on(self, machine: Machine) -> "Target":
        """Returns the same target for a machine."""
        return replace(self, vectors=machine.vectors)


SEQUENTIAL_C = Target("sequential")
