"""Inputs and outputs of a compiled program in files: one value a line, or arrays of NumPy."""

import re
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.wrapper.main_program import wrapper
from alphaz.codegen.wrapper.main_template import OPTIONS
from tests.codegen.generated_kernels import checked, compile_program, run, write
from tests.thinning import thinned

TYPES = ("double", "float", "long", "int", "short", "char", "bool", "unsigned int", "unsigned char", "unsigned long")
NUMPY = ("f8", "f4", "i8", "i4", "i2", "i1", "?", "u4", "u1", "u8")

PROGRAM = (
    "affine copy {N | N>=2}\ninput\n"
    + "".join(f"{type_} x{at} {{i,j | 1<=i<=N && 0<=j<=i}};\n" for at, type_ in enumerate(TYPES))
    + "double s;\noutput\n"
    + "".join(f"{type_} y{at} {{i,j | 1<=i<=N && 0<=j<=i}};\n" for at, type_ in enumerate(TYPES))
    + "double t;\nlet\n"
    + "".join(f"y{at}[i,j] = x{at}[i,j];\n" for at in range(len(TYPES)))
    + "t = s;\n.\n"
)

SHAPE = (3, 4)
INSIDE = np.array([[j <= i for j in range(4)] for i in range(1, 4)])


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    program = checked(PROGRAM)
    write(write_c(program, "copy") | wrapper(program, "copy"), folder)
    compile_program(folder, "copy", ["copy.c", "copy-wrapper.c"], ("-O2", "-fsanitize=address,undefined"))
    return folder


def extremes(dtype: str) -> np.ndarray:
    """An array with the largest and the smallest values of a type."""
    values = np.arange(12).reshape(SHAPE).astype(dtype)
    kind = np.dtype(dtype)
    limits = np.iinfo(kind) if kind.kind in "iu" else np.finfo(kind) if kind.kind == "f" else None
    if limits is not None:
        values[1, 0], values[1, 1] = limits.min, limits.max
    if kind.kind == "f":
        values[2, 0], values[2, 1], values[2, 2] = np.nan, -np.inf, 0.1
    return values


