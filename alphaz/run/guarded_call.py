"""Executes generated C in a process of its own, with guard zones around arrays, so that crashes and stray writes are
findings.

Every array has a guard zone before and after it, which must be unchanged after the call. Under sanitizers (`sanitize`)
reads are checked as well, arrays on stacks, and undefined behaviour of C.
"""

import shutil
import signal
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from alphaz.analysis.checks.checked_program import Checked
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.codegen.toolchain import CUDA, Harness
from alphaz.diagnostics import Diagnostic, Label, Rejected, Witness
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import COMPILATION, DIED, WRITTEN_OUTSIDE
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.model.program import System
from alphaz.processes.external import ProcessOutcome
from alphaz.run.call_program import GUARDS, HarnessArray, PassedArray, RunReport, harness, run_harness, tight
from alphaz.run.compiler import Compiler, find_compiler, remedy_for, require_threads
from alphaz.run.cuda.timed_call import timed_arrays, timed_call
from alphaz.run.kernel import Arguments, KernelRun, arguments, failed, over_boxes
from alphaz.run.library import NotCompiled, compiled
from alphaz.run.storage_conversion import UNSET, Layouts, without_unset

_PROGRAM = "program"
_CALL = """\
#include "{header}"
int call__(const long long *numbers, void **arrays);
int call__(const long long *numbers, void **arrays) {{ return (void)numbers, (void)arrays, {symbol}({arguments}); }}
"""
# As long as it takes: who does not want to wait gives `--timeout`.
_SECONDS = 7 * 24 * 3600.0
# The lines kept of the output of a dying process.
_LINES = 6


class Broke(Exception):
    """The process died, or wrote outside of its arrays; carries the finding."""

    def __init__(self, finding: Diagnostic) -> None:
        self.finding = finding
        super().__init__(finding.message)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Isolated:
    """A compiled system whose every run is a process, or several. `program` lies in a folder that lives as long as this
    object. `is_timed`: the program measures itself, and has the seconds in one more array.
    """

    system: System
    compiler: Compiler
    harness: Harness
    program: Path
    sizes: tuple[TileSize, ...] = ()
    is_sanitized: bool = False
    layouts: Layouts = field(default_factory=dict)
    is_timed: bool = False

    def run(self, parameters: Mapping[str, int], inputs: Mapping[str, object], threads: int | None = None) -> KernelRun:
        """Runs as `Kernel.run`, with the same exceptions, and Broke."""
        passed = arguments(self.system, self.sizes, parameters, inputs, self.layouts)
        if threads is not None and threads > 1:
            require_threads(self.compiler)
        arrays = [PassedArray(array.shape, array.dtype.str, array) for array in passed.inputs]
        arrays += [PassedArray(array.shape, array.dtype.str, is_output=True) for array in passed.results.values()]
        numbers = [*passed.parameters.values(), *passed.sizes]
        if self.is_timed:
            numbers += [array.size for array in arrays]
            arrays.append(PassedArray((1,), "<f8", is_output=True))
        with tempfile.TemporaryDirectory(prefix="alphaz-run-") as folder:
            done = run_harness(self.harness, self.program, Path(folder), numbers, arrays, threads or 0, _SECONDS)
        if done.report is None:
            raise Broke(self._died(done.outcome, passed, threads))
        self._check(done.report, passed, threads)
        left = dict(zip(passed.results, done.outputs, strict=not self.is_timed))
        seconds = float(done.outputs[-1][0]) if self.is_timed else done.report.seconds
        outputs = [(v, without_unset(v, self.layouts, passed.parameters, left[v.name])) for v in self.system.outputs]
        results = {variable.name: array for variable, array in outputs}
        return KernelRun(over_boxes(self.system, self.layouts, passed.parameters, results), seconds)

    def _check(self, report: RunReport, arguments: Arguments, threads: int | None) -> None:
        names = [*(v.name for v in self.system.inputs), *arguments.results, "the seconds"]
        if report.outside:
            raise Broke(self._wrote(f"outside of `{names[report.outside - 1]}`", arguments, threads))
        if report.changed:
            raise Broke(self._wrote(f"to the input `{names[report.changed - 1]}`", arguments, threads))
        if report.own:
            raise Broke(self._wrote("outside of an array of its own", arguments, threads))
        if report.status:
            raise Rejected(failed(self.system, report.status, arguments.parameters))

    def _died(self, outcome: ProcessOutcome, arguments: Arguments, threads: int | None) -> Diagnostic:
        lines = [line for line in outcome.errors.splitlines() if line.strip(" =-")][:_LINES]
        sentence = f"the process {_end(outcome)}"
        finding = self._finding(f"the code of `{self.system.name}` died", sentence, arguments, threads)
        return Diagnostic(DIED, *finding, notes=tuple(lines), help=self._remedy)

    def _wrote(self, where: str, arguments: Arguments, threads: int | None) -> Diagnostic:
        finding = self._finding(
            f"the code of `{self.system.name}` wrote {where}", f"it wrote {where}", arguments, threads
        )
        return Diagnostic(WRITTEN_OUTSIDE, *finding, help=self._remedy)

    def _finding(
        self, message: str, sentence: str, arguments: Arguments, threads: int | None
    ) -> tuple[str, Label, tuple[Label, ...], Witness]:
        """Returns the message, the place and the sample that shows it."""
        sizes = dict(zip((size.name for size in self.sizes), arguments.sizes, strict=True))
        with_threads = f" with {count_text(threads, 'thread')}" if threads else ""
        witness = Witness((*arguments.parameters.items(), *sizes.items()), (), f"{sentence}{with_threads}")
        return message, Label(self.system.span, "declared here"), (), witness

    @property
    def _remedy(self) -> str:
        if self.is_sanitized:
            return "if no external function does it, please report this"
        return "give the same parameters, threads and seed with `--sanitize`, which names the access"


