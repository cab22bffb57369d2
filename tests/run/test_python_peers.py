"""Peers in Python: their processes, the libraries in them, and BLIS. No test looks at how long anything took."""

import os
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from alphaz.machine import VECTORS
from alphaz.run.bench import blas_libraries, blis
from alphaz.run.bench.blas_libraries import BlasLibrary, loaded_libraries, misfit
from alphaz.run.bench.blis import BlisRoutines, blis_file
from alphaz.run.bench.contest import SPINNING, Contestant, NoPeer
from alphaz.run.bench.peers import PeerStatement, python_contestants
from alphaz.run.bench.python_peer import own_inputs, python_peer
from alphaz.run.machine import this_machine
from tests.run.test_bench import INPUTS, SYSTEM, N

PYTHON = """
def prepare(p, v):
    return {"twice": 2}


def peer(p, v):
    return {"B": v.twice * v.A[: p.N]}


def data(p, rng):
    return {"A": list(range(p.N))}
"""
# The products of a system with a square matrix.
BLAS = """
import numpy as np
from scipy.linalg.blas import dgemm


def peer(p, v):
    return {"B": dgemm(1.0, 2 * np.eye(p.N), v.A.reshape(-1, 1)).reshape(-1)}
"""


def python(folder: Path, text: str) -> Path:
    path = folder / "twice-peer.py"
    path.write_text(text, encoding="utf-8")
    return path


def contestants(path: Path, threads: list[int], library: str | None = None) -> list[Contestant]:
    task = PeerStatement(SYSTEM, N, INPUTS)
    return list(python_contestants("numpy", path, python_peer(path), task, threads, library))


def outputs(contestant: Contestant) -> list[float]:
    assert contestant.outputs is not None
    results: list[float] = contestant.outputs()["B"].tolist()
    return results


@pytest.mark.slow
def test_a_peer_in_python_and_its_inputs(tmp_path: Path) -> None:
    path = python(tmp_path, PYTHON)
    assert own_inputs(python_peer(path), SYSTEM, N, 1)["A"].tolist() == [0, 1, 2, 3]
    result = contestants(path, [1, 2])
    assert [element.threads for element in result] == [1, 2]
    for item in result:
        assert item.run() >= 0
        assert item.spinning > SPINNING
        assert outputs(item) == [0, 2, 4, 6]


@pytest.mark.slow
def test_threads_and_kernels_of_its_libraries(tmp_path: Path) -> None:
    text = "from threadpoolctl import threadpool_info as info\nimport scipy.linalg.blas\n" + PYTHON.replace(
        "v.twice * v.A[: p.N]", "[t['num_threads'] for t in info() if t['user_api'] == 'blas'][:1] * p.N"
    )
    pytest.importorskip("threadpoolctl")
    for contestant in contestants(python(tmp_path, text), [1, 2]):
        assert contestant.run() >= 0
        assert outputs(contestant) == [contestant.threads] * 4
        libraries = contestant.libraries()
        assert libraries
        assert all(library.core and library.version for library in libraries)


@pytest.mark.slow
def test_between_runs_the_process_is_stopped(tmp_path: Path) -> None:
    text = PYTHON.replace("v.twice * v.A[: p.N]", "[__import__('os').getpid()] * p.N")
    (peer,) = contestants(python(tmp_path, text), [1])
    assert peer.run() >= 0
    (number,) = set(outputs(peer))
    assert number != os.getpid()
    status, end = Path(f"/proc/{number:.0f}/status"), time.monotonic() + 20
    while "\nState:\tT" not in status.read_text(encoding="utf-8"):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert peer.run() >= 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("    return {'B': v.C}", "peer() raised AttributeError"),
        ("    return {'C': v.A}", "returns no `B`"),
        ("    return {'B': v.A[1:]}", r"of the shape (3,), not (4,)"),
        ("    v.A[0] = 1", "read-only"),
        ("    import os\n    os._exit(3)", "it ended by itself (exit status 3)"),
    ],
)
def test_a_peer_in_python_that_fails_is_left_out(text: str, reason: str, tmp_path: Path) -> None:
    (peer,) = contestants(python(tmp_path, f"def peer(p, v):\n{text}\n"), [1])
    with pytest.raises(NoPeer) as failure:
        assert peer.run() + len(outputs(peer))
    assert reason in str(failure.value)


