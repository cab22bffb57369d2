"""Python interface: read, map, verify and compile a program.

design = alphaz.run("mcm.cs")
verdict = alphaz.verify(design)
kernel = alphaz.compile(design)
kernel(N=100, A=array)"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import overload

from alphaz.analysis.read import read_program
from alphaz.codegen.c.names import identifier
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import ARGUMENT, FILE
from alphaz.diagnostics.user_files import Unreadable, read_text
from alphaz.diagnostics.work_limits import OutOfTime, alarm
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.equations_from_c import Imported, ImportedOrder
from alphaz.equivalence.driver.equations_from_c import from_c as import_c
from alphaz.equivalence.driver.generated_code import is_proof_enabled, prove_stage_a
from alphaz.equivalence.driver.preprocessing import with_plain_lines
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask, StatedLaunch, assumed_parameters, chosen_system
from alphaz.frontends.matrix.checked_kernel import check_kernel
from alphaz.frontends.matrix.equations import equations
from alphaz.frontends.matrix.headerless_kernels import formats, kernel_of_formulas
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import assume_legal as assume
from alphaz.legality.verify import certify
from alphaz.mapping.design import History
from alphaz.mapping.input_footprint import uncalled_systems
from alphaz.mapping.resolution import resolve
from alphaz.mapping.target_mapping import Ownership
from alphaz.processes.copies import cores
from alphaz.run.kernel import Kernel, compile_kernel
from alphaz.run.machine import machine
from alphaz.run.rank_kernel import RankCommunicator, RankKernel, compile_ranks
from alphaz.scop.c_model import OtherFile
from alphaz.scripting.commands.kinds.argument_values import literal
from alphaz.scripting.commands.kinds.storage import layouts_said
from alphaz.scripting.commands.python import Design
from alphaz.scripting.commands.python_verdict import Report, report_of
from alphaz.scripting.interpreter.run import run_script
from alphaz.scripting.interpreter.verification_cache import VerificationCache, unverified

# The name of a text without a file.
UNNAMED = "<text>"


def read(path: str | Path = UNNAMED, *, text: str | None = None) -> Design:
    """Returns the program of a file (`.ab`), or of a text, checked, without a mapping. Raises Rejected with every
    error.

    With both, the text is the unsaved content of the file: findings name the file."""
    checked = read_program(_source(Path(path), text))
    return Design(checked, history=History([f"prog = ReadAlphabets({literal(str(path))});"]))


def matrix(formulas: str, *, name: str = "kernel", **types: str) -> Design:
    """Returns the program of matrix formulas, such as `matrix("y = A'*(A*x)", A="row matrix")`, checked, without a
    mapping.

    `types` are those of kernel files, `scalar`, `row vector`, `triangular(upper) matrix`, after `out` or `inout` if it
    is not an input; a name that is read and has no type is a column vector, and a name that is assigned and not read
    again is an output. Raises Rejected with every error."""
    kernel = check_kernel(kernel_of_formulas(formulas, types, name))
    design = Design(equations(kernel), history=History([f"prog = ReadAlphabets({literal(f'{name}.ab')});"]))
    for variable, format_ in formats(kernel):
        design = design.set_storage_format(kernel.name, variable, format_)
    return design


def run(
    path: str | Path = UNNAMED, *, text: str | None = None, texts: Mapping[str | Path, str] | None = None
) -> Design:
    """Returns the design that a command script (`.cs`) makes; of several, the one whose program was read last.

    `text` is the script itself, if it is not read from the file; its programs lie next to the file all the same.
    `texts` are programs by the names of their files, which need not exist. The script is interpreted and writes no
    files; its mapping is not verified: use `verify`. Raises Rejected with every error of the script and its programs.
    """
    place = Path(path)
    unsaved = {(place.parent / name).resolve(): program_text for name, program_text in (texts or {}).items()}
    session = run_script(
        _source(place, text), place.parent, verifications=VerificationCache(verify=unverified), texts=unsaved
    )
    if session.has_errors:
        raise Rejected(*(finding for finding in session.findings if finding.is_error))
    if not session.designs:
        raise Rejected(_finding(f"{path} reads no program", help_='a script begins with prog = ReadAlphabets("...")'))
    return Design.of(session.designs[-1])


def prove(
    program: str | Path,
    c: str | Path,
    *,
    system: str | None = None,
    function: str | None = None,
    names: Mapping[str, str] | None = None,
    storage: Mapping[str, str] | None = None,
    sizes: Mapping[str, int] | None = None,
    assume: Iterable[str] = (),
    laws: Iterable[str] = (),
    exact: bool = False,
    executes: bool = True,
    timeout: float | None = None,
    jobs: int | None = None,
    others: Iterable[str | Path] = (),
    launch: tuple[str | None, str, str] | None = None,
) -> CVerdict:
    """Proves that a function of a C file computes a system of a program. The `verdict` is "proved", "refuted" (an
    execution gave a wrong result) or "undecided"; `findings` have the reasons.

    `names` maps arguments of C to variables, `storage` gives storage formats of variables whose arrays are not boxes
    ("full column leading lda"), `sizes` values of arguments that are not parameters ({"tile": 32}), `assume` the
    conditions on the parameters ("N>=3"), `laws` the algebraic laws that are allowed besides reordered sums
    ("distributivity", "associativity", "reciprocal", "padding"); `exact` allows none, not even reordered sums;
    `executes` enables execution; `timeout` is the limit of processor seconds in the main thread (then the verdict is
    undecided), `jobs` the number of processes (default: one for each core), `others` the files that define called
    functions, `launch` the kernel, the grid and the block of a CUDA kernel without host code ("k", "(N+255)/256",
    "256"). Raises Rejected for a wrong program, for an ambiguous system or function, and if no parameters remain."""
    checked = read_program(_source(Path(program)))
    task = ProofTask(
        system=system,
        function=function,
        names=names,
        sizes=sizes,
        laws=Laws(frozenset(laws), exact),
        executes=executes,
        jobs=jobs or cores(),
        others=tuple(OtherFile(with_plain_lines(_source(Path(other)))) for other in others),
        launch=None if launch is None else StatedLaunch(*launch),
    )
    chosen = chosen_system(checked, task)
    task = replace(
        task,
        assumed=assumed_parameters(assume, chosen.parameters),
        layouts=layouts_said(chosen, storage) if storage else {},
    )
    source = with_plain_lines(_source(Path(c)))
    try:
        with alarm(timeout):
            return prove_c(checked, source, task)
    except OutOfTime as over:
        return CVerdict(
            verdict="undecided",
            system=chosen.name,
            function=function or identifier(chosen.name),
            source=source,
            findings=(over.finding,),
            proof=None,
            seconds=over.seconds,
        )


def from_c(
    c: str | Path,
    *,
    function: str | None = None,
    assume: Iterable[str] = (),
    shapes: Mapping[str, Sequence[str]] | None = None,
    laws: Iterable[str] = (),
    serial: bool = False,
    executes: bool = True,
    timeout: float | None = None,
) -> Imported:
    """Returns a function of a C file as equations (`program`) with a script that keeps its order and memory (`script`),
    and whether the C is proved to compute them (`verdict`).

    `assume` are conditions on the parameters (`"T>=0"`), `shapes` the extents of pointers whose types do not state
    them, `laws` the algebraic laws that the proof may use besides reordered sums, `executes` enables execution;
    `serial` keeps sums that start from a value other than zero as recurrences. Raises Rejected for unsupported C, for
    C without equations, and after `timeout` processor seconds in the main thread."""
    order = ImportedOrder(
        function, assumed=tuple(assume), shapes=shapes, executes=executes, is_serial=serial, laws=Laws(frozenset(laws))
    )
    try:
        with alarm(timeout):
            return import_c(with_plain_lines(_source(Path(c))), order)
    except OutOfTime as over:
        raise Rejected(over.finding) from None


def verify(design: Design, systems: str | Iterable[str] | None = None, *, hints: bool = True) -> Report:
    """Returns the verdicts on a system or these systems of the design (default: all that have a mapping), and on the
    systems that they call.

    With `hints`, it searches and verifies changes that make a refuted mapping legal, for some seconds at most, as
    `alphaz verify` does: see the `fixes` of the findings. Raises Rejected for an unknown system, and for an
    argument that is not a design."""
    named = [systems] if isinstance(systems, str) else systems
    chosen = None if named is None else [_design(design).known_system(name).name for name in named]
    return report_of(_design(design), chosen, hints=hints)


@overload
def compile(design: Design, system: str | None = None, *, assume_legal: bool = False) -> Kernel: ...  # noqa: A001


@overload
def compile(  # noqa: A001
    design: Design, system: str | None = None, *, assume_legal: bool = False, comm: RankCommunicator
) -> RankKernel: ...


def compile(  # noqa: A001
    design: Design, system: str | None = None, *, assume_legal: bool = False, comm: RankCommunicator | None = None
) -> Kernel | RankKernel:
    """Returns the system of the design (by default the mapped one) as compiled code, to be called with arrays.

    With a communicator of mpi4py, `comm`, it is a distributed system (`setDistributed`, and a target for MPI), called
    with the blocks of a rank on all ranks of the communicator.
    External functions come from `external_functions.h` in the folder of the program.

    Warns where a mapping is proved under named assumptions only.
    Raises Rejected if the mapping is not proved (AZ804 and the reasons), unless it is assumed to be legal; or without a
    working C compiler (AZ802). Unless the variable ALPHAZ_PROVE is `no`, it is proved that the code accesses only its
    arrays and computes all values, as far as that is quick; a failure is a fault of alphaz (AZ839)."""
    chosen = _choose_system(_design(design), system)
    beside = Path(design.program.source.name).parent

    def legal() -> Verified:
        report = report_of(design, [chosen], hints=False)
        verified = assume(report) if assume_legal else certify(report)
        for verdict in report.systems:
            if verdict.assumed and not assume_legal:
                warnings.warn(repr(verdict), stacklevel=3)
        return verified

    if comm is not None:
        known = design.program.system(chosen)
        blocks = next((b for b in design.mapping(chosen).distribution if b.ownership is Ownership.GIVEN), None)
        if blocks is not None:
            message, remedy = f"the blocks of `{chosen}` are given by a caller in C", 'distribute "block"'
            raise Rejected(Diagnostic(ARGUMENT, message, Label(blocks.span), help=remedy))

        def made() -> Sources:
            return scheduled_c(legal(), chosen, machine=machine())

        return compile_ranks(comm, known, made, beside, lambda: resolve(design, chosen).tile_sizes)
    verified = legal()
    sizes = verified.mappings[chosen].tile_sizes
    sources = scheduled_c(verified, chosen, machine=machine())
    if is_proof_enabled():
        sources = prove_stage_a(sources, design.checked, chosen).sources
    return compile_kernel(sources, design.checked, chosen, include=beside, sizes=sizes)


def _design(value: object) -> Design:
    """The design; Rejected (AZ402) for a path, which users may try."""
    if isinstance(value, Design):
        return value
    message = f"expected a design, such as `alphaz.run(script)` or `alphaz.read(program)` returns, found {value!r}"
    raise Rejected(Diagnostic(ARGUMENT, message, Label(NOWHERE)))


def _choose_system(design: Design, system: str | None) -> str:
    every = [system_.name for system_ in design.program.systems]
    if system is None:
        possible = uncalled_systems(design.program, design.mapped_systems or tuple(every))
        if len(possible) == 1:
            return possible[0]
        raise Rejected(_finding(f"which system is to be compiled? There are {listing(possible)}"))
    return design.known_system(system).name


def _source(path: Path, text: str | None = None) -> Source:
    if text is not None:
        return Source(str(path), text)
    if "\n" in str(path):
        # Such names are not file names: the argument is the text itself.
        shown = str(path).strip().partition("\n")[0]
        raise Rejected(_finding(f"`{shown}` is no name of a file", help_="give a text by its name: text=..."))
    try:
        return Source(str(path), read_text(path))
    except Unreadable as reason:
        raise Rejected(_finding(f"{path} {reason}")) from None


def _finding(message: str, help_: str | None = None) -> Diagnostic:
    return Diagnostic(FILE, message, Label(NOWHERE), help=help_)
