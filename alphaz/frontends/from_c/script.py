"""The script of a kernel's values: the order and the memory cells of the C."""

from collections.abc import Iterator, Sequence

from alphaz.frontends.from_c.values import FlowValue
from alphaz.model.program import Kind
from alphaz.poly import Affine
from alphaz.scop.kernel import KernelArray


def script_text(program: str, system: str, values: Sequence[FlowValue], origin: str) -> str:
    """Returns the script that maps the program (by its file name). `origin` is the source, for a comment."""
    found = [value for value in values if value.kind is not Kind.INPUT]
    lines = [
        f"# {origin}: its order, and its memory.",
        f'prog = ReadAlphabets("{program}");',
        f'system = "{system}";',
        "",
        *_dates(found),
        *_cells(found, {value.name for value in values}),
        "",
        'VerifyTargetMapping(prog, system, "MIN");',
        "generateScheduledCode(prog, system);",
    ]
    return "\n".join(lines) + "\n"


def _dates(values: Sequence[FlowValue]) -> Iterator[str]:
    dates = {each.name: _padded(each.date, values) for each in values}
    starts = {each.name: _padded(each.sum.start, values) for each in values if each.sum is not None}
    every = _renumber_positions([*dates.values(), *starts.values()])
    dates, starts = dict(zip(dates, every, strict=False)), dict(zip(starts, every[len(dates) :], strict=True))
    # A constant component orders nothing.
    kept = [at for at in range(len(every[0])) if len({each[at] for each in every}) > 1 or not every[0][at].is_constant]
    kept = kept or [0]
    for value in values:
        names = (*value.indices, *(value.sum.names if value.sum is not None else ()))
        maps = [_map(names, [dates[value.name][at] for at in kept])]
        if value.name in starts:
            maps.append(_map(value.indices, [starts[value.name][at] for at in kept]))
        said = ", ".join(f'"{map_}"' for map_ in maps)
        yield f'setSpaceTimeMap(prog, system, "{value.name}", {said});'


def _renumber_positions(dates: Sequence[tuple[Affine, ...]]) -> list[tuple[Affine, ...]]:
    """Returns the dates with positions in blocks counted from 0 without gaps."""
    ranks = []
    for column in zip(*dates, strict=True):
        constants = sorted({each.constant for each in column if each.is_constant})
        ranks.append({value: at for at, value in enumerate(constants)})
    return [
        tuple(
            Affine(constant=known[each.constant]) if each.is_constant else each
            for each, known in zip(date, ranks, strict=True)
        )
        for date in dates
    ]


def _padded(date: Sequence[Affine], values: Sequence[FlowValue]) -> tuple[Affine, ...]:
    width = max(len(value.date) for value in values)
    return (*date, *(Affine() for _ in range(width - len(date))))


def _cells(values: Sequence[FlowValue], taken: set[str]) -> Iterator[str]:
    spaces = _spaces(values, set(taken))
    for value in values:
        if value.array is None or value.cell is None:
            continue
        space = spaces[value.array.name]
        is_plain = value.cell == tuple(map(Affine.name, value.indices))
        if is_plain and space == value.name:
            continue
        shared = f'"{space}", ' if space != value.name else ""
        yield f'setMemoryMap(prog, system, "{value.name}", {shared}"{_map(value.indices, value.cell)}");'


def _spaces(values: Sequence[FlowValue], taken: set[str]) -> dict[str, str]:
    """Returns the memory space of each array: an output has its own name, as does a value that is alone in its
    array."""
    arrays: dict[str, tuple[KernelArray, list[FlowValue]]] = {}
    for value in values:
        if value.array is not None:
            arrays.setdefault(value.array.name, (value.array, []))[1].append(value)
    found = {}
    for name, (array, members) in arrays.items():
        output = next((member.name for member in members if member.kind is Kind.OUTPUT), None)
        if output is None and len(members) > 1:
            count, output = 1, array.label
            while output in taken:
                count += 1
                output = f"{array.label}{count}"
            taken.add(output)
        found[name] = output or members[0].name
    return found


def _map(names: Sequence[str], outputs: Sequence[Affine]) -> str:
    return f"({','.join(names)} -> {','.join(map(str, outputs))})"
