"""What is asked about: a kernel, the values of the equations, and what is claimed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from alphaz.equivalence.claims import Claims
from alphaz.equivalence.copy_propagation import CopyOrigins
from alphaz.equivalence.partial_reductions import PartialReduction
from alphaz.equivalence.symbolic_run import Binding
from alphaz.equivalence.value_graph import EquationValue
from alphaz.model.program import System
from alphaz.scop.kernel import CKernel, KernelStatement

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class ProofContext:
    """What the questions are about."""

    kernel: CKernel
    system: System
    values: Mapping[str, EquationValue]
    origins: CopyOrigins
    binding: Binding
    claims: Claims
    parts: tuple[PartialReduction, ...] = ()
    writers: dict[str, list[KernelStatement]] = field(default_factory=dict)
    # What was found out of some objects, with them: it stays true when claims are left out.
    known: dict[tuple[object, ...], tuple[tuple[object, ...], object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for statement in self.kernel.statements:
            self.writers.setdefault(statement.target.array.name, []).append(statement)

    def once(self, title: object, objects: Sequence[object], ask: Callable[[], T]) -> T:
        """The answer to a question about these objects, which are told apart by what they are and not how they look."""
        key = title, *map(id, objects)
        if key not in self.known:
            self.known[key] = tuple(objects), ask()
        return cast("T", self.known[key][1])

    def answer(self, title: object, objects: Sequence[object]) -> object:
        """What is known already; None where nobody has asked."""
        return self.known.get((title, *map(id, objects)), ((), None))[1]
