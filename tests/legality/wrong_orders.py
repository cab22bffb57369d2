"""For each violation of S2, S3 and M1 to M3 an order of execution in which something is read wrongly.

- S2: the reader comes before the writer, which ≺ does not forbid.
- S3: both contributions read the value before either writes it, since nothing keeps them from happening at once.
- M1 to M3: the foreign write falls between the (first) writing of the value and the reading. Where S2 fails too, that
  order may not exist: what is wrong is then shown by S2. A contribution that is itself the first writing loses nothing.

Nothing can be shown for S1 (two operations of one date compute the right values; their place in the loops is
lost), nor for M4 by itself, which is about values that nobody reads. Contributions across a reduction dimension are
left out: their accumulators are no cells of the mapping.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from tests.legality.bruteforce import World
from tests.legality.execution import Execution, Impossible, Pair
from tests.legality.plain_order import Element, Operation

Violation = tuple[tuple[Pair, ...], Pair | None]
SHOWN = frozenset({"AZ502", "AZ503", "AZ601", "AZ602", "AZ603"})


def wrongly_read(world: World, mode: str, code: str, random: Random, most: int = 3) -> list[list[str]]:
    """For each of at most so many violations of the rule, what is read wrongly in an order made for it."""
    execution = Execution(world, mode)
    results: list[list[str]] = []
    for first, at_once in _violations(world, mode, code):
        if len(results) == most:
            break
        try:
            results.append(execution.wrong_reads(random, first, at_once))
        except Impossible:
            assert code != "AZ502"
            assert any(_too_early(world, mode))
    return results


def _violations(world: World, mode: str, code: str) -> Iterator[Violation]:
    if code == "AZ502":
        yield from (((pair,), None) for pair in _too_early(world, mode))
    elif code == "AZ503":
        yield from _at_once(world, mode)
    else:
        for reader in world.operations:
            for element, _ in reader.reads:
                if world.rule(reader, element) == code:
                    yield from _overwritten(world, mode, reader, element)


def _too_early(world: World, mode: str) -> Iterator[Pair]:
    for reader in world.operations:
        for element, running in reader.reads:
            for writer in world.writers[element]:
                if (not running or writer.role == "init") and not world.precedes(writer, reader, mode):
                    yield reader, writer


def _at_once(world: World, mode: str) -> Iterator[Violation]:
    for contributions in world.added.values():
        for a, b in combinations(contributions, 2):
            if a.writes and b.writes and world.clash(a, b, mode):
                yield (), (a, b)


def _overwritten(world: World, mode: str, reader: Operation, element: Element) -> Iterator[Violation]:
    writers = world.writers[element]
    firsts = [w for w in writers if w.role == "init"] or writers
    for other, item in world.by_cell[world.cell(element)]:
        if item == element or other is reader or world.precedes(reader, other, mode):
            continue
        for made in firsts:
            if made is reader or world.precedes(reader, made, mode):
                continue
            if not world.precedes(other, made, mode):
                yield ((made, other), (other, reader)), None
