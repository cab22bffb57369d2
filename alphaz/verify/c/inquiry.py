"""What is asked about: a kernel, the values of the equations, and what is claimed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from alphaz.c_reading.kernel import Kernel, Statement
from alphaz.model.program import System
from alphaz.verify.c.claims import Claims
from alphaz.verify.c.equations import Value
from alphaz.verify.c.origins import Origins
from alphaz.verify.c.parts import Part
from alphaz.verify.c.trace import Binding


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

    def __post_init__(self) -> None:
        for each in self.kernel.statements:
            self.writers.setdefault(each.target.array.name, []).append(each)
