"""`alphaz.h` by itself: compiled alone as C and as C++, and its functions against integers of Python at extremes."""

import ctypes
import itertools
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from alphaz.c.alphaz_header import (
    RUNTIME,
    c_functions,
    cuda_functions,
    needed_functions,
    runtime_functions,
    runtime_text,
)
from alphaz.codegen.c.helpers import COMBINERS, RELATIONS, suffix
from alphaz.mapping.bands import MOST_SIDES
from alphaz.model.types import SCALAR_TYPES, ScalarType, promoted
from alphaz.poly.plain.integer_expression import halved
from alphaz.scop.generated_helpers import AXIOMS, SIZES

pytestmark = pytest.mark.slow
HEADER = Path(__file__).parents[2] / "alphaz" / "c" / RUNTIME
FLAGS = ("-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror")
LANGUAGES = [("cc", "c", "c99"), ("cc", "c", "c11"), ("c++", "c++", "c++11"), ("c++", "c++", "c++20")]
MIN, MAX = -(1 << 63), (1 << 63) - 1
EXTREMES = (MIN, MIN + 1, -(1 << 40), -7, -2, -1, 0, 1, 2, 7, 1 << 40, MAX - 1, MAX)
INTEGERS = [type_ for type_ in SCALAR_TYPES.values() if type_.kind == "int"]
C_TYPES = {
    "int64_t": ctypes.c_int64, "bool": ctypes.c_bool, "signed char": ctypes.c_byte, "unsigned char": ctypes.c_ubyte,
    "short": ctypes.c_short, "unsigned short": ctypes.c_ushort, "int": ctypes.c_int, "unsigned int": ctypes.c_uint,
    "long": ctypes.c_long, "unsigned long": ctypes.c_ulong, "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong, "float": ctypes.c_float, "double": ctypes.c_double,
    "size_t": ctypes.c_size_t, "void": None, "void *": ctypes.c_void_p,
}  # fmt: skip


def test_all_functions_are_there() -> None:
    names = {f"{word}_{suffix(t)}" for t in SCALAR_TYPES.values() if promoted(t) is t and t.kind != "bool"
             for word in ("min", "max", *RELATIONS.values())}  # fmt: skip
    names |= {f"{word}_{suffix(t)}" for t in INTEGERS if promoted(t) is t for word in ("quotient", "remainder")}
    names |= {f"{word}_{suffix(t)}" for t in INTEGERS if t.signed for word in ("difference", "negative")}
    names |= {f"whole_{suffix(t)}" for t in INTEGERS} | {f"halved_{sides}" for sides in range(2, MOST_SIDES + 1)}
    names |= {*COMBINERS, *SIZES, *AXIOMS}
    assert names <= runtime_functions().keys()
    others = {"min64", "max64", "volume", "too_large", "as_index", "report", "set_status"}
    assert runtime_functions().keys() - names == others


@pytest.mark.parametrize(("compiler", "language", "standard"), LANGUAGES)
@pytest.mark.parametrize("flags", [(), ("-fopenmp",), ("-O3",)])
def test_the_header_compiles_alone(
    tmp_path: Path, compiler: str, language: str, standard: str, flags: tuple[str, ...]
) -> None:
    (tmp_path / "a").write_text(f'#include "{HEADER}"\n#include "{HEADER}"\n')
    command = (compiler, "-x", language, f"-std={standard}", *FLAGS, *flags, "-c", "a", "-o", "a.o")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_self_contained_functions_are_those_of_the_header() -> None:
    """The same lines, except conditions."""
    for name, text in runtime_functions().items():
        for has_threads in (False, True):
            (own,) = c_functions([name], has_threads=has_threads)
            assert set(own.split("\n")) <= set(text.replace("ALPHAZ_DEVICE ", "").split("\n"))
            assert not re.search("CUDA|cplusplus|ALPHAZ", own)
            assert ("_OPENMP" in own) is (has_threads and name == "set_status")
        (of_device,) = cuda_functions([name])
        assert ("__device__" in of_device) is ("ALPHAZ_DEVICE" in text)
    assert needed_functions({"allocate", "quotient_int", "x"}) == ("set_status", "bytes_of", "allocate", "quotient_int")
    assert runtime_text().count("static inline") == len(runtime_functions())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Callable[..., object]]:
    """The functions of the header, compiled; undefined behaviour ends the process."""
    folder = tmp_path_factory.mktemp("runtime")
    functions = runtime_text().replace("static inline ALPHAZ_DEVICE ", "").replace("static inline ", "")
    (folder / "a.c").write_text(functions)
    sanitized = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
    command = ("cc", "-std=c11", "-O1", *sanitized, "-shared", "-fPIC", "a.c", "-o", "a.so")
    subprocess.run(command, cwd=folder, check=True)
    loaded = ctypes.CDLL(str(folder / "a.so"))

    @cache
    def function(name: str) -> Callable[..., object]:
        found = getattr(loaded, name)
        head = re.search(rf"^static inline (?:ALPHAZ_DEVICE )?(.*?) ?{name}\((.*?)\)$", runtime_functions()[name], re.M)
        assert head is not None
        found.restype = C_TYPES[head[1]]
        types = [one.rpartition(" ") for one in head[2].split(", ")]
        found.argtypes = [ctypes.c_void_p if "*" in own else C_TYPES[type_] for type_, _, own in types]
        return found  # type: ignore[no-any-return]

    return function


