"""Loops over points as plain data: the scanned domains, and the tree that visits them."""

from dataclasses import dataclass
from typing import TypeAlias

from alphaz.poly.domain import Domain
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import Integer


@dataclass(frozen=True, slots=True)
class Loop:
    """`for (iterator = first; iterator comparison bound; iterator += step) body`, for one dimension of the dates."""

    iterator: str
    dimension: int
    first: Integer
    comparison: str
    bound: Integer
    step: Integer
    body: "Scanned"


@dataclass(frozen=True, slots=True)
class Fixed:
    """A loop with one iteration: the iterator has this value in the body."""

    iterator: str
    dimension: int
    value: Integer
    body: "Scanned"


@dataclass(frozen=True, slots=True)
class Guard:
    condition: Integer
    then: "Scanned"
    otherwise: "Scanned | None"


@dataclass(frozen=True, slots=True)
class ScanRow:
    """A sequence."""

    children: "tuple[Scanned, ...]"


@dataclass(frozen=True, slots=True)
class Visit:
    """Domain number `at`, at the point `arguments`."""

    at: int
    arguments: tuple[Integer, ...]


Scanned: TypeAlias = Loop | Fixed | Guard | ScanRow | Visit


@dataclass(frozen=True, slots=True)
class Dated:
    """The points of `domain`, each at its date (over the names of the domain's space)."""

    at: int
    domain: Domain
    date: tuple[Affine, ...]
