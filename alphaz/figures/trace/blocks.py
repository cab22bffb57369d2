"""The blocks and threads of a GPU that execute a CUDA function at small parameters, from the model of its text."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from alphaz.figures.trace.trace_data import BlockShare, Index, LaunchedBlocks
from alphaz.scop.c_model import CKernel, Date, KernelLoop, KernelStatement, LoopKind

# The most instances that are counted.
_MOST = 20_000


def launched_blocks(kernel: CKernel, parameters: Mapping[str, int]) -> LaunchedBlocks | None:
    """Returns the share of each block in each launch; None without launches, and where there are too many instances."""
    counts: dict[tuple[Index, Index], int] = defaultdict(int)
    threads: dict[tuple[Index, Index], set[Index]] = defaultdict(set)
    names: tuple[str, ...] = ()
    for total, (statement, values) in enumerate(_instances(kernel, parameters)):
        if total == _MOST:
            return None
        loops = [part for part in statement.date if isinstance(part, KernelLoop) and _is_of_device(part)]
        around = _host_part(statement)
        launch = tuple(values[part.iterator] if isinstance(part, KernelLoop) else part for part in around)
        grid = [loop for loop in loops if loop.kind is LoopKind.GRID]
        key = launch, tuple(values[loop.iterator] for loop in grid)
        names = tuple(loop.iterator for loop in grid)
        counts[key] += 1
        threads[key].add(tuple(values[loop.iterator] for loop in loops if loop.kind.is_of_threads))
    if not counts:
        return None
    launches = sorted({launch for launch, _ in counts})
    shares = (
        BlockShare(launches.index(launch), block, operations, len(threads[launch, block]))
        for (launch, block), operations in sorted(counts.items())
    )
    return LaunchedBlocks(_axes(names), len(launches), tuple(shares))


def _instances(kernel: CKernel, parameters: Mapping[str, int]) -> Iterator[tuple[KernelStatement, dict[str, int]]]:
    """Yields the instances of the statements in kernels."""
    for statement in kernel.statements:
        if statement.block is not None:
            for point in statement.domain.points(dict(parameters)):
                yield statement, dict(zip(statement.iterators, point, strict=True))


def _host_part(statement: KernelStatement) -> Date:
    """Returns the components of the date that order launches; a kernel of one thread has no loops of threads."""
    assert statement.block is not None
    positions = (at for at, part in enumerate(statement.date) if _is_of_device(part))
    return statement.date[: next(positions, statement.block.depth)]


def _is_of_device(part: int | KernelLoop) -> bool:
    return isinstance(part, KernelLoop) and (part.kind is LoopKind.GRID or part.kind.is_of_threads)


def _axes(names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns `y` for `blockIdx.y`, and for `blockIdx.y_2`."""
    return tuple(name.rpartition(".")[2][:1] for name in names)
