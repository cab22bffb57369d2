"""Each mapping command makes the entry that it says, with the span of the map or of the call."""

from pathlib import Path

import pytest

from alphaz.diagnostics.rules import PRECONDITION
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.scripting.commands.all.space_time import listed
from tests.scripting.commands.scripts import design_of, error_of, mapping_of

PROGRAM = """
affine P {N | N > 0}
input
  int A {i,j | 0 <= i,j < N};
output
  int S {i | 0 <= i < N};
local
  int T {i,j | 0 <= i,j < N};
let
  T[i,j] = A[i,j] + 1;
  S[i] = reduce(+, [k], {| 0 <= k < N} : T[i,k]);
.
"""


def test_space_time_maps_of_result_body_and_input(tmp_path: Path) -> None:
    text = """
        setSpaceTimeMap(prog, "P", 0, "A, T", "( i , j -> j, i)");
        setSpaceTimeMap(prog, "P", "S", "(i->i,N)");
        setSpaceTimeMap(prog, "P", "S", "(i,k->i,k)", "(i->i,-1)");
    """
    mapping = mapping_of(text, tmp_path, PROGRAM)
    shown = [(m.variable, str(m.function), m.init and str(m.init), m.span.text) for m in mapping.space_time]
    assert shown == [
        ("A", "(i,j -> j,i)", None, "( i , j -> j, i)"),
        ("T", "(i,j -> j,i)", None, "( i , j -> j, i)"),
        ("S", "(i,k -> i,k)", "(i -> i,-1)", "(i,k->i,k)"),
    ]


def test_kinds_of_dimensions(tmp_path: Path) -> None:
    text = """
        setDimensionType(prog, "P", "S", "1", "P");
        setDimensionType(prog, "P", "S", 0, "ordering");
        setParallel(prog, "P", "0,1", "0,2");
        setParallel(prog, "P", 0, "", 1);
        setOrderingDimensions(prog, "P", "0");
    """
    kinds = mapping_of(text, tmp_path, PROGRAM).kinds
    assert [(k.variable, k.prefix, k.dimensions, k.kind) for k in kinds] == [
        ("S", (), (1,), DimensionKind.PARALLEL),
        ("S", (), (0,), DimensionKind.ORDERING),
        (None, (0, 1), (0, 2), DimensionKind.PARALLEL),
        (None, (), (1,), DimensionKind.PARALLEL),
        (None, (), (0,), DimensionKind.ORDERING),
    ]
    assert kinds[2].span.text == 'setParallel(prog, "P", "0,1", "0,2")'


def test_turns_are_taken_in_dimensions_that_threads_share(tmp_path: Path) -> None:
    """Of the last command about them; what it makes parallel stays so."""
    text = """
        setParallel(prog, "P", "0", "0,2");
        setReductionDimension(prog, "P", "0", 2);
        setChunks(prog, "P", "0", 2, 8);
    """
    *_, last = mapping_of(text, tmp_path, PROGRAM).kinds
    assert (last.prefix, last.dimensions, last.kind, last.chunk) == ((0,), (2,), DimensionKind.REDUCTION, 8)
    assert "dimensions 2 of all below 0: REDUCTION, in chunks of 8" in listed(design_of(text, tmp_path, PROGRAM), "P")


@pytest.mark.parametrize(
    "before",
    ["", 'setParallel(prog, "P", "", 1);', 'setParallel(prog, "P", "0", 0);', 'setVectorDimension(prog, "P", "", 0);'],
)
def test_there_are_no_turns_where_threads_share_nothing(before: str, tmp_path: Path) -> None:
    error = error_of(f'{before} setChunks(prog, "P", "", 0, 8);', tmp_path, PROGRAM)
    assert error.rule is PRECONDITION
    assert "threads do not share dimension 0" in error.message


