"""The context of a proof: a kernel, the values of the equations, and the claims."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from alphaz.equivalence.claims import Claims
from alphaz.equivalence.copy_propagation import CopyOrigins
from alphaz.equivalence.partial_reductions import PartialReduction
from alphaz.equivalence.symbolic_run import Binding
from alphaz.equivalence.value_graph import EquationValue
from alphaz.model.program import System
from alphaz.scop.c_model import CKernel, KernelStatement

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class ProofContext:
    """The objects that obligations are about. `text`: the kernel whose accesses and barriers are checked, if it is
    another one than that of the values (`block_trees`)."""

    kernel: CKernel
    system: System
    values: Mapping[str, EquationValue]
    origins: CopyOrigins
    binding: Binding
    claims: Claims
    parts: tuple[PartialReduction, ...] = ()
    text: CKernel | None = None
    writers: dict[str, list[KernelStatement]] = field(default_factory=dict)
    # Facts by the objects that they are about: they remain true when claims are removed.
    facts: dict[tuple[object, ...], tuple[tuple[object, ...], object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for statement in self.kernel.statements:
            self.writers.setdefault(statement.target.array.name, []).append(statement)

    def once(self, title: object, objects: Sequence[object], ask: Callable[[], T]) -> T:
        """Returns the answer about these objects, computed once. Objects are distinguished by identity, not by
        equality."""
        key = title, *map(id, objects)
        if key not in self.facts:
            self.facts[key] = tuple(objects), ask()
        return cast("T", self.facts[key][1])

    def answer(self, title: object, objects: Sequence[object]) -> object:
        """Returns the stored answer; None if there is none."""
        return self.facts.get((title, *map(id, objects)), ((), None))[1]
