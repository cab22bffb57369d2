"""A change of a mapping: its description, its commands, and the resulting mapping."""

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
    """A change of a mapping. `text` completes "... would be legal". `lines` are commands, to follow those of the
    mapping.

    `options` are the options of the verifier under which it is legal."""

    text: str
    lines: tuple[HintCommand, ...]
    mapping: TargetMapping
    options: Options = field(default_factory=Options)

    @property
    def commands(self) -> tuple[str, ...]:
        """The lines of the script."""
        return tuple(line.script for line in self.lines)

    def __str__(self) -> str:
        """Returns the text shown for a verified hint."""
        return "\n".join((f"{self.text} would be legal (tried){':' if self.commands else ''}", *self._indented()))

    def _indented(self) -> tuple[str, ...]:
        return tuple(f"  {line}" for line in self.commands)
