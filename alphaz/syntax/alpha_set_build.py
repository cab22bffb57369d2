"""Rules of `grammar/alpha.lark` for sets, conditions and index expressions -> intermediate values of `alpha_sets`."""

import re
from dataclasses import dataclass, replace
from typing import Any

from alphaz.diagnostics import Span
from alphaz.syntax import tree
from alphaz.syntax.alpha_sets import AlphaPiece, Condition, Linear, domain, product, quotient, side, unreadable
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
        found = of_kind(Condition, children)
        return replace(found[0], span=whole(children)) if found else Condition(((),), whole(children))

    def piece(self, children: Children) -> AlphaPiece:
        found = of_kind(Condition, children)
        condition = found[0] if found else Condition(((),), whole(children))
        return AlphaPiece(items(children), condition, whole(children))

    def set(self, children: Children) -> tree.DomainText:
        pieces = of_kind(AlphaPiece, children)
        if not pieces:
            return tree.DomainText((tree.Polyhedron((), (), span=whole(children)),), span=whole(children))
        return domain(pieces, whole(children))

    def range(self, children: Children) -> Range:
        found = of_kind(Linear, children)
        low = found[0] if len(found) == 2 else None
        return Range(low, found[-1], whole(children))

    def ranges(self, children: Children) -> Several:
        return several(children)

    def rectangle(self, children: Children) -> tree.DomainText:
        """`[N,M]` is 0<=i0<N and 0<=i1<M, and `[1:N]` is 1<=i0<=N."""
        span, ranges = whole(children), children[1].items
        given = items(children[2:])
        names = given or tuple(tree.Name(f"i{at}", span=span) for at in range(len(ranges)))
        if len(names) != len(ranges):
            raise unreadable(f"{len(ranges)} ranges have {len(names)} names", span, "give each range a name")
        chains = tuple(_range(name, each) for name, each in zip(names, ranges, strict=True))
        return tree.DomainText((tree.Polyhedron(names, chains, span=span),), span=span)

    def defined(self, children: Children) -> Defined:
        return Defined(plain(children[0]), whole(children))

    def calculated(self, children: Children) -> Any:
        parts = tuple(child for child in children if not isinstance(child, Lexeme))
        return parts[0] if len(parts) == 1 else Union(parts, whole(children))

    def function(self, children: Children) -> tree.FunctionText:
        arrow = next(at for at, child in enumerate(children) if is_word(child, "ARROW"))
        outputs = tuple(each.text() for each in items(children[arrow:]))
        return tree.FunctionText(items(children[:arrow]), outputs, span=whole(children))


def _range(name: tree.Name, said: Range) -> tree.Chain:
    here = tree.Side((tree.AffineText((tree.Term(1, name.text),), span=name.span),), span=name.span)
    low = said.low or Linear((tree.Term(0),), said.span)
    sides = (side((low,), said.span), here, side((said.high,), said.span))
    return tree.Chain(sides, ("<=", "<" if said.low is None else "<="), span=said.span)
