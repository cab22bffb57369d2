"""Random inputs, files of values, and comparison."""

import math
from pathlib import Path

import numpy as np
import pytest

from alphaz.diagnostics import Rejected, Source
from alphaz.model.domain_mask import domain_mask
from alphaz.model.input_values import variable_box
from alphaz.model.program import System, Variable
from alphaz.model.types import SCALAR_TYPES
from alphaz.run.compare import Tolerance, compare, compare_arrays
from alphaz.run.data import parse_values, random_inputs, read_array, values_text, write_array
from tests.model.programs import checked

N = {"N": 4}


def system() -> System:
    inputs = " ".join(f"{t} in_{t.replace(' ', '_')} {{i | 0<=i<40N}};" for t in SCALAR_TYPES)
    text = f"affine p {{N | N>0}} input {inputs} output int r {{i,j | 0<=j<i<=N}}; let r[i,j] = 0; ."
    return checked(text).program.systems[0]


def triangle() -> Variable:
    return system().variable("r")


def real() -> Variable:
    return checked("affine p {N | N>0} output double x {i | 2<=i<N+2}; let x[i] = 0; .").program.systems[0].outputs[0]


def word_variable(type_: str) -> Variable:
    """A variable of 4 values."""
    return (
        checked(f"affine p {{N | N>0}} input {type_} w {{i | 0<=i<N}}; output int r; let r = 0; .")
        .program.systems[0]
        .inputs[0]
    )


def matrix() -> Variable:
    """A variable of 2 rows of 3 values."""
    text = "affine p {N | N>0} input int A {i,j | 0<=i<2 && 0<=j<3}; output int r; let r = 0; ."
    return checked(text).program.systems[0].inputs[0]


def test_random_inputs_are_reproducible_and_fit_their_types() -> None:
    one, same, other = (random_inputs(system(), N, seed) for seed in (1, 1, 2))
    for variable in system().inputs:
        array = one[variable.name]
        assert array.dtype == np.dtype(variable.type.numpy)
        assert array.shape == (160,)
        assert np.array_equal(array, same[variable.name])
        assert not np.array_equal(array, other[variable.name])
        assert len(set(array.tolist())) > 1
        if variable.type.is_float:
            assert -1 <= array.min() < 0 < array.max() < 1
        elif variable.type.kind == "int":
            assert 0 not in array
            assert np.abs(array.astype(float)).max() == 9
            assert (array.min() < 0) == variable.type.signed


def test_the_mask_of_a_domain_is_its_points() -> None:
    variable = triangle()
    box = variable_box(variable, N)
    mask = domain_mask(variable.domain, box, N)
    points = [tuple(int(c) + low for c, low in zip(at, box.lower, strict=True)) for at in np.argwhere(mask)]
    assert points == list(variable.domain.points(N))


@pytest.mark.parametrize("suffix", [".txt", ".npy"])
def test_what_is_written_is_read_again(tmp_path: Path, suffix: str) -> None:
    variable = triangle()
    mask = domain_mask(variable.domain, variable_box(variable, N), N)
    array = np.where(mask, np.arange(mask.size).reshape(mask.shape), 0).astype(np.int32)
    write_array(tmp_path / f"r{suffix}", variable, N, array)
    again = read_array(tmp_path / f"r{suffix}", variable, N)
    assert again.dtype == np.int32
    assert np.array_equal(again, array)


def test_floats_keep_every_digit() -> None:
    values = np.array([0.1, 1e-310, -0.0, math.inf])
    text = values_text(real(), N, values)
    assert text.splitlines() == ["0.1", "1e-310", "-0.0", "inf"]
    again = parse_values(Source("x.txt", text), real(), N)
    assert again.tobytes() == values.tobytes()


def test_values_in_domain_order() -> None:
    array = parse_values(Source("r.txt", "1 2 3\n4 5 6 7 8 9 10\n"), triangle(), N)
    assert array.tolist() == [[1, 0, 0, 0], [2, 3, 0, 0], [4, 5, 6, 0], [7, 8, 9, 10]]


@pytest.mark.parametrize(
    ("type_", "text", "values"),
    [
        ("char", "ACGT", [65, 67, 71, 84]),
        ("char", "A 67,71\nT", [65, 67, 71, 84]),
        ("unsigned char", "a,b,c,-", [97, 98, 99, 45]),
        ("int", "1,2;3, -4\n", [1, 2, 3, -4]),
        ("float", "1.5,2\n3,4e1", [1.5, 2, 3, 40]),
        ("char", '"A","C","G","T"', [65, 67, 71, 84]),
        ("double", '"1.5", 2,\r\n"3";4;\n', [1.5, 2, 3, 4]),
    ],
)
def test_letters_and_commas(type_: str, text: str, values: list[float]) -> None:
    variable = word_variable(type_)
    assert parse_values(Source("r.csv", text), variable, N).tolist() == values


