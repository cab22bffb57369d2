"""C0: subscripts lie inside of their arrays, and nothing that is divided is negative."""

from collections.abc import Iterator
from functools import partial

from alphaz.c_reading.kernel import Access, Dividend
from alphaz.c_reading.number import affine
from alphaz.poly import Affine, Constraint, Domain, at_least, less
from alphaz.verify.c.actor import Actor, actor
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.requirement import Requirement


def bounds(inquiry: Inquiry) -> Iterator[Requirement]:
    for dividend in inquiry.kernel.dividends:
        claim = f"no dividend is negative (line {dividend.span.position[0]})"
        yield Requirement(
            family="C0", claim=claim, violations=partial(_negative, dividend), actors=(), about=None, span=dividend.span
        )
    for statement in inquiry.kernel.statements:
        who = actor("s", statement)
        accesses = {(a.array.name, a.subscripts): a for a in (statement.target, *statement.reads)}
        for access in accesses.values():
            if len(access.subscripts) > len(access.array.prefix):
                claim = f"{access.array.label} is accessed inside its bounds ({statement})"
                yield Requirement(
                    family="C0", claim=claim, violations=partial(_outside, who, access), actors=(who,), about=statement
                )


def _outside(who: Actor, access: Access) -> Domain:
    statement, limit = who.statement, access.array.limit
    assert statement is not None
    space = statement.space.with_names((*statement.iterators, *(() if limit is None else (limit.name,))))
    cases: list[list[Constraint]] = []
    subscripts = access.subscripts[len(access.array.prefix) :]
    for subscript, extent in zip(subscripts, access.array.extents, strict=True):
        bound = None if extent is None else affine(extent)
        assert bound is not None, "extents that are not affine are refused before"
        cases += [[less(subscript, Affine())], [at_least(subscript, bound)]]
    found = statement.domain.embedded(space) & Domain.where(space, *cases)
    if limit is not None:
        found = (found & Domain.where(space, *limit.condition)).onto(statement.iterators)
    return found.renamed(who.dimensions)


def _negative(dividend: Dividend) -> Domain:
    return dividend.domain & Domain.where(dividend.domain.space, [less(dividend.value, Affine())])
