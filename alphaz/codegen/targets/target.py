"""The interface of a target, and the target for one thread."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.codegen.c.nest import ONE_THREAD, LoopForms
from alphaz.machine import USUAL, Machine, Vectors


def _nothing(_: Sequence[c.Statement]) -> dict[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Target:
    """A target. `forms` makes C of teams and modes; `atomic` is the text before an assignment that several threads
    may execute at a time. `threads`: whether there are any. `vectors`: those of the machine. `declared` returns the
    texts after the definitions of helpers, by their names, for the statements that use them.
    """

    name: str
    threads: bool
    forms: LoopForms = ONE_THREAD
    atomic: str = ""
    vectors: Vectors = USUAL.vectors
    declared: Callable[[Sequence[c.Statement]], dict[str, str]] = _nothing

    def on(self, machine: Machine) -> "Target":
        """Returns the same target for a machine."""
        return replace(self, vectors=machine.vectors)


SEQUENTIAL_C = Target("sequential", threads=False)
