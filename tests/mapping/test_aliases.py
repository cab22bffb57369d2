"""Branches that only copy a value onto the cell that holds it, and the values that are read instead."""

from itertools import product

from alphaz.mapping.aliases import Aliases
from alphaz.poly import AffineFunction
from tests.legality.mapped import Mapped
from tests.mapping.in_place import LU, MIRROR, STEPS, TURNS


def in_place() -> Mapped:
    return Mapped(LU).memory("A", "(k,i,j -> i,j)", "F").memory("M", None, "F").time("A", "(k,i,j -> k,i,j)")


def aliases(mapped: Mapped) -> Aliases:
    mapping = mapped.report().mapping
    assert mapping is not None
    return mapping.aliases


def test_an_elimination_works_in_the_matrix_that_it_is_given() -> None:
    """Rows and columns that are done are copied from step to step: without dropping that, one overwrites the other."""
    report = in_place().report()
    assert report.is_proved
    assert report.mapping is not None
    (statement,) = report.mapping.statements
    left = [(k, i, j) for k in range(1, 4) for i in range(k, 4) for j in range(k - 1, 4)]
    assert list(statement.domain.points({"N": 4})) == left
    assert in_place().codes() == ["AZ410"] * 4
    notes = [f.message for f in report.findings]
    assert notes[1].startswith("A copies A onto the cell that holds it: nothing is executed for it where {k,i,j | ")
    assert notes[3] == "F copies A onto the cell that holds it: nothing is executed for it"


def test_origins_are_what_copies_lead_to_one_after_the_other() -> None:
    result = aliases(in_place())
    size = 4
    for k, i, j in product(range(size + 1), range(size), range(size)):
        point, seen = {"N": size, "k": k, "i": i, "j": j}, 0
        source = result.origin("A", (k, i, j), {"N": size})
        for copy in result.origins["A"]:
            if copy.domain.contains(point):
                seen += 1
                assert (copy.source, copy.function.at(point)) == source
        assert seen == (source != ("A", (k, i, j)))
        assert source[0] == "M" or source[1][1:] == (i, j)
    assert result.origin("F", (3, 1), {"N": 4}) == ("A", (2, 3, 1))
    assert result.origin("F", (0, 2), {"N": 4}) == ("M", (0, 2))


def test_what_is_left_must_still_be_in_order() -> None:
    assert in_place().kind("1", "P").report().is_proved
    assert "AZ502" in in_place().kind("2", "P").refuted()
    assert "AZ502" in in_place().time("A", "(k,i,j -> -k,i,j)").refuted()
    assert set(in_place().time("A", "(k,i,j -> k,-j,i)").refuted()) == {"AZ502"}


def test_one_branch_of_a_result_is_in_its_place_already() -> None:
    mirror = Mapped(MIRROR).memory("L", None, "C").time("L", "(i,j -> 0,i,j)").time("C", "(i,j -> 1,i,j)")
    report = mirror.report()
    assert report.is_proved
    assert report.mapping is not None
    assert [s.name for s in report.mapping.statements] == ["C", "L"]
    assert [(i, j) for i, j in report.mapping.statement("C").domain.points({"N": 3})] == [
        (0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2),
    ]  # fmt: skip
    moved = Mapped(MIRROR).memory("L", "(i,j -> j,i)", "C").time("L", "(i,j -> 0,i,j)").time("C", "(i,j -> 1,i,j)")
    assert moved.report().is_proved
    assert len(aliases(moved).steps["C"]) == 1
    across = mirror.memory("C", "(i,j -> i,j)").memory("L", "(i,j -> i,0)", "C")
    assert not aliases(across)
    assert "AZ601" in across.refuted()


def test_a_border_stays_where_it_is() -> None:
    plain = Mapped(STEPS).memory("X", "(t,i -> i)", "B").time("X", "(t,i -> t,i)")
    assert plain.report().is_proved
    # The reader of X[t-1,N-1] comes after the copy to X[t,N-1], which writes what is there.
    late = plain.time("X", "(t,i -> t,i)").memory("A", None, "B")
    assert late.report().is_proved
    mapping = late.report().mapping
    assert mapping is not None
    assert list(mapping.statement("X").domain.points({"T": 2, "N": 4})) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    backwards = plain.time("X", "(t,i -> t,-i)")
    assert "AZ502" in backwards.refuted()


def test_what_moves_is_no_copy_in_place() -> None:
    own = Mapped(STEPS).time("X", "(t,i -> t,i)").time("B", "(i -> T+1,i)")
    assert not aliases(own)
    assert not aliases(own.memory("X", "(t,i -> t+i)"))
    assert len(aliases(own.memory("X", "(t,i -> i)")).steps["X"]) == 2


def test_mod_factors_count() -> None:
    rows = Mapped(STEPS).memory("X", "(t,i -> t,i)", moduli=(2, 0)).time("X", "(t,i -> t,-i)")
    assert set(aliases(rows.memory("B", "(i -> T,i)", "X", (2, 0))).steps) == {"B"}
    assert set(aliases(rows.memory("B", "(i -> T+2,i)", "X", (2, 0))).steps) == {"B"}
    assert not aliases(rows.memory("B", "(i -> T,i)", "X", (3, 0)))
    assert not aliases(rows.memory("B", "(i -> T+1,i)", "X", (2, 0)))


def test_copies_of_two_variables_in_a_circle_leave_one() -> None:
    turns = Mapped(TURNS).memory("X", "(t,i -> i)", "B").memory("Y", "(t,i -> i)", "B")
    turns = turns.time("X", "(t,i -> t,0,-i)").time("Y", "(t,i -> t,1,i)")
    assert turns.report().is_proved
    assert set(aliases(turns).steps) == {"X", "B"}


def test_the_identity_needs_no_origins() -> None:
    none = Aliases()
    space = Mapped(LU).design.program.systems[0].variable("F").domain.space
    own = AffineFunction.identity(space)
    domain = Mapped(LU).design.program.systems[0].variable("F").domain
    assert list(none.read("F", own, domain)) == [(domain, ("F", own))]
    assert none.rest("F", domain) is domain
    assert not none
