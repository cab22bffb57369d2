"""Chains of values combined into a cell, from the last back to the start, and candidates for each contribution."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from alphaz.equivalence.claims import Contribution, Share
from alphaz.equivalence.expression_matching import Matching, Way, item_ways, parts_of
from alphaz.equivalence.symbolic_run import ChainLink, Equations, name_of
from alphaz.equivalence.value_graph import ReductionValue
from alphaz.poly import Affine, Domain
from alphaz.scop.c_model import KernelStatement
from alphaz.scop.value_tree import Tree

# Walks through chains ask for the same statements at each of their instances.
_MOST_STATEMENTS = 1024


def links(chain: ChainLink) -> Iterator[ChainLink]:
    link: ChainLink | None = chain
    while link is not None:
        yield link
        link = link.before


def parts(
    link: ChainLink, operator: str, equations: Equations, in_order: bool = False
) -> tuple[bool, list[tuple[int, int]]]:
    """Returns whether a statement adds to its own cell, and the names of the values that it combines, with signs."""
    is_update, terms = combined_terms(link.statement, operator, in_order)
    return is_update, [(sign, name_of(tree, link, equations)) for sign, tree in terms]


@lru_cache(_MOST_STATEMENTS)
def combined_terms(
    statement: KernelStatement, operator: str, in_order: bool = False
) -> tuple[bool, tuple[tuple[int, Tree], ...]]:
    """Returns whether a statement adds to its own cell, and the terms that it combines, with signs."""
    is_update, terms = parts_of(statement.value, operator, own_read(statement), statement.target.array.type, in_order)
    return is_update, tuple(terms)


@lru_cache(_MOST_STATEMENTS)
def own_read(statement: KernelStatement) -> int | None:
    """Returns the number of the read of the written cell."""
    return next(
        (position for position, access in enumerate(statement.reads) if access.same_cell(statement.target)), None
    )


def ways(
    statement: KernelStatement,
    key: str,
    sum_: ReductionValue,
    point: tuple[Affine, ...],
    where: Domain,
    starts: bool,
    bodies: Sequence[Sequence[Share]],
    parts: Sequence[tuple[int, Tree]],
    matching: Matching,
) -> Iterator[Contribution]:
    """Yields claims for the instances that add one of the options for each part of the tree, or padding."""
    partial_ways: list[tuple[Way, tuple[Share, ...]]] = [((where, ()), ())]
    for options, (sign, tree) in zip(bodies, parts, strict=True):
        following: list[tuple[Way, tuple[Share, ...]]] = []
        for (part, needs), shares in partial_ways:
            remaining, matched = part, list[Domain]()
            for share in options:
                if share.number >= len(sum_.items) or sum_.items[share.number].sign != sign:
                    continue
                for domain in matched:
                    remaining = remaining - domain
                matches = item_ways(matching, tree, sum_, share.number, share.body, point, remaining)
                following += [((narrower, (*needs, *more)), (*shares, share)) for narrower, more in matches]
                matched = [narrower for narrower, _ in matches]
            if matching.zeros is not None:
                for domain in matched:
                    remaining = remaining - domain
                padding = matching.padding(tree, remaining) if sum_.operator == "+" else []
                if sum_.operator != "+" and tree.type == statement.target.array.type:
                    padding = matching.identity(tree, remaining, sum_.operator)
                following += [((narrower, (*needs, *more)), shares) for narrower, more in padding]
        partial_ways = following
    for (part, needs), shares in partial_ways:
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
