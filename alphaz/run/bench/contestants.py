"""The contestants of a benchmark: the scheduled code of a system with each number of threads, its peers, and the
candidate mappings of a search."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.codegen.c.frame import file_stem
from alphaz.codegen.c.names import identifier
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.openmp import has_threads
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.codegen.targets.target import SEQUENTIAL_C, Target
from alphaz.codegen.toolchain import C
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import RUN_TIME
from alphaz.legality.verdicts import Verified
from alphaz.model.program import System
from alphaz.run.bench.blis import blis_file
from alphaz.run.bench.command_peer import PREFIX, command_contestants
from alphaz.run.bench.contest import Contestant, NoPeer
from alphaz.run.bench.fork_server import ForkedFunction, Stopped
from alphaz.run.bench.peers import (
    PeerStatement,
    compiled,
    compiled_contestants,
    gcc_peer,
    peer_symbol,
    polly_peer,
    python_contestants,
)
from alphaz.run.bench.python_peer import PythonPeer, own_inputs, python_peer
from alphaz.run.compiler import find_compiler, require_threads
from alphaz.run.data import random_inputs
from alphaz.run.guarded_call import Broke
from alphaz.run.kernel import compile_kernel, failed
from alphaz.run.machine import machine
from alphaz.run.storage_conversion import Layouts, converted, exchanged
from alphaz.run.target_processes import compile_in_process

PEERS = ("gcc", "plain", "polly", "numpy", "blis")
# The clock of a program may stand still during a short call, and times are divided.
_TICK = 1e-9


@dataclass(frozen=True, slots=True)
class Files:
    """The peers next to a program, in C and in Python, each None where there is none."""

    stem: Path
    c: Path | None
    python: Path | None

    @property
    def folder(self) -> Path:
        return self.stem.parent


def files_beside(program: Path, system: str) -> Files:
    """Returns the peers of a system: named after its program (`.ab`), or else after the system, so that programs can
    share them.
    """
    names = (program.stem, file_stem(identifier(system)))
    c, python = (
        next((path for name in names if (path := program.with_name(f"{name}-peer{suffix}")).is_file()), None)
        for suffix in (".c", ".py")
    )
    return Files(program.with_suffix(""), c, python)


@dataclass(frozen=True, slots=True, eq=False)
class BenchEntry:
    """The contestants, mappings first; `remarks` describe them, and give the reasons for missing peers. Outputs are
    over boxes, or in the formats of `layouts`.
    """

    contestants: tuple[Contestant, ...]
    remarks: tuple[tuple[str, str], ...]
    layouts: Layouts


def enter(
    mapped: Mapping[str, Verified],
    system: str,
    sizes: Mapping[str, int],
    threads: Sequence[int],
    against: Sequence[str],
    files: Files,
    seed: int,
    plain: Callable[[], Verified] | None = None,
    code_target: Target | None = None,
) -> BenchEntry:
    """Compiles all contestants and makes their inputs. `mapped` are mappings of the system, by the names of their
    contestants; `plain` finds the loops of the peer `plain`, `code_target` replaces the target of the mappings.

    `given` may have tile sizes. `against` are names of PEERS, C files, and commands with their prefix. Raises Rejected
    for errors in generated code, and for inputs that do not fit.
    """
    first = next(iter(mapped.values()))
    target = first.design.program.system(system)
    parameters = {name: sizes[name] for name in target.parameters}
    remarks: list[tuple[str, str]] = []
    python = _python(files, remarks)
    generated = partial(scheduled_c, system=system, target=code_target, machine=machine())
    layouts = exchanged(generated(first).layouts)
    inputs = _inputs(python, target, parameters, seed, files, remarks, layouts)
    given_to_all = PeerStatement(system=target, parameters=parameters, inputs=inputs, layouts=layouts)
    contestants: list[Contestant] = []
    for name, verified in mapped.items():
        task, sources = _task(verified, given_to_all, sizes), generated(verified)
        contestants += _own(name, sources, verified.design.checked, task, threads, files)
    task = _task(first, given_to_all, sizes)
    for name in against:
        try:
            if name == "plain" and plain is not None:
                contestants += _plain_peer(task, plain(), files, remarks)
                continue
            contestants += _peers(name, task, generated(first), threads, files, python, remarks)
        except NoPeer as reason:
            remarks.append((name, f"left out: {reason}"))
        except Rejected as reason:
            # Peers take boxes, which may be too large where our own code takes less.
            remarks.append((name, f"left out: {reason.diagnostics[0].message}"))
    return BenchEntry(tuple(contestants), tuple(remarks), layouts)


def _own(
    name: str, sources: Sources, checked: Checked, task: PeerStatement, threads: Sequence[int], files: Files
) -> Iterator[Contestant]:
    """Yields a mapping in a process of its own, as its peers are: the addresses of the arrays of a process decide a
    tenth of the time of a sum of vectors. A mapping that fails ends the benchmark: raises Rejected. Scheduled code is
    proved to compute the right operations in a right order: their rounding may be the processor's.
    """
    compiler = find_compiler(sources.toolchain)
    if max(threads) > 1:
        require_threads(compiler)
    if _is_loadable(sources):
        fast, system = compiler.toolchain.fast, task.system.name
        kernel = compile_kernel(sources, checked, system, flags=fast, include=files.folder, sizes=task.sizes)
        task.prepare(kernel)  # raises where arguments are wrong
        worker = compiled(task, sources, kernel.symbol, files.folder, compiler, fast)
        contestants = compiled_contestants(name, worker, threads)
    else:
        contestants = _started(name, sources, checked, task, threads, files)
    for contestant in contestants:
        yield replace(contestant, run=partial(_run_peer, contestant.run, task))


def _is_loadable(sources: Sources) -> bool:
    return (sources.harness or DEFAULT.harness).is_loadable


def _started(
    name: str, sources: Sources, checked: Checked, task: PeerStatement, threads: Sequence[int], files: Files
) -> Iterator[Contestant]:
    """Yields a mapping whose every run is started by the harness of its target. Raises Rejected where the compiler
    rejects it.
    """
    fast = find_compiler(sources.toolchain).toolchain.fast
    program = compile_in_process(sources, checked, task.system.name, include=files.folder, sizes=task.sizes, flags=fast)
    numbers, inputs = {**task.parameters, **task.chosen}, task.passed({})
    harness = sources.harness or DEFAULT.harness
    member = harness.member if harness.command(1) else "thread"
    for count in threads:
        results: dict[str, np.ndarray] = {}

        def run(count: int = count, results: dict[str, np.ndarray] = results) -> float:
            try:
                done = program.run(numbers, inputs, count)
            except Broke as broke:
                raise NoPeer(broke.finding.message) from None
            except Rejected as reason:
                raise NoPeer(reason.diagnostics[0].message) from None
            results.update(done.outputs)
            return max(done.seconds, _TICK)

        outputs = partial(task.shown, {}, results)
        yield Contestant(name=name, threads=count, run=run, outputs=outputs, member=member)


def _run_peer(run: Callable[[], float], task: PeerStatement) -> float:
    try:
        return run()
    except Stopped as problem:
        raise Rejected(failed(task.system, problem.status, task.parameters)) from None
    except NoPeer as problem:
        message = f"`{task.system.name}` stopped: {problem}"
        raise Rejected(Diagnostic(RUN_TIME, message, Label(task.system.span))) from None


def inputs_of(
    files: Files, system: System, parameters: Mapping[str, int], seed: int, layouts: Layouts
) -> Mapping[str, np.ndarray]:
    """Returns inputs from the Python file next to the program, and random ones, in these formats."""
    remarks: list[tuple[str, str]] = []
    return _inputs(_python(files, remarks), system, parameters, seed, files, remarks, layouts)


def _task(verified: Verified, to_all: PeerStatement, parameters: Mapping[str, int]) -> PeerStatement:
    """Returns the common problem statement with the tile sizes of a mapping."""
    sizes = verified.mappings[to_all.system.name].tile_sizes
    return replace(
        to_all, sizes=sizes, chosen={size.name: parameters[size.name] for size in sizes if size.name in parameters}
    )


def _python(files: Files, remarks: list[tuple[str, str]]) -> PythonPeer | None:
    if files.python is None:
        return None
    try:
        return python_peer(files.python)
    except NoPeer as reason:
        remarks.append(("inputs", f"random, since {reason}"))
        return None


def _inputs(
    python: PythonPeer | None,
    system: System,
    parameters: Mapping[str, int],
    seed: int,
    files: Files,
    remarks: list[tuple[str, str]],
    layouts: Layouts,
) -> Mapping[str, np.ndarray]:
    made: Mapping[str, np.ndarray] = {}
    if python is not None and python.data is not None:
        try:
            boxes = own_inputs(python, system, parameters, seed)
            made = {
                v.name: converted(v, {}, layouts, parameters, boxes[v.name]) for v in system.inputs if v.name in boxes
            }
            remarks.append(("inputs", f"{', '.join(made)} from {files.python}, the others random"))
        except NoPeer as reason:
            remarks.append(("inputs", f"random, since {reason}"))
    # A peer that changed its inputs would change them for all.
    inputs = {**random_inputs(system, parameters, seed, layouts), **made}
    for array in inputs.values():
        array.setflags(write=False)
    return inputs


def _peers(
    name: str,
    task: PeerStatement,
    sources: Sources,
    threads: Sequence[int],
    files: Files,
    python: PythonPeer | None,
    remarks: list[tuple[str, str]],
) -> Iterator[Contestant]:
    if name in ("numpy", "blis"):
        if python is None or files.python is None:
            raise NoPeer(f"there is no {files.stem}-peer.py")
        library = blis_file() if name == "blis" else None
        return python_contestants(name, files.python, python, task, threads, library)
    if name.startswith(PREFIX):
        remarks.append((name, "its results are not compared"))
        return command_contestants(name.removeprefix(PREFIX), task.parameters, threads)
    if name not in PEERS:
        text = _text(Path(name))
        prepared = gcc_peer(task, Sources({Path(name).name: text}), peer_symbol(task.system), Path(name).parent)
        return compiled_contestants(Path(name).stem, prepared, threads if has_threads(text) else (1,))
    make: Callable[[PeerStatement, Sources, str, Path], ForkedFunction] = gcc_peer if name == "gcc" else polly_peer
    if files.c is None:
        if not _is_loadable(sources) or find_compiler(sources.toolchain).toolchain.language != C:
            raise NoPeer(f"there is no {files.stem}-peer.c, and the generated code is for another compiler")
        prepared = make(task, sources, f"{identifier(task.system.name)}_status", files.folder)
        remarks.append((name, f"the generated code itself, since there is no {files.stem}-peer.c"))
        return compiled_contestants(name, prepared, threads)
    text = _text(files.c)
    prepared = make(task, Sources({files.c.name: text}), peer_symbol(task.system), files.folder)
    remarks.append((name, str(files.c)))
    return compiled_contestants(name, prepared, threads if name == "polly" or has_threads(text) else (1,))


def _plain_peer(
    task: PeerStatement, verified: Verified, files: Files, remarks: list[tuple[str, str]]
) -> Iterator[Contestant]:
    """Returns loops that no script maps, as C for one thread by gcc. Raises NoPeer, and Rejected where the mapping has
    no such C.
    """
    name = task.system.name
    sources = scheduled_c(verified, name, target=SEQUENTIAL_C)
    untiled = replace(task, sizes=(), chosen={})
    prepared = gcc_peer(untiled, sources, f"{identifier(name)}_status", files.folder)
    reason = "" if files.c else f", since there is no {files.stem}-peer.c"
    remarks.append(("plain", f"the loops of `alphaz schedule --strategy none`, by gcc for one thread{reason}"))
    return compiled_contestants("plain", prepared, (1,))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise NoPeer(f"{path}: {problem}") from None


@dataclass(slots=True, eq=False)
class Candidates:
    """The common setting of all mappings of a system. Inputs are those of `alphaz bench`, in the formats of the first
    mapping.
    """

    system: System
    parameters: Mapping[str, int]
    threads: int
    files: Files
    seed: int
    _task: PeerStatement | None = field(default=None, init=False, repr=False)

    @staticmethod
    def of(system: System, parameters: Mapping[str, int], threads: int, files: Files, seed: int) -> "Candidates":
        """Returns the candidates; inputs are made when the first mapping is compiled."""
        return Candidates(system=system, parameters=parameters, threads=threads, files=files, seed=seed)

    @property
    def layouts(self) -> Layouts:
        """Returns the formats in which outputs are compared."""
        return {} if self._task is None else self._task.layouts

    def compile(self, name: str, verified: Verified) -> Contestant:
        """Returns a contestant that has not run yet. Raises NoPeer with the compiler's messages, where it rejected the
        code.
        """
        sources, symbol = scheduled_c(verified, self.system.name), f"{identifier(self.system.name)}_status"
        compiler, sizes = find_compiler(sources.toolchain), verified.mappings[self.system.name].tile_sizes
        task = replace(self._given(exchanged(sources.layouts)), sizes=sizes)
        if not _is_loadable(sources):
            checked, threads = verified.design.checked, (self.threads,)
            return next(_started(name, sources, checked, task, threads, self.files))
        worker = compiled(task, sources, symbol, self.files.folder, compiler, compiler.toolchain.fast)
        return next(compiled_contestants(name, worker, (self.threads,)))

    def _given(self, layouts: Layouts) -> PeerStatement:
        if self._task is None:
            inputs = inputs_of(self.files, self.system, self.parameters, self.seed, layouts)
            self._task = PeerStatement(self.system, self.parameters, inputs, layouts=layouts)
        return self._task
