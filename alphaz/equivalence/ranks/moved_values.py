"""The values that a message moves, as sets of instances of the statements that copy them to or from its buffer."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.equivalence.ranks.affine_cases import NotAffineByCases, cases_of, conditions_of
from alphaz.poly import Affine, Constraint, Domain, Space

Conjunction = tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class ReachedStatement:
    """A statement under loops and conditions: it is reached for the values of `iterators` at which one of the
    conjunctions holds. `names` are the values of names there, over the iterators and the names outside.
    """

    statement: c.Statement
    iterators: tuple[str, ...]
    cases: tuple[Conjunction, ...]
    names: Mapping[str, Affine]

    def inner(self, outer: Iterable[str]) -> tuple[str, ...]:
        """Returns the iterators, and the names of quotients, of the conjunctions."""
        known, every = {*outer, *self.iterators}, (name for case in self.cases for x in case for name in x.affine.names)
        return (*self.iterators, *(name for name in dict.fromkeys(every) if name not in known))


def reached(body: Iterable[c.Statement], names: Mapping[str, Affine]) -> Iterator[ReachedStatement]:
    """Yields the statements under the loops and conditions of a body (`check_control`). Raises NotAffineByCases."""
    yield from _reached(body, ReachedStatement(c.Blank(), (), ((),), names))


def _reached(body: Iterable[c.Statement], around: ReachedStatement) -> Iterator[ReachedStatement]:
    for statement in body:
        match statement:
            case c.Block(inner):
                yield from _reached(inner, around)
            case c.If(condition, then, otherwise):
                for branch, truth in ((then, True), (otherwise, False)):
                    yield from _reached(branch, _under(around, conditions_of(condition, around.names, truth=truth)))
            case c.Declare(_, name, value) if value is not None:
                around = _declared(around, name, value)
            case c.For((c.Declare(_, name, start),), test, (step,), inner) if start is not None and test is not None:
                if step != c.Step("++", prefix=False, operand=c.Name(name)):
                    raise NotAffineByCases
                yield from _reached(inner, _iterated(around, name, start, test))
            case _:
                yield replace(around, statement=statement)


_MOST_CASES = 256


def _under(around: ReachedStatement, cases: Iterable[Conjunction]) -> ReachedStatement:
    """Returns the context in which one of the cases holds besides, without cases that are impossible."""
    every = tuple(cases)
    both = [(*one, *other) for one in around.cases for other in every]
    if len(both) > len(around.cases):
        both = [case for case in both if _is_possible(case)]
    if len(both) > _MOST_CASES:
        raise NotAffineByCases
    return replace(around, cases=tuple(both))


def _declared(around: ReachedStatement, name: str, value: c.Expression) -> ReachedStatement:
    """Returns the context after a declaration of a value that is affine where it is reached."""
    cases = [x for x in cases_of(value, around.names) if any(_is_possible((*y, *x.conditions)) for y in around.cases)]
    if len(cases) != 1:
        raise NotAffineByCases
    (case,) = cases
    return replace(_under(around, (case.conditions,)), names={**around.names, name: case.value})


def _is_possible(case: Conjunction) -> bool:
    names = dict.fromkeys(name for constraint in case for name in constraint.affine.names)
    return not Domain.where(Space((), tuple(names)), case).is_empty()


def _iterated(around: ReachedStatement, name: str, start: c.Expression, test: c.Expression) -> ReachedStatement:
    """Returns the context in a loop from a start, as long as the test holds, over a new iterator.

    The test is one for upper bounds of the iterator: if it holds, it holds for all smaller values.
    """
    fresh = name
    while fresh in around.iterators or fresh in {n for value in around.names.values() for n in value.names}:
        fresh += "'"
    iterator = Affine.name(fresh)
    inside = {**around.names, name: iterator}
    begun = conditions_of(c.Binary("<=", start, c.Name(name)), inside, truth=True)
    held = conditions_of(test, inside, truth=True)
    if any(constraint.equality or constraint.affine.coefficient(fresh) > 0 for case in held for constraint in case):
        raise NotAffineByCases
    return replace(_under(_under(around, begun), held), iterators=(*around.iterators, fresh), names=inside)
