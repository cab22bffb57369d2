"""What is asked of a C program: a set that must be empty, with who it is about."""

from dataclasses import dataclass
from functools import partial

from alphaz.c_reading.kernel import Statement
from alphaz.diagnostics import Span
from alphaz.poly import Domain
from alphaz.verify.c.actor import Actor


@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """`violations` must be empty. `actors` are those of whom a point tells; `about` is where it is asked."""

    family: str
    claim: str
    violations: "partial[Domain]"
    actors: tuple[Actor, ...]
    about: Statement | None
    others: tuple[Statement, ...] = ()
    span: Span | None = None
