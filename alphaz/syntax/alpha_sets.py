"""Sets, conditions, index expressions and types of the successor language -> trees of programs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import UNREADABLE
from alphaz.syntax import tree
from alphaz.syntax.build import (  # fmt: skip
    Children,
    ExpressionBuilder,
    OperatorToken,
    Several,
    integer,
    is_word,
    items,
    of_kind,
    several,
)
from alphaz.syntax.lexeme import Lexeme, whole

_MOST = 256
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def unreadable(message: str, span: Span, remedy: str) -> Rejected:
    """Returns the finding for a construct of the successor language without a counterpart, to be raised."""
    return Rejected(Diagnostic(UNREADABLE, message, Label(span), help=remedy))


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of terms or, with a `modulus`, its remainder."""

    terms: tuple[tree.Term, ...]
    span: Span
    modulus: int | None = None

    @property
    def constant(self) -> int | None:
        """Returns the value, if it contains no name."""
        named = self.modulus is not None or any(term.name is not None for term in self.terms)
        return None if named else sum(term.coefficient for term in self.terms)

    @property
    def name(self) -> str | None:
        """Returns the name, if it is a single name."""
        (first, *others) = self.terms
        plain = self.modulus is None and not others and first.coefficient == 1
        return first.name if plain else None

    def plain(self) -> "Linear":
        """Returns itself. Raises Rejected for a remainder."""
        if self.modulus is not None:
            remedy = "a remainder may stand alone on one side of a comparison"
            raise unreadable("a remainder is part of an index expression", self.span, remedy)
        return self

    def text(self) -> tree.AffineText:
        return tree.AffineText(self.plain().terms, span=self.span)

    def scaled(self, factor: int, span: Span) -> "Linear":
        terms = (replace(term, coefficient=term.coefficient * factor) for term in self.plain().terms)
        return Linear(tuple(terms), span)


def product(left: Linear, right: Linear, span: Span) -> Linear:
    """Returns the product; one of the two must be a number."""
    for one, other in ((left, right), (right, left)):
        value = one.constant
        if value is not None:
            return other.scaled(value, span)
    raise unreadable("a product of two indices is not affine", span, "write one of the factors as a number")


