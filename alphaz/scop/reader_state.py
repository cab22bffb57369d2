"""The state of the reader of one C function: its arrays, names, and conditions under which values are defined."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from alphaz.c import tree as c
from alphaz.c.alphaz_header import RUNTIME
from alphaz.c.walk import nodes
from alphaz.diagnostics import Source, Span
from alphaz.model.types import UNSIGNED_INT, ScalarType
from alphaz.poly import Affine, Domain
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import (
    Annotation,
    CopyEvent,
    KernelArray,
    KernelBarrier,
    KernelStatement,
    OtherFile,
    PrivateAccumulation,
    StreamOrder,
)
from alphaz.scop.functions import Functions
from alphaz.scop.generated_helpers import RUNTIME_SOURCE
from alphaz.scop.index_polynomials import Condition, Extreme, Value, number
from alphaz.scop.parallel_region import ParallelRegion
from alphaz.scop.scope import Context, Meaning, NamedInteger, PointerView, Undefined
from alphaz.scop.thread_block import ThreadBlock
from alphaz.scop.tree_queries import is_integer, scalar_type
from alphaz.scop.unsupported import span_of


class NoIndex(Exception):
    """The expression is no affine function of parameters and iterators: it may be data. Has the place and the
    reason."""

    def __init__(self, span: Span, why: str) -> None:
        super().__init__(why)
        self.span, self.why = span, why


class ReadAsData(Exception):
    """A local integer (by the body of its function, and its name) must be read as data: the reading starts again."""

    def __init__(self, variable: tuple[int, str]) -> None:
        super().__init__()
        self.variable = variable


class ConditionalValue(Exception):
    """`c ? a : b` with an affine condition: the statement is split in two, where it holds and where it does not."""

    def __init__(self, node: c.Expression, test: c.Expression) -> None:
        super().__init__()
        self.node, self.test = node, test


@dataclass(slots=True)
class Existentials:
    """The side conditions of a value: further iterators (each determined by the others), and their conditions.

    `chosen`: each value with two cases (`ConditionalValue`) makes two statements, and this is the case of the
    statement; if it is None, such a value is an existential. In functions inlined deeper than `depth` it always is:
    there one text may have several conditions.

    `is_value`: the value may also be computed as data, where conversions may lose values, and (`is_signed`) unsigned
    operations wrap around. Otherwise these must be proved to change no value.
    """

    iterators: list[str] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    chosen: Mapping[int, bool] | None = None
    depth: int = 0
    is_value: bool = False
    is_signed: bool = False

    def beside(self) -> "Existentials":
        """Returns the same, without side conditions so far."""
        return replace(self, iterators=[], conditions=[])

    def take(self, others: "Existentials") -> None:
        """Adds the side conditions of another part of the value."""
        self.iterators = [*dict.fromkeys((*self.iterators, *others.iterators))]
        self.conditions = [*dict.fromkeys((*self.conditions, *others.conditions))]

    def added(self, nest: Context) -> Context:
        """Returns the context in which the side conditions hold; what it has already stays where it is."""
        return replace(
            nest,
            iterators=(*nest.iterators, *(name for name in self.iterators if name not in nest.iterators)),
            conditions=(*nest.conditions, *(known for known in self.conditions if known not in nest.conditions)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class NonNegative:
    """A dividend, with the iterators and conditions under which it is computed; or a value of an unsigned type; or
    another value that must not be negative for the reading to be right. `otherwise` gives the reason of a violation,
    and the remedy."""

    iterators: tuple[str, ...]
    conditions: tuple[Condition, ...]
    value: Value
    span: Span
    is_unsigned: bool = False
    otherwise: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class UnsizedAccess:
    """An access to an array of unknown extents: the flat `offset`, in elements; or, of an array in rows, its
    `subscripts`."""

    array: KernelArray
    offset: Polynomial
    domain: Domain
    span: Span
    subscripts: tuple[Polynomial, ...] = ()


@dataclass(slots=True)
class ReaderState:
    """The state of reading one program: its text, its functions, the names in use, and the arrays and statements of
    the model so far.

    `read_block` reads a list of statements (`True`: the body of a function): calls read the bodies of their functions
    with it. Of a function's integers, assignments to the `followed` give them values (`scop.assigned_integers`); `data`
    are those found to be data (`ReadAsData`). `around`: the meaning of names of file scope; `others`: files that define
    functions of it (`scop.translation_units`). `is_across`: vectors are taken apart lane by lane. `reads_masks`: `if
    (c) x += a;` is `x += c ? a : 0;`. Of arrays, by name: `allocated` says whether a region, and a single thread in it,
    allocated it; `contents` is the array that models the entries of a table; `sealed` are never written; each thread of
    a region has its own `per_thread`. `team`: the region being read; `block`: the block of threads of a GPU. `memory`
    says of arrays whether they are in the memory of the GPU, and where that was seen; those `of_kernels` are inside;
    `copied`: where target and source of a copy are.
    """

    source: Source
    functions: Functions
    context: Domain
    read_block: "Callable[[ReaderState, Sequence[c.Statement], Context, bool], Context]"
    reserved_names: set[str] = field(init=False)
    quotients: dict[tuple[Affine, int], str] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    followed: frozenset[str] = frozenset()
    data: frozenset[tuple[int, str]] = frozenset()
    body: tuple[c.Statement, ...] = ()
    assumed: list[str] = field(default_factory=list)
    loose: list[tuple[Span, str]] = field(default_factory=list)
    divided: list[NonNegative] = field(default_factory=list)
    combiners: Mapping[str, tuple[str, ScalarType]] = field(default_factory=dict)
    annotations: Mapping[int, Annotation] = field(default_factory=dict)
    results: dict[int, PointerView] = field(default_factory=dict)
    constants: dict[str, NamedInteger] = field(default_factory=dict)
    uses: list[UnsizedAccess] = field(default_factory=list)
    around: Mapping[str, Meaning] = field(default_factory=dict)
    is_across: bool = False
    reads_masks: bool = False
    others: Sequence[OtherFile] = ()
    arrays: dict[str, KernelArray] = field(default_factory=dict)
    statements: list[KernelStatement] = field(default_factory=list)
    allocated: dict[str, tuple[bool, bool]] = field(default_factory=dict)
    released: set[str] = field(default_factory=set)
    contents: dict[str, KernelArray] = field(default_factory=dict)
    sealed: set[str] = field(default_factory=set)
    per_thread: set[str] = field(default_factory=set)
    team: ParallelRegion | None = None
    block: ThreadBlock | None = None
    barriers: list[KernelBarrier] = field(default_factory=list)
    copy_events: list[CopyEvent] = field(default_factory=list)
    memory: dict[str, tuple[bool, Span]] = field(default_factory=dict)
    of_kernels: set[str] = field(default_factory=set)
    copied: tuple[bool, bool] | None = None
    streams: StreamOrder | None = None
    operation: int = 0
    collected: list[PrivateAccumulation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reserved_names = {*self.context.space.parameters}

    def annotation_at(self, span: Span) -> Annotation | None:
        """Returns the annotation of a line, as written."""
        if span.source is RUNTIME_SOURCE:
            return None
        annotations = next(
            (other.annotations for other in self.others if other.source is span.source), self.annotations
        )
        return annotations.get(span.position[0])

    def span(self, node: c.Node) -> Span:
        file = "" if node.at is None else node.at.file
        if file == RUNTIME:
            return span_of(RUNTIME_SOURCE, node)
        return span_of(self.others[int(file)].source if file.isdigit() else self.source, node)

    def assume(self, note: str) -> None:
        """Adds an assumption, once."""
        if note not in self.assumed:
            self.assumed.append(note)

    def read_as_data(self, name: str) -> NoReturn:
        """Starts again with a local integer as data."""
        raise ReadAsData((id(self.body), name))

    def require(
        self,
        nest: Context,
        value: Value,
        span: Span,
        is_unsigned: bool = False,
        otherwise: tuple[str, str] | None = None,
    ) -> None:
        """Adds a value that must not be negative (`NonNegative`)."""
        within = nest.iterators, nest.conditions
        self.divided.append(NonNegative(*within, value, span, is_unsigned=is_unsigned, otherwise=otherwise))

    def fresh(self, stem: str) -> str:
        """Returns an unused name: the stem itself if it is free."""
        name, count = stem, 1
        while name in self.reserved_names:
            count += 1
            name = f"{stem}_{count}"
        self.reserved_names.add(name)
        return name


def is_unsigned(state: ReaderState, nest: Context, node: c.Expression) -> bool:
    """Returns True if C may compute an index expression, or a part of it, with an unsigned type."""
    types = [scalar_type(cast.type) for cast in nodes(node, c.Cast)]
    for node_ in nodes(node, c.Name):
        meaning = nest.names.get(node_.name)
        types += [meaning.type] if isinstance(meaning, NamedInteger | Undefined) else []
        types += [UNSIGNED_INT] if node_.name in ("UINT_MAX", "ULONG_MAX", "ULLONG_MAX") else []
    types += [scalar_type(called.type) for called in map(state.functions.called, nodes(node, c.Call)) if called]
    is_constant = any("u" in literal.text.lower() for literal in nodes(node, c.Literal) if is_integer(literal))
    return is_constant or any(type_ is not None and type_.kind == "int" and not type_.signed for type_ in types)


def stays_positive(state: ReaderState, nest: Context, value: Value, asides: Existentials, span: Span) -> None:
    """Records that a value computed with an unsigned type must not be negative, so that it equals the signed value: to
    be proved, as for dividends."""
    if not _is_positive(value):
        if asides.is_signed:
            raise NoIndex(span, "it is computed in an unsigned type")
        state.require(asides.added(nest), value, span, is_unsigned=True)


def _is_positive(value: Value) -> bool:
    """Returns True if a value is obviously not negative."""
    if isinstance(value, Extreme):
        return (all if value.is_least else any)(map(_is_positive, (value.left, value.right)))
    constant_value = number(value)
    return constant_value is not None and constant_value >= 0
