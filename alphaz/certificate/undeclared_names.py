"""Finds names in the record of a C function that nothing declares, and values of the equations that are not listed."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from alphaz.certificate.c_inventory import CEquation, CInventory, CTerm
from alphaz.certificate.violation_sets import LinearSum, ViolationCase


def undeclared(inventory: CInventory) -> str:
    """Returns the first name that nothing declares, with its place; empty if there is none."""
    for place, names, sums, domain in _places(inventory):
        declared = {*inventory.parameters, *names}
        unknown = next((name for name in _used(sums, domain, declared) if name not in declared), None)
        if unknown is not None:
            return f"{place}: nothing declares {unknown}"
    return ""


def unlisted(inventory: CInventory) -> str:
    """Returns the first reference to a value of the equations that is not listed; empty if there is none."""
    listed = {value.key: len(value.indices) for value in inventory.values}
    for place, key, point in _references(inventory):
        if key not in listed:
            return f"{place} the value `{key}`, which the certificate does not list"
        if len(point) != listed[key]:
            return f"{place} the value `{key}` with {len(point)} indices, and it has {listed[key]}"
    return ""


def _references(inventory: CInventory) -> Iterator[tuple[str, str, Sequence[LinearSum]]]:
    """Yields the references of claims and readers to values, with their places."""
    for at, claim in enumerate(inventory.claims):
        yield f"claim {at} gives", claim.key, claim.point
        for need in claim.needs:
            yield f"claim {at} needs", need.key, need.point
    for reader in inventory.readers:
        if reader.key:
            yield f"the reader of {reader.text} reads", reader.key, reader.point


Place = tuple[str, Sequence[str], list[LinearSum], Sequence[ViolationCase]]


def _places(inventory: CInventory) -> Iterator[Place]:
    for statement in inventory.statements:
        sums = [affine for access in statement.accesses for affine in access.subscripts]
        sums += [] if statement.value is None else list(_sums_in(statement.value))
        yield statement.name, statement.names, sums, [*chain(*statement.domain)]
    for at, claim in enumerate(inventory.claims):
        sums = [*claim.point, *(affine for need in claim.needs for affine in need.point)]
        sums += [affine for share in claim.shares for affine in share.body]
        yield f"claim {at}", inventory.statements[claim.statement].names, sums, [*chain(*claim.domain)]
    for reader in inventory.readers:
        yield f"the reader of {reader.text}", reader.names, [*reader.cell, *reader.point], [*chain(*reader.domain)]
    for value in inventory.values:
        yield from _places_of(value)


def _places_of(value: CEquation) -> Iterator[Place]:
    for definition in value.definitions:
        sums = [] if definition.term is None else list(_sums_in(definition.term))
        yield f"the equation of {value.key}", value.indices, sums, definition.domain
        for item in definition.items:
            yield f"the sum of {value.key}", item.names, [*item.projection, *_sums_in(item.term)], item.domain


def _sums_in(term: CTerm) -> Iterator[LinearSum]:
    yield from term.at
    for operand in term.operands:
        yield from _sums_in(operand)


def _used(sums: Iterable[LinearSum], cases: Sequence[ViolationCase], declared: set[str]) -> Iterator[str]:
    """Yields the names in sums and in cases, without the divisions that a case declares before it uses them."""
    for affine in sums:
        yield from affine.terms
    for case in cases:
        own: set[str] = set()
        for division in case.divisions:
            yield from (name for name in division.sum.terms if name not in own)
            if division.by < 1 or division.name in declared or division.name in own:
                yield f"{division.name} / {division.by}"
            own.add(division.name)
        yield from (name for row in case.rows for name in row.sum.terms if name not in own)