def compile_isolated(
    sources: Sources,
    checked: Checked,
    system: str,
    *,
    include: Path | None,
    sizes: Sequence[TileSize] = (),
    sanitize: bool = False,
    flags: Sequence[str] | None = None,
) -> Isolated:
    """Compiles generated sources with a main program, by the toolchain and the harness of their target. `flags` are
    instead of the exact ones, and without guard zones around the arrays that the function allocates, and checks of
    messages; kernels of a GPU are then timed by its events, without the copies of arrays. Raises Rejected(NO_COMPILER
    or COMPILATION).
    """
    compiler, parts = find_compiler(sources.toolchain), sources.harness or DEFAULT.harness
    toolchain = compiler.toolchain
    target = checked.program.system(system)
    symbol = f"{identifier(system)}_status"
    header = next(name for name, text in sources.files.items() if name.endswith(".h") and f"{symbol}(" in text)
    numbers = len(target.parameters) + len(sizes)
    arrays = [HarnessArray(True, False, v.name not in sources.overwritten) for v in target.inputs]
    arrays += [HarnessArray(False, True) for _ in target.outputs]
    is_timed = flags is not None and toolchain.language == CUDA
    call = _timed(sources, target, numbers, header) if is_timed else _called(header, symbol, numbers, len(arrays))
    if is_timed:
        numbers += len(arrays)
        arrays.append(HarnessArray(False, True))
    main = harness(parts, numbers, arrays, unset=UNSET, is_guarding=True)
    tightened = {name: tight(text) for name, text in sources.files.items()}
    checks = {f"isolated_checks{toolchain.language.suffix}": parts.checks} if parts.checks and flags is None else {}
    files = Sources({**tightened, **call, "isolated_main.c": main, **checks}, sources.if_absent)
    chosen = (*toolchain.exact, *GUARDS) if flags is None else flags
    try:
        content = compiled(files, compiler, toolchain.sanitized if sanitize else chosen, include, is_program=True)
    except NotCompiled as problem:
        kind = toolchain.language.name
        message = f"the {kind} compiler refused the code of `{system}`{' under sanitizers' * sanitize}"
        usual = "external functions must be defined with exactly the declared types; otherwise please report this"
        other = f"install the sanitizers of your compiler, or name another in {toolchain.variable}"
        remedy = other if sanitize else usual
        diagnostic = Diagnostic(
            COMPILATION,
            message,
            Label(target.span),
            notes=problem.first_lines(),
            help=remedy_for(str(problem), remedy),
        )
        raise Rejected(diagnostic) from None
    program = Path(tempfile.mkdtemp(prefix="alphaz-program-"), _PROGRAM)
    made = Isolated(
        system=target,
        compiler=compiler,
        harness=parts,
        program=program,
        sizes=tuple(sizes),
        is_sanitized=sanitize,
        layouts=sources.layouts,
        is_timed=is_timed,
    )
    weakref.finalize(made, shutil.rmtree, program.parent, ignore_errors=True)
    program.write_bytes(content)
    program.chmod(0o700)
    return made


def _called(header: str, symbol: str, numbers: int, arrays: int) -> dict[str, str]:
    """Returns the file of the call."""
    passed = [
        *(f"numbers[{position}]" for position in range(numbers)),
        *(f"arrays[{position}]" for position in range(arrays)),
    ]
    return {"isolated_call.c": _CALL.format(header=header, symbol=symbol, arguments=", ".join(passed))}


def _timed(sources: Sources, system: System, numbers: int, header: str) -> dict[str, str]:
    """Returns the file of a call of kernels that events of the GPU time."""
    text = timed_call(system, numbers, timed_arrays(sources, system), header)
    return {f"isolated_call{CUDA.suffix}": text}


def _end(outcome: ProcessOutcome) -> str:
    status = outcome.status
    if status is None:
        return outcome.errors
    if status >= 0:
        return f"ended with {status}"
    known = {Signal.value: Signal.name for Signal in signal.Signals}
    return f"was ended by {known.get(-status, f'signal {-status}')}"
