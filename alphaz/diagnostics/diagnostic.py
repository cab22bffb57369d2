"""A finding as data. Renderers are functions of it, and the only code that prints findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics.source import NOWHERE, Span


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


UNDER_ASSUMPTION = "proved under the assumption"
"""The beginning of the word of a verdict that has named assumptions."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule that a finding violates. `summary` is one line; the document is `docs/rules/<code>.md`."""

    code: str
    name: str
    severity: Severity
    summary: str


@dataclass(frozen=True, slots=True)
class Label:
    """A place with a text."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class WitnessPoint:
    """One operation or point of a witness: `role` is its role ("reader", "writer", "producer", "point").

    `name` is a variable; `point` its indices; `date` its date under the mapping, or None where there is none. `cell`
    is the cell of its write (for END: of its read), a memory space and an index; `tile` are the numbers of its tiles,
    where their sizes are known.
    """

    role: str
    name: str
    point: tuple[int, ...]
    date: tuple[int, ...] | None = None
    cell: tuple[str, tuple[int, ...]] | None = None
    tile: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """The smallest parameters, then the smallest points, that show a finding; `sentence` describes them.

    `reason` explains why the order of its operations is wrong ("unordered: dimension 0 is parallel"); may be empty.
    """

    parameters: tuple[tuple[str, int], ...]
    places: tuple[WitnessPoint, ...]
    sentence: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the text at a place; an insertion where the place is empty."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change with which the mapping is proved. `text` completes "... would be legal". A fix that is not verified is
    one of several meanings, and `text` names it.

    `edits` make it in the script; `script` and `python` are the commands that it adds, a line each.
    """

    text: str
    edits: tuple[Edit, ...]
    script: str
    python: str
    is_tried: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Diagnostic:
    """One finding: a phrase, its place, and (where they help) a witness, the cause (`notes`) and the remedy (`help`).

    `root` is the place to correct, where several findings may have one (see `finding_groups`). `fixes` are verified
    remedies, where these were searched for.
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
        """Returns `<AZ502 mcm.cs:3:43: y may read y before it is written>`; a place only in a text of the user."""
        return f"<{self.rule.code}{self._place(' ')}: {self.message}>"

    def __str__(self) -> str:
        """Returns `mcm.cs:3:43: AZ502 y may read y before it is written`."""
        return f"{self._place()}{': ' if self._place() else ''}{self.rule.code} {self.message}"

    def _place(self, before: str = "") -> str:
        span = self.primary.span
        return "" if span.source is NOWHERE.source else f"{before}{span}"

    @property
    def is_error(self) -> bool:
        return self.rule.severity is Severity.ERROR


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One item of a report, with its findings: a script, a mapping, a program, or a C function.

    `case` is its name in test reports; `system` is the verified system, empty for a file as a whole. `word` is its
    verdict, `line` the verdict in words, `obligations` are rule, claim and verdict; `notes` are remarks that are no
    findings. `value` is the item in the JSON document, if it is there. `trace` is its trace at small parameters (of
    `figures`), or the reason why there is none.
    """

    file: str
    case: str
    findings: Sequence[Diagnostic]
    seconds: float = 0.0
    system: str = ""
    word: str = ""
    line: str = ""
    obligations: Sequence[tuple[str, str, str]] = ()
    notes: Sequence[str] = ()
    value: Mapping[str, object] | None = None
    trace: object = ""

    @property
    def is_proved(self) -> bool:
        return self.word == "proved"

    @property
    def is_assumed(self) -> bool:
        """Returns True if it is proved under named assumptions only."""
        return self.word.startswith(UNDER_ASSUMPTION)


class Rejected(Exception):
    """Input that cannot be used: the findings give the reasons. Raised by every stage, caught by the command line."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(f"{d}: {d.help}" if d.help else str(d) for d in diagnostics))
        self.diagnostics = diagnostics
