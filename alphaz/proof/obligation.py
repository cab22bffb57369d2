"""Proof obligations: a set of violations that must be empty, and the three verdicts.

An obligation names its violations (a domain whose dimensions are all the integers of a counterexample) and can describe
a point of it in words. `discharge` is the only place where an obligation is decided."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from alphaz.diagnostics import Label, Rule, Span, Witness
from alphaz.poly import Domain, Formula

Values = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Obligation:
    """`violations` must be empty for all parameters. The set is built on demand, within the budget.

    `claim` states the meaning of emptiness in words ("no read of M in SR_M precedes its writing"). `roles` groups
    dimensions by their meaning: ("reader", ("i", "j", "k")). `explain` turns a violating point into a witness;
    `recheck` decides, by integer arithmetic on the program and the mapping and without isl, whether a point is a
    violation. `span` is the primary place (the program's reference or the script's command), `related` are the others.
    `stated` is the same set before any transformation, for the engine that decides after isl has given up. If it is not
    known of all points whether they are violations, `certain` is a subset that consists of violations."""

    rule: Rule
    claim: str
    violations: Callable[[], Domain]
    roles: tuple[tuple[str, tuple[str, ...]], ...]
    explain: Callable[[Values], Witness]
    recheck: Callable[[Values], bool]
    span: Span
    related: tuple[Label, ...] = ()
    stated: Callable[[], Formula] | None = None
    certain: Callable[[], Domain] | None = None


class Engine(StrEnum):
    """The engine that decided."""

    ISL = "isl"
    Z3 = "z3"


@dataclass(frozen=True, slots=True)
class Proved:
    """There is no violation, for any parameters."""

    word: ClassVar[str] = "proved"
    by: Engine = Engine.ISL


@dataclass(frozen=True, slots=True)
class Refuted:
    """A violation: the smallest point (parameters and dimensions by name), and its description."""

    word: ClassVar[str] = "refuted"
    point: Values
    witness: Witness
    by: Engine = Engine.ISL


@dataclass(frozen=True, slots=True)
class Undecided:
    """No verdict, with the reason. Never success."""

    word: ClassVar[str] = "undecided"
    reason: str


Verdict = Proved | Refuted | Undecided
