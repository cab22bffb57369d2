"""A finding as data. Renderers are functions of it; nobody prints anything else."""

from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics.source import NOWHERE, Span


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

    `name` is a variable; `point` its indices; `date` its date under the mapping, or None where there is none. `cell` is
    where it is written (of the end: read), a memory space and an index; `tile` are the numbers of its tiles, where
    their sizes are known.
    """

    role: str
    name: str
    point: tuple[int, ...]
    date: tuple[int, ...] | None = None
    cell: tuple[str, tuple[int, ...]] | None = None
    tile: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """The smallest parameters, then the smallest points, that show a finding; `sentence` says it in words.

    `reason` is why the order of its operations is wrong ("unordered: dimension 0 is parallel"); empty where none is.
    """

    parameters: tuple[tuple[str, int], ...]
    places: tuple[Place, ...]
    sentence: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A text instead of what stands at a place; where the place is empty, put in there."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that has been tried: with it the mapping is proved. `text` completes "... would be legal". Where it is
    not tried, it is one of several meanings, and `text` says which.

    `edits` make it in the script; `script` and `python` are the commands that it adds, a line each.
    """

    text: str
    edits: tuple[Edit, ...]
    script: str
    python: str
    is_tried: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Diagnostic:
    """One finding: a phrase, where, and (where they help) a witness, the cause (`notes`) and the remedy (`help`).

    `root` is the place that is to be mended, where several findings may have one (see `grouping`). `fixes` are remedies
    that have been tried, where they were searched for.
    """

    rule: Rule
    message: str
    primary: Label
    secondary: tuple[Label, ...] = ()
    witness: Witness | None = None
    notes: tuple[str, ...] = ()
    help: str | None = None
    root: Span | None = None
    fixes: tuple[Fix, ...] = ()

    def __repr__(self) -> str:
        """`<AZ502 mcm.cs:3:43: y may read y before it is written>`; a place only in a text of the user."""
        return f"<{self.rule.code}{self._place(' ')}: {self.message}>"

    def __str__(self) -> str:
        """`mcm.cs:3:43: AZ502 y may read y before it is written`."""
        return f"{self._place()}{': ' if self._place() else ''}{self.rule.code} {self.message}"

    def _place(self, before: str = "") -> str:
        span = self.primary.span
        return "" if span.source is NOWHERE.source else f"{before}{span}"

    @property
    def is_error(self) -> bool:
        return self.rule.severity is Severity.ERROR


class Rejected(Exception):
    """Input that cannot be used: the findings say why. Raised by every stage, caught by the command line."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(map(str, diagnostics)))
        self.diagnostics = diagnostics
