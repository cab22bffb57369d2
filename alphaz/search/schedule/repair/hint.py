"""A change of a mapping in words, as the commands that make it, and as the mapping that they make."""

from dataclasses import dataclass, field

from alphaz.legality.options import Options
from alphaz.mapping.target import TargetMapping


@dataclass(frozen=True, slots=True)
class HintCommand:
    """A command of a script, and the same as Python."""

    script: str
    python: str


@dataclass(frozen=True, slots=True)
class Hint:
    """`text` completes "... would be legal". `lines` are commands, to stand behind those of the mapping.

    `options` are those under which it is legal.
    """

    text: str
    lines: tuple[HintCommand, ...]
    mapping: TargetMapping
    options: Options = field(default_factory=Options)

    @property
    def commands(self) -> tuple[str, ...]:
        """The lines of the script."""
        return tuple(line.script for line in self.lines)

    def __str__(self) -> str:
        """As it is shown once it has been tried."""
        return "\n".join((f"{self.text} would be legal (tried){':' if self.commands else ''}", *self._indented()))

    def _indented(self) -> tuple[str, ...]:
        return tuple(f"  {line}" for line in self.commands)
