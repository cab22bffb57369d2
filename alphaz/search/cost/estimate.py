"""Lower bound of the execution time in seconds: memory traffic, operations, load balance and vectors."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from alphaz.analysis.facts.work_and_traffic import Traffic, traffic_of, work_of
from alphaz.machine import Ceiling, Machine, Vectors
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.model.expression import Facts
from alphaz.model.program import System
from alphaz.poly import Affine, AffineFunction, Domain, at_least
from alphaz.poly.algorithms.bounds import box_of
from alphaz.poly.algorithms.counting import Count, count
from alphaz.search.cost.dated_accesses import ReferenceTouch
from alphaz.search.cost.memory_traffic import Moved, Movement

# If the caches were not measured: the factor between the bandwidths of two successive levels.
_NEARER = 4.0
# Default rate of each thread without a measurement, so that mappings can be compared.
_BYTES, _OPERATIONS = 10e9, 20e9
_COMPUTED = (Role.VALUE, Role.BODY)


@dataclass(frozen=True, slots=True, eq=False)
class CacheLevel:
    """Traffic out of one level of memory. `source` is `cache 2`, or `memory`. Below `depth` loops, data stay in the
    cache next to the core; one iteration of these loops touches `footprint` bytes."""

    source: str
    depth: int
    footprint: float
    traffic: tuple[Moved, ...]
    seconds: float

    @property
    def bytes(self) -> float:
        return sum(array_traffic.bytes for array_traffic in self.traffic)


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Estimated execution time of a mapping. `levels` start with the level nearest to the core. `operations` is None if
    their number is not a polynomial. `computing` are the seconds that they take at least, and `working` the seconds
    that they take if `scalar` variables are computed in loops without vectors. `is_measured`: the rates were
    measured on the machine. `uneven`: the share of the busiest thread, as a multiple of an equal share; the seconds
    are those of this thread."""

    levels: tuple[CacheLevel, ...]
    operations: int | None
    computing: float
    threads: int
    is_measured: bool
    working: float = 0.0
    scalar: tuple[str, ...] = ()
    uneven: float = 1.0

    @property
    def seconds(self) -> float:
        """A lower bound of the execution time under the model: memory traffic and arithmetic may overlap."""
        return max(self.computing, self.levels[-1].seconds)

    @property
    def cost(self) -> float:
        """The cost by which mappings are compared: the execution time without any overlap."""
        return self.working + sum(level.seconds for level in self.levels)


def estimate(
    mapping: ResolvedMapping,
    parameters: Mapping[str, int],
    machine: Machine,
    threads: int = 1,
    counts: dict[str, Count | None] | None = None,
) -> Estimate:
    """Returns the estimate for a mapping with this many threads, if it has a parallel loop. `counts`: as in
    `Movement`."""
    shared = any(kind.is_shared for statement in mapping.statements for kind in statement.kinds)
    used = threads if shared or any(True in w for band in mapping.bands for w in band.wavefront) else 1
    rates = next((ceiling for ceiling in machine.ceilings if ceiling.threads == used), None)
    ceiling = rates or Ceiling(used, _BYTES * used, _OPERATIONS * used)
    moving = Movement.of(mapping, parameters, counts)
    count = len(machine.caches)
    computed = [statement for statement in mapping.statements if statement.role in _COMPUTED]
    uneven = unevenness(computed, parameters, used) if used > 1 else 1.0
    levels = []
    for position, cache in enumerate(machine.caches):
        # All threads share the last cache.
        depth = moving.fitting(cache.size / used if position == count - 1 else cache.size)
        moved = moving.traffic(depth)
        source = "memory" if position == count - 1 else f"cache {position + 2}"
        rate = _rate(ceiling, position, count)
        seconds = uneven * sum(array_traffic.bytes for array_traffic in moved) / rate
        levels.append(
            CacheLevel(source=source, depth=depth, footprint=moving.footprint(depth), traffic=moved, seconds=seconds)
        )
    operations = _work(mapping.facts, mapping.system).operations_at(parameters)
    computing = uneven * (operations or 0) / ceiling.operations
    slow = {s.variable: slowness(s, moving.touches, machine.vectors) for s in computed}
    counted = _works(mapping.facts, mapping.system)
    working = uneven * sum(slow.get(name, 1) * number.at(parameters) for name, number in counted) / ceiling.operations
    return Estimate(
        levels=tuple(levels),
        operations=operations,
        computing=computing,
        threads=used,
        is_measured=rates is not None,
        working=working,
        scalar=tuple(name for name, _ in counted if slow.get(name, 1) > 1),
        uneven=uneven,
    )


def _rate(ceiling: Ceiling, cache: int, count: int) -> float:
    """The bytes a second that come into this one of so many caches."""
    if cache < count - 1 and len(ceiling.caches) == count - 1:
        return max(ceiling.caches[cache], ceiling.bytes)
    return ceiling.bytes * _NEARER ** (count - 1 - cache)


@lru_cache(maxsize=4)
def _works(facts: Facts, system: System) -> tuple[tuple[str, Count], ...]:
    """The number of operations of each variable for which it is a polynomial."""
    return tuple((work.variable, work.operations) for work in work_of(facts, system) if work.operations is not None)


@lru_cache(maxsize=4)
def _work(facts: Facts, system: System) -> Traffic:
    """The number of operations of all mappings of a system."""
    return traffic_of(facts, system)


def unevenness(statements: Iterable[Statement], parameters: Mapping[str, int], threads: int) -> float:
    """Returns the share of the busiest thread, as a multiple of an equal share; 1 if it is not known."""
    points = [_points(statement, parameters, threads) for statement in statements]
    even = sum(sum(shares) / len(shares) for shares in points)
    return sum(map(max, points)) / even if even else 1.0


def _points(statement: Statement, parameters: Mapping[str, int], threads: int) -> tuple[float, ...]:
    """The number of points of each thread; in chunks, or without a parallel loop, all points."""
    domain = statement.domain.fixed(parameters)
    shared = next((position for position, kind in enumerate(statement.kinds) if kind.is_shared), None)
    if shared is None or statement.chunk(shared) or domain.is_empty():
        return (_number(domain, parameters) or 0.0,)
    earlier = _earlier(domain, statement.dates[shared], parameters, threads)
    numbers = [_number(domain_, parameters) for domain_ in (*earlier, domain)]
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
    count_ = count(domain, domain.parameters())
    return None if count_ is None else float(count_.at(parameters))


# Latency of an addition, in additions: each term of a sequential sum waits for the one before it.
_LATENCY = 4


def slowness(statement: Statement, touches: Iterable[ReferenceTouch], vectors: Vectors) -> int:
    """Returns how many times as long the operations of a statement take as vector operations. `touches` are those of
    the whole mapping."""
    own = [touch for touch in touches if touch.statement is statement]
    loops = [position for position, date in enumerate(statement.dates) if not date.is_constant]
    if not loops or statement.kinds[loops[-1]] not in (DimensionKind.SEQUENTIAL, DimensionKind.ORDERING):
        return 1
    lanes = max((vectors.lanes(touch.bytes) for touch in own), default=1)
    is_sum = any(touch.is_write and not _moves(touch, loops[-1]) for touch in own)
    return lanes * _LATENCY if is_sum else 1


def _moves(touch: ReferenceTouch, dimension: int) -> bool:
    names = set(touch.date[dimension].names)
    return any(names & set(index.names) for index in touch.element)
