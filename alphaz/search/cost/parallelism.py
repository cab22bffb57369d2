"""Load balance of parallel loops, and whether operations are vectorised."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from alphaz.machine import Vectors
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import DimensionKind
from alphaz.poly import Affine, AffineFunction, Domain, at_least
from alphaz.poly.algorithms.box import box_of
from alphaz.poly.algorithms.counting import count
from alphaz.search.cost.touches import ReferenceTouch


def unevenness(statements: Iterable[Statement], parameters: Mapping[str, int], threads: int) -> float:
    """Returns the share of the busiest thread, as a multiple of an equal share; 1 if it is not known."""
    points = [_points(statement, parameters, threads) for statement in statements]
    even = sum(sum(shares) / len(shares) for shares in points)
    return sum(map(max, points)) / even if even else 1.0


def _points(statement: Statement, parameters: Mapping[str, int], threads: int) -> tuple[float, ...]:
    """The number of points of each thread; in chunks, or without a parallel loop, all points."""
    domain = statement.domain.fixed(parameters)
    shared = next((at for at, kind in enumerate(statement.kinds) if kind.is_shared), None)
    if shared is None or statement.chunk(shared) or domain.is_empty():
        return (_number(domain, parameters) or 0.0,)
    earlier = _earlier(domain, statement.dates[shared], parameters, threads)
    numbers = [_number(each, parameters) for each in (*earlier, domain)]
    if None in numbers:
        return (0.0,)
    return tuple(high - low for low, high in pairwise([0.0, *(number or 0.0 for number in numbers)]))


def _earlier(domain: Domain, date: Affine, parameters: Mapping[str, int], threads: int) -> Iterator[Domain]:
    """The points before the share of each thread except the first."""
    values = box_of(domain.image(AffineFunction(domain.space, (date,)), ("value",)), parameters)
    (low,), (length,) = values.lower, values.shape
    for share in range(1, threads):
        last = Affine(constant=low + length * share // threads - 1)
        yield domain & Domain.where(domain.space, [at_least(last, date)])


def _number(domain: Domain, parameters: Mapping[str, int]) -> float | None:
    found = count(domain, domain.parameters())
    return None if found is None else float(found.at(parameters))


# Latency of an addition, in additions: each term of a sequential sum waits for the one before it.
_LATENCY = 4


def slowness(statement: Statement, touches: Iterable[ReferenceTouch], vectors: Vectors) -> int:
    """Returns how many times as long the operations of a statement take as vector operations. `touches` are those of
    the whole mapping."""
    own = [touch for touch in touches if touch.statement is statement]
    loops = [at for at, date in enumerate(statement.dates) if not date.is_constant]
    if not loops or statement.kinds[loops[-1]] not in (DimensionKind.SEQUENTIAL, DimensionKind.ORDERING):
        return 1
    lanes = max((vectors.lanes(touch.bytes) for touch in own), default=1)
    is_sum = any(touch.is_write and not _moves(touch, loops[-1]) for touch in own)
    return lanes * _LATENCY if is_sum else 1


def _moves(touch: ReferenceTouch, dimension: int) -> bool:
    names = set(touch.date[dimension].names)
    return any(names & set(index.names) for index in touch.element)
