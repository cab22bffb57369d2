"""What is to be proved: a set of violations that must be empty, and the three answers.

An obligation names its violations (a domain whose dimensions are all the integers of a counterexample) and can turn one
point of it into words. `discharge` is the only place where a check is decided.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics import Label, Rule, Span, Witness
from alphaz.poly import Domain, Formula

Values = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Obligation:
    """`violations` must be empty for all parameters. It is built when it is asked for, inside the budget.

    `claim` says in words what emptiness means ("no read of M in SR_M precedes its writing"). `roles` says which
    dimensions belong together, and what they are: ("reader", ("i", "j", "k")). `explain` turns a violating point into
    a witness; `recheck` answers, by plain integers on the program and the mapping and without isl, whether a point is a
    violation.
    `span` is the primary place (the program's reference or the script's command), `related` the others.
    `stated` is the same set before anything is taken apart, for the engine that is asked where isl gives up. Where
    it is not known of all points whether they are violations, `certain` are some of which it is.
    """

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
    """Who has decided."""

    ISL = "isl"
    Z3 = "z3"


@dataclass(frozen=True, slots=True)
class Proved:
    """There is no violation, for any parameters."""

    by: Engine = Engine.ISL


@dataclass(frozen=True, slots=True)
class Refuted:
    """A violation: the smallest point (parameters and dimensions by name), and the same in words."""

    point: Values
    witness: Witness
    by: Engine = Engine.ISL


@dataclass(frozen=True, slots=True)
class Undecided:
    """No answer, and why. Never success."""

    reason: str


Verdict = Proved | Refuted | Undecided
