"""R5: that the sums of parts are the sum, as what is in one part is in no other."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.poly import Affine, Domain
from alphaz.verify.c.actor import same
from alphaz.verify.c.parts import Part
from alphaz.verify.c.requirement import Requirement


def in_one_part(parts: Sequence[Part]) -> Iterator[Requirement]:
    """That sums of parts are the sums: what is in a part is in no other."""
    for at, left in enumerate(parts):
        for right in parts[at:]:
            for item in left.members.keys() & right.members.keys() if left.key == right.key else ():
                claim = f"no part of {left.key} is in two sums: {left.statement} and {right.statement}"
                build = partial(_in_two, left, right, item)
                yield Requirement(
                    family="R5",
                    claim=claim,
                    violations=build,
                    actors=(),
                    about=left.statement,
                    others=(right.statement,),
                )


def _in_two(left: Part, right: Part, item: tuple[int, int]) -> Domain:
    """Two parts with a point of the body that is in both."""
    one, other = left.members[item], right.members[item]
    body = one.space.names[len(left.names) :]
    x, y = (tuple(f"{name}.{role}" for name in each.names) for each, role in ((left, "x"), (right, "y")))
    space = one.space.with_names((*x, *y, *body))
    found = one.renamed((*x, *body)).embedded(space) & other.renamed((*y, *body)).embedded(space)
    if left is right:
        itself = same(list(map(Affine.name, x)), list(map(Affine.name, y)))
        found = found - Domain.where(space, itself)
    return found
