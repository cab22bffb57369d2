"""What names mean at a place of the C program, and the loops and conditions around it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from alphaz.model.types import ScalarType
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.conditions import Condition
from alphaz.scop.index_values import Value
from alphaz.scop.kernel import Annotation, Beside, Date, KernelArray, KernelLoop, Lock
from alphaz.scop.value_tree import Tree


@dataclass(frozen=True, slots=True)
class NamedInteger:
    """An integer that never changes where it is known: a parameter, an iterator, a local constant."""

    value: Value
    type: ScalarType


@dataclass(frozen=True, slots=True)
class PointerView:
    """A pointer into an array, or the array.

    `extents` is the shape behind the pointer, the first of which nobody knows. It points to the element whose first
    subscripts are `lead`; where the shape is another than that of the array, `offset` counts flat elements instead.
    `is_pointer`: a variable is meant that points there, which is another object than what it points to.
    """

    array: KernelArray
    extents: tuple[Polynomial | None, ...]
    lead: tuple[Polynomial, ...] = ()
    offset: Polynomial | None = None
    is_pointer: bool = False

    @property
    def is_start(self) -> bool:
        """Whether it points to the first element of its array."""
        return not self.lead and (self.offset is None or not self.offset.terms)


@dataclass(frozen=True, slots=True)
class InlinedValue:
    """A value passed to a function that is put in its place."""

    tree: Tree
    type: ScalarType


@dataclass(frozen=True, slots=True)
class ReturnStatus:
    """A variable that says whether allocation has failed: it never has (which is assumed)."""


@dataclass(frozen=True, slots=True)
class Undefined:
    """An integer that has no value yet, or none that is known; or the iterator of a loop that is over, `ended`, with
    what stood around it. `is_shared`: it is one variable for threads, or lanes, that are here."""

    type: ScalarType
    ended: "tuple[Any, Context] | None" = None
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class PartialSum:
    """A number of which each thread of a region has a part, until all are combined at its end: only loops that are
    shared out may work on it."""

    whole: PointerView
    operator: str


@dataclass(frozen=True, slots=True)
class ArrayTable:
    """A table of pointers to arrays: `there` says of each entry whether it points to one (`c_reading.tables`)."""

    there: PointerView


Meaning = NamedInteger | PointerView | InlinedValue | ReturnStatus | Undefined | PartialSum | ArrayTable


@dataclass(frozen=True, slots=True)
class Context:
    """What stands around a statement, from the outside in. `date` is the date so far.

    `region`: inside `omp parallel`; `working`: inside what one thread does there. `reductions` are the accumulators of
    the loops around, by array, with operator and loops (those that are collapsed into one). `depth`: of calls that have
    been put here; `region_depth`: where the parallel region began. `lane`: the one of a vector statement, and how many
    there are. `called`: what is said of the calls that have led here, from the outside in; None where nobody says it of
    one into another file. `held`: the tables to whose arrays somebody points here.
    """

    iterators: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    date: Date = ()
    names: Mapping[str, Meaning] = field(default_factory=dict)
    region: bool = False
    working: bool = False
    mutex: Lock | None = None
    reductions: tuple[tuple[KernelArray, str, tuple[KernelLoop, ...]], ...] = ()
    depth: int = 0
    region_depth: int = 0
    lane: tuple[Polynomial, int] | None = None
    called: tuple[Annotation, ...] | None = ()
    held: frozenset[str] = frozenset()

    def knowing(self, names: Mapping[str, Meaning]) -> "Context":
        return replace(self, names={**self.names, **names})

    def sharing(self) -> "Context":
        """Where threads or lanes begin: what is declared further out is one variable for all of them."""
        known = {name: each for name, each in self.names.items() if isinstance(each, Undefined)}
        return self.knowing({name: Undefined(each.type, is_shared=True) for name, each in known.items()})

    def at(self, *position: int | Beside) -> "Context":
        return replace(self, date=(*self.date, *position))

    def where(self, condition: Condition) -> "Context":
        return replace(self, conditions=(*self.conditions, condition))
