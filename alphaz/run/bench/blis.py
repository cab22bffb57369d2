"""BLIS in a Python peer: its routines, with the signatures of those of `scipy.linalg.blas`, which they replace.

BLIS chooses the kernels of another processor for one that it does not know. The variable BLIS_ARCH_TYPE pins them. Old
versions take the number of a processor, which depends on the build; `load_blis` looks it up by its name.
"""

import ctypes
import ctypes.util
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import glob
from types import ModuleType

import numpy as np

from alphaz.run.bench.blas_libraries import BLIS, PINS, arch_name
from alphaz.run.bench.contest import NoPeer

PLACE = "ALPHAZ_BLIS"
_PATTERNS = ("/usr/lib/*/blis-openmp/libblis.so*", "/usr/lib/*/blis-pthread/libblis.so*", "/usr/lib/*/libblis.so*")
# The kernels for a processor with these vector instructions.
_ARCHITECTURES: Mapping[str, str] = {"avx512": "skx", "avx2": "haswell"}
_MOST = 64
_BLAS = "scipy.linalg.blas"
_ROUTINES = ("dgemm", "dsymm", "dsyrk", "dsyr2k", "dtrmm", "dtrsv", "dgemv", "dger")


def blis_file() -> str:
    """Returns the file of the library: that of the variable ALPHAZ_BLIS, or an installed one. Raises NoPeer."""
    named = os.environ.get(PLACE)
    if named is not None:
        return named
    files = [file for pattern in _PATTERNS for file in sorted(glob(pattern))]
    installed = files[0] if files else ctypes.util.find_library("blis")
    if installed is None:
        raise NoPeer(f"there is no libblis (Debian and Ubuntu: apt install libblis4-openmp; or name it in {PLACE})")
    return installed


def load_blis(file: str, instructions: str) -> "BlisRoutines":
    """Loads the library with the kernels for a processor with these vector instructions, unless the user has pinned
    others, and replaces the routines of the module `scipy.linalg.blas` of this process. Raises NoPeer.
    """
    try:
        library = ctypes.CDLL(file, mode=ctypes.RTLD_GLOBAL)
        numbers = {arch_name(library, number): number for number in range(_MOST)}
    except (OSError, AttributeError) as problem:
        raise NoPeer(f"{file} is no BLIS: {problem}") from None
    wanted = _ARCHITECTURES.get(instructions, "")
    if PINS[BLIS] not in os.environ and wanted in numbers:
        os.environ[PINS[BLIS]] = str(numbers[wanted])
    routines = BlisRoutines(library)
    try:
        module = importlib.import_module(_BLAS)
    except ImportError:
        module = sys.modules[_BLAS] = ModuleType(_BLAS)
    for name in _ROUTINES:
        setattr(module, name, getattr(routines, name))
    return routines


