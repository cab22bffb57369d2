"""A finding as data. Renderers are functions of it; nobody prints anything else."""

from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics.source import Span


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a finding is an instance of. `summary` is one line; the document is `docs/rules/<code>.md`."""

    code: str
    name: str
    severity: Severity
    summary: str


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what is to be said of it."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """One operation or point of a witness: `role` says what it is there ("reader", "writer", "producer", "point").

    `name` is a variable; `point` its indices; `date` its date under the mapping, or None where there is none.
    """

    role: str
    name: str
    point: tuple[int, ...]
    date: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """The smallest parameters, then the smallest points, that show a finding; `sentence` says it in words."""

    parameters: tuple[tuple[str, int], ...]
    places: tuple[Place, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a phrase, where, and (where they help) a witness, the cause (`notes`) and the remedy (`help`).

    `root` is the place that is to be mended, where several findings may have one (see `grouping`).
    """

    rule: Rule
    message: str
    primary: Label
    secondary: tuple[Label, ...] = ()
    witness: Witness | None = None
    notes: tuple[str, ...] = ()
    help: str | None = None
    root: Span | None = None

    @property
    def is_error(self) -> bool:
        return self.rule.severity is Severity.ERROR


class Rejected(Exception):
    """Input that cannot be used: the findings say why. Raised by every stage, caught by the command line."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(f"{d.primary.span}: {d.rule.code} {d.message}" for d in diagnostics))
        self.diagnostics = diagnostics
