"""The current machine: vector instructions of the compiler, caches of the system. Determined once, then cached.

The variable ALPHAZ_MACHINE pins the instructions, so that generated texts are the same on every machine.
"""

import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path

from alphaz.cache import cache_name, keep, recall
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import CONFIGURATION
from alphaz.machine import USUAL, VECTORS, Cache, Ceiling, Machine, Network
from alphaz.processes.external import run

PIN = "ALPHAZ_MACHINE"
_SECONDS = 20
# The macros that a compiler defines for these instructions, the widest vectors first.
_MACROS = (("__AVX512F__", "avx512"), ("__AVX2__", "avx2"), ("__ARM_NEON", "neon"), ("__SSE2__", "sse2"))
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 1024, "M": 1024**2}


def machine(pinned: str | None = None) -> Machine:
    """Returns this machine, or a default one with the pinned instructions, by name or by the variable.

    Earlier measurements are included. Raises Rejected where there are no instructions of that name.
    """
    name = pinned or os.environ.get(PIN) or None
    if name is None:
        return this_machine()
    if name not in VECTORS:
        message = f"{PIN} names unknown vector instructions, `{name}`"
        raise Rejected(Diagnostic(CONFIGURATION, message, Label(NOWHERE), help=f"choose one of {', '.join(VECTORS)}"))
    return replace(USUAL, instructions=name)


def this_machine() -> Machine:
    """Returns this machine, regardless of pinned instructions."""
    return _measure_machine(_key())


def remember(it: Machine) -> None:
    """Caches the description of this machine for later runs."""
    keep(_key(), _machine_bytes(it))
    _measure_machine.cache_clear()


def _key() -> str:
    """Returns the dependencies of the description: the compiler, by its file, and the processor."""
    stamps = [[*command, _stamp(command[0])] for command in _commands()]
    return cache_name("machine", [json.dumps(stamps), _processor(), json.dumps(sorted(_caches_said()))])


def _stamp(command: str) -> str:
    place = shutil.which(command)
    if place is None:
        return ""
    status = Path(place).resolve().stat()
    return f"{status.st_mtime_ns} {status.st_size}"


def _processor() -> str:
    """Returns model and flags, where the system provides them."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    first = text.partition("\n\n")[0]
    entries = re.findall(r"^(model name|flags|Features|CPU part)\s*:(.*)$", first, re.MULTILINE)
    return f"{os.cpu_count()} {entries}"


@lru_cache(maxsize=2)
def _measure_machine(key: str) -> Machine:
    cached = recall(key)
    if cached is not None:
        return _read(cached)
    instructions = next(filter(None, map(_instructions, _commands())), USUAL.instructions)
    measured = Machine(instructions, _caches() or USUAL.caches, os.cpu_count() or 1)
    keep(key, _machine_bytes(measured))
    return measured


def _commands() -> list[tuple[str, ...]]:
    named = os.environ.get(DEFAULT.toolchain.variable, "").strip()
    return [tuple(shlex.split(named))] if named else [(name,) for name in DEFAULT.toolchain.commands]


def _instructions(command: tuple[str, ...]) -> str | None:
    """Returns the instructions that the compiler uses for this processor; None where it does not print them."""
    with tempfile.TemporaryDirectory(prefix="alphaz-machine-") as folder:
        (Path(folder) / "empty.c").write_text("", encoding="utf-8")
        for flags in (("-march=native",), ("-mcpu=native",)):
            macros = run((*command, *flags, "-dM", "-E", "empty.c"), Path(folder), _SECONDS)
            if macros.succeeded:
                defined = {line.split()[1] for line in macros.output.splitlines() if line.startswith("#define ")}
                return next((name for macro, name in _MACROS if macro in defined), None)
    return None


# --- caches -----------------------------------------------------------------------------------------------------------


def _caches() -> tuple[Cache, ...]:
    return tuple(Cache(size, ways) for _, size, ways in sorted(_caches_said()))


def _caches_said() -> Iterator[tuple[int, int, int]]:
    """Yields level, bytes and ways of the data caches on Linux; nothing elsewhere."""
    for place in _CACHES.glob("index*"):
        try:
            kind, level, size, ways = (
                (place / name).read_text(encoding="utf-8").strip()
                for name in ("type", "level", "size", "ways_of_associativity")
            )
        except OSError:
            continue
        match = re.fullmatch(r"(\d+)([KM]?)", size)
        if kind != "Instruction" and match is not None and ways.isdigit() and int(ways):
            yield int(level), int(match[1]) * _UNITS.get(match[2], 1), int(ways)


# --- between runs -----------------------------------------------------------------------------------------------------


def _machine_bytes(it: Machine) -> bytes:
    return json.dumps(asdict(it)).encode()


def _read(data: bytes) -> Machine:
    document = json.loads(data)
    caches = tuple(Cache(**cache) for cache in document["caches"])
    rates = tuple(
        Ceiling(**{**ceiling, "caches": tuple(ceiling.get("caches", ()))}) for ceiling in document["ceilings"]
    )
    return Machine(
        instructions=document["instructions"],
        caches=caches,
        threads=document["threads"],
        ceilings=rates,
        network=Network(**document.get("network", {})),
    )
