"""A design: a checked program, the target mappings of its systems, and the history of commands."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import did_you_mean
from alphaz.diagnostics.rules import UNKNOWN_TARGET
from alphaz.mapping.target_mapping import TargetMapping
from alphaz.model.program import Program, System


class History(tuple[str, ...]):
    """The commands that made a design, one line each; prints as a script that makes it again."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Design:
    """A checked program with `mappings` by system name (a system without an entry has none).

    `dropped`: warnings about mapping entries that a rewriting removed, until they are reported.
    """

    checked: Checked
    mappings: Mapping[str, TargetMapping] = field(default_factory=dict)
    history: History = field(default_factory=History)
    dropped: tuple[Diagnostic, ...] = ()

    @property
    def program(self) -> Program:
        return self.checked.program

    def system(self, name: str) -> System:
        """Returns the system of this name. Raises KeyError if there is none."""
        return self.program.system(name)

    def known_system(self, name: str) -> System:
        """Returns the system of this name. Raises Rejected (AZ403) if there is none."""
        names = [system.name for system in self.program.systems]
        if name in names:
            return self.system(name)
        message, remedy = f"there is no system `{name}`", did_you_mean(name, names)
        raise Rejected(Diagnostic(UNKNOWN_TARGET, message, Label(NOWHERE), help=remedy))

    def mapping(self, system: str) -> TargetMapping:
        return self.mappings.get(system, TargetMapping())

    def with_mapping(self, system: str, mapping: TargetMapping) -> "Design":
        return replace(self, mappings={**self.mappings, system: mapping})

    def with_history(self, command: str) -> "Design":
        return replace(self, history=History((*self.history, command)))

    def __repr__(self) -> str:
        mapped = set(self.mapped_systems)
        systems = ", ".join(f"{s.name}{' (mapped)' if s.name in mapped else ''}" for s in self.program.systems)
        return f"Design({systems})"

    @property
    def mapped_systems(self) -> tuple[str, ...]:
        """Returns the names of the systems that have a mapping, in the order of the program."""
        return tuple(s.name for s in self.program.systems if not self.mapping(s.name).is_empty)
