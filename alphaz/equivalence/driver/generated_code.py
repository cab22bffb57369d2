"""Proof of generated C before it is delivered: the generator is not trusted."""

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c.alphaz_header import RUNTIME, runtime_text
from alphaz.codegen.c.frame import file_stem
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.mpi import MPI_LANGUAGE
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.codegen.toolchain import CUDA, C, Toolchain
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import C_OUTSIDE, GENERATED_WRONG
from alphaz.equivalence.argument_layout import NoShape
from alphaz.equivalence.c_proof import STAGE_A, WHOLE, Effort
from alphaz.equivalence.driver.claim_files import annotations_by_line
from alphaz.equivalence.driver.function_reading import c_function, file_tree
from alphaz.equivalence.driver.prove_c import CVerdict, not_read, prove_c
from alphaz.equivalence.driver.rank_proof import prove_ranks
from alphaz.equivalence.driver.task import ProofTask, chosen_system
from alphaz.processes.copies import cores
from alphaz.proof import Refuted
from alphaz.run.files import write_sources
from alphaz.scop.c_model import CKernel, OtherFile

_AFTER = "The mapping is proved legal"
PROVED = "This text is proved to compute the equations: {} obligations of `alphaz prove`."
PROVED_OF_RANKS = (
    "This text is proved to compute the equations on any number of ranks, if MPI transfers messages: {} obligations of"
    " `alphaz run --prove`."
)
PRESENT = "Proved of this text: stage A of `alphaz prove`, {} obligations (bounds; all values are computed)."
NOT_PROVED = "It is not proved that this text computes the equations"
UNWANTED = "ALPHAZ_PROVE"
"""The environment variable that disables proofs of generated C by the value `no`."""

# A few seconds, for tiles in tiles, lu 4 to 6; of plain loops a tenth of one. Most often an operation count ends it
# first, so the header is the same on all machines.
_LITTLE = Effort(STAGE_A, operations=500_000, inference=2_000_000, instances=8_000, seconds=10.0)

_MUCH = Effort(operations=2_000_000, inference=20_000_000, instances=20_000, seconds=30.0)


def is_proof_enabled() -> bool:
    """Returns True if generated C is to be proved within a small budget; the environment can disable it."""
    return os.environ.get(UNWANTED, "").lower() not in ("no", "n", "off", "false", "f", "0")


@dataclass(frozen=True, slots=True, eq=False)
class ProvedCode:
    """Generated files, with the verdict in their header."""

    sources: Sources
    verdict: CVerdict


def prove_generated(sources: Sources, checked: Checked, system: str, jobs: int | None = None) -> ProvedCode:
    """Returns the same files with their verdicts, computed by this number of processes (None: one for each core).
    Raises Rejected (AZ839) if an execution goes wrong."""
    task = ProofTask(system=system, effort=WHOLE, jobs=jobs or cores())
    is_of_ranks = sources.toolchain is not None and sources.toolchain.language == MPI_LANGUAGE
    return _judged(sources, checked, task, PROVED_OF_RANKS if is_of_ranks else PROVED, lambda _: True)


def prove_generated_within(
    sources: Sources, checked: Checked, system: str, seconds: float | None = _MUCH.seconds
) -> ProvedCode:
    """Returns the same within a budget of operations and processor time; only suspicions of a run of the model are
    executed. Raises Rejected (AZ839) if that goes wrong."""
    return _judged(
        sources, checked, ProofTask(system=system, effort=replace(_MUCH, seconds=seconds)), PROVED, is_suspect
    )


def prove_stage_a(sources: Sources, checked: Checked, system: str) -> ProvedCode:
    """Returns the same for stage A, with little effort: only suspicions of a run of the model, and accesses not proved
    to be in bounds, are executed. Raises Rejected (AZ839) if that goes wrong."""
    return _judged(sources, checked, ProofTask(system=system, effort=_LITTLE), PRESENT, is_suspect)


def read_generated(sources: Sources, checked: Checked, system: str) -> CKernel | None:
    """Returns the model of generated code in the form that was proved, which is not executed; None where it cannot be
    read."""
    task = ProofTask(system=system, effort=_LITTLE)
    proof = _judged(sources, checked, task, PRESENT, lambda _: False).verdict.proof
    return None if proof is None else proof.kernel


def model_of_generated(sources: Sources, checked: Checked, system: str) -> CKernel | None:
    """Returns the model of generated code as it is written, without any proof; None where it cannot be read."""
    name = f"{file_stem(system)}{(sources.toolchain or DEFAULT.toolchain).language.suffix}"
    source = Source(name, sources.files[name])
    annotations = annotations_by_line(sources.claims.get(name, {}))
    has_runtime = sources.files.get(RUNTIME) == runtime_text()
    task = ProofTask(system=system, annotations=annotations, layouts=sources.layouts, is_generated=has_runtime)
    try:
        asked = chosen_system(checked, task)
        tree, declared = file_tree(source, source.text, checked, task, asked)
        return c_function(checked, source, task, asked, tree, declared).kernel
    except (Rejected, NoShape):
        return None


