"""The cost of kernels of a GPU, as text and as JSON."""

from collections.abc import Iterator, Mapping

from alphaz.c.tree import AddressSpace
from alphaz.cli.measured_mappings import values_text
from alphaz.diagnostics.message_words import count_text, plural
from alphaz.search.cost.gpu_cost import GpuCost, KernelCost, WarpAccess

_UNITS = {AddressSpace.GLOBAL: "segment", AddressSpace.SHARED: "pass"}
_NAMES = {AddressSpace.GLOBAL: "global", AddressSpace.SHARED: "shared"}
_UNEVEN = 1.05
_MOST_ACCESSES = 12


def gpu_lines(system: str, values: Mapping[str, int], cost: GpuCost) -> Iterator[str]:
    """Yields the lines about the kernels of a system."""
    yield f"{system}: {values_text(values)}, {cost.gpu.name}"
    for kernel in cost.kernels:
        yield from _kernel_lines(kernel)
    longest = max(cost.kernels, key=lambda kernel: kernel.seconds)
    yield f"  at best       {cost.seconds:.3g} s by the model, most of it in line {longest.line} by {longest.limit}"


def _kernel_lines(kernel: KernelCost) -> Iterator[str]:
    shape = " x ".join(map(str, kernel.block)) or "1"
    grid = f"{count_text(kernel.blocks, 'block')} of {shape} threads"
    launches = round(kernel.launches)
    yield f"  kernel of line {kernel.line}: {grid}, {launches:,} {'launch' if launches == 1 else 'launches'}"
    shared = f", {kernel.shared:,} bytes of shared memory in each" if kernel.shared else ""
    resident = count_text(kernel.resident, "block")
    yield f"    occupancy   at most {100 * kernel.occupancy:.0f} %: {resident} on a processor at a time{shared}"
    yield f"    bytes       {large(kernel.memory)}B of memory, {large(kernel.cache)}B of the cache, in a launch"
    known = dict.fromkeys(_access_line(access) for access in sorted(kernel.accesses, key=lambda one: -one.units))
    yield from [*known][:_MOST_ACCESSES]
    if len(known) > _MOST_ACCESSES:
        yield f"    and {len(known) - _MOST_ACCESSES} more accesses"
    yield f"    at best     {kernel.seconds / kernel.launches:.3g} s a launch, by {kernel.limit}"


def _access_line(access: WarpAccess) -> str:
    verb = "written" if access.is_write else "read"
    unit = _UNITS[access.space]
    number = f"{access.of_warp:.3g} {unit if access.of_warp == 1 else plural(unit)} of a warp"
    what = "least" if access.space is AddressSpace.GLOBAL else "one without conflicts of banks"
    times = f", {access.ratio:.3g} times the {what}" if access.ratio > _UNEVEN else ""
    return f"    {access.array:<11} {_NAMES[access.space]} memory, {verb} in line {access.line}: {number}{times}"


def large(number: float) -> str:
    """Returns `12.3 M`, to be followed by a unit."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f} "


def gpu_document(system: str, values: Mapping[str, int], cost: GpuCost) -> dict[str, object]:
    """Returns the JSON of the same."""
    kernels = [
        {
            "line": kernel.line,
            "launches": round(kernel.launches),
            "blocks": kernel.blocks,
            "block": list(kernel.block),
            "shared": kernel.shared,
            "occupancy": kernel.occupancy,
            "memory": round(kernel.memory),
            "cache": round(kernel.cache),
            "limit": kernel.limit,
            "seconds": kernel.seconds,
            "accesses": [
                {
                    "array": access.array,
                    "place": _NAMES[access.space],
                    "line": access.line,
                    "written": access.is_write,
                    f"{plural(_UNITS[access.space])} of a warp": access.of_warp,
                    "ratio": access.ratio,
                }
                for access in kernel.accesses
            ],
        }
        for kernel in cost.kernels
    ]
    return {
        "system": system,
        "parameters": dict(values),
        "gpu": cost.gpu.name,
        "kernels": kernels,
        "seconds": cost.seconds,
    }