def test_a_peer_without_a_call(tmp_path: Path) -> None:
    assert own_inputs(python_peer(python(tmp_path, "")), SYSTEM, N, 1) == {}
    with pytest.raises(NoPeer, match="no call"):
        contestants(python(tmp_path, ""), [1])


@pytest.mark.parametrize("text", ["1 / 0", "import no_such_module", "def"])
def test_a_file_of_python_that_fails_is_named(text: str, tmp_path: Path) -> None:
    with pytest.raises(NoPeer, match="Error"):
        python_peer(python(tmp_path, text))


# --- kernels of a BLAS ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "core", "instructions", "environment", "expected"),
    [
        ("OpenBLAS", "SkylakeX", "avx512", {}, None),
        ("OpenBLAS", "Haswell", "avx2", {}, None),
        ("OpenBLAS", "Haswell", "avx512", {}, "kernels for Haswell, but this processor has avx512"),
        ("OpenBLAS", "Haswell", "avx512", {"OPENBLAS_CORETYPE": "Haswell"}, "unset OPENBLAS_CORETYPE"),
        ("OpenBLAS", "Haswell", "avx2", {"OPENBLAS_CORETYPE": "Haswell"}, None),
        ("OpenBLAS", "Nehalem", "avx2", {"BLIS_ARCH_TYPE": "1"}, "set OPENBLAS_CORETYPE to the processor's"),
        ("BLIS", "generic", "neon", {}, "kernels for generic"),
        ("BLIS", "haswell", "avx512", {}, "set BLIS_ARCH_TYPE to the processor's"),
        ("OpenBLAS", "Future", "avx512", {}, None),
        ("OpenBLAS", "Future", "avx512", {"OPENBLAS_CORETYPE": "Future"}, "OPENBLAS_CORETYPE=Future says"),
    ],
)
def test_kernels_that_do_not_fit_the_processor(
    name: str, core: str, instructions: str, environment: dict[str, str], expected: str | None
) -> None:
    result = misfit(BlasLibrary(name, "1", core, "lib"), instructions, environment)
    assert (result is None) == (expected is None)
    assert expected is None or expected in str(result)


def test_every_known_core_has_known_instructions() -> None:
    assert blas_libraries._KERNELS.keys() <= VECTORS.keys()
    cores = [core for names in blas_libraries._KERNELS.values() for core in names]
    assert len(set(cores)) == len(cores)


def test_the_libraries_of_this_process() -> None:
    libraries = loaded_libraries()
    assert all(Path(library.file).is_file() for library in libraries)
    assert len({library.file for library in libraries}) == len(libraries)


# --- BLIS -------------------------------------------------------------------------------------------------------------


class _Fortran:
    """The routines of SciPy's OpenBLAS by the names of BLIS: `dgemm_` is `scipy_dgemm_` there."""

    def __init__(self, file: str) -> None:
        import ctypes  # noqa: PLC0415

        self._library = ctypes.CDLL(file)

    def __getitem__(self, name: str) -> object:
        return getattr(self._library, f"scipy_{name}")


def scipy_routines() -> BlisRoutines:
    """Returns our routines, with a library in which they can be tested on every machine."""
    pytest.importorskip("scipy.linalg.blas")
    for library in loaded_libraries():
        if "USE64" not in library.version and "64_" not in Path(library.file).name:
            with suppress(AttributeError):
                fortran = _Fortran(library.file)
                assert fortran["dgemm_"]
                return BlisRoutines(fortran)  # type: ignore[arg-type]
    pytest.skip("SciPy has no OpenBLAS of its own")