def quotient(value: Linear, divisor: int, span: Span) -> Linear:
    """Returns the quotient, if every coefficient is a multiple of the divisor."""
    terms = value.plain().terms
    if divisor == 0 or any(term.coefficient % divisor for term in terms):
        remedy = "describe the quotient by a further index and inequalities"
        raise unreadable("this is an integer division, which programs cannot write", span, remedy)
    return Linear(tuple(replace(t, coefficient=t.coefficient // divisor) for t in terms), span)


# --- conditions ----------------------------------------------------------------------------------------------------

Conjunction = tuple[tree.Chain, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A union of conjunctions: an empty union is false, an empty conjunction true."""

    cases: tuple[Conjunction, ...]
    span: Span

    def either(self, other: "Condition", span: Span) -> "Condition":
        return _limit_condition(Condition(self.cases + other.cases, span))

    def both(self, other: "Condition", span: Span) -> "Condition":
        return _limit_condition(Condition(tuple(a + b for a in self.cases for b in other.cases), span))

    def opposite(self, span: Span) -> "Condition":
        result = Condition(((),), span)
        for case in self.cases:
            single = tuple((opposite,) for chain in case for opposite in _opposites(chain))
            result = result.both(Condition(single, span), span)
        return result


def _limit_condition(condition: Condition) -> Condition:
    if len(condition.cases) > _MOST:
        remedy = "write the set as a union of fewer pieces"
        raise unreadable(f"this condition has more than {_MOST} cases", condition.span, remedy)
    return condition


def _opposites(chain: tree.Chain) -> Iterable[tree.Chain]:
    """The comparisons of which one is true if and only if the chain is false."""
    for (left, right), operator in zip(pairwise(chain.sides), chain.operators, strict=True):
        for affine in left.affines:
            for other in right.affines:
                sides = (replace(left, affines=(affine,)), replace(right, affines=(other,)))
                yield tree.Chain(sides, (_OPPOSITE[operator],), span=chain.span)


def side(items: Sequence[Linear], span: Span) -> tree.Side:
    """Returns one side of a comparison: a list, or one remainder."""
    if len(items) == 1 and items[0].modulus is not None:
        affine = tree.AffineText(items[0].terms, span=span)
        return tree.Side((affine,), len(affine.terms) > 1, items[0].modulus, span=span)
    return tree.Side(tuple(item.text() for item in items), span=span)


# --- sets ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AlphaPiece:
    """`[tuple] : condition`; without a tuple the names are those in scope."""

    tuple: "tuple[Linear, ...] | None"
    condition: Condition
    span: Span

    def polyhedra(self) -> list[tree.Polyhedron]:
        names, equalities = _name_items(self.tuple or ())
        return [tree.Polyhedron(names, (*equalities, *case), span=self.span) for case in self.condition.cases]


def _name_items(items: Sequence[Linear]) -> tuple[tuple[tree.Name, ...], tuple[tree.Chain, ...]]:
    """A name for each place; an item that is not a new name becomes an equality."""
    own = [item.name for item in items if item.name is not None]
    names: list[tree.Name] = []
    equalities: list[tree.Chain] = []
    for position, item in enumerate(items):
        name = item.name
        if name is None or name in (name.text for name in names):
            name = f"d{position}"
            while name in own:
                name += "_"
            here = tree.AffineText((tree.Term(1, name, span=item.span),), span=item.span)
            sides = (tree.Side((here,), span=item.span), side((item,), item.span))
            equalities.append(tree.Chain(sides, ("==",), span=item.span))
        names.append(tree.Name(name, span=item.span))
    return tuple(names), tuple(equalities)


def domain(pieces: Iterable[AlphaPiece], span: Span) -> tree.DomainText:
    """Returns the union of the pieces; without pieces, or with unsatisfiable conditions, an empty set."""
    polyhedra = [polyhedron for piece in pieces for polyhedron in piece.polyhedra()]
    return tree.DomainText(tuple(polyhedra) or (tree.Polyhedron((), (_never(span),), span=span),), span=span)


def _never(span: Span) -> tree.Chain:
    zero, one = (tree.Side((tree.AffineText((tree.Term(n),), span=span),), span=span) for n in (0, 1))
    return tree.Chain((zero, one), ("==",), span=span)


def restrict_domain(text: tree.DomainText, condition: Condition) -> tree.DomainText:
    """Returns the part of a domain where a condition on the parameters holds."""
    cases = condition.cases or ((_never(condition.span),),)
    parts = (
        replace(polyhedron, constraints=polyhedron.constraints + case)
        for polyhedron in text.polyhedra
        for case in cases
    )
    return replace(text, polyhedra=tuple(parts))


# Quoted names may contain letters that programs of this language cannot write.
_NAME_ONLY = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_SYSTEM_NAME_ONLY = re.compile(r"[0-9A-Za-z_-]*[A-Za-z_][A-Za-z_0-9]*")


@dataclass(frozen=True, slots=True)
class Defined:
    """The name of a set that the head of the system defines."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Range:
    """`low:high`, including both ends, or `count` from 0."""

    low: Linear | None
    high: Linear
    span: Span


@dataclass(frozen=True, slots=True)
class Union:
    """Several sets, some of which may still be names."""

    parts: tuple[Any, ...]
    span: Span


def plain(lexeme: Lexeme) -> str:
    return lexeme.text.removeprefix("^").strip("'")


def name_of(lexeme: Lexeme, letters: re.Pattern[str] = _NAME_ONLY) -> tree.Name:
    text = plain(lexeme)
    if not letters.fullmatch(text):
        raise unreadable(f"the name `{text}` has letters that names cannot have", lexeme.span, "choose another name")
    return tree.Name(text, span=lexeme.span)


def system_name_of(lexeme: Lexeme) -> tree.Name:
    """Returns a name of a system, which may contain digits and dashes anywhere: `'2mm'`."""
    return name_of(lexeme, _SYSTEM_NAME_ONLY)


class SetBuilder(ExpressionBuilder):
    """Index expressions, conditions and sets."""

    def names(self, children: Children) -> Several:
        return Several(tuple(name_of(child) for child in children if is_word(child, "NAME")), whole(children))

    def number(self, children: Children) -> Linear:
        return Linear((tree.Term(integer(children[0]), span=children[0].span),), whole(children))

    def index_name(self, children: Children) -> Linear:
        return Linear((tree.Term(1, plain(children[0]), span=children[0].span),), whole(children))

    def multiple_of(self, children: Children) -> Linear:
        factor = integer(children[0])
        for inner in of_kind(Linear, children):
            scaled: Linear = inner.scaled(factor, whole(children))
            return scaled
        return Linear((tree.Term(factor, plain(children[1]), span=whole(children)),), whole(children))

    def floor(self, children: Children) -> Linear:
        inner: Linear = children[2]
        exact: Linear = replace(inner.plain(), span=whole(children))
        return exact

    def times(self, children: Children) -> Linear:
        return product(children[0], children[2], whole(children))

    def divided(self, children: Children) -> Linear:
        return quotient(children[0], integer(children[2]), whole(children))

    def remainder(self, children: Children) -> Linear:
        value: Linear = children[0]
        return replace(value.plain(), modulus=integer(children[2]), span=whole(children))

    def enclosed(self, children: Children) -> Any:
        inner = children[1]
        return replace(inner, span=whole(children))

    def first(self, children: Children) -> Linear:
        negative = sum(is_word(child, "MINUS") for child in children) % 2 == 1
        form: Linear = children[-1]
        return form.scaled(-1, whole(children)) if negative else form

    later = first

    def sum(self, children: Children) -> Linear:
        if len(children) == 1:
            only: Linear = children[0]
            return only
        return Linear(tuple(term for child in children for term in child.plain().terms), whole(children))

    def sums(self, children: Children) -> Several:
        return several(children)

    def side(self, children: Children) -> tree.Side:
        return side(of_kind(Linear, children), whole(children))

    def relation(self, children: Children) -> OperatorToken:
        text = children[0].text
        return OperatorToken("==" if text == "=" else text, children[0].span)

    def chain(self, children: Children) -> Condition:  # type: ignore[override]
        operators = tuple(child.text for child in children[1::2])
        chain = tree.Chain(tuple(children[::2]), operators, span=whole(children))
        return Condition(((chain,),), whole(children))

    def both(self, children: Children) -> Condition:
        left, _, right = children
        together: Condition = left.both(right, whole(children))
        return together

    def either(self, children: Children) -> Condition:
        left, _, right = children
        together: Condition = left.either(right, whole(children))
        return together

    def negation(self, children: Children) -> Condition:
        opposite: Condition = children[2].opposite(whole(children))
        return opposite

    def condition_set(self, children: Children) -> Condition:
        conditions = of_kind(Condition, children)
        return replace(conditions[0], span=whole(children)) if conditions else Condition(((),), whole(children))

    def piece(self, children: Children) -> AlphaPiece:
        conditions = of_kind(Condition, children)
        condition = conditions[0] if conditions else Condition(((),), whole(children))
        return AlphaPiece(items(children), condition, whole(children))

    def set(self, children: Children) -> tree.DomainText:
        pieces = of_kind(AlphaPiece, children)
        if not pieces:
            return tree.DomainText((tree.Polyhedron((), (), span=whole(children)),), span=whole(children))
        return domain(pieces, whole(children))

    def range(self, children: Children) -> Range:
        bounds = of_kind(Linear, children)
        low = bounds[0] if len(bounds) == 2 else None
        return Range(low, bounds[-1], whole(children))

    def ranges(self, children: Children) -> Several:
        return several(children)

    def rectangle(self, children: Children) -> tree.DomainText:
        """`[N,M]` is 0<=i0<N and 0<=i1<M, and `[1:N]` is 1<=i0<=N."""
        span, ranges = whole(children), children[1].items
        stated = items(children[2:])
        names = stated or tuple(tree.Name(f"i{position}", span=span) for position in range(len(ranges)))
        if len(names) != len(ranges):
            raise unreadable(f"{len(ranges)} ranges have {len(names)} names", span, "give each range a name")
        chains = tuple(_range(name, extent) for name, extent in zip(names, ranges, strict=True))
        return tree.DomainText((tree.Polyhedron(names, chains, span=span),), span=span)

    def defined(self, children: Children) -> Defined:
        return Defined(plain(children[0]), whole(children))

    def calculated(self, children: Children) -> Any:
        parts = tuple(child for child in children if not isinstance(child, Lexeme))
        return parts[0] if len(parts) == 1 else Union(parts, whole(children))

    def function(self, children: Children) -> tree.FunctionText:
        arrow = next(position for position, child in enumerate(children) if is_word(child, "ARROW"))
        outputs = tuple(child.text() for child in items(children[arrow:]))
        return tree.FunctionText(items(children[:arrow]), outputs, span=whole(children))


def _range(name: tree.Name, range_: Range) -> tree.Chain:
    here = tree.Side((tree.AffineText((tree.Term(1, name.text),), span=name.span),), span=name.span)
    low = range_.low or Linear((tree.Term(0),), range_.span)
    sides = (side((low,), range_.span), here, side((range_.high,), range_.span))
    return tree.Chain(sides, ("<=", "<" if range_.low is None else "<="), span=range_.span)


_TYPE = re.compile(r"//@[ \t]*type[ \t]+(?P<names>[^=\n]+)=[ \t]*(?P<type>[a-z ]+?)[ \t\r]*$", re.M)


# `//@ type f = int(int, double)`
_FUNCTION = re.compile(
    r"//@[ \t]*type[ \t]+(?P<name>\w+)[ \t]*=[ \t]*(?P<type>[a-z ]+?)[ \t]*\((?P<types>[a-z ,\t]*)\)[ \t\r]*$", re.M
)


def typed_function(external: tree.ExternalNode, text: str) -> tree.ExternalNode:
    """Returns the function with the types in its line; a missing type stays missing."""
    for match in _FUNCTION.finditer(text):
        types = [type_.strip() for type_ in match["types"].split(",")] if match["types"].strip() else []
        if match["name"] == external.name.text and len(types) == len(external.arguments):
            arguments = tuple(tree.TypeName(type_, span=external.span) if type_ else None for type_ in types)
            return replace(external, type=tree.TypeName(match["type"], span=external.span), arguments=arguments)
    return external


def typed_system(system: tree.SystemText, text: str) -> tree.SystemText:
    """Returns the system with the types in its lines `//@ type A, B = int`."""
    inside = text[system.span.start : system.span.end]
    types = {name.strip(): match["type"] for match in _TYPE.finditer(inside) for name in match["names"].split(",")}
    if not types:
        return system

    def typed(declarations: tuple[tree.Declaration, ...]) -> tuple[tree.Declaration, ...]:
        return tuple(
            replace(
                declaration,
                names=(name,),
                type=replace(declaration.type, text=types.get(name.text, declaration.type.text)),
            )
            for declaration in declarations
            for name in declaration.names
        )

    return replace(system, inputs=typed(system.inputs), outputs=typed(system.outputs), locals=typed(system.locals))
