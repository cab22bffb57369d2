"""Parameters for runs of the model: small ones, and, on request, ones beyond the first tile."""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice, permutations

from alphaz.equivalence.concrete_instances import TooMany, points
from alphaz.equivalence.symbolic_run import by_sum, legal, sample_parameters, smallest
from alphaz.model.program import System
from alphaz.scop.c_model import CKernel, KernelLoop, KernelStatement

# A run of the model is small: the number of the smallest parameters tried, and of instances in each.
_SMALLEST = 5
MOST_INSTANCES = 1_500
MOST_OF_LARGEST = 40_000
_UNROLLED = 16
_LONGEST_PERIOD = 4
# Larger factors are no sizes of tiles; a run beyond a tile in one parameter has at most so many instances.
_LARGEST_TILE = 256
_MOST_BEYOND = 6_000


def has_large_runs(kernel: CKernel, system: System) -> bool:
    """Returns True if runs of the model for the smallest parameters that reach all statements are too large."""
    for parameters in [*islice(by_sum(system), _SMALLEST), *sample_parameters(system)]:
        if not _is_small(kernel, parameters, MOST_INSTANCES):
            return True
        if all(points(statement, parameters) for statement in kernel.statements if statement.reads):
            return False
    return False


def sample_sizes(kernel: CKernel, system: System, most: int, tiles: Collection[int] = ()) -> list[Mapping[str, int]]:
    """Returns parameters for runs of the model: the smallest, and some that distinguish functions. If there are `tiles`
    of these sizes, ones for which there is a second one too; none if no run leaves a tile."""
    least = [parameters for parameters, _ in zip(by_sum(system), range(_SMALLEST), strict=False)]
    larger = [parameters for parameters in sample_parameters(system) if parameters not in least]
    if tiles:
        beyond = list(beyond_tiles(kernel, system, tiles))
        larger = [p for p in larger[-3:] if _is_small(kernel, p, MOST_INSTANCES)]
        return [*least[:2], *beyond, *larger] if beyond else []
    unrolled = [parameters for parameters in _unrolled(kernel, system) if _is_small(kernel, parameters, most)][:1]
    if unrolled:
        least, larger = least[:2], larger[-3:]
    periodic = [p for p in _periodic(kernel, system) if p not in (*least, *larger)]
    return [
        *(parameters for parameters in (*least, *larger, *periodic) if _is_small(kernel, parameters, MOST_INSTANCES)),
        *unrolled,
    ]


def _periodic(kernel: CKernel, system: System) -> list[Mapping[str, int]]:
    """Returns parameters of all remainders in the second period, if conditions have the remainder of one parameter by a
    number above 2."""
    start = smallest(system)
    periods: dict[str, int] = {}
    for statement in kernel.statements:
        constraints = [one for condition in statement.conditions for case in condition for one in case]
        own = {*statement.space.parameters}
        equal = [
            {*constraint.affine.names}
            for constraint in constraints
            if constraint.equality and len(constraint.affine.names) == 2
        ]
        for affine in (constraint.affine for constraint in constraints if len(constraint.affine.names) == 2):
            for quotient, other in permutations(affine.names):
                period = abs(affine.coefficient(quotient))
                if 2 < period <= _LONGEST_PERIOD and abs(affine.coefficient(other)) == 1:
                    same = {other}.union(*(names for names in equal if other in names)) & own
                    periods |= {name: max(period, periods.get(name, 1)) for name in same}
    if start is None or len(periods) != 1:
        return []
    ((name, period),) = periods.items()
    grown = {n: value + 2 for n, value in start.items()}
    return [*legal(system, [{**grown, name: start[name] + period + position} for position in range(period)])]


def _unrolled(kernel: CKernel, system: System) -> list[Mapping[str, int]]:
    """Returns parameters for which loops of small strides have two iterations, or at least one, and a partial one."""
    start = smallest(system)
    strides: dict[str, int] = {}
    for statement in kernel.statements:
        for loop in (
            component
            for component in statement.date
            if isinstance(component, KernelLoop) and 1 < component.stride <= _UNROLLED
        ):
            for name in _around(loop.iterator, statement):
                strides[name] = max(loop.stride, strides.get(name, 1))
    if start is None or not strides:
        return []
    candidates = [{n: start[n] + by * strides.get(n, 0) + 3 for n in start} for by in (2, 1)]
    return [*legal(system, candidates)]


def _around(iterator: str, statement: KernelStatement) -> set[str]:
    """Returns the parameters that share a condition with an iterator, or with quotients that do."""
    parameters = {*statement.space.parameters}
    loops = {component.iterator for component in statement.date if isinstance(component, KernelLoop)}
    together = [{*one.affine.names} for condition in statement.conditions for case in condition for one in case]
    found, new = {iterator}, {iterator}
    while new:
        met = {name for names in together if names & new for name in names}
        new = met - found - parameters - loops
        found |= met
    return found & parameters


def _is_small(kernel: CKernel, parameters: Mapping[str, int], most: int) -> bool:
    count = 0
    for statement in kernel.statements:
        try:
            if statement.reads:
                count += len(points(statement, parameters, most - count))
            elif statement.target.array.is_argument:
                # Filling an array is quick, and gives no information.
                points(statement, parameters, MOST_OF_LARGEST)
        except TooMany:
            return False
    return True


def beyond_tiles(kernel: CKernel, system: System, sizes: Collection[int]) -> Iterator[Mapping[str, int]]:
    """Yields parameters of which one is larger than the largest tile for which the run has few instances."""
    start, tiles = smallest(system), sorted(sizes, reverse=True)
    for name in start or ():
        assert start is not None
        candidates = legal(system, ({**start, name: start[name] + tile + 2} for tile in tiles))
        chosen = (parameters for parameters in candidates if _is_small(kernel, parameters, _MOST_BEYOND))
        yield from islice(chosen, 1)


def tiles_of(kernel: CKernel) -> set[int]:
    """Returns the possible sizes of tiles: strides of loops, and factors of iterators in conditions and subscripts."""
    sizes: set[int] = set()
    for statement in kernel.statements:
        sizes |= {component.stride for component in statement.date if isinstance(component, KernelLoop)}
        affines = [constraint.affine for condition in statement.conditions for case in condition for constraint in case]
        affines += [subscript for access in (statement.target, *statement.reads) for subscript in access.subscripts]
        sizes |= {abs(affine.coefficient(name)) for affine in affines for name in statement.iterators}
    return {size for size in sizes if 1 < size <= _LARGEST_TILE}