@pytest.mark.slow
@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("swapped", thinned([False, True], 4))
def test_every_type_comes_back_from_an_array(copy: Path, tmp_path: Path, order: str, swapped: bool) -> None:
    arguments = []
    arrays = [extremes(dtype) for dtype in NUMPY]
    for at, array in enumerate(arrays):
        stored = array.astype(array.dtype.newbyteorder(">")) if swapped else array
        np.save(tmp_path / f"x{at}.npy", np.asfortranarray(stored) if order == "F" else stored)
        arguments += ["--input", f"x{at}={tmp_path}/x{at}.npy", "--output", f"y{at}={tmp_path}/y{at}.npy"]
    np.save(tmp_path / "s.npy", 2.5)
    arguments += ["--input", f"s={tmp_path}/s.npy", "--output", f"t={tmp_path}/t.npy"]
    done = run(copy, "./copy", "3", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    for at, array in enumerate(arrays):
        found = np.load(tmp_path / f"y{at}.npy")
        assert (found.dtype, found.shape) == (array.dtype, SHAPE)
        np.testing.assert_array_equal(found[INSIDE], array[INSIDE])
        assert not found[~INSIDE].any()
    assert np.load(tmp_path / "t.npy") == 2.5


@pytest.mark.slow
def test_text_files_have_a_value_a_line_in_the_order_of_the_domain(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("1 2\n3\n4 5 6 7 8 9")
    done = run(copy, "./copy", "3", "--input", f"x3={tmp_path}/x.txt", "--output", f"y3={tmp_path}/y.txt")
    assert done.returncode == 0
    assert (tmp_path / "y.txt").read_text() == "".join(f"{at}\n" for at in range(1, 10))
    again = run(copy, "./copy", "3", "--input", f"x3={tmp_path}/y.txt", "--output", f"y3={tmp_path}/z.txt")
    assert again.returncode == 0
    assert (tmp_path / "z.txt").read_text() == (tmp_path / "y.txt").read_text()


@pytest.mark.parametrize(
    ("number", "array", "said"),
    [
        (3, np.full(SHAPE, 2**31), "a value does not fit into the type of the input"),
        (3, np.full(SHAPE, 1.0), "a value does not fit"),
        (7, np.full(SHAPE, -1), "a value does not fit"),
        (5, np.full(SHAPE, -129, "i2"), "a value does not fit"),
        (6, np.full(SHAPE, 2), "a value does not fit"),
        (1, np.full(SHAPE, 0.1), "a value does not fit"),
        (0, np.full(SHAPE, 2**53 + 1), "a value does not fit"),
        (3, np.zeros((4, 3), "i4"), "its shape is not that of the box around the domain"),
        (3, np.zeros((3, 4, 1), "i4"), "its shape is not that of the box"),
        (3, np.zeros(SHAPE, "c16"), "its elements are no numbers"),
        (3, np.full(SHAPE, "a"), "its elements are no numbers"),
    ],
)
def test_what_does_not_fit_is_refused(copy: Path, tmp_path: Path, number: int, array: np.ndarray, said: str) -> None:
    np.save(tmp_path / "x.npy", array)
    done = run(copy, "./copy", "3", "--input", f"x{number}={tmp_path}/x.npy")
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("number", "array"), [(3, np.full(SHAPE, -7, "i8")), (0, np.full(SHAPE, 7, "u1")), (0, INSIDE)]
)
def test_what_fits_is_converted(copy: Path, tmp_path: Path, number: int, array: np.ndarray) -> None:
    np.save(tmp_path / "x.npy", array)
    places = ["--input", f"x{number}={tmp_path}/x.npy", "--output", f"y{number}={tmp_path}/y.npy"]
    assert run(copy, "./copy", "3", *places).returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy")[INSIDE], array[INSIDE])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is no array of NumPy"),
        (b"1 2 3 4 5 6 7 8 9 10 11 12", "it is no array of NumPy"),
        (b"\x93NUMPY\x01\x00\xff\x00{", "its header is damaged"),
        (b"\x93NUMPY\x01\x00\x08\x00{'shape'", "its header is damaged"),
        (
            b"\x93NUMPY\x01\x00\x40\x00{'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }".ljust(73) + b"\n1",
            "there are fewer values than its header says",
        ),
    ],
)
def test_a_damaged_array_is_refused(copy: Path, tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "x.npy").write_bytes(content)
    done = run(copy, "./copy", "3", "--input", f"x3={tmp_path}/x.npy")
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("number", "text", "said"),
    [
        (3, "1 2 3 4 5 6 7 8 9 10", "x3: there are more values than points"),
        (3, "1 2 3 4 5 6 7 8 2147483648", "x3: not a value of its type: 2147483648"),
        (5, "1 2 3 4 5 6 7 8 -129", "x5: not a value of its type: -129"),
        (7, "1 2 3 4 5 6 7 8 -1", "x7: not a value of its type: -1"),
        (8, "1 2 3 4 5 6 7 8 256", "x8: not a value of its type: 256"),
        (6, "1 0 1 0 1 0 true false 2", "x6: not a value of its type: 2"),
    ],
)
def test_texts_that_do_not_fit_are_refused(copy: Path, tmp_path: Path, number: int, text: str, said: str) -> None:
    (tmp_path / "x.txt").write_text(text)
    done = run(copy, "./copy", "3", "--input", f"x{number}={tmp_path}/x.txt")
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_a_place_that_cannot_be_written_is_said(copy: Path) -> None:
    done = run(copy, "./copy", "3", "--output", "y0=/nowhere/y.npy")
    assert (done.returncode, "cannot write /nowhere/y.npy" in done.stderr) == (2, True)
    done = run(copy, "./copy", "3", "--output", "q=/dev/null")
    assert "not NAME=FILE for an output: q=/dev/null" in done.stderr


def test_every_option_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
    options = set(re.findall(r'"(--[a-z]+)"', OPTIONS)) - {"--help"}
    assert len(options) >= 9
    assert all(f"`{option}" in page for option in options)
