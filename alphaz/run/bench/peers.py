"""Peers of a kernel: plain C by gcc, the same by clang with Polly, Python with NumPy or SciPy, the same with BLIS.

A C peer is a file with a function that has the name and the signature of the generated one (and returns nothing).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.mapping.storage_formats import Layout
from alphaz.model.program import System
from alphaz.run.bench.blas_libraries import can_set_threads
from alphaz.run.bench.contest import LASTING, SPINNING, SPINNING_BLAS, Contestant, NoPeer
from alphaz.run.bench.fork_server import ForkedFunction, ForkJob, ForkServer
from alphaz.run.bench.python_job import PythonJob
from alphaz.run.bench.python_peer import PythonPeer
from alphaz.run.compiler import Compiler, find_working
from alphaz.run.kernel import Kernel, Prepared
from alphaz.run.library import NotCompiled, loadable
from alphaz.run.machine import this_machine
from alphaz.run.storage_conversion import Layouts, converted, shape_of

PLAIN = ("-O3", "-march=native")
# Peers are C for the default target, without flags for the values of the interpreter.
_PEERS = replace(DEFAULT.toolchain, meaning=())
_GCC = replace(_PEERS, commands=("gcc", *(f"gcc-{version}" for version in range(20, 9, -1))))
# Polly calls gcc's OpenMP runtime, which is then that of all contestants.
_CLANG = replace(
    _PEERS,
    commands=("clang", *(f"clang-{version}" for version in range(24, 10, -1))),
    libraries=(*_PEERS.libraries, "-lgomp"),
    threads=None,
)
_POLLY = (*PLAIN, "-mllvm", "-polly", "-mllvm", "-polly-parallel")


@dataclass(frozen=True, slots=True, eq=False)
class PeerStatement:
    """The problem statement: a system at some parameters, with inputs over the boxes of their variables, or in these
    storage formats, which outputs use too.

    `sizes` are the tile sizes that the generated function takes, `chosen` those that were given.
    """

    system: System
    parameters: Mapping[str, int]
    inputs: Mapping[str, np.ndarray]
    sizes: tuple[TileSize, ...] = ()
    chosen: Mapping[str, int] = field(default_factory=dict)
    layouts: Layouts = field(default_factory=dict)
    _servers: dict[tuple[Layout | None, ...], ForkServer] = field(default_factory=dict, repr=False)

    def prepare(self, kernel: Kernel) -> Prepared:
        """Returns the kernel with arguments, with or without tile sizes as it takes them."""
        numbers = {**self.parameters, **(self.chosen if kernel.sizes else {})}
        return kernel.prepare(numbers, self.passed(kernel.layouts), as_passed=True)

    def passed(self, layouts: Layouts) -> dict[str, np.ndarray]:
        """Returns the inputs in other storage formats, or over boxes."""
        return {
            v.name: converted(v, self.layouts, layouts, self.parameters, self.inputs[v.name])
            for v in self.system.inputs
        }

    def server(self, layouts: Layouts) -> ForkServer:
        """Returns the server with the inputs in these storage formats, shared by all users of these formats."""
        formats = tuple(layouts.get(v.name) for v in self.system.inputs)
        if formats not in self._servers:
            self._servers[formats] = ForkServer(list(self.passed(layouts).values()))
        return self._servers[formats]

    def shown(self, layouts: Layouts, results: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Returns the outputs, converted from these formats to the common ones."""
        there = (v for v in self.system.outputs if v.name in results)
        return {v.name: converted(v, layouts, self.layouts, self.parameters, results[v.name]) for v in there}


def gcc_peer(task: PeerStatement, sources: Sources, symbol: str, include: Path) -> ForkedFunction:
    """Returns the sources compiled by gcc, with threads where they use them. Raises NoPeer."""
    compiler = find_working(_GCC, _GCC.threads.flags if _GCC.threads else ())
    if compiler is None:
        raise NoPeer("there is no gcc")
    return compiled(task, sources, symbol, include, compiler, PLAIN)


def polly_peer(task: PeerStatement, sources: Sources, symbol: str, include: Path) -> ForkedFunction:
    """Returns the sources compiled by clang with Polly, which parallelises them. Raises NoPeer."""
    compiler = find_working(_CLANG, _POLLY)
    if compiler is None:
        raise NoPeer("there is no clang that has Polly (Debian and Ubuntu: apt install clang-14)")
    return compiled(task, sources, symbol, include, compiler, _POLLY)


def compiled(
    task: PeerStatement,
    sources: Sources,
    symbol: str,
    include: Path,
    compiler: Compiler,
    flags: Sequence[str],
) -> ForkedFunction:
    """Returns a function of the sources, in a process of its own. Raises NoPeer."""
    has_status = symbol.endswith("_status")
    numbers = tuple(task.parameters.values())
    if has_status:
        numbers += tuple(task.chosen.get(size.name, size.default) for size in task.sizes)
    layouts, parameters = sources.layouts, task.parameters
    try:
        content, library = loadable(sources, compiler, flags, include)
        _ = library[symbol]  # raises where there is none
    except NotCompiled as problem:
        raise NoPeer("\n".join(problem.first_lines())) from None
    except AttributeError:
        raise NoPeer(f"it has no function `{symbol}`") from None
    job = ForkJob(
        library=content,
        symbol=symbol,
        has_status=has_status,
        numbers=numbers,
        outputs={v.name: (shape_of(v, layouts, parameters), v.type.numpy) for v in task.system.outputs},
        overwritten=tuple(position for position, v in enumerate(task.system.inputs) if v.name in sources.overwritten),
        setter=(sources.harness or DEFAULT.harness).setter,
    )
    return ForkedFunction(job, task.server(layouts), partial(task.shown, layouts))


def peer_symbol(system: System) -> str:
    """Returns the name of the function that a C peer defines."""
    return identifier(system.name)


def compiled_contestants(name: str, function: ForkedFunction, threads: Sequence[int | None]) -> Iterator[Contestant]:
    """Yields a contestant for each number of threads; all write their outputs to the same arrays."""
    for count in threads:
        yield Contestant(
            name=name,
            threads=count,
            run=partial(function, count, LASTING),
            outputs=lambda: function.outputs,
            spoils=True,
            spinning=0.0 if count == 1 else SPINNING,
        )


# --- Python -----------------------------------------------------------------------------------------------------------


def python_contestants(
    name: str, path: Path, peer: PythonPeer, task: PeerStatement, threads: Sequence[int], blis: str | None = None
) -> Iterator[Contestant]:
    """Yields a contestant for each number of threads, in a process of its own, or a single one if the number cannot be
    set. `blis`: the library that it calls. Raises NoPeer.
    """
    if peer.peer is None:
        raise NoPeer("NumPy and SciPy have no call for it")
    job = PythonJob(
        path=path.resolve(),
        parameters=task.parameters,
        inputs=tuple(v.name for v in task.system.inputs),
        outputs={v.name: (shape_of(v, {}, task.parameters), v.type.numpy) for v in task.system.outputs},
        instructions=this_machine().instructions,
        blis=blis,
    )
    function = ForkedFunction(job, task.server({}), partial(task.shown, {}), pauses=True)
    counts: Sequence[int | None] = threads if peer.threaded and can_set_threads() else (None,)
    for contestant in compiled_contestants(name, function, counts):
        yield replace(contestant, spinning=SPINNING_BLAS, libraries=lambda: function.libraries)
