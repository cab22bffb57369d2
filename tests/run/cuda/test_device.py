"""The GPU of this machine, by a driver that the tests play."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field

from alphaz.machine import GPUS
from alphaz.run.cuda.device import gpu_of

# Attributes by their numbers in cuda.h: those of a GPU of 80 processors.
ATTRIBUTES = {
    13: 1_500_000,
    16: 80,
    36: 800_000,
    37: 4096,
    38: 6 << 20,
    39: 1536,
    75: 8,
    76: 6,
    81: 100 << 10,
    82: 65536,
}


@dataclass
class Driver:
    """A driver with one device; without one if `fails`."""

    title: bytes
    attributes: Mapping[int, int] = field(default_factory=dict)
    fails: bool = False

    def cuInit(self, _: int) -> int:
        return 100 if self.fails else 0

    def cuDeviceGet(self, _: object, __: int) -> int:
        return 0

    def cuDeviceGetName(self, title: ctypes.Array[ctypes.c_char], _: int, __: object) -> int:
        title.value = self.title
        return 0

    def cuDeviceGetAttribute(self, place: object, number: int, _: object) -> int:
        if number not in self.attributes:
            return 1
        place._obj.value = self.attributes[number]  # type: ignore[attr-defined]
        return 0


def test_a_known_gpu_is_that_of_the_table() -> None:
    assert gpu_of(Driver(b"NVIDIA H200")) is GPUS["h200"]  # type: ignore[arg-type]


def test_another_gpu_is_asked() -> None:
    gpu = gpu_of(Driver(b"NVIDIA A10", ATTRIBUTES))  # type: ignore[arg-type]
    assert gpu is not None
    assert (gpu.name, gpu.architecture, gpu.processors, gpu.threads) == ("nvidia a10", "sm_86", 80, 1536)
    assert gpu.bytes == 2 * 800e6 * 512
    assert gpu.shared == 100 * 1024


def test_without_a_device_or_attributes_there_is_none() -> None:
    assert gpu_of(Driver(b"", fails=True)) is None  # type: ignore[arg-type]
    assert gpu_of(Driver(b"NVIDIA A10")) is None  # type: ignore[arg-type]
