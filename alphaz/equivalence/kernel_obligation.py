"""What is asked of a C program: a set that must be empty, with who it is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from alphaz.diagnostics import Span
from alphaz.equivalence.participant import Participant
from alphaz.poly import Domain, Formula
from alphaz.scop.kernel import KernelStatement

Subjects = Mapping[str, object]
"""Whom an obligation is about, each by what he does there: statements, readers, claims, or their numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class KernelObligation:
    """`violations` must be empty. `actors` are those of whom a point tells; `about` is where it is asked.

    `stated` is the same set, as certificates have it, where `subjects` say which it is. The set is empty if the `lemma`
    is true, which is easier to decide; nothing follows if it is not.
    """

    family: str
    claim: str
    violations: "partial[Domain]"
    actors: tuple[Participant, ...]
    about: KernelStatement | None
    subjects: Subjects
    stated: "partial[Formula]"
    others: tuple[KernelStatement, ...] = ()
    span: Span | None = None
    lemma: "partial[bool] | None" = None