Library = Callable[[str], Callable[..., object]]


def numbers(low: int = MIN, high: int = MAX) -> Iterator[int]:
    yield from (value for value in EXTREMES if low <= value <= high)
    yield from (value for value in (low, high, low + 1, high - 1))
    rng = random.Random(1)
    yield from (rng.randint(low, high) >> rng.randrange(63) for _ in range(20))


def pairs(low: int = MIN, high: int = MAX) -> Iterable[tuple[int, ...]]:
    return itertools.product([v for v in numbers(low, high) if low <= v <= high], repeat=2)


def test_rounded_division(library: Library) -> None:
    divide, modulo = library("floor_div"), library("floor_mod")
    for a, b in pairs():
        if b > 0:
            assert (divide(a, b), modulo(a, b)) == divmod(a, b)


def test_extremes_and_limits(library: Library) -> None:
    names = ("min64", "max64", "beyond_limit", "volume", "too_large", "as_index")
    least, most, beyond, volume, too_large, as_index = map(library, names)
    for a, b in pairs():
        assert (least(a, b), most(a, b)) == (min(a, b), max(a, b))
        if b >= 0:
            assert beyond(a, b) is (abs(a) > b)
        if a >= 0 and b >= 0:
            assert volume(a, b) in (a * b, MAX)
            assert volume(a, b) == a * b or a * b > MAX
        assert too_large(a) is (abs(a) > 1 << 40)
        assert as_index(a) == max(-(1 << 52), min(a, 1 << 52))


