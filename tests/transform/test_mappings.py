"""The effect of program transformations on target mappings."""

from alphaz.diagnostics import rules
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import (
    DimensionKind,
    KindSetting,
    MemoryMap,
    SpaceTimeMap,
    StatementOrder,
    TargetMapping,
)
from alphaz.transform.normal.normalize_reduction import normalize_reduction
from alphaz.transform.reductions.serialize import serialize_reduction
from alphaz.transform.variables.basis_change import change_of_basis
from alphaz.transform.variables.remove import remove_unused_variables
from alphaz.transform.variables.rename import rename_system, rename_variable
from alphaz.transform.variables.split import merge, split
from tests.transform.programs import design, domain, function, sums

TABLE = sums("S[i,j] = case {| j==0}: A[0]; {| j>0}: S[i,j-1] + A[j]; esac; B[i] = S[i,i];", "int S {i,j | 0<=j<=i<N};")
REDUCED = sums("S[i] = reduce(+, [j], {| 0<=j<=i}: A[j]); B[i] = S[i];", "int S {i | 0<=i<N};")


def mapped(text: str = TABLE) -> Design:
    mapping = TargetMapping(
        (SpaceTimeMap("S", function("(i,j->i,j)")), SpaceTimeMap("B", function("(i->i,N)"))),
        (KindSetting("S", (), (0,), DimensionKind.PARALLEL), KindSetting(None, (), (1,), DimensionKind.SEQUENTIAL)),
        (StatementOrder("S", "B"),),
        (MemoryMap("S", "S", function("(i,j->i)")), MemoryMap("B", "out")),
    )
    return design(text).with_mapping("sums", mapping)


def test_a_change_of_basis_keeps_dates_and_cells() -> None:
    after = change_of_basis(mapped(), "sums", "S", function("(i,j->i+j,j)")).mapping("sums")
    date, cell = after.space_time_of("S"), after.memory_of("S")
    assert date is not None
    assert cell is not None
    assert cell.function is not None
    for i in range(5):
        for j in range(i + 1):
            moved = {"N": 5, "i": i + j, "j": j}
            assert date.function.at(moved) == (i, j)
            assert cell.function.at(moved) == (i,)
    assert after.space_time_of("B") == mapped().mapping("sums").space_time_of("B")
    assert not change_of_basis(mapped(), "sums", "S", function("(i,j->i+j,j)")).dropped


def test_a_change_of_basis_keeps_the_date_of_a_body_and_moves_that_of_its_initialisation() -> None:
    before = design(REDUCED).with_mapping(
        "sums", TargetMapping((SpaceTimeMap("S", function("(i,j->i,j)"), function("(i->i,-1)")),))
    )
    entry = change_of_basis(before, "sums", "S", function("(i->i+3)")).mapping("sums").space_time_of("S")
    assert entry is not None
    assert entry.function == function("(i,j->i,j)")
    assert entry.init is not None
    assert entry.init.at({"N": 9, "i": 5}) == (2, -1)


def test_renaming_takes_every_entry_along() -> None:
    after = rename_variable(mapped(), "sums", "S", "T")
    mapping = after.mapping("sums")
    assert [m.variable for m in mapping.space_time] == ["T", "B"]
    assert [k.variable for k in mapping.kinds] == ["T", None]
    assert [(o.before, o.after) for o in mapping.ordering] == [("T", "B")]
    assert [(m.variable, m.space) for m in mapping.memory] == [("T", "T"), ("B", "out")]
    assert not after.dropped


def test_a_renamed_system_keeps_its_mapping() -> None:
    after = rename_system(mapped(), "sums", "totals")
    assert after.mapped_systems == ("totals",)
    assert after.mapping("totals").space_time_of("S") is not None


def test_a_split_copies_the_entries() -> None:
    after = split(mapped(), "sums", "S", domain("{i,j | i==j}"), "D").mapping("sums")
    date, cell = after.space_time_of("D"), after.memory_of("D")
    assert date is not None
    assert date.function == function("(i,j->i,j)")
    assert cell is not None
    assert cell.space == "S"
    assert ("D", "B") in [(o.before, o.after) for o in after.ordering]
    assert [k.variable for k in after.kinds] == ["S", "D", None]


def test_a_merge_drops_the_entries_of_its_parts_and_says_so() -> None:
    parts = split(mapped(), "sums", "S", domain("{i,j | i==j}"), "D")
    after = merge(parts, "sums", "S", "D", "S")
    assert [m.variable for m in after.mapping("sums").space_time] == ["B"]
    assert {w.rule for w in after.dropped} == {rules.IGNORED}
    assert any("space-time map of S" in w.message for w in after.dropped)
    assert any("memory map of D" in w.message for w in after.dropped)


def test_what_is_removed_takes_its_entries_with_it() -> None:
    unused = TABLE.replace("B[i] = S[i,i]", "B[i] = A[i]")
    after = remove_unused_variables(mapped(unused))
    assert [m.variable for m in after.mapping("sums").space_time] == ["B"]
    assert after.mapping("sums").ordering == ()
    assert len(after.dropped) == 4


def test_a_date_of_a_body_that_is_gone_is_dropped() -> None:
    before = design(REDUCED).with_mapping("sums", TargetMapping((SpaceTimeMap("S", function("(i,j->i,j)")),)))
    after = serialize_reduction(before, "sums", "S", function("(i,j->i,j)"))
    assert after.mapping("sums").space_time == ()
    (warning,) = after.dropped
    assert "2 indices" in warning.message


def test_hoisting_a_reduction_keeps_every_entry() -> None:
    text = sums("S[i,j] = A[i] + reduce(+, [k], {| 0<=k<=j}: A[k]); B[i] = S[i,i];", "int S {i,j | 0<=j<=i<N};")
    after = normalize_reduction(mapped(text))
    assert after.mapping("sums") == mapped(text).mapping("sums")
    assert not after.dropped
