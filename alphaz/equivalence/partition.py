"""R5: each term of a sum belongs to at most one partial sum, so the partial sums add up to the sum."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.equivalence.formulas import all_of
from alphaz.equivalence.kernel_obligation import KernelObligation
from alphaz.equivalence.partial_reductions import PartialReduction
from alphaz.equivalence.participant import same
from alphaz.poly import Affine, Constraint, Domain, Formula


def in_one_part(parts: Sequence[PartialReduction]) -> Iterator[KernelObligation]:
    """Yields the obligations that no term is in two partial sums."""
    for at, left in enumerate(parts):
        for there, right in enumerate(parts[at:], at):
            for item in left.members.keys() & right.members.keys() if left.key == right.key else ():
                claim = f"no part of {left.key} is in two sums: {left.statement} and {right.statement}"
                build = partial(_in_two, left, right, item)
                subjects = {"part": at, "other part": there, "definition": item[0], "item": item[1]}
                yield KernelObligation(
                    family="R5",
                    claim=claim,
                    violations=build,
                    actors=(),
                    about=left.statement,
                    subjects=subjects,
                    stated=partial(_in_two_stated, left, right, item),
                    others=(right.statement,),
                )


def _in_two(left: PartialReduction, right: PartialReduction, item: tuple[int, int]) -> Domain:
    """Returns pairs of parts with a common point of the body."""
    x, y, body = _names(left, right, item)
    one, other = left.members[item], right.members[item]
    space = one.space.with_names((*x, *y, *body))
    found = one.renamed((*x, *body)).embedded(space) & other.renamed((*y, *body)).embedded(space)
    if left is right:
        found = found - Domain.where(space, _equal(x, y))
    return found


def _names(
    left: PartialReduction, right: PartialReduction, item: tuple[int, int]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Returns the names of the two parts, and of the body."""
    x, y = (tuple(f"{name}.{role}" for name in each.names) for each, role in ((left, "x"), (right, "y")))
    return x, y, left.members[item].space.names[len(left.names) :]


def _equal(x: Sequence[str], y: Sequence[str]) -> list[Constraint]:
    return same(list(map(Affine.name, x)), list(map(Affine.name, y)))


def _in_two_stated(left: PartialReduction, right: PartialReduction, item: tuple[int, int]) -> Formula:
    x, y, body = _names(left, right, item)
    one, other = left.members[item], right.members[item]
    parts = (one.renamed((*x, *body)).pieces(), other.renamed((*y, *body)).pieces())
    return Formula(one.space.with_names((*x, *y, *body)), (), parts, all_of(_equal(x, y)) if left is right else ())