def is_suspect(verdict: CVerdict) -> bool:
    """Returns True if a run of the model went wrong, or an access is not proved to be inside its array."""
    outside = (obligation for obligation in verdict.obligations if obligation.question.family == "C0")
    return verdict.proof is not None and (
        bool(verdict.proof.disagreements) or any(isinstance(reason.verdict, Refuted) for reason in outside)
    )


def _judged(
    sources: Sources, checked: Checked, task: ProofTask, message: str, executes: Callable[[CVerdict], bool]
) -> ProvedCode:
    system, toolchain = str(task.system), sources.toolchain or DEFAULT.toolchain
    name = f"{file_stem(system)}{toolchain.language.suffix}"
    # The proved text has the same lines as the written one, except for the verdict.
    reader = "alphaz run --prove" if toolchain.language == MPI_LANGUAGE else "alphaz prove"
    not_proved = f"{NOT_PROVED} (`{reader}` says why)."
    source = Source(name, _with_line(sources.files[name], not_proved))
    more = source.text.count("\n") - sources.files[name].count("\n")
    claims = {at + more: claim for at, claim in sources.claims.get(name, {}).items()}
    others = tuple(
        OtherFile(Source(file_name, text), annotations_by_line(sources.claims.get(file_name, {})))
        for file_name, text in sources.files.items()
        if file_name.endswith(".c") and file_name != name
    )
    task = replace(
        task,
        executes=False,
        annotations=annotations_by_line(claims),
        layouts=sources.layouts,
        others=others,
        toolchain=DEFAULT.toolchain if toolchain.language == CUDA else toolchain,
        harness=sources.harness or DEFAULT.harness,
        is_generated=sources.files.get(RUNTIME) == runtime_text(),
    )
    of_ranks = message is PROVED_OF_RANKS
    unread = _unread_language(toolchain, source, checked, system, is_whole=of_ranks) or _on_demand(
        sources, source, checked, system
    )
    verdict = unread or (
        prove_ranks(source, sources, checked, task, claims) if of_ranks else prove_c(checked, source, task)
    )
    if unread is None and not of_ranks and not verdict.is_proved and executes(verdict):
        _executed(sources, name, checked, task)
    line = message.format(len(verdict.obligations)) if verdict.is_proved else not_proved
    text = source.text.replace(not_proved, line, 1)
    proved_sources = replace(sources, files={**sources.files, name: text}, claims={**sources.claims, name: claims})
    return ProvedCode(proved_sources, verdict)


def _unread_language(
    toolchain: Toolchain, source: Source, checked: Checked, system: str, *, is_whole: bool
) -> CVerdict | None:
    """Returns the verdict for code in a language that is not read."""
    if toolchain.language in (C, CUDA) or (toolchain.language == MPI_LANGUAGE and is_whole):
        return None
    message = f"the code is {toolchain.language.name}, and only {C.name} and {CUDA.name} are read: nothing is proved"
    place = Label(checked.program.system(system).span)
    return not_read(Diagnostic(C_OUTSIDE, message, place, help="test it: `alphaz test`"), source, system)


def _on_demand(sources: Sources, source: Source, checked: Checked, system: str) -> CVerdict | None:
    """Returns the verdict for code that calls systems without a mapping."""
    stems = {
        file_stem(other_system.name): other_system
        for other_system in checked.program.systems
        if other_system.name != system
    }
    files = [file for file in sources.files if file.endswith(".c") and file not in sources.claims]
    called = [stems[stem] for file in files if (stem := file.removesuffix(".c")) in stems]
    if not called:
        return None
    message = f"the called system `{called[0].name}` has no mapping: demand-driven code cannot be proved"
    finding = Diagnostic(C_OUTSIDE, message, Label(called[0].span), help="give it a mapping, or inline it")
    return not_read(finding, source, system)


def _executed(sources: Sources, name: str, checked: Checked, task: ProofTask) -> None:
    """Executes code that is not proved, next to the header that it includes."""
    with tempfile.TemporaryDirectory(prefix="alphaz-generated-", ignore_cleanup_errors=True) as folder:
        write_sources(sources, Path(folder))
        source = Source(str(Path(folder) / name), sources.files[name])
        others = tuple(
            replace(other, source=Source(str(Path(folder) / other.source.name), other.source.text))
            for other in task.others
        )
        verdict = prove_c(checked, source, replace(task, executes=True, others=others, is_generated=False))
    if verdict.verdict == "refuted":
        message = f"the C generated for `{task.system}` is wrong: a bug of alphaz; no file is written"
        span = checked.program.system(str(task.system)).span
        remedy = "please report this, with the program, the script, the command and `alphaz --version`"
        raise Rejected(
            Diagnostic(GENERATED_WRONG, message, Label(span), witness=verdict.findings[0].witness, help=remedy)
        )


def _with_line(text: str, sentence: str) -> str:
    """Returns the text with a line inserted after the sentence on the mapping, which may take several lines."""
    lines = text.splitlines(keepends=True)
    at = next((position for position, line in enumerate(lines) if _AFTER in line), None)
    if at is None:
        return f"/* {sentence} */\n{text}"
    end = next(end for end, line in enumerate(lines[at:], at + 1) if line.rstrip().endswith("."))
    return "".join([*lines[:end], f" * {sentence}\n", *lines[end:]])
