"""Peers of a kernel: plain C by gcc, the same by clang with Polly, Python with NumPy or SciPy.

A C peer is a file with a function that has the name and the signature of the generated one (and returns nothing). A
Python peer is a file with a function `peer(p, v)`, which takes the parameters and the inputs as attributes (`p.N`,
`v.A`) and returns the outputs by name. It may also have `data(p, rng)`, which returns special inputs for all
contestants. A Python peer without threads sets `threaded = False`, and runs once.
"""

import runpy
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.all import DEFAULT
from alphaz.mapping.axes import TileSize
from alphaz.mapping.layout import Layout
from alphaz.model.program import System
from alphaz.model.values import input_array, variable_box
from alphaz.run.bench.contest import LASTING, SPINNING, SPINNING_BLAS, Contestant, NoPeer, steadily
from alphaz.run.bench.fork_server import ForkedFunction, ForkJob, ForkServer
from alphaz.run.compiler import Compiler, find_working
from alphaz.run.kernel import Kernel, Prepared
from alphaz.run.library import NotCompiled, loadable
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
        overwritten=tuple(at for at, v in enumerate(task.system.inputs) if v.name in sources.overwritten),
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


@dataclass(frozen=True, slots=True, eq=False)
class PythonPeer:
    """The definitions in the file of a Python peer."""

    peer: Callable[[SimpleNamespace, SimpleNamespace], Mapping[str, object]] | None
    data: Callable[[SimpleNamespace, np.random.Generator], Mapping[str, object]] | None
    threaded: bool = True


def python_peer(path: Path) -> PythonPeer:
    """Runs the file. Raises NoPeer with its exception."""
    try:
        names = runpy.run_path(str(path))
    except Exception as problem:
        raise NoPeer(f"{path}: {type(problem).__name__}: {problem}") from None
    return PythonPeer(names.get("peer"), names.get("data"), bool(names.get("threaded", True)))


def own_inputs(peer: PythonPeer, system: System, parameters: Mapping[str, int], seed: int) -> Mapping[str, np.ndarray]:
    """Returns the inputs that the file makes. Raises NoPeer, and Rejected for inputs that do not fit."""
    if peer.data is None:
        return {}
    made = _calling("data", peer.data, SimpleNamespace(**parameters), np.random.default_rng(abs(seed)))
    found: dict[str, np.ndarray] = {}
    for variable in system.inputs:
        if variable.name in made:
            box = variable_box(variable, parameters)
            found[variable.name] = input_array(variable, box, made[variable.name], parameters)
    return found


def python_contestants(peer: PythonPeer, task: PeerStatement, threads: Sequence[int]) -> Iterator[Contestant]:
    """Yields a contestant for each number of threads, or a single one where the number cannot be set. Raises NoPeer."""
    function = peer.peer
    if function is None:
        raise NoPeer("NumPy and SciPy have no call for it")
    limit = _thread_limit() if peer.threaded else None
    p, v = SimpleNamespace(**task.parameters), SimpleNamespace(**task.passed({}))
    for count in threads if limit is not None else (None,):
        results: dict[str, np.ndarray] = {}

        def run(count: int | None = count, results: dict[str, np.ndarray] = results) -> float:
            # The earlier results are freed first, as in a program that needs only the last result.
            results.clear()
            with nullcontext() if limit is None or count is None else limit(count):
                before = time.perf_counter()
                outputs = _calling("peer", function, p, v)
                seconds = time.perf_counter() - before
            for variable in task.system.outputs:
                results[variable.name] = np.asarray(outputs[variable.name]).astype(variable.type.numpy, copy=False)
            return seconds

        yield Contestant(
            name="numpy",
            threads=count,
            run=partial(steadily, run),
            outputs=partial(task.shown, {}, results),
            spinning=SPINNING if count == 1 else SPINNING_BLAS,
        )


def _thread_limit() -> Callable[[int], AbstractContextManager[object]] | None:
    """Returns the function that sets the number of threads of OpenBLAS; None without threadpoolctl."""
    try:
        import threadpoolctl  # noqa: PLC0415 - an extra: without it NumPy chooses
    except ImportError:
        return None
    controller = threadpoolctl.ThreadpoolController()
    return lambda count: controller.limit(limits=count, user_api="blas")


def _calling(name: str, function: Callable[..., Mapping[str, object]], *arguments: object) -> Mapping[str, object]:
    try:
        made = function(*arguments)
        return dict(made)
    except Exception as problem:
        raise NoPeer(f"{name}() raised {type(problem).__name__}: {problem}") from None