@dataclass(slots=True)
class BlisRoutines:
    """The routines; matrices are by columns, as those of Fortran. `calls` counts them."""

    library: ctypes.CDLL
    calls: int = 0

    def dgemm(
        self,
        alpha: float,
        a: np.ndarray,
        b: np.ndarray,
        beta: float = 0.0,
        c: np.ndarray | None = None,
        trans_a: int = 0,
        trans_b: int = 0,
        overwrite_c: int = 0,
    ) -> np.ndarray:
        """Returns alpha a b + beta c."""
        a, b = _columns(a), _columns(b)
        m, k = a.shape[::-1] if trans_a else a.shape
        n = b.shape[0] if trans_b else b.shape[1]
        out = _result((m, n), c, overwrite_c)
        self._call("dgemm", _T[trans_a], _T[trans_b], m, n, k, alpha, a, a.shape[0], b, b.shape[0], beta, out, m)
        return out

    def dsymm(
        self,
        alpha: float,
        a: np.ndarray,
        b: np.ndarray,
        beta: float = 0.0,
        c: np.ndarray | None = None,
        side: int = 0,
        lower: int = 0,
        overwrite_c: int = 0,
    ) -> np.ndarray:
        """Returns alpha a b + beta c, or alpha b a + beta c, where a is symmetric."""
        a, b = _columns(a), _columns(b)
        m, n = b.shape
        out = _result((m, n), c, overwrite_c)
        self._call("dsymm", _SIDE[side], _UPLO[lower], m, n, alpha, a, a.shape[0], b, m, beta, out, m)
        return out

    def dsyrk(
        self,
        alpha: float,
        a: np.ndarray,
        beta: float = 0.0,
        c: np.ndarray | None = None,
        trans: int = 0,
        lower: int = 0,
        overwrite_c: int = 0,
    ) -> np.ndarray:
        """Returns a triangle of alpha a a' + beta c."""
        a = _columns(a)
        n, k = a.shape[::-1] if trans else a.shape
        out = _result((n, n), c, overwrite_c)
        self._call("dsyrk", _UPLO[lower], _T[trans], n, k, alpha, a, a.shape[0], beta, out, n)
        return out

    def dsyr2k(
        self,
        alpha: float,
        a: np.ndarray,
        b: np.ndarray,
        beta: float = 0.0,
        c: np.ndarray | None = None,
        trans: int = 0,
        lower: int = 0,
        overwrite_c: int = 0,
    ) -> np.ndarray:
        """Returns a triangle of alpha (a b' + b a') + beta c."""
        a, b = _columns(a), _columns(b)
        n, k = a.shape[::-1] if trans else a.shape
        out = _result((n, n), c, overwrite_c)
        self._call("dsyr2k", _UPLO[lower], _T[trans], n, k, alpha, a, a.shape[0], b, b.shape[0], beta, out, n)
        return out

    def dtrmm(
        self,
        alpha: float,
        a: np.ndarray,
        b: np.ndarray,
        side: int = 0,
        lower: int = 0,
        trans_a: int = 0,
        diag: int = 0,
        overwrite_b: int = 0,
    ) -> np.ndarray:
        """Returns alpha a b or alpha b a, where a is triangular."""
        a, out = _columns(a), _result(b.shape, b, overwrite_b)
        m, n = out.shape
        self._call("dtrmm", _SIDE[side], _UPLO[lower], _T[trans_a], _UNIT[diag], m, n, alpha, a, a.shape[0], out, m)
        return out

    def dtrsv(
        self, a: np.ndarray, x: np.ndarray, lower: int = 0, trans: int = 0, diag: int = 0, overwrite_x: int = 0
    ) -> np.ndarray:
        """Returns the solution y of a y = x, where a is triangular."""
        a, out = _columns(a), _result(x.shape, x, overwrite_x)
        self._call("dtrsv", _UPLO[lower], _T[trans], _UNIT[diag], len(out), a, a.shape[0], out, 1)
        return out

    def dgemv(
        self,
        alpha: float,
        a: np.ndarray,
        x: np.ndarray,
        beta: float = 0.0,
        y: np.ndarray | None = None,
        trans: int = 0,
        overwrite_y: int = 0,
    ) -> np.ndarray:
        """Returns alpha a x + beta y."""
        a, x = _columns(a), _columns(x)
        out = _result((a.shape[1 if trans else 0],), y, overwrite_y)
        self._call("dgemv", _T[trans], a.shape[0], a.shape[1], alpha, a, a.shape[0], x, 1, beta, out, 1)
        return out

    def dger(
        self, alpha: float, x: np.ndarray, y: np.ndarray, a: np.ndarray | None = None, overwrite_a: int = 0
    ) -> np.ndarray:
        """Returns alpha x y' + a."""
        x, y = _columns(x), _columns(y)
        out = _result((len(x), len(y)), a, overwrite_a)
        self._call("dger", len(x), len(y), alpha, x, 1, y, 1, out, len(x))
        return out

    def _call(self, name: str, *arguments: object) -> None:
        self.calls += 1
        function = self.library[f"{name}_"]
        function.restype = None
        function(*map(_passed, arguments))


_T, _UPLO, _SIDE, _UNIT = (b"N", b"T"), (b"U", b"L"), (b"L", b"R"), (b"N", b"U")


def _passed(value: object) -> object:
    """Returns the argument of Fortran: an address."""
    if isinstance(value, np.ndarray) and value.ndim:
        return ctypes.c_void_p(value.ctypes.data)
    if isinstance(value, bytes):
        return ctypes.c_char_p(value)
    if isinstance(value, int):
        return ctypes.byref(ctypes.c_int32(value))
    return ctypes.byref(ctypes.c_double(float(value)))  # type: ignore[arg-type]


def _columns(array: np.ndarray) -> np.ndarray:
    return np.asarray(array, dtype=np.float64, order="F")


def _result(shape: Sequence[int], array: np.ndarray | None, overwrite: int) -> np.ndarray:
    """Returns the array for the result, with the given values if there are any."""
    if array is None:
        return np.zeros(tuple(shape), order="F")
    is_own = overwrite and array.dtype == np.float64 and array.flags.f_contiguous and array.flags.writeable
    return array if is_own else np.array(array, dtype=np.float64, order="F")
