"""What is asked about: a kernel, the values of the equations, and what is claimed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from alphaz.c_reading.kernel import Kernel, Statement
from alphaz.model.program import System
from alphaz.verify.c.claims import Claims
from alphaz.verify.c.equations import Value
from alphaz.verify.c.origins import Origins
from alphaz.verify.c.parts import Part
from alphaz.verify.c.trace import Binding

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Inquiry:
    """What the questions are about."""

    kernel: Kernel
    system: System
    values: Mapping[str, Value]
    origins: Origins
    binding: Binding
    claims: Claims
    parts: tuple[Part, ...] = ()
    writers: dict[str, list[Statement]] = field(default_factory=dict)
    # What was found out of some objects, with them: it stays true when claims are left out.
    known: dict[tuple[object, ...], tuple[tuple[object, ...], object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.kernel.statements:
            self.writers.setdefault(each.target.array.name, []).append(each)

    def once(self, title: object, objects: Sequence[object], ask: Callable[[], T]) -> T:
        """The answer to a question about these objects, which are told apart by what they are and not how they look."""
        key = title, *map(id, objects)
        if key not in self.known:
            self.known[key] = tuple(objects), ask()
        return cast("T", self.known[key][1])

    def answer(self, title: object, objects: Sequence[object]) -> object:
        """What is known already; None where nobody has asked."""
        return self.known.get((title, *map(id, objects)), ((), None))[1]
