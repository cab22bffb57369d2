"""Proof of generated C with calls of MPI: the text of one rank, its messages and its driver (docs/distributed.md)."""

import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c import tree as c
from alphaz.c.alphaz_header import RUNTIME, runtime_text
from alphaz.c.parse import parse
from alphaz.c.preparation import without_comments
from alphaz.c.tree import SourcePlace
from alphaz.c.value_annotation import ValueAnnotation
from alphaz.codegen.c.frame import file_stem
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import C_OUTSIDE
from alphaz.equivalence.c_proof import WHOLE
from alphaz.equivalence.driver.claim_files import Lines, annotations_by_line, moved_claims
from alphaz.equivalence.driver.prove_c import CVerdict, not_read, prove_c
from alphaz.equivalence.driver.task import ProofTask, chosen_system
from alphaz.equivalence.ranks.affine_cases import NotAffineByCases
from alphaz.equivalence.ranks.rank_model import RankModel, RankModeller
from alphaz.equivalence.ranks.rank_statement_checks import UnexpectedText
from alphaz.equivalence.ranks.rank_text_reader import TYPES, read_rank_text
from alphaz.poly import Affine


def rank_models(
    source: Source, checked: Checked, system: str, claims: Lines, places: Mapping[str, tuple[Affine, ...]]
) -> list[RankModel]:
    """Returns the models of a text whose messages are those of the protocol: that of one rank, and others.

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
    return modeller.models()


def prove_ranks(source: Source, sources: Sources, checked: Checked, task: ProofTask, claims: Lines) -> CVerdict:
    """Returns the verdict on a program of ranks: proved, or undecided. A proof that fails refutes nothing."""
    system, start = str(task.system), time.perf_counter()
    try:
        _check_files(sources, identifier(system))
        models = rank_models(source, checked, system, claims, sources.places)
    except UnexpectedText as problem:
        return undecided(source, checked, system, f"of this text of ranks {problem}", problem.at)
    except NotAffineByCases:
        return undecided(source, checked, system, "sizes, or bounds of messages, are not affine in a few cases")
    except Rejected as problem:
        return undecided(source, checked, system, problem.diagnostics[0].message)
    parts = list[CVerdict]()
    for model in models:
        found = [_at_home(part, model, source) for part in _proved(model, task)]
        parts += found
        if not found:
            return undecided(source, checked, system, "no parameters are left: nothing would be computed")
        if not parts[-1].is_proved:
            break
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


def prove_edited_ranks(
    source: Source, headers: Callable[[], Mapping[str, str]], generated: Sources, checked: Checked, task: ProofTask
) -> CVerdict:
    """Returns the verdict on a text that was generated and then edited; `headers` reads the files that it includes.

    The places and claims of the generated text are hints. Raises Rejected (AZ403, AZ832) if there is no such text.
    """
    system = chosen_system(checked, task)
    name = f"{file_stem(system.name)}.c"
    if name not in generated.files or not generated.places:
        message = f"the script generates no code of ranks for `{system.name}`"
        remedy = f'let it have setTarget(prog, "{system.name}", "mpi") and generateScheduledCode(prog, "{system.name}")'
        raise Rejected(Diagnostic(C_OUTSIDE, message, Label(system.span), help=remedy))
    claims = moved_claims(generated.claims.get(name, {}), generated.files[name], source.text)
    sources = replace(generated, files=headers())
    return prove_ranks(source, sources, checked, replace(task, system=system.name, effort=WHOLE), claims)


def _proved(model: RankModel, task: ProofTask) -> Iterator[CVerdict]:
    """Yields the verdicts on a model, for all sizes of its arrays, up to the first one that is not a proof."""
    text = Source(f"{model.function}.c", model.text)
    own = replace(
        task,
        system=model.system,
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
    context = model.checked.program.system(model.system).context & model.context
    for sizes in context.coalesced().parts():
        part = replace(own, assumed=sizes)
        verdict = prove_c(model.checked, text, part)
        more = [assumption for assumption in verdict.assumed if assumption not in (*part.conditions, *_ASSUMED)]
        if verdict.is_proved and more:
            verdict = undecided(text, model.checked, model.system, f"one rank is right only if {more[0]}")
        yield _without_cases(verdict, part.conditions)
        if not verdict.is_proved:
            return


def _at_home(verdict: CVerdict, model: RankModel, source: Source) -> CVerdict:
    """Returns the verdict on a model with findings at the lines of the text of all ranks."""

    def line_of(line: int) -> int:
        return model.places.get(max((at for at in model.places if at <= line), default=0), 1)

    def reworded(text: str) -> str:
        return _LINE.sub(lambda found: f"line {line_of(int(found[1]))}", text)

    def moved(label: Label) -> Label:
        line = line_of(label.span.position[0])
        column = len(source.line(line)) - len(source.line(line).lstrip()) + 1
        return Label(source.word_at(line, column), label.text)

    def finding_of(finding: Diagnostic) -> Diagnostic:
        return replace(
            finding,
            message=reworded(finding.message),
            primary=moved(finding.primary),
            secondary=tuple(map(moved, finding.secondary)),
            notes=tuple(map(reworded, finding.notes)),
            root=None,
        )

    return replace(verdict, findings=tuple(map(finding_of, verdict.findings))) if model.places else verdict


def _without_cases(verdict: CVerdict, conditions: Collection[str]) -> CVerdict:
    """Returns the verdict without sizes of arrays among its assumptions: they are cases, and all are proved."""
    if verdict.proof is None:
        return verdict
    kernel = verdict.proof.kernel
    assumed = tuple(note for note in kernel.assumed if note not in conditions)
    context = replace(verdict.proof.proof_context, kernel=replace(kernel, assumed=assumed))
    return replace(verdict, proof=replace(verdict.proof, proof_context=context))


_LINE = re.compile(r"\bline (\d+)")

_ASSUMED = (
    "`malloc` returns memory of the size asked for",
    "a sum keeps its value if 0 is added: the sign of a zero may differ",
)
"""What a proof of one rank may assume; its verdict names no other assumption."""


def _check_files(sources: Sources, name: str) -> None:
    """Raises UnexpectedText unless the headers only declare functions, and `alphaz.h` is the known one."""
    if sources.files.get(RUNTIME, runtime_text()) != runtime_text():
        raise UnexpectedText("`alphaz.h` is not the expected one")
    for file, text in sources.files.items():
        if file.endswith(".h") and file != RUNTIME:
            plain = without_comments(text).replace('extern "C" {', "")
            lines = {line.strip() for line in plain.splitlines() if line.lstrip().startswith("#")}
            guard = {f"#ifndef {name.upper()}_H", f"#define {name.upper()}_H"}
            is_plain = lines <= {*_HEADER_LINES, *guard} and not _OTHER.search(plain) and "\\" not in text
            if not is_plain or not _declares_functions(file, plain, name):
                raise UnexpectedText(f"`{file}` does not only declare functions of `{name}`")


def _declares_functions(file: str, text: str, name: str) -> bool:
    """Returns True if a header declares only functions of a program, without attributes: others have no meaning but
    that of their own headers.
    """
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#") and line.strip() != "}")
    try:
        items = parse(Source(file, "\n".join(lines)), types=TYPES).items
    except Rejected:
        return False
    plain = (isinstance(x, c.Function) and (x.body, x.storage, x.qualifiers) == (None, "", ()) for x in items)
    names = (getattr(item, "name", "") for item in items)
    return all(plain) and all(word == name or word.startswith(f"{name}_") for word in names)


# Bodies, strings, digraphs and trigraphs.
_OTHER = re.compile(r"""["'{]|%:|<%|\?\?""")
_HEADER_LINES = ("#include <mpi.h>", "#include <stdbool.h>", "#include <stdint.h>", "#ifdef __cplusplus", "#endif")


def undecided(source: Source, checked: Checked, system: str, reason: str, at: SourcePlace | None = None) -> CVerdict:
    """Returns the verdict on a text that is not read; `at` is the place of the reason in it."""
    place = Label(checked.program.system(system).span if at is None else source.word_at(at.line, at.column))
    finding = Diagnostic(C_OUTSIDE, f"{reason}: nothing is proved", place, help="test it: `alphaz test`")
    return not_read(finding, source, system)