def test_statement_ordering(tmp_path: Path) -> None:
    (order,) = mapping_of('setStatementOrdering(prog, "P", "T", "S");', tmp_path, PROGRAM).ordering
    assert (order.before, order.after) == ("T", "S")


def test_the_forms_of_memory_maps(tmp_path: Path) -> None:
    forms = {
        '"(i,j->i)"': ("T", "(i,j -> i)", ()),
        '"M", "(i,j->i)"': ("M", "(i,j -> i)", ()),
        '"(i,j->i,j)", "2,0"': ("T", "(i,j -> i,j)", (2, 0)),
        '"M", "(i,j->i,j)", "(0, 3)"': ("M", "(i,j -> i,j)", (0, 3)),
        '"(i,j->j)", 2': ("T", "(i,j -> j)", (2,)),
    }
    for arguments, expected in forms.items():
        (entry,) = mapping_of(f'setMemoryMap(prog, "P", "T", {arguments});', tmp_path, PROGRAM).memory
        assert (entry.space, str(entry.function), entry.moduli) == expected


def test_space_and_map_may_come_in_either_order(tmp_path: Path) -> None:
    space, map_ = 'setMemorySpace(prog, "P", "M", "T, S");', 'setMemoryMap(prog, "P", "T", "(i,j->j)");'
    for text in (space + map_, map_ + space):
        memory = mapping_of(text, tmp_path, PROGRAM)
        assert {e.variable: (e.space, e.function and str(e.function)) for e in memory.memory} == {
            "T": ("M", "(i,j -> j)"),
            "S": ("M", None),
        }


def test_dimensions_that_are_tiled_in_a_row_form_one_band(tmp_path: Path) -> None:
    text = """
        setTiling(prog, "P", 2, 30);
        setTiling(prog, "P", "0", 10);
        setTiling(prog, "P", 1);
        setTiling(prog, "P", 4, 8);
        setTiling(prog, "P", 0, 16);
    """
    tiling = mapping_of(text, tmp_path, PROGRAM).tiling
    assert [(b.start, b.end, b.sizes, b.wavefront) for b in tiling] == [
        (0, 2, ((16, None, 30),), ((False, False, False),)),
        (4, 4, ((8,),), ((False,),)),
    ]
    assert [b.span.position[0] for b in tiling] == [7, 6]


def test_tiles_in_wavefronts(tmp_path: Path) -> None:
    for last in ('setTilingType(prog, "P", "omp");', 'setTiling(prog, "P", "omp");'):
        (band,) = mapping_of('setTiling(prog, "P", 0, 4);' + last, tmp_path, PROGRAM).tiling
        assert band.wavefront == ((True,),)
        assert band.sizes == ((4,),)


def test_recursive_tiles(tmp_path: Path) -> None:
    for last in ('setTilingType(prog, "P", "recursive");', 'setTiling(prog, "P", "recursive");'):
        text = f'setTiling(prog, "P", 0, 4);{last}setTiling(prog, "P", 1, 8);'
        (band,) = mapping_of(text, tmp_path, PROGRAM).tiling
        assert (band.sizes, band.wavefront) == (((4, 8),), ((False, False),))
        assert band.recursive == {0}
        (band,) = mapping_of(text + 'setTilingType(prog, "P", "omp");', tmp_path, PROGRAM).tiling
        assert (band.recursive, band.wavefront) == (frozenset(), ((True, True),))
    made = 'setBandForTiling(prog, "P", "b", 3, 0, 1);'
    (band,) = mapping_of(made + SUB.format(2, "recursive"), tmp_path, PROGRAM).tiling
    assert band.recursive == {1}
    (band,) = mapping_of(made + SUB.format(1, "recursive") + SUB.format(0, "openmp"), tmp_path, PROGRAM).tiling
    assert band.wavefront[0] == (True, True)
    assert band.recursive == {1}
    (band,) = mapping_of(made + SUB.format(2, "recursive") + SUB.format(2, "sequential"), tmp_path, PROGRAM).tiling
    assert band.recursive == frozenset()


