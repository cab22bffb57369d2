"""The BLAS libraries of this process: the kernels that each has chosen, their threads, and choices that do not fit the
processor.

A BLAS chooses its kernels when it is loaded, from the model of the processor or from a variable of the environment. On
a processor that it does not know, or with a variable that names an older one, it runs at a fraction of its speed.
"""

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from alphaz.machine import VECTORS

OPENBLAS, BLIS = "OpenBLAS", "BLIS"
# Variables that pin the kernels.
PINS: Mapping[str, str] = {OPENBLAS: "OPENBLAS_CORETYPE", BLIS: "BLIS_ARCH_TYPE"}
_MAPS = Path("/proc/self/maps")
# Symbols of a build may have a prefix and a suffix.
_PREFIXES, _SUFFIXES = ("", "scipy_"), ("", "64_", "_64")

# The vector instructions of kernels, by the name of the library for the processor, in lower case.
_KERNELS: Mapping[str, tuple[str, ...]] = {
    "avx512": ("skylakex", "cooperlake", "sapphirerapids", "knl", "skx", "zen4", "zen5"),
    "avx2": ("haswell", "zen", "zen2", "zen3", "excavator"),
    "sse2": (
        *("prescott", "core2", "penryn", "dunnington", "nehalem", "atom", "opteron", "opteron_sse3", "barcelona"),
        *("bobcat", "sandybridge", "bulldozer", "piledriver", "steamroller", "generic", "athlon", "katmai"),
    ),
}


@dataclass(frozen=True, slots=True)
class BlasLibrary:
    """A loaded library: `core` is the processor for which it has chosen its kernels."""

    name: str
    version: str
    core: str
    file: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} with kernels for {self.core}"

    @property
    def instructions(self) -> str | None:
        """Returns the vector instructions of its kernels, a key of VECTORS; None for unknown names."""
        return next((name for name, cores in _KERNELS.items() if self.core.lower() in cores), None)


def misfit(library: BlasLibrary, instructions: str, environment: Mapping[str, str]) -> str | None:
    """Returns a warning if the kernels are not those of a processor with these instructions, or if a variable pins
    them; else None.
    """
    variable = PINS.get(library.name, "")
    pinned = environment.get(variable, "") if variable else ""
    own = library.instructions
    is_narrow = own is not None and instructions in VECTORS and VECTORS[own].bytes < VECTORS[instructions].bytes
    if is_narrow or library.core.lower() == "generic":
        remedy = f"unset {variable}" if pinned else f"set {variable} to the processor's" if variable else "take another"
        return f"{library}, but this processor has {instructions}: too slow for a peer; {remedy}"
    if pinned and own is None:
        return f"{library}, as {variable}={pinned} says: its speed is that of the processor only if the name fits"
    return None


def loaded_libraries() -> tuple[BlasLibrary, ...]:
    """Returns the libraries with their kernels, where the system lists loaded files (Linux); each build once."""
    return tuple(dict.fromkeys(_library(handle, path) for handle, path in _loaded()))


def set_blas_threads(count: int) -> None:
    """Sets the number of threads of all loaded libraries."""
    for handle, _ in _loaded():
        for setter in ("openblas_set_num_threads", "bli_thread_set_num_threads"):
            function = _symbol(handle, setter)
            if function is not None:
                function.restype = None
                function(ctypes.c_int64(count))


def can_set_threads() -> bool:
    """Returns True if the system lists loaded files, among which the libraries are found."""
    return _MAPS.exists()


def _loaded() -> Iterator[tuple[ctypes.CDLL, str]]:
    if not _MAPS.exists():
        return
    places = {line.split(maxsplit=5)[-1].strip() for line in _MAPS.read_text(encoding="utf-8").splitlines()}
    for place in sorted(places):
        name = Path(place).name
        if name.startswith("lib") and ("blas" in name or "blis" in name) and Path(place).is_file():
            handle = ctypes.CDLL(place)
            if _symbol(handle, "openblas_get_corename") or _symbol(handle, "bli_arch_string"):
                yield handle, place


def _library(handle: ctypes.CDLL, path: str) -> BlasLibrary:
    core = _text(_symbol(handle, "openblas_get_corename"))
    if core is not None:
        words = (_text(_symbol(handle, "openblas_get_config")) or "").split()
        return BlasLibrary(OPENBLAS, words[1] if len(words) > 1 else "", core, path)
    chosen = int(handle.bli_arch_query_id())
    return BlasLibrary(BLIS, _text(_symbol(handle, "bli_info_get_version_str")) or "", arch_name(handle, chosen), path)


def arch_name(handle: ctypes.CDLL, number: int) -> str:
    """Returns the name by which this build of BLIS knows a processor."""
    function = handle.bli_arch_string
    function.restype = ctypes.c_char_p
    name = function(number)
    return name.decode() if isinstance(name, bytes) else ""


def _symbol(handle: ctypes.CDLL, name: str) -> "ctypes._NamedFuncPointer | None":
    spellings = (f"{prefix}{name}{suffix}" for prefix, suffix in product(_PREFIXES, _SUFFIXES))
    return next((handle[spelling] for spelling in spellings if hasattr(handle, spelling)), None)


def _text(function: "ctypes._NamedFuncPointer | None") -> str | None:
    if function is None:
        return None
    function.restype = ctypes.c_char_p
    text = function()
    return text.decode() if isinstance(text, bytes) else None
