"""What stands in each cell, step by step: operations of one step read first, then write."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.trace.trace import Element, Lifetime, Operation, Read


@dataclass(frozen=True, slots=True)
class Contents:
    """The reads with what they find, and how long each value is in its cell."""

    reads: tuple[Read, ...]
    lifetimes: tuple[Lifetime, ...]


def contents(operations: Sequence[Operation], reads: Sequence[Read], last: int | None = None) -> Contents:
    """`reads` as they should be. An accumulation that nothing initialises begins by assigning: it reads nothing then.

    The operation of number `last` writes after the others of its step.
    """
    by_step: dict[int, list[Operation]] = defaultdict(list)
    reading: dict[int, list[Read]] = defaultdict(list)
    for operation in operations:
        by_step[operation.step].append(operation)
    for read in reads:
        reading[read.reader].append(read)
    memory: dict[Element, Element] = {}
    written: dict[Element, int] = {}
    found: list[Read] = []
    for step in sorted(by_step):
        for operation in by_step[step]:
            for read in reading[operation.number]:
                if read.is_running and read.value not in written and not _is_initialised(operations, read):
                    continue
                late = () if read.is_running else tuple(p for p in read.producers if operations[p].step >= step)
                found.append(replace(read, found=memory.get(read.cell), late=late))
        for operation in sorted(by_step[step], key=lambda each: each.number == last):
            for value, cell in operation.writes:
                memory[cell] = value
                written.setdefault(value, step)
    found.sort(key=lambda read: (read.reader, read.value))
    return Contents(tuple(found), tuple(_lifetimes(operations, found, written)))


def _is_initialised(operations: Sequence[Operation], read: Read) -> bool:
    return any(operations[number].name == f"{read.value.name}.init" for number in read.producers)


def _lifetimes(
    operations: Sequence[Operation], reads: Sequence[Read], written: Mapping[Element, int]
) -> Iterator[Lifetime]:
    last, lost = dict(written), defaultdict[Element, list[int]](list)
    for number, read in enumerate(reads):
        if read.value in last:
            last[read.value] = max(last[read.value], operations[read.reader].step)
        if read.is_lost:
            lost[read.value].append(number)
    cells = {value: cell for operation in operations for value, cell in operation.writes}
    for value, first in sorted(written.items(), key=lambda item: (cells[item[0]], item[1], item[0])):
        yield Lifetime(value=value, cell=cells[value], first=first, last=last[value], lost=tuple(lost[value]))
