"""Proof of generated C with calls of MPI: the text of one rank, its messages and its driver (docs/distributed.md)."""

import re
import time
from collections.abc import Mapping
from dataclasses import replace

from alphaz.analysis.checks.checked import Checked
from alphaz.c.alphaz_header import RUNTIME, runtime_text
from alphaz.c.preparation import without_comments
from alphaz.c.value_annotation import ValueAnnotation
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import C_OUTSIDE
from alphaz.equivalence.driver.claim_files import Lines, annotations_by_line
from alphaz.equivalence.driver.prove_c import CVerdict, not_read, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.ranks.affine_cases import NotAffineByCases
from alphaz.equivalence.ranks.rank_model import RankModel, RankModeller
from alphaz.equivalence.ranks.rank_text_reader import UnexpectedText, read_rank_text
from alphaz.poly import Affine


def rank_model(
    source: Source, checked: Checked, system: str, claims: Lines, places: Mapping[str, tuple[Affine, ...]]
) -> RankModel:
    """Returns the model of one rank of a text, whose messages are those of the protocol.

    Raises UnexpectedText, NotAffineByCases and Rejected for a text without one.
    """
    header = f"{source.name.rpartition('/')[2].removesuffix('.c')}.h"
    text = read_rank_text(source, identifier(system), header)
    about = {
        line: ValueAnnotation(variable=a.variable, point=a.point, body=a.body, floors=a.floors, is_call=a.is_call)
        for line, a in annotations_by_line(claims).items()
    }
    modeller = RankModeller(
        text=text, checked=checked, system=checked.program.system(system), claims=about, places=places
    )
    return modeller.model()


def prove_ranks(source: Source, sources: Sources, checked: Checked, task: ProofTask, claims: Lines) -> CVerdict:
    """Returns the verdict on a program of ranks: proved, or undecided. A proof that fails refutes nothing."""
    system, start = str(task.system), time.perf_counter()
    try:
        _check_files(sources, identifier(system))
        model = rank_model(source, checked, system, claims, sources.places)
    except UnexpectedText as problem:
        reason = f"of ranks, only blocks in one dimension by exchange, overlap or pipeline are proved ({problem})"
        return undecided(source, checked, system, reason)
    except NotAffineByCases:
        return undecided(source, checked, system, "sizes, or bounds of messages, are not affine in a few cases")
    except Rejected as problem:
        return undecided(source, checked, system, problem.diagnostics[0].message)
    text = Source(f"{model.function}.c", model.text)
    own = replace(
        task,
        function=model.function,
        names=model.names,
        annotations=annotations_by_line(model.claims),
        layouts={},
        others=(),
        toolchain=DEFAULT.toolchain,
        harness=DEFAULT.harness,
        executes=False,
        is_generated=True,
    )
    context = model.checked.program.system(system).context & model.context
    parts = list[CVerdict]()
    for sizes in context.coalesced().parts():
        parts.append(prove_c(model.checked, text, replace(own, assumed=sizes)))
        if not parts[-1].is_proved:
            break
    if not parts:
        return undecided(source, checked, system, "no parameters are left: nothing would be computed")
    is_proved = all(part.is_proved for part in parts)
    return CVerdict(
        verdict="proved" if is_proved else "undecided",
        system=system,
        function=identifier(system),
        source=source,
        findings=() if is_proved else parts[-1].findings,
        proof=None,
        seconds=time.perf_counter() - start,
        parts=tuple(parts),
    )


def _check_files(sources: Sources, name: str) -> None:
    """Raises UnexpectedText unless the headers only declare functions, and `alphaz.h` is the known one."""
    if sources.files.get(RUNTIME, runtime_text()) != runtime_text():
        raise UnexpectedText("`alphaz.h` is not the expected one")
    for file, text in sources.files.items():
        if file.endswith(".h") and file != RUNTIME:
            plain = without_comments(text).replace('extern "C" {', "")
            lines = {line.strip() for line in plain.splitlines() if line.lstrip().startswith("#")}
            guard = {f"#ifndef {name.upper()}_H", f"#define {name.upper()}_H"}
            if not lines <= {*_HEADER_LINES, *guard} or _OTHER.search(plain) or "\\" in text:
                raise UnexpectedText(f"`{file}` does not only declare functions")


# Bodies, strings, digraphs and trigraphs.
_OTHER = re.compile(r"""["'{]|%:|<%|\?\?""")
_HEADER_LINES = ("#include <mpi.h>", "#include <stdbool.h>", "#include <stdint.h>", "#ifdef __cplusplus", "#endif")


def undecided(source: Source, checked: Checked, system: str, reason: str) -> CVerdict:
    """Returns the verdict on a text that is not read."""
    place = Label(checked.program.system(system).span)
    finding = Diagnostic(C_OUTSIDE, f"{reason}: nothing is proved", place, help="test it: `alphaz test`")
    return not_read(finding, source, system)
