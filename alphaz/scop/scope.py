"""Meanings of names at a place of the C program, and the loops and conditions around it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.model.types import ScalarType
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import Annotation, Date, KernelArray, KernelLoop, Lock, ThreadShare, ThreadTeam
from alphaz.scop.index_polynomials import Condition, Value
from alphaz.scop.value_tree import Tree


@dataclass(frozen=True, slots=True)
class NamedInteger:
    """An integer with a known value: a parameter, an iterator, a local variable. `is_shared`: it is one variable for
    all threads or lanes here."""

    value: Value
    type: ScalarType
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class PointerView:
    """A pointer into an array, or the array.

    `extents` is the shape of the target, with an unknown first extent. The pointer is to the element whose first
    subscripts are `lead`; if the shape differs from that of the array, `offset` counts flat elements instead.
    `is_pointer`: the view is of a pointer variable, a different object than its target.
    """

    array: KernelArray
    extents: tuple[Polynomial | None, ...]
    lead: tuple[Polynomial, ...] = ()
    offset: Polynomial | None = None
    is_pointer: bool = False

    @property
    def is_start(self) -> bool:
        """Returns True if it points to the first element of its array."""
        return not self.lead and (self.offset is None or not self.offset.terms)


@dataclass(frozen=True, slots=True)
class InlinedValue:
    """A value passed to an inlined function."""

    tree: Tree
    type: ScalarType


@dataclass(frozen=True, slots=True)
class ReturnStatus:
    """A variable with the status of allocation, which is assumed to succeed."""


@dataclass(frozen=True, slots=True)
class Undefined:
    """An integer without a known value; or the iterator of a finished loop, `ended`, with its context. `is_shared`: it
    is one variable for all threads or lanes here."""

    type: ScalarType
    ended: "tuple[c.For, Context] | None" = None
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class PartialSum:
    """A scalar of which each thread of a region has a private part until all are combined at its end: only worksharing
    loops may update it."""

    whole: PointerView
    operator: str


@dataclass(frozen=True, slots=True)
class ArrayTable:
    """A table of pointers to arrays: `there` says of each entry whether it is allocated (`scop.pointer_tables`)."""

    there: PointerView


Meaning = NamedInteger | PointerView | InlinedValue | ReturnStatus | Undefined | PartialSum | ArrayTable


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a statement, outermost first. `date` is the date so far.

    `region`: the team of the `omp parallel` around; `working`: inside a part executed by one thread, the number of
    components of the date around that part. `reductions` are the accumulators
    of the loops around, by array, with operator and loops (those that are collapsed into one). `depth`: of inlined
    calls; `region_depth`: where the parallel region began. `lane`: the lane of a vector statement, and the number of
    lanes. `called`: the annotations of the calls that lead here, outermost first; None for a call into another file
    without annotation. `held`: the tables with live pointers to their arrays. `block`: the block of threads of a GPU.
    """

    iterators: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    date: Date = ()
    names: Mapping[str, Meaning] = field(default_factory=dict)
    region: ThreadTeam | None = None
    working: int | None = None
    mutex: Lock | None = None
    reductions: tuple[tuple[KernelArray, str, tuple[KernelLoop, ...]], ...] = ()
    depth: int = 0
    region_depth: int = 0
    lane: tuple[Polynomial, int] | None = None
    called: tuple[Annotation, ...] | None = ()
    held: frozenset[str] = frozenset()
    block: ThreadTeam | None = None

    @property
    def is_every_thread(self) -> bool:
        """Returns True if every thread of a region executes the statements here."""
        return self.region is not None and self.working is None

    def share(self, *, is_private: bool = False) -> ThreadShare | None:
        """Returns the threads that execute a statement here."""
        if self.region is None:
            return None
        return ThreadShare(self.region, len(self.date) if self.working is None else self.working, is_private)

    def meaning(self, node: c.Expression) -> Meaning | None:
        """Returns the meaning of an expression that is a name."""
        return self.names.get(node.name) if isinstance(node, c.Name) else None

    def with_names(self, names: Mapping[str, Meaning]) -> "Context":
        return replace(self, names={**self.names, **names})

    def with_shared_names(self) -> "Context":
        """Returns the context where threads or lanes begin: objects declared further out are shared by all of them."""
        shared: dict[str, Meaning] = {}
        for name, meaning in self.names.items():
            if isinstance(meaning, NamedInteger):
                shared[name] = replace(meaning, is_shared=True)
            elif isinstance(meaning, Undefined):
                shared[name] = Undefined(meaning.type, is_shared=True)
        return self.with_names(shared)

    def in_parallel_region(self) -> "Context":
        """Returns the context in a parallel region that begins here."""
        return replace(
            self.with_shared_names(), region=ThreadTeam(len(self.date)), region_depth=self.depth, working=None
        )

    def after(self, behind: "Context | None") -> "Context":
        """Returns the context after a statement; `behind` if the statement changes the values of names."""
        if behind is None:
            return self
        return replace(self, names=behind.names, iterators=behind.iterators, conditions=behind.conditions)

    def at(self, *position: int) -> "Context":
        return replace(self, date=(*self.date, *position))

    def inside(self, loop: KernelLoop, *conditions: Condition) -> "Context":
        """Returns the context of an iteration of a loop, for which the conditions hold."""
        return replace(
            self,
            iterators=(*self.iterators, loop.iterator),
            conditions=(*self.conditions, *conditions),
            date=(*self.date, loop),
        )

    def where(self, condition: Condition) -> "Context":
        return replace(self, conditions=(*self.conditions, condition))
