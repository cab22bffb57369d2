"""What the readers of one file share, and what they say of a value beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pycparser import c_ast

from alphaz.diagnostics import Source, Span
from alphaz.model.types import UNSIGNED_INT, ScalarType
from alphaz.poly import Domain
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.conditions import Condition
from alphaz.scop.functions import Functions, nodes, scalar_type
from alphaz.scop.index_values import Extreme, Value, number
from alphaz.scop.kernel import Annotation, KernelArray, OtherFile
from alphaz.scop.scope import Context, Meaning, NamedInteger, PointerView, Undefined
from alphaz.scop.unsupported import span_of


class NoIndex(Exception):
    """The expression is no affine function of parameters and iterators: it may be data. The place, and why."""

    def __init__(self, span: Span, why: str) -> None:
        super().__init__(why)
        self.span, self.why = span, why


class ConditionalValue(Exception):
    """`c ? a : b` with an affine condition: the statement is two, where it holds and where it does not."""

    def __init__(self, node: Any, test: Any) -> None:
        super().__init__()
        self.node, self.test = node, test


@dataclass(slots=True)
class Existentials:
    """What has to be said beside a value: further iterators (each decided by the others), and their conditions.

    `chosen`: each value with two cases (`ConditionalValue`) makes two statements, and this is known of them; where
    it is None such a value is said beside. In functions that are put in their places, deeper than `depth`, it always
    is: there one text may have several conditions.

    `is_value`: it may also be computed as data, which knows what conversions lose, and (`is_signed`) what unsigned
    operations do. Else these have to be proved to change no number.
    """

    iterators: list[str] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    chosen: Mapping[int, bool] | None = None
    depth: int = 0
    is_value: bool = False
    is_signed: bool = False

    def beside(self) -> "Existentials":
        """The same, and nothing said yet."""
        return replace(self, iterators=[], conditions=[])

    def added(self, nest: Context) -> Context:
        return replace(
            nest,
            iterators=(*nest.iterators, *self.iterators),
            conditions=(*nest.conditions, *self.conditions),
        )


@dataclass(frozen=True, slots=True, eq=False)
class NonNegative:
    """A dividend, with the iterators and conditions under which it is computed; or a value of an unsigned type. Or any
    other value that is not below 0 if the text is read rightly: `otherwise` says why it is not, and what to do."""

    iterators: tuple[str, ...]
    conditions: tuple[Condition, ...]
    value: Value
    span: Span
    is_unsigned: bool = False
    otherwise: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class UnsizedAccess:
    """An access to an array of which nobody knows yet how large it is: the flat `offset`, in elements; or, of an array
    in rows, its `subscripts`."""

    array: KernelArray
    offset: Polynomial
    domain: Domain
    span: Span
    subscripts: tuple[Polynomial, ...] = ()


@dataclass(slots=True)
class ReaderState:
    """What the readers of one program share: its text, its functions, and the names that have been used. `around`: what
    names mean outside of functions; `others`: files that define functions of it (`c_reading.files`). `is_across`:
    whether vectors are taken apart."""

    source: Source
    functions: Functions
    taken: set[str]
    changed: frozenset[str] = frozenset()
    body: Any = None
    assumed: list[str] = field(default_factory=list)
    loose: list[tuple[Span, str]] = field(default_factory=list)
    divided: list[NonNegative] = field(default_factory=list)
    combiners: Mapping[str, tuple[str, ScalarType]] = field(default_factory=dict)
    told: Mapping[int, Annotation] = field(default_factory=dict)
    results: dict[int, PointerView] = field(default_factory=dict)
    constants: dict[str, NamedInteger] = field(default_factory=dict)
    uses: list[UnsizedAccess] = field(default_factory=list)
    around: Mapping[str, Meaning] = field(default_factory=dict)
    is_across: bool = False
    others: Sequence[OtherFile] = ()

    def told_at(self, span: Span) -> Annotation | None:
        """What is said of a line, as it is said."""
        told = next((other.told for other in self.others if other.source is span.source), self.told)
        return told.get(span.position[0])

    def span(self, node: Any) -> Span:
        file = getattr(getattr(node, "coord", None), "file", "")
        return span_of(self.others[int(file)].source if file.isdigit() else self.source, node)

    def fresh(self, stem: str) -> str:
        """A name that nothing has yet: the stem itself where it is free."""
        name, count = stem, 1
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self.taken.add(name)
        return name


def is_unsigned(words: ReaderState, nest: Context, node: Any) -> bool:
    """Whether C may compute an index expression, or a part of it, with an unsigned type."""
    types = [scalar_type(each.to_type.type) for each in nodes(node, c_ast.Cast)]
    for each in nodes(node, c_ast.ID):
        meaning = nest.names.get(each.name)
        types += [meaning.type] if isinstance(meaning, NamedInteger | Undefined) else []
        types += [UNSIGNED_INT] if each.name in ("UINT_MAX", "ULONG_MAX", "ULLONG_MAX") else []
    types += [
        scalar_type(each.decl.type.type) for each in map(words.functions.called, nodes(node, c_ast.FuncCall)) if each
    ]
    is_constant = any("u" in each.value.lower() for each in nodes(node, c_ast.Constant) if "int" in each.type)
    return is_constant or any(type_ is not None and type_.kind == "int" and not type_.signed for type_ in types)


def stays_positive(words: ReaderState, nest: Context, value: Value, asides: Existentials, span: Span) -> None:
    """A value that is computed with an unsigned type is the same as with a signed one if it is not below 0: to be
    proved, as is asked of dividends."""
    if not _is_positive(value):
        if asides.is_signed:
            raise NoIndex(span, "it is computed with an unsigned type")
        inside = asides.added(nest)
        words.divided.append(NonNegative(inside.iterators, inside.conditions, value, span, is_unsigned=True))


def _is_positive(value: Value) -> bool:
    """Whether it is plain that a value is not below 0."""
    if isinstance(value, Extreme):
        return (all if value.is_least else any)(map(_is_positive, (value.left, value.right)))
    known = number(value)
    return known is not None and known >= 0
