"""Sets and index expressions of the successor language, converted to the trees of programs.

isl's notation is richer than ours: conditions in any Boolean form become unions of conjunctions, `[i, i+1]` becomes a
name and an equality; a set that needs an integer division is a finding (AZ107)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import UNREADABLE
from alphaz.syntax import tree

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
            single = tuple((each,) for chain in case for each in _opposites(chain))
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
        for one in left.affines:
            for other in right.affines:
                sides = (replace(left, affines=(one,)), replace(right, affines=(other,)))
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
    for at, item in enumerate(items):
        name = item.name
        if name is None or name in (each.text for each in names):
            name = f"d{at}"
            while name in own:
                name += "_"
            here = tree.AffineText((tree.Term(1, name, span=item.span),), span=item.span)
            sides = (tree.Side((here,), span=item.span), side((item,), item.span))
            equalities.append(tree.Chain(sides, ("==",), span=item.span))
        names.append(tree.Name(name, span=item.span))
    return tuple(names), tuple(equalities)


def domain(pieces: Iterable[AlphaPiece], span: Span) -> tree.DomainText:
    """Returns the union of the pieces; without pieces, or with unsatisfiable conditions, an empty set."""
    polyhedra = [each for piece in pieces for each in piece.polyhedra()]
    return tree.DomainText(tuple(polyhedra) or (tree.Polyhedron((), (_never(span),), span=span),), span=span)


def _never(span: Span) -> tree.Chain:
    zero, one = (tree.Side((tree.AffineText((tree.Term(n),), span=span),), span=span) for n in (0, 1))
    return tree.Chain((zero, one), ("==",), span=span)


def restrict_domain(text: tree.DomainText, condition: Condition) -> tree.DomainText:
    """Returns the part of a domain where a condition on the parameters holds."""
    cases = condition.cases or ((_never(condition.span),),)
    parts = (replace(each, constraints=each.constraints + case) for each in text.polyhedra for case in cases)
    return replace(text, polyhedra=tuple(parts))