def test_recursive_tiles_are_those_of_the_whole_band(tmp_path: Path) -> None:
    band = 'setBandForTiling(prog, "P", "b", 0, 1);'
    error = error_of(f'{band}setSubTilingWithinBand(prog, "P", "b", 1, 1, 1, "recursive");', tmp_path, PROGRAM)
    assert error.message == "recursive tiles are those of the whole band `b`, 0..1"


def test_cache_oblivious_code_has_recursive_tiles(tmp_path: Path) -> None:
    dates = 'setSpaceTimeMap(prog, "P", "T", "(i,j->i,j)");'
    (band,) = mapping_of(f'{dates}generatePCOTCode(prog, "P");', tmp_path, PROGRAM).tiling
    assert (band.start, band.end, band.sizes) == (0, 1, ((None, None),))
    assert band.recursive == {0}
    tiles = 'setTiling(prog, "P", 0, 4); setTilingType(prog, "P", "omp");'
    (band,) = mapping_of(f'{dates}{tiles}generatePCOTCode(prog, "P", "out");', tmp_path, PROGRAM).tiling
    assert band.sizes == ((4,),)
    assert band.recursive == {0}


def test_named_bands(tmp_path: Path) -> None:
    text = """
        setBandForTiling(prog, "P", "b", 2, "0", 0, 1);
        setSubTilingWithinBand(prog, "P", "b", 2, 0, 1, "openmp");
        setBandForTiling(prog, "P", "c", "1", 0, 0);
        setBandForTiling(prog, "P", "c", "1", 0, 1);
    """
    first, second = mapping_of(text, tmp_path, PROGRAM).tiling
    assert (first.name, first.prefix, first.start, first.end) == ("b", (0,), 0, 1)
    assert (first.sizes, first.wavefront) == (((None, None), (None, None)), ((False, False), (True, True)))
    assert (second.name, second.prefix, second.start, second.end) == ("c", (1,), 0, 1)


def test_bands_with_sizes(tmp_path: Path) -> None:
    text = 'setBandForTiling(prog, "P", "b", "0", 0, 1, "64,0; 16,8"); setBandForTiling(prog, "P", "c", 0, 0, "5");'
    first, second = mapping_of(text, tmp_path, PROGRAM).tiling
    assert (first.prefix, first.sizes, second.sizes) == ((0,), ((64, 0), (16, 8)), ((5,),))
    for wrong in ('"64"', '1, 0, 1, "64,0; 16,8"', '"64,-1"'):
        band = f'setBandForTiling(prog, "P", "b", {wrong if "0, 1" in wrong else f"0, 1, {wrong}"});'
        assert error_of(band, tmp_path, PROGRAM).rule.code == "AZ402"


SUB = 'setSubTilingWithinBand(prog, "P", "b", {}, "{}");'


@pytest.mark.parametrize(
    ("levels", "said", "wavefront"),
    [
        (1, ((1, "openmp"),), (True,)),
        (1, ((0, "openmp"),), (True,)),
        (2, ((1, "sequential"), (2, "openmp")), (False, True)),
        (2, ((0, "sequential"), (1, "openmp")), (False, True)),
        (2, ((1, "openmp"), (0, "sequential")), (False, True)),
        (2, ((0, "openmp"), (1, "openmp"), (0, "sequential")), (False, True)),
        (3, ((3, "openmp"), (1, "openmp")), (True, False, True)),
    ],
)
def test_levels_are_counted_from_1_or_where_the_script_says_0_from_0(
    levels: int, said: tuple[tuple[int, str], ...], wavefront: tuple[bool, ...], tmp_path: Path
) -> None:
    text = f'setBandForTiling(prog, "P", "b", {levels}, "0", 0, 1);' + "".join(SUB.format(*item) for item in said)
    (band,) = mapping_of(text, tmp_path, PROGRAM).tiling
    assert band.wavefront == tuple((item, item) for item in wavefront)


