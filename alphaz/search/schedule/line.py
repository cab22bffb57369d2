"""Lines of a script, as data: the parts of a proposal. The interpreter of commands executes them."""

from collections.abc import Callable
from dataclasses import dataclass

from alphaz.mapping.design import Design


@dataclass(frozen=True, slots=True)
class Line:
    """A command about a system, `name(prog, system, arguments);`, or about the whole program if it names no system.

    `comment` is printed above it."""

    command: str
    arguments: tuple[str | int, ...] = ()
    comment: str = ""
    of_system: bool = True

    def __str__(self) -> str:
        subject = ("prog", "system") if self.of_system else ("prog",)
        written = ", ".join((*subject, *(str(a) if isinstance(a, int) else f'"{a}"' for a in self.arguments)))
        return f"{self.command}({written});"


Apply = Callable[[Design, str, Line], Design]
"""Executes a line on a system of a design. Raises Rejected, as the command does."""
