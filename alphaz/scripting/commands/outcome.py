"""The outcome of a command besides its value, as data: requests to verify, generate or save, which its caller
performs.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from alphaz.diagnostics import Diagnostic, Span
from alphaz.mapping.design import Design


class Detail(StrEnum):
    """The detail of a verification report: only the verdict, with the findings, or with every obligation."""

    NONE = "NONE"
    MIN = "MIN"
    MAX = "MAX"


@dataclass(frozen=True, slots=True, eq=False)
class VerificationRequest:
    """Requests verification of the mapping of this system in the current design."""

    design: Design
    system: str
    span: Span
    detail: Detail = Detail.MIN


class Generator(StrEnum):
    """The code generators. Scheduled code needs a proved mapping, the others none."""

    SCHEDULED = "scheduled code"
    DEMAND_DRIVEN = "demand-driven code"
    VERIFICATION = "demand-driven code to compare with"
    WRAPPER = "a main program"
    MAKEFILE = "a Makefile"


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """Requests generation of code to a folder; `verification`: for comparison with demand-driven code;
    `is_self_contained`: without `alphaz.h`."""

    design: Design
    system: str
    span: Span
    generator: Generator
    folder: str = ""
    verification: bool = False
    is_self_contained: bool = False

    @property
    def needs_proof(self) -> bool:
        return self.generator is Generator.SCHEDULED


@dataclass(frozen=True, slots=True, eq=False)
class Saving:
    """Requests writing a file with this text; later commands of the script can read it.

    `original` is a file that must not be overwritten: the source of the program."""

    span: Span
    name: str
    text: str
    original: str | None = None


Request = VerificationRequest | Generation | Saving


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The result of a command. `value` is the value of the call in the script; a Design also replaces the program that
    was given first."""

    value: object = None
    printed: str = ""
    findings: tuple[Diagnostic, ...] = ()
    requests: tuple[Request, ...] = ()


def transformed(design: Design, printed: str = "") -> Outcome:
    """Returns the outcome with warnings about dropped parts of the mapping, each once."""
    return Outcome(replace(design, dropped=()), printed=printed, findings=design.dropped)
