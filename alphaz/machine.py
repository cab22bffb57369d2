"""The target machine as data: vectors, caches, ceilings. `alphaz.run.machine` determines it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

# So many registers have room for three vectors in a row of a register tile.
_MANY = 32


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of a processor: `bytes` of one vector, and the number of `registers`."""

    bytes: int
    registers: int

    def lanes(self, element: int) -> int:
        """Returns the number of values of this many bytes in a vector."""
        return self.bytes // element

    @property
    def shapes(self) -> tuple[tuple[int, int], ...]:
        """Returns the shapes of register tiles of sums, best first: vectors in a row, and rows.

        With two vectors in a row, three quarters of the registers hold sums, the rest the factors. With 32 registers
        there is room for three, and eight rows: a value of the other factor is used three times. With a ninth row,
        compilers keep a sum in memory where a loop also needs a constant.
        """
        two = (2, self.registers * 3 // 8)
        return ((3, self.registers // 4), two) if self.registers >= _MANY else (two,)

    def columns(self, element: int) -> int:
        """Returns the width of the best register tile of values of this many bytes."""
        return self.shapes[0][0] * self.lanes(element)

    def rows(self) -> int:
        """Returns the height of the best register tile."""
        return self.shapes[0][1]


VECTORS: Mapping[str, Vectors] = MappingProxyType(
    {"sse2": Vectors(16, 16), "neon": Vectors(16, 32), "avx2": Vectors(32, 16), "avx512": Vectors(64, 32)}
)
"""By the names of the instructions."""


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache: `size` in bytes, `ways` of associativity."""

    size: int
    ways: int


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The ceilings of this many threads: bytes a second from memory, floating-point operations a second; bytes a second
    from each cache but the one next to a core, where that was measured.
    """

    threads: int
    bytes: float
    operations: float
    caches: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Network:
    """A network between ranks: a message of n bytes takes `latency + n / bytes` seconds."""

    latency: float = 2e-6
    bytes: float = 10e9


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine: `instructions` names the vectors in `VECTORS`; `caches` hold data, the one next to a core first;
    `threads` run at a time. `ceilings` are empty where nothing was measured, and the network is a usual one.
    """

    instructions: str
    caches: tuple[Cache, ...]
    threads: int = 1
    ceilings: tuple[Ceiling, ...] = ()
    network: Network = Network()

    @property
    def vectors(self) -> Vectors:
        return VECTORS[self.instructions]


USUAL = Machine("avx2", (Cache(32 * 1024, 8), Cache(1024 * 1024, 16), Cache(32 * 1024 * 1024, 16)))
"""A core of today's servers: the same on every computer, and so are its generated texts."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU. `threads`, `blocks`, `registers` and `shared` bytes are those that one of its `processors` has at a time;
    `bytes` a second come from memory, `cache_bytes` from the cache of all processors, which holds `cache` bytes.
    `doubles` and `floats` are floating-point operations a second without tensor cores, `clock` is in Hz.
    """

    name: str
    architecture: str
    processors: int
    bytes: float
    cache: int
    cache_bytes: float
    doubles: float
    floats: float
    clock: float
    threads: int = 2048
    blocks: int = 32
    registers: int = 65_536
    shared: int = 228 * 1024


GPUS: Mapping[str, Gpu] = MappingProxyType(
    {
        gpu.name: gpu
        for gpu in (
            Gpu(
                name="a100",
                architecture="sm_80",
                processors=108,
                bytes=2.0e12,
                cache=40 << 20,
                cache_bytes=4.0e12,
                doubles=9.7e12,
                floats=19.5e12,
                clock=1.41e9,
                shared=164 * 1024,
            ),
            Gpu(
                name="h100",
                architecture="sm_90",
                processors=132,
                bytes=3.35e12,
                cache=50 << 20,
                cache_bytes=5.5e12,
                doubles=33.5e12,
                floats=67e12,
                clock=1.755e9,
            ),
            Gpu(
                name="h200",
                architecture="sm_90",
                processors=132,
                bytes=4.8e12,
                cache=50 << 20,
                cache_bytes=5.5e12,
                doubles=33.5e12,
                floats=67e12,
                clock=1.755e9,
            ),
        )
    }
)
"""Rates are those of data sheets; those of the cache are measured ones, rounded."""