@pytest.mark.parametrize(("type_", "text"), [("char", "A5GT"), ("int", "1 2 3 A"), ("char", "ACG\u20ac")])
def test_letters_that_are_no_values(type_: str, text: str) -> None:
    with pytest.raises(Rejected, match=r"no value of type|values for"):
        parse_values(Source("r.csv", text), word_variable(type_), N)


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("1 2 3\n4", "4 values for `r`, whose domain has 10 points", 2),
        ("1 2 3 4 5\n6 7 x 9 10", "`x` is no value of type int", 2),
        ("1 2 3 4 5 6 7 8 9 2147483648", "`2147483648` is no value", 1),
        ("1 2 3 4 5 6 7 8 9 1.0", "`1.0` is no value", 1),
    ],
)
def test_files_that_do_not_fit(text: str, said: str, line: int) -> None:
    with pytest.raises(Rejected) as caught:
        parse_values(Source("r.txt", text), triangle(), N)
    (finding,) = caught.value.diagnostics
    assert finding.rule.code == "AZ807"
    assert said in finding.message
    assert finding.primary.span.position[0] == line


@pytest.mark.parametrize(
    ("text", "said", "position"),
    [
        ("1,,3\n4,5,6,7", "an empty cell, where value 2 of `A`", (1, 3)),
        ("1,2,3\n,5,6,7", "an empty cell, where value 4 of `A`", (2, 1)),
        ('1,"",3\n4,5,6', "an empty cell, where value 2 of `A`", (1, 3)),
        ("1,2\n4,5,6,7", "a line ends inside a row of `A`, after 2 of its 3 values", (1, 4)),
        ("1,2\n3,4\n5,6\n", "a line ends inside a row of `A`, after 2 of its 3 values", (1, 4)),
        ("1,2,3,4\n5,6\n", "a line ends inside a row of `A`, after 1 of its 3 values", (1, 8)),
        ("a,b,c\n1,2,3\n4,5,6\n", "`a` is no value of type int", (1, 1)),
    ],
)
def test_rows_and_cells_of_csv_are_checked(text: str, said: str, position: tuple[int, int]) -> None:
    with pytest.raises(Rejected) as caught:
        parse_values(Source("A.csv", text), matrix(), N)
    (finding,) = caught.value.diagnostics
    assert (finding.rule.code, finding.primary.span.position) == ("AZ807", position)
    assert said in finding.message
    assert finding.help


@pytest.mark.parametrize("text", ["1,2,3\n4,5,6\n", "1;2;3;\r\n\r\n4;5;6", "1,2,3,4,5,6", "1 2\n3 4\n5 6\n"])
def test_layouts_of_a_matrix(text: str) -> None:
    assert parse_values(Source("A.csv", text), matrix(), N).tolist() == [[1, 2, 3], [4, 5, 6]]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bad.npy").write_text("no array")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe")
    for name in ("none.txt", "none.npy", "bad.npy", "bad.txt"):
        with pytest.raises(Rejected) as caught:
            read_array(tmp_path / name, triangle(), N)
        assert caught.value.diagnostics[0].rule.code == "AZ405"


def test_comparison_finds_the_first_point_of_the_domain_that_differs() -> None:
    variable = triangle()
    one = np.zeros((4, 4), dtype=np.int32)
    other = one.copy()
    other[0, 3] = 7
    assert compare_arrays(variable, N, one, other) is None
    other[3, 0] = 5
    other[2, 1] = 6
    (difference,) = compare([variable], N, {"r": one}, {"r": other})
    assert (difference.name, difference.reference, difference.other) == ("r[3,1]", 0, 6)
    assert (difference.count, difference.total) == (2, 10)


def test_comparison_of_arrays_of_another_shape_is_no_agreement() -> None:
    with pytest.raises(ValueError, match="shapes"):
        compare_arrays(triangle(), N, np.zeros((4, 4)), np.zeros((4, 3)))


@pytest.mark.parametrize(
    ("a", "b", "tolerance", "same"),
    [
        (1.0, 1.0, Tolerance(), True),
        (1.0, 1.0 + 1e-9, Tolerance(), False),
        (1.0, 1.0 + 1e-9, Tolerance(relative=1e-8), True),
        (0.0, 1e-9, Tolerance(relative=1e-3), False),
        (0.0, 1e-9, Tolerance(absolute=1e-8), True),
        (math.nan, math.nan, Tolerance(), False),
        (math.nan, math.nan, Tolerance(nan_equal=True), True),
        (math.nan, 1.0, Tolerance(1e9, 1e9, nan_equal=True), False),
        (1.0, math.nan, Tolerance(1e9, 1e9, nan_equal=True), False),
        (math.inf, math.inf, Tolerance(), True),
        (math.inf, 1.0, Tolerance(1e9, 1e9), False),
        (math.inf, -math.inf, Tolerance(1e9, 1e9), False),
    ],
)
def test_tolerance(a: float, b: float, tolerance: Tolerance, same: bool) -> None:
    one, other = np.array([0.0, a, 0.0, 0.0]), np.array([0.0, b, 0.0, 0.0])
    difference = compare_arrays(real(), N, one, other, tolerance)
    assert (difference is None) == same
    if difference is not None:
        assert difference.name == "x[3]"


def test_a_byte_order_mark_is_no_value(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("\ufeff" + "\n".join(map(str, range(10))), encoding="utf-8")
    assert read_array(path, triangle(), N).sum() == 45
