"""Obligations on a C program: sets that must be empty, with their participants."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from alphaz.diagnostics import Span
from alphaz.equivalence.participant import Participant
from alphaz.poly import Domain, Formula
from alphaz.scop.kernel import KernelStatement

Subjects = Mapping[str, object]
"""The objects of an obligation, by role: statements, readers, claims, or their numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class KernelObligation:
    """`violations` must be empty. `actors` are the participants that a point describes; `about` is the place of the
    obligation.

    `stated` is the same set, in the form of certificates, where `subjects` identify it. The set is empty if the `lemma`
    is true, which is easier to decide; if it is not, nothing follows.
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
