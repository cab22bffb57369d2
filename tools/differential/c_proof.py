"""The verdict of `alphaz prove` on the C of a sample, with a small budget, for comparison with its execution."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from alphaz.analysis.checks.checked_program import Checked
from alphaz.codegen.c.frame import file_stem
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Source
from alphaz.diagnostics.work_limits import OutOfTime, alarm
from alphaz.equivalence.c_proof import STAGE_A, Effort
from alphaz.equivalence.driver.claim_files import annotations_by_line
from alphaz.equivalence.driver.generated_code import is_suspect
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.run.files import write_sources
from alphaz.scop.c_model import OtherFile
from tests.strategies.mapping_variants import HEADER
from tools.differential.proved_mappings import Proved

# Of isl, for each question and to find claims, and of time for each stage.
OPERATIONS, INFERENCE, INSTANCES, SECONDS = 200_000, 1_500_000, 8_000, 12.0
# That a suspicion is executed for, under sanitizers: most of that the compiler takes.
EXECUTING = 40.0
# Of tiles whose sizes are arguments: it is then proved for these alone.
SIZES = (3, 2, 4)
PROVED, PRESENT, UNDECIDED, REFUTED, LATE = "proved", "stage A proved", "undecided", "refuted", "out of time"
FAILED = "failed"


@dataclass(frozen=True)
class Word:
    """The verdict on a text (one of the words above) and, if it is not proved, the reason."""

    said: str
    reason: str = ""


def said_of(case: Proved, sources: Sources) -> Word:
    """Both stages, one after the other; what is suspect is executed by `prove` itself."""
    with tempfile.TemporaryDirectory(prefix="alphaz-proving-") as folder:
        write_sources(sources, Path(folder))
        Path(folder, "external_functions.h").write_text(HEADER, encoding="utf-8")
        return _said_of(case, sources, Path(folder))


def _said_of(case: Proved, sources: Sources, folder: Path) -> Word:
    """Of files that lie in a folder, beside the header that they include."""
    name = f"{file_stem(case.name)}.c"
    source, checked = Source(str(folder / name), sources.files[name]), case.verified.design.checked
    annotations = annotations_by_line(sources.claims.get(name, {}))
    others = tuple(
        OtherFile(Source(str(folder / other), text), annotations_by_line(sources.claims.get(other, {})))
        for other, text in sources.files.items()
        if other.endswith(".c") and other != name
    )
    tiles = case.verified.mappings[case.name].tile_sizes
    sizes = {tile.name: SIZES[at % len(SIZES)] for at, tile in enumerate(tiles)}
    best = Word(UNDECIDED)
    for families, word in ((STAGE_A, PRESENT), (None, PROVED)):
        effort = Effort(families, OPERATIONS, INFERENCE, INSTANCES)
        task = ProofTask(
            system=case.name,
            sizes=sizes,
            effort=effort,
            executes=False,
            annotations=annotations,
            layouts=sources.layouts,
            others=others,
        )
        try:
            with alarm(SECONDS):
                verdict = prove_c(checked, source, task)
            if not verdict.is_proved and is_suspect(verdict):
                verdict = _executed(checked, source, task, verdict)
        except OutOfTime:
            return best if best.said == PRESENT else Word(LATE)
        except Exception as problem:
            return Word(FAILED, f"{type(problem).__name__}: {problem}")
        if verdict.verdict == "refuted":
            witness = verdict.findings[0].witness
            return Word(REFUTED, witness.sentence if witness is not None else "")
        if not verdict.is_proved:
            why = verdict.findings[0].message if verdict.findings else "nothing was asked"
            return Word(PRESENT, why) if best.said == PRESENT else Word(UNDECIDED, why)
        best = Word(word)
    return best


def _executed(checked: Checked, source: Source, task: ProofTask, verdict: CVerdict) -> CVerdict:
    """The verdict with execution, as far as that takes no longer than it may."""
    try:
        with alarm(EXECUTING):
            return prove_c(checked, source, replace(task, executes=True))
    except OutOfTime:
        return verdict


def disagreement(word: Word, is_wrong: bool) -> str:
    """Returns the contradiction between the verdict and the execution; empty if there is none."""
    if word.said == FAILED:
        return f"`alphaz prove` fails: {word.reason}"
    if word.said == REFUTED and not is_wrong:
        return f"`alphaz prove` refutes what agrees: {word.reason}"
    if word.said == PROVED and is_wrong:
        return "`alphaz prove` proves it"
    return ""
