"""Families of a memory space that may conflict: the look-up finds the pairs that a comparison of all pairs leaves."""

from itertools import product
from random import Random

import pytest

from alphaz.legality.obligations.memory import Nests
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.order.operations import Phase, StatementInstances
from alphaz.order.precedence import always_before
from alphaz.poly import Affine, AffineFunction, Domain, Space

SPACE = Space((), ("i",))


def family(moment: Phase, *constants: int) -> StatementInstances:
    """At dates `(constants, i)`, the constants of ordering dimensions."""
    domain, target = Domain.universe(SPACE), AffineFunction.identity(SPACE)
    if moment is not Phase.DATED:
        return StatementInstances("V", "V", moment, domain, target)
    date = AffineFunction(SPACE, (*(Affine.of(constant=constant) for constant in constants), Affine.name("i")))
    kinds = (*(DimensionKind.ORDERING,) * len(constants), DimensionKind.SEQUENTIAL)
    return StatementInstances(
        "V", "V", moment, domain, target, Statement("V", "V", Role.VALUE, domain, target, date, kinds)
    )


DATED = [family(Phase.DATED, *constants) for length in range(4) for constants in product(range(2), repeat=length)]
EVERY = [family(Phase.START), *DATED, *DATED[::3], family(Phase.START)]
READERS = [*DATED, family(Phase.END)]


@pytest.mark.parametrize("seed", range(4))
def test_nests_leave_out_families_that_are_always_ordered(seed: int) -> None:
    families = tuple(Random(seed).sample(EVERY, len(EVERY)))[: 5 + 4 * seed]
    nests = Nests(families)
    for first, last in product(families, READERS):
        left = [w for w in families if not (always_before(w, first) or always_before(last, w))]
        assert list(nests.between(first, last)) == left
    numbered = list(enumerate(families))
    assert list(nests.pairs()) == [
        (one, two)
        for at, one in numbered
        for there, two in numbered
        if at <= there and not (always_before(one, two) or always_before(two, one))
    ]
