"""D: a copy that is dropped has its value in its cell already. Asked like every obligation, and in certificates."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from alphaz.certificate import smt
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.certificate.required_obligations import missing
from alphaz.diagnostics.rules import DROPPED
from alphaz.legality.obligations.copies import dropped_copies
from alphaz.legality.reporting.certificate_record import record
from alphaz.mapping.aliases import Copy
from alphaz.mapping.cells import cells_of, location
from alphaz.mapping.factors import Factor
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Cell
from alphaz.order.operation_table import operations
from alphaz.order.precedence import Order
from alphaz.poly import Affine
from alphaz.proof import Proved, Refuted, Undecided, discharge, isl_engine
from tests.legality.mapped import Mapped
from tests.mapping.in_place import LU, STEPS

N = Affine.name("N")
# The map of A in the space of F, with its factors: some keep all copies where they are, some one of them, some none.
MAPS: list[tuple[str, tuple[Factor, ...]]] = [
    ("(k,i,j -> i,j)", ()),
    ("(k,i,j -> i,k+j)", ()),
    ("(k,i,j -> N-1-i,j)", ()),
    ("(k,i,j -> 2k+i,j)", (2, 0)),
    ("(k,i,j -> 3k+i,j)", (2, 0)),
    ("(k,i,j -> i+N,j)", (N, 0)),
    ("(k,i,j -> i+1,j)", (N, 0)),
    ("(k,i,j -> i+2N,j)", (N, 0)),
]


def in_place(text: str = "(k,i,j -> i,j)", factors: tuple[Factor, ...] = ()) -> Mapped:
    plain = "(i,j -> i,j)"
    mapped = Mapped(LU).memory("A", text, "F", factors).memory("M", plain, "F", factors)
    return mapped.memory("F", plain, "F", factors).time("A", "(k,i,j -> k,i,j)")


def resolved(mapped: Mapped) -> ResolvedMapping:
    mapping = mapped.report().mapping
    assert mapping is not None
    return mapping


def moves(cells: Mapping[str, Cell], copy: Copy) -> bool:
    """By enumeration: whether some point of the copy has another cell than what it copies."""
    for size in range(1, 6):
        for point in copy.domain.points({"N": size}):
            values = {"N": size, **dict(zip(copy.domain.space.names, point, strict=True))}
            here = location(cells[copy.variable], values, point)
            if here != location(cells[copy.source], values, copy.function.at(values)):
                return True
    return False


@pytest.mark.parametrize(("text", "factors"), MAPS, ids=[f"{text} mod {factors}" for text, factors in MAPS])
def test_it_is_what_enumeration_finds(text: str, factors: tuple[Factor, ...]) -> None:
    """Copies of a matrix that is worked on in place, said to be dropped under other maps."""
    good, other = resolved(in_place()), in_place(text, factors)
    mapping = replace(good, cells=cells_of(good.system, other.mapping))
    verdicts = []
    for copy, matter in zip(mapping.aliases.every, dropped_copies(operations(mapping)), strict=True):
        obligation = matter.ask().under(Order(mapping.before))
        assert obligation is not None
        assert obligation.rule is DROPPED
        verdicts.append(discharge(obligation))
        far = text == "(k,i,j -> i+2N,j)" and {copy.variable, copy.source} != {"A"}
        expected = Refuted if moves(mapping.cells, copy) else Undecided if far else Proved
        assert isinstance(verdicts[-1], expected), (str(copy), verdicts[-1])
        assert not matter.exemption or expected is Proved
    assert len(verdicts) == len(mapping.aliases.every) == 4


def test_a_witness_says_what_would_move() -> None:
    good = resolved(in_place())
    mapping = replace(good, cells=cells_of(good.system, in_place("(k,i,j -> N-1-i,j)").mapping))
    matter = next(iter(dropped_copies(operations(mapping))))
    obligation = matter.ask().under(Order(mapping.before))
    assert obligation is not None
    verdict = discharge(obligation)
    assert isinstance(verdict, Refuted)
    assert verdict.witness.sentence == "N=2: A[0,0,0] is a copy of M[0,0], in another cell"


@pytest.mark.parametrize("mapped", [in_place(), in_place("(k,i,j -> 2k+i,j)", (2, 0))], ids=["plain", "factors"])
def test_it_stands_in_certificates(mapped: Mapped) -> None:
    made = record("lu.cs", mapped.report())
    assert made.inventory is not None
    mine = [entry for entry in made.obligations if entry.key.kind == "D"]
    assert [entry.key.families for entry in mine] == [{"copy": at} for at in range(len(made.inventory.copies))]
    assert len(mine) >= 3
    for module in (isl_engine, smt):
        engine = module.engine()[1]
        only = replace(made, obligations=tuple(mine))
        assert all(check.outcome is RecheckOutcome.AGREES for check in recheck(only, engine) if check.entry in mine)
    without = replace(
        made, obligations=tuple(obligation for obligation in made.obligations if obligation is not mine[1])
    )
    assert [(key.kind, key.families) for key in missing(without)] == [("D", {"copy": 1})]


def test_what_maps_say_themselves_is_not_asked() -> None:
    """The border of a stencil copies itself from step to step, whatever the time."""
    mapped = Mapped(STEPS).memory("X", "(t,i -> i)", "B").memory("A", None, "B")
    mapping = resolved(mapped.time("X", "(t,i -> t,i)").time("B", "(i -> T+1,i)"))
    matters = list(dropped_copies(operations(mapping)))
    assert len(matters) == len(mapping.aliases.every) >= 2
    assert any(matter.exemption for matter in matters)