def test_a_part_of_a_band_runs_in_wavefronts(tmp_path: Path) -> None:
    text = """
        setBandForTiling(prog, "P", "b", 2, 1, 3);
        setSubTilingWithinBand(prog, "P", "b", 1, 2, 3, "openmp");
        setSubTilingWithinBand(prog, "P", "b", 2, "openmp");
        setSubTilingWithinBand(prog, "P", "b", 2, 1, 1, "sequential");
    """
    (band,) = mapping_of(text, tmp_path, PROGRAM).tiling
    assert band.wavefront == ((False, True, True), (False, True, True))


def test_the_default_configuration_tiles_all_dimensions(tmp_path: Path) -> None:
    text = 'setSpaceTimeMap(prog, "P", "T", "(i,j->i,j)"); setDefaultDTilerConfiguration(prog, "P", "openmp");'
    (band,) = mapping_of(text, tmp_path, PROGRAM).tiling
    assert (band.start, band.end, band.wavefront) == (0, 1, ((True, True),))
    (band,) = mapping_of('setDefaultDTilerConfiguration(prog, "P", 1, 2, "sequential");', tmp_path, PROGRAM).tiling
    assert (band.start, band.end, band.wavefront) == (1, 2, ((False, False),))


def test_the_history_is_a_script_that_makes_the_design_again(tmp_path: Path) -> None:
    text = """
        s = "P";
        setSpaceTimeMap(prog, s, "S", "(i,k->" + "i,k)");
        setMemoryMap(prog, s, "T", "M", "(i,j->i)", 2);
        setParallel(prog, s, "", 0);
        Normalize(prog);
    """
    design = design_of(text, tmp_path, PROGRAM)
    assert design.history == (
        'prog = ReadAlphabets("sums.ab");',
        'setSpaceTimeMap(prog, "P", "S", "(i,k->i,k)");',
        'setMemoryMap(prog, "P", "T", "M", "(i,j->i)", 2);',
        'setParallel(prog, "P", "", 0);',
        "Normalize(prog);",
    )
    again = design_of("\n".join(design.history[1:]), tmp_path, PROGRAM)
    assert again.history == design.history
    assert [str(m.function) for m in again.mapping("P").space_time] == ["(i,k -> i,k)"]


def test_schedules_are_space_time_maps(tmp_path: Path) -> None:
    one = mapping_of('setSchedule(prog, "sums", " B : (i -> i,0) ;C: (i,k->i,k); ");', tmp_path)
    two = mapping_of(
        'setSpaceTimeMap(prog, "sums", "B", "(i->i,0)"); setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)");', tmp_path
    )
    assert [(m.variable, m.function) for m in one.space_time] == [(m.variable, m.function) for m in two.space_time]


@pytest.mark.parametrize("value", ["0", '"0"', '"0.0"'])
def test_the_identity_of_the_operator_is_a_good_first_value(value: str, tmp_path: Path) -> None:
    (entry,) = mapping_of(
        f'setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k+1)", "(i->i,0)", {value});', tmp_path
    ).space_time
    assert str(entry.init) == "(i -> i,0)"


@pytest.mark.parametrize("map_", ["(i,j->i*N - i*(i+1)/2 + j)", "(i,j->i*i+j)"])
def test_a_polynomial_is_no_memory_map_but_a_format(map_: str, tmp_path: Path) -> None:
    finding = error_of(f'setMemoryMap(prog, "P", "T", "{map_}");', tmp_path, PROGRAM)
    assert finding.rule.code == "AZ101"
    assert "setStorageFormat" in (finding.help or "")
    other = error_of('setMemoryMap(prog, "P", "T", "(i,j->i+q)");', tmp_path, PROGRAM)
    assert "setStorageFormat" not in (other.help or "")
