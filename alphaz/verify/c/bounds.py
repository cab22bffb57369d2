"""C0: subscripts lie inside of their arrays, and nothing that is divided is negative.

Of an array that the caller passes in a storage format only the cells of points are inside.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from alphaz.c_reading.kernel import Access, Dividend, Statement
from alphaz.c_reading.number import affine
from alphaz.mapping.layout import index
from alphaz.poly import Affine, Constraint, Domain, Formula, at_least, less
from alphaz.verify.c.actor import Actor, actor
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.requirement import Requirement
from alphaz.verify.c.stated import all_of, any_of, asked, renamed

# What `Binding.held` says of an array.
Held = tuple[Constraint, ...] | None

_SAID = {False: "no dividend is negative", True: "no unsigned number wraps around below 0"}


def bounds(inquiry: Inquiry) -> Iterator[Requirement]:
    for number, dividend in enumerate(inquiry.kernel.dividends):
        yield Requirement(
            family="C0",
            claim=f"{_SAID[dividend.is_unsigned]} (line {dividend.span.position[0]})",
            violations=partial(_negative, dividend),
            actors=(),
            about=None,
            subjects={"dividend": number},
            stated=partial(_negative_stated, dividend),
            span=dividend.span,
        )
    for statement in inquiry.kernel.statements:
        who = actor("s", statement)
        for number, access in _accesses(statement):
            held = inquiry.binding.held(access.array.name)
            if len(access.subscripts) > len(access.array.prefix):
                subjects = {"statement": statement, "access": number}
                yield Requirement(
                    family="C0",
                    claim=f"{access.array.label} is accessed inside its bounds ({statement})",
                    violations=partial(_outside, who, access, held),
                    actors=(who,),
                    about=statement,
                    subjects=subjects,
                    stated=partial(_outside_stated, who, access, held),
                )


def _accesses(statement: Statement) -> Iterator[tuple[int, Access]]:
    """The target and the reads, each cell once, with their numbers: the target is 0."""
    seen: set[tuple[object, ...]] = set()
    for number, access in enumerate((statement.target, *statement.reads)):
        title = (access.array.name, access.subscripts)
        if title not in seen:
            seen.add(title)
            yield number, access


def _outside(who: Actor, access: Access, held: Held) -> Domain:
    statement, limit = who.statement, access.array.limit
    assert statement is not None
    space = statement.space.with_names((*statement.iterators, *(() if limit is None else (limit.name,))))
    found = statement.domain.embedded(space) & Domain.where(space, *_too_far(access, held))
    if limit is not None:
        found = (found & Domain.where(space, *limit.condition)).onto(statement.iterators)
    return found.renamed(who.dimensions)


def _too_far(access: Access, held: Held) -> list[list[Constraint]]:
    behind = access.subscripts[len(access.array.prefix) :]
    if held is not None:
        at = {index(number): subscript for number, subscript in enumerate(behind)}
        return [case for each in held for case in _broken(each.substitute(at))]
    cases: list[list[Constraint]] = []
    for subscript, extent in zip(behind, access.array.extents, strict=True):
        bound = None if extent is None else affine(extent)
        assert bound is not None, "extents that are not affine are refused before"
        cases += [[less(subscript, Affine())], [at_least(subscript, bound)]]
    return cases


def _broken(constraint: Constraint) -> list[list[Constraint]]:
    below = [less(constraint.affine, Affine())]
    return [below, [less(Affine(), constraint.affine)]] if constraint.equality else [below]


def _outside_stated(who: Actor, access: Access, held: Held) -> Formula:
    limit = access.array.limit
    found = asked((who,), renamed(any_of(_too_far(access, held)), who.names))
    if limit is None:
        return found
    parts = (*found.parts, renamed(any_of(limit.condition), who.names))
    return replace(found, auxiliary=(limit.name,), parts=parts)


def _negative(dividend: Dividend) -> Domain:
    return dividend.domain & Domain.where(dividend.domain.space, _below_zero(dividend))


def _below_zero(dividend: Dividend) -> list[Constraint]:
    return [less(dividend.value, Affine())]


def _negative_stated(dividend: Dividend) -> Formula:
    return Formula(dividend.domain.space, (), (dividend.domain.pieces(), all_of(_below_zero(dividend))))