def test_routines_of_blis_have_the_signatures_and_results_of_scipy() -> None:
    routines = scipy_routines()
    from scipy.linalg import blas as expected  # noqa: PLC0415

    rng = np.random.default_rng(1)
    a, b, c, square = (rng.uniform(-1, 1, shape) for shape in ((4, 3), (3, 5), (4, 5), (4, 4)))
    x, y = rng.uniform(-1, 1, 4), rng.uniform(-1, 1, 3)
    square += 4 * np.eye(4)
    calls: list[tuple[str, tuple[object, ...], dict[str, object]]] = [
        ("dgemm", (2.0, a, b), {}),
        ("dgemm", (2.0, a.T, b.T, 0.5, c), {"trans_a": 1, "trans_b": 1}),
        ("dsymm", (2.0, square, c, 0.5, c), {"side": 0, "lower": 1}),
        ("dsymm", (2.0, square, c.T, 0.5, c.T), {"side": 1, "lower": 0}),
        ("dsyrk", (2.0, a, 0.5, square), {"lower": 1}),
        ("dsyrk", (2.0, a, 0.5, np.eye(3)), {"trans": 1}),
        ("dsyr2k", (2.0, a, 2 * a, 0.5, np.eye(3)), {"trans": 1, "lower": 0}),
        ("dtrmm", (2.0, square, c), {"lower": 1, "trans_a": 1}),
        ("dtrmm", (2.0, square, c.T), {"side": 1, "diag": 1}),
        ("dtrsv", (square, x), {"lower": 1}),
        ("dtrsv", (square, x), {"trans": 1, "diag": 1}),
        ("dgemv", (2.0, a, y, 0.5, x), {}),
        ("dgemv", (2.0, a, x), {"trans": 1}),
        ("dger", (2.0, x, y), {"a": a}),
    ]
    value = [array.copy() for array in (a, b, c, square, x, y)]
    for name, arguments, options in calls:
        ours = getattr(routines, name)(*arguments, **options)
        np.testing.assert_allclose(ours, getattr(expected, name)(*arguments, **options), rtol=1e-12, err_msg=name)
    assert routines.calls == len(calls)
    assert all((before == after).all() for before, after in zip(value, (a, b, c, square, x, y), strict=True))
    columns = np.asfortranarray(c)
    assert routines.dgemm(1.0, a, b, 1.0, columns, overwrite_c=1) is columns


def test_a_library_that_is_no_blis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(blis.PLACE, str(tmp_path / "none.so"))
    with pytest.raises(NoPeer, match="is no BLIS"):
        blis.load_blis(blis_file(), "avx2")


def test_without_blis_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(blis.PLACE, raising=False)
    monkeypatch.setattr(blis, "_PATTERNS", ())
    monkeypatch.setattr("ctypes.util.find_library", lambda _: None)
    with pytest.raises(NoPeer, match="apt install libblis4-openmp"):
        blis_file()


@pytest.mark.slow
def test_blis_computes_with_the_kernels_of_this_processor(tmp_path: Path) -> None:
    pytest.importorskip("scipy.linalg.blas")
    try:
        library = blis_file()
    except NoPeer as reason:
        pytest.skip(str(reason))
    one, two = contestants(python(tmp_path, BLAS), [1, 2], library)
    for item in (one, two):
        assert item.run() >= 0
        assert outputs(item) == [0, 2, 4, 6]
    cores = {library.name: library.core for library in one.libraries()}
    assert cores["BLIS"] == blis._ARCHITECTURES.get(this_machine().instructions, cores["BLIS"])
    (idle,) = contestants(python(tmp_path, PYTHON), [1], library)
    with pytest.raises(NoPeer, match=r"calls no routine of scipy.linalg.blas"):
        idle.run()
