"""A change of a mapping in words, as the commands that make it, and as the mapping that they make."""

from dataclasses import dataclass, field

from alphaz.mapping.target import TargetMapping
from alphaz.verify.options import Options


@dataclass(frozen=True, slots=True)
class Hint:
    """`text` completes "... would be legal". `commands` are lines of the script, to stand behind those of the mapping.

    `options` are those under which it is legal.
    """

    text: str
    commands: tuple[str, ...]
    mapping: TargetMapping
    options: Options = field(default_factory=Options)

    def __str__(self) -> str:
        """As it is shown once it has been tried."""
        return "\n".join((f"{self.text} would be legal (tried){':' if self.commands else ''}", *self._lines()))

    def _lines(self) -> tuple[str, ...]:
        return tuple(f"  {line}" for line in self.commands)
