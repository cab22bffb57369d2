"""Contributions to a sum, from what each part of a statement's tree may be."""

from collections.abc import Iterator, Sequence

from alphaz.c_reading.kernel import Statement
from alphaz.c_reading.tree import Tree
from alphaz.poly import Affine, Domain
from alphaz.verify.c.claims import Contribution, Share
from alphaz.verify.c.equations import Sum
from alphaz.verify.c.matching import Matching, Way, item_ways


def ways(
    statement: Statement,
    key: str,
    sum_: Sum,
    point: tuple[Affine, ...],
    where: Domain,
    starts: bool,
    bodies: Sequence[Sequence[Share]],
    parts: Sequence[tuple[int, Tree]],
    matching: Matching,
) -> Iterator[Contribution]:
    """Claims for the instances that add one of the options for each part of the tree."""
    found: list[tuple[Way, tuple[Share, ...]]] = [((where, ()), ())]
    for options, (sign, tree) in zip(bodies, parts, strict=True):
        following: list[tuple[Way, tuple[Share, ...]]] = []
        for (part, needs), shares in found:
            rest, taken = part, list[Domain]()
            for share in options:
                if share.number >= len(sum_.items) or sum_.items[share.number].sign != sign:
                    continue
                for each in taken:
                    rest = rest - each
                made = item_ways(matching, tree, sum_, share.number, share.body, point, rest)
                following += [((narrower, (*needs, *more)), (*shares, share)) for narrower, more in made]
                taken = [narrower for narrower, _ in made]
        found = following
    for (part, needs), shares in found:
        if not part.is_empty():
            yield Contribution(
                statement=statement,
                key=key,
                sum=sum_,
                point=point,
                domain=part,
                starts=starts,
                shares=shares,
                needs=needs,
            )
