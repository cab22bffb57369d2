"""What a command does besides giving a value: as data, so that whoever runs the script decides what becomes of it."""

from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics import Diagnostic, Span
from alphaz.mapping.design import Design


class Detail(StrEnum):
    """How much a verification says: only the verdict, with the findings, or with every obligation."""

    NONE = "NONE"
    MIN = "MIN"
    MAX = "MAX"


@dataclass(frozen=True, slots=True, eq=False)
class VerificationRequest:
    """Is the mapping of this system legal, as the design stands here?"""

    design: Design
    system: str
    span: Span
    detail: Detail = Detail.MIN


class Generator(StrEnum):
    """What can be generated for a system. Scheduled code needs a proved mapping, the others none."""

    SCHEDULED = "scheduled code"
    DEMAND_DRIVEN = "demand-driven code"
    VERIFICATION = "demand-driven code to compare with"
    WRAPPER = "a main program"
    MAKEFILE = "a Makefile"


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """Code is to be generated into a folder; `verification`: so that it can be compared with demand-driven code."""

    design: Design
    system: str
    span: Span
    generator: Generator
    folder: str = ""
    verification: bool = False

    @property
    def needs_proof(self) -> bool:
        return self.generator is Generator.SCHEDULED


@dataclass(frozen=True, slots=True, eq=False)
class Saving:
    """One file whose text is there already; later commands of the script can read it.

    `original` is the name of a file that must not be overwritten: the one that the program came from.
    """

    span: Span
    name: str
    text: str
    original: str | None = None


Request = VerificationRequest | Generation | Saving


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """`value` is what the call stands for in the script; a Design also replaces the program that was given first."""

    value: object = None
    printed: str = ""
    findings: tuple[Diagnostic, ...] = ()
    requests: tuple[Request, ...] = ()