def sizes() -> Iterator[tuple[int, list[int]]]:
    rng = random.Random(2)
    for rank in range(1, 13):
        for _ in range(40):
            extents = [rng.choice(EXTREMES) if rng.random() < 0.2 else 1 << rng.randrange(9) for _ in range(rank)]
            yield rng.choice((1, 2, 4, 8, 16)), extents
    yield from ((8, [MAX // 32]), (8, [MAX // 32 + 1]), (1, [MAX // 4]), (1, [MAX // 4 + 1]), (8, [MIN, MAX, MAX]))
    yield from ((8, [MAX, MAX, 0]), (1, [1 << 31, 1 << 31, 1 << 31]), (8, []))


def expected_bytes(element: int, extents: list[int]) -> int:
    bytes_ = element
    for extent in extents:
        bytes_ *= max(extent, 0)
    return bytes_


def test_bytes_are_counted_or_too_many(library: Library) -> None:
    count = library("bytes_of")
    for element, extents in sizes():
        exact = expected_bytes(element, extents)
        counted = count(element, len(extents), (ctypes.c_int64 * 12)(*extents))
        assert counted == exact if exact <= MAX // 4 else counted == -1
        if extents:
            assert library(f"bytes_of_{len(extents)}")(element, *extents) == counted


@pytest.mark.parametrize("name", ["allocate", "allocate_zero"])
def test_memory_has_all_bytes(library: Library, name: str) -> None:
    allocate = library(name)
    libc = ctypes.CDLL(None)
    libc.free.argtypes = [ctypes.c_void_p]
    libc.malloc_usable_size.argtypes, libc.malloc_usable_size.restype = [ctypes.c_void_p], ctypes.c_size_t
    for element, extents in sizes():
        status = ctypes.c_int(0)
        exact = expected_bytes(element, extents)
        if 1 << 22 < exact <= MAX // 4:
            continue
        got = allocate(ctypes.byref(status), element, len(extents), (ctypes.c_int64 * 12)(*extents))
        if exact > MAX // 4:
            assert (got, status.value) == (None, 2)
            continue
        assert isinstance(got, int)
        assert status.value == 0
        assert libc.malloc_usable_size(got) >= exact
        if name == "allocate":
            assert got % 64 == 0
        else:
            assert ctypes.string_at(got, exact) == bytes(exact)
        libc.free(got)
        status = ctypes.c_int(5)
        assert allocate(ctypes.byref(status), element, len(extents), (ctypes.c_int64 * 12)(*extents)) is None
        assert status.value == 5
    status = ctypes.c_int(0)
    assert allocate(ctypes.byref(status), 1, 1, (ctypes.c_int64 * 1)(MAX // 4)) is None
    assert status.value == 3


def test_tables_are_freed(library: Library) -> None:
    libc = ctypes.CDLL(None)
    libc.calloc.restype = libc.malloc.restype = ctypes.c_void_p
    free = library("free_table")
    free(None, 1, (ctypes.c_int64 * 1)(3))
    table = libc.calloc(6, 8)
    ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[4] = libc.malloc(10)
    free(table, 2, (ctypes.c_int64 * 2)(2, 3))


def limits(type_: ScalarType) -> tuple[int, int]:
    bits = type_.bits - type_.signed
    return (-(1 << bits) if type_.signed else 0), (1 << bits) - 1


def wrapped(value: int, type_: ScalarType) -> int:
    low, _ = limits(type_)
    return (value - low) % (1 << type_.bits) + low


@pytest.mark.parametrize("type_", INTEGERS, ids=str)
def test_integers_wrap_around_or_set_the_status(library: Library, type_: ScalarType) -> None:
    name, (low, high) = suffix(type_), limits(type_)
    if type_.signed:
        operations = {"sum": int.__add__, "difference": int.__sub__, "product": int.__mul__}
        for (word, operation), (a, b) in itertools.product(operations.items(), pairs(low, high)):
            assert library(f"{word}_{name}")(a, b) == wrapped(operation(a, b), type_)
        assert all(library(f"negative_{name}")(a) == wrapped(-a, type_) for a, _ in pairs(low, high))
    whole = library(f"whole_{name}")
    for value in (float(low), float(high), low - 0.5, high + 0.5, low - 1.0, high + 1.0, 2.0**70, -0.9, 0.0, 3.99):
        status = ctypes.c_int(0)
        is_inside = low <= int(value) <= high
        assert whole(value, ctypes.byref(status)) == (int(value) if is_inside else 0), value
        assert status.value == (0 if is_inside else 6)
    for value in (float("nan"), float("inf"), -float("inf")):
        status = ctypes.c_int(0)
        assert (whole(value, ctypes.byref(status)), status.value) == (0, 6)
    if promoted(type_) is not type_:
        return
    quotient, remainder = library(f"quotient_{name}"), library(f"remainder_{name}")
    for a, b in pairs(low, high):
        status = ctypes.c_int(0)
        exact = 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        assert quotient(a, b, ctypes.byref(status)) == wrapped(exact, type_)
        assert status.value == (5 if b == 0 else 0)
        status = ctypes.c_int(0)
        assert remainder(a, b, ctypes.byref(status)) == (0 if b == 0 else a - exact * b)
        assert status.value == (5 if b == 0 else 0)


@pytest.mark.parametrize("type_", [t for t in SCALAR_TYPES.values() if promoted(t) is t and t.kind != "bool"], ids=str)
def test_comparisons(library: Library, type_: ScalarType) -> None:
    name = suffix(type_)
    nan, inf = float("nan"), float("inf")
    values = [nan, -inf, -1.5, -0.0, 0.0, 2.0, inf] if type_.is_float else [*limits(type_), 0, 1, 7]
    for a, b in itertools.product(values, repeat=2):
        signs = (a == b, a != b, a < b, a <= b, a > b, a >= b)
        assert tuple(library(f"{word}_{name}")(a, b) for word in RELATIONS.values()) == signs
        assert str(library(f"min_{name}")(a, b)) == str(a if a < b else b)
        assert str(library(f"max_{name}")(a, b)) == str(a if a > b else b)


def test_boxes_are_halved(library: Library) -> None:
    rng = random.Random(3)
    for sides in range(2, MOST_SIDES + 1):
        for _ in range(5):
            counts, edges = ([rng.randint(1, 4) for _ in range(sides)] for _ in range(2))
            function, total = library(f"halved_{sides}"), 1
            for count in counts:
                total *= count
            numbers_ = [function(at, *counts, *edges) for at in range(min(total, 64))]
            assert len(set(numbers_)) == len(numbers_)
            assert all(isinstance(one, int) and 0 <= one < total for one in numbers_)
            assert numbers_ == [halved(at, counts, edges) for at in range(min(total, 64))]


def test_reports(tmp_path: Path) -> None:
    reasons = ("a size is too large", "out of memory", "division by zero", "a call of the GPU failed")
    calls = "".join(f'    report("s", {status});\n' for status in (0, 2, 3, 5, 9))
    (tmp_path / "a.c").write_text(f'#include "{HEADER}"\nint main(void)\n{{\n{calls}    return 0;\n}}\n')
    subprocess.run(("cc", "a.c", "-o", "a"), cwd=tmp_path, check=True)
    done = subprocess.run((str(tmp_path / "a"),), capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == [f"s: {reason}" for reason in reasons]


@pytest.mark.skipif(shutil.which("clang") is None, reason="no clang")
def test_clang_has_no_warnings(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(f'#include "{HEADER}"\n')
    command = ("clang", "-std=c99", *FLAGS, "-c", "a.c", "-o", "a.o")
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
