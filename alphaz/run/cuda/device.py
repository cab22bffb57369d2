"""The GPU of this machine, asked from its driver."""

import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from alphaz.machine import GPUS, Gpu

_LIBRARY = "libcuda.so.1"
# Attributes of the driver (cuda.h, CUdevice_attribute).
_CLOCK, _PROCESSORS, _MEMORY_CLOCK, _BUS, _CACHE = 13, 16, 36, 37, 38
_THREADS, _MAJOR, _MINOR, _SHARED, _REGISTERS, _BLOCKS = 39, 75, 76, 81, 82, 106
# Rates that the driver does not say, as parts of those of a known GPU of the architecture, a processor and a cycle.
_LIKE = {8: "a100"}
_LATER = "h100"


@cache
def gpu_here() -> Gpu | None:
    """Returns the first GPU of this machine; None without one, or without a driver."""
    with suppress(OSError):
        return gpu_of(ctypes.CDLL(_LIBRARY))
    return None


def gpu_of(driver: ctypes.CDLL) -> Gpu | None:
    """Returns the first GPU of a driver. Rates of arithmetic, and of the cache, are those of a known GPU of its
    architecture, by processors and clock; a GPU of the table is that of the table.
    """
    device = ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0):
        return None
    title = ctypes.create_string_buffer(100)
    if driver.cuDeviceGetName(title, len(title), device):
        return None
    name = title.value.decode(errors="replace").lower()
    known = next((gpu for gpu in GPUS.values() if gpu.name in name), None)
    if known is not None:
        return known

    def attribute(number: int) -> int:
        value = ctypes.c_int()
        return 0 if driver.cuDeviceGetAttribute(ctypes.byref(value), number, device) else value.value

    return _asked(name, attribute)


def _asked(name: str, attribute: Callable[[int], int]) -> Gpu | None:
    processors, clock = attribute(_PROCESSORS), attribute(_CLOCK) * 1e3
    like = GPUS[_LIKE.get(attribute(_MAJOR), _LATER)]
    if not processors or not clock:
        return None
    rate = processors * clock / (like.processors * like.clock)
    # Two transfers in a cycle of the memory, in kHz, over a bus of so many bits.
    memory = 2.0 * attribute(_MEMORY_CLOCK) * 1e3 * attribute(_BUS) / 8
    return Gpu(
        name=name,
        architecture=f"sm_{attribute(_MAJOR)}{attribute(_MINOR)}",
        processors=processors,
        bytes=memory or like.bytes,
        cache=attribute(_CACHE) or like.cache,
        cache_bytes=like.cache_bytes * rate,
        doubles=like.doubles * rate,
        floats=like.floats * rate,
        clock=clock,
        threads=attribute(_THREADS) or like.threads,
        blocks=attribute(_BLOCKS) or like.blocks,
        registers=attribute(_REGISTERS) or like.registers,
        shared=attribute(_SHARED) or like.shared,
    )
