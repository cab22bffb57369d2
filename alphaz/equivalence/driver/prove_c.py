"""`alphaz prove`: a C function against a system of equations. Code that cannot be proved is refuted by a data race, or
is executed, also where the reader does not support it: it is refuted if an execution goes wrong; otherwise the verdict
is undecided, with the reason. Proved code is executed too, for a few parameters: this tests the reader, on which the
proof relies."""

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.depth import deep
from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.codegen.c.names import identifier
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import C_EQUATIONS, C_NOT_PROVED, C_REFUTED
from alphaz.diagnostics.work_limits import working_at
from alphaz.equivalence.argument_layout import NoShape
from alphaz.equivalence.c_proof import WHOLE, Answer, Effort, Proof
from alphaz.equivalence.data_races import race_in
from alphaz.equivalence.device_faults import fault_in, unwritten_output
from alphaz.equivalence.driver.findings import contradicted, faulty, open_ones, racing, refuted, refuted_by_execution
from alphaz.equivalence.driver.function_reading import CFunction, c_function, file_tree, unread_trial
from alphaz.equivalence.driver.inferred_names import possible_names
from alphaz.equivalence.driver.proof_strategies import few, proof_of, sizes
from alphaz.equivalence.driver.race_repairs import repair_of, repair_of_finding
from alphaz.equivalence.driver.sanitized_run import (
    CompileError,
    NotExecuted,
    RunRequest,
    RunSummary,
    RunTimeout,
    is_quick_to_interpret,
    run_sanitized,
)
from alphaz.equivalence.driver.task import PLAINLY, ProofTask, chosen_function, chosen_system
from alphaz.equivalence.driver.unsupported_code import compiler_finding
from alphaz.equivalence.overwritten_inputs import destroyed
from alphaz.equivalence.value_graph import ASSOCIATIVITY, DISTRIBUTIVITY, LAWS, Unsupported
from alphaz.model.program import System
from alphaz.poly import OutOfBudget, budget
from alphaz.scop.idioms import has_masks
from alphaz.scop.promoted_scalars import in_their_cells
from alphaz.scop.vector_ssa import without_idle_lanes

# Values of the equations, for which all instances of the text are enumerated.
_MOST_ENUMERATED = 20_000
# As many in the search for undefined behaviour in front of a proof.
_FEW_INSTANCES = 15_000
_OF_REMEDIES = Effort(seconds=20)


@dataclass(frozen=True, slots=True, eq=False)
class CVerdict:
    """`verdict` is "proved", "refuted" (by execution, or a data race) or "undecided"; the findings say why it is not
    proved.

    `assumed` are the assumptions of the proof, in addition to the compiler and the arithmetic of floats: the parameters
    to which it is restricted, and the laws that it uses, included. `tried` is the result of executing it, if it was
    executed. Of ranks, `parts` are the verdicts on one rank, for all sizes of its arrays.
    """

    verdict: str
    system: str
    function: str
    source: Source
    findings: tuple[Diagnostic, ...]
    proof: Proof | None
    seconds: float
    tried: RunSummary | None = None
    parts: "tuple[CVerdict, ...]" = ()

    @property
    def is_proved(self) -> bool:
        return self.verdict == "proved"

    @property
    def assumed(self) -> tuple[str, ...]:
        own = self.proof.kernel.assumed if self.proof is not None else ()
        return tuple(dict.fromkeys((*own, *(text for part in self.parts for text in part.assumed))))

    @property
    def obligations(self) -> tuple[Answer, ...]:
        own = self.proof.answers if self.proof is not None else ()
        return (*own, *(answer for part in self.parts for answer in part.obligations))

    def __str__(self) -> str:
        count = len(self.obligations)
        obligations_text = f", {count_text(count, 'obligation')}" if self.is_proved else ""
        return f"{self.function} computes {self.system}: {self.verdict}{obligations_text}"


def not_read(finding: Diagnostic, source: Source, system: str) -> CVerdict:
    """Returns the verdict on a generated text of which nothing is proved, for the reason of the finding."""
    return CVerdict(
        verdict="undecided",
        system=system,
        function=identifier(system),
        source=source,
        findings=(finding,),
        proof=None,
        seconds=0.0,
    )


def prove_c(
    checked: Checked, source: Source, task: ProofTask = PLAINLY, on_progress: Callable[[str], None] = lambda _: None
) -> CVerdict:
    """Returns the verdict on a function of a C text. Raises Rejected for an invalid task (AZ403, AZ834).

    Arguments whose names the program does not have are matched by their order, or in another way that makes the text
    proved. The text is refuted if it is so in each.
    """
    system = chosen_system(checked, task)
    # Generated code has the names of the program.
    matchings = [] if task.annotations else possible_names(checked, source, task, system)
    tasks = [task.with_inferred(names) for names in matchings] or [task]
    if len(tasks) > 1:
        plain = ((one, replace(one, executes=False, effort=_OF_REMEDIES)) for one in tasks)
        proved = (one for one, tried in plain if _verdict(checked, source, tried, system, on_progress).is_proved)
        tasks = [one for one in (next(proved, None),) if one is not None] or tasks
    verdicts = list[CVerdict]()
    for one in tasks:
        verdicts.append(_verdict(checked, source, one, system, on_progress))
        if verdicts[-1].verdict != "refuted":
            return verdicts[-1]
    return verdicts[0]


def _verdict(
    checked: Checked, source: Source, task: ProofTask, system: System, on_progress: Callable[[str], None]
) -> CVerdict:
    """Returns the verdict on a function whose arguments have their names in the program."""
    start = time.perf_counter()
    attempt = _Attempt(
        checked=checked,
        source=source,
        task=task,
        on_progress=on_progress,
        start=start,
        system=system,
        function=task.function or identifier(system.name),
    )
    try:
        proof = attempt.proof()
    except Rejected as rejected:
        return attempt.not_compared(*rejected.diagnostics)
    except OutOfBudget as reason:
        remedy = "run `alphaz prove`, which has no time limit"
        message = f"cannot infer claims: {reason}"
        return attempt.not_compared(Diagnostic(C_NOT_PROVED, message, Label(attempt.system.span), help=remedy))
    except (Unsupported, NoShape) as reason:
        help_ = reason.remedy if isinstance(reason, NoShape) else None
        message = f"the equations cannot be compared with C: {reason}"
        return attempt.not_compared(Diagnostic(C_EQUATIONS, message, Label(attempt.system.span), help=help_))
    assert attempt.subject is not None
    if not proof.is_proved and (race := attempt.race(proof)) is not None:
        return attempt.ended("refuted", (race,), proof)
    result = attempt.ended("proved" if proof.is_proved else "undecided", (), proof)
    if not task.executes:
        if proof.is_proved:
            return result
        return replace(result, findings=tuple(open_ones(proof, "no execution was tried", attempt.laws(proof))))
    trial = attempt.subject.trial(checked, source, task)
    if proof.is_proved:
        # The reported time is that of the proof.
        return _confirmed(result, proof, trial, on_progress)
    result = _tried_to_refute(result, proof, trial, attempt, on_progress)
    return replace(result, seconds=time.perf_counter() - start)


@dataclass(slots=True, eq=False)
class _Attempt:
    """A proof under way: `system` and `function` are those of the task, or as far as they are known; `subject` is None
    until the C is read."""

    checked: Checked
    source: Source
    task: ProofTask
    on_progress: Callable[[str], None]
    start: float
    system: System
    function: str
    subject: "CFunction | None" = None
    has_masks: bool = False

    def ended(self, verdict: str, findings: tuple[Diagnostic, ...], proof: Proof | None = None) -> CVerdict:
        return CVerdict(
            verdict=verdict,
            system=self.system.name,
            function=self.function,
            source=self.source,
            findings=findings,
            proof=proof,
            seconds=time.perf_counter() - self.start,
        )

    def proof(self) -> Proof:
        """Returns all obligations with their verdicts. Raises Rejected, OutOfBudget, Unsupported and NoShape.

        Where data decides whether a statement adds, the text is also read as one that adds 0 elsewhere.
        """
        try:
            plain = self._proof_of(self.task)
        except Rejected:
            if not self.has_masks:
                raise
            return self._proof_of(replace(self.task, reads_masks=True))
        if plain.is_proved or not self.has_masks or plain.is_cut(self.task.effort):
            return plain
        subject = self.subject
        with suppress(Rejected, OutOfBudget, Unsupported):
            other = self._proof_of(replace(self.task, reads_masks=True))
            if other.is_proved:
                return other
        self.subject = subject
        return plain

    def _proof_of(self, task: ProofTask) -> Proof:
        checked = self.checked
        self.on_progress("reading the C")
        with working_at(Span(self.source, 0, 0), "whether this C is supported"):
            tree, declared = file_tree(self.source, self.source.text, checked, task, self.system)
            self.has_masks = any(map(has_masks, nodes(tree.items, c.If)))
            self.function = chosen_function(tree, self.source, self.system, task)
            self.subject = subject = c_function(checked, self.source, task, self.system, tree, declared)
        self.system, binding = subject.system, subject.binding
        if (fault := fault_in(subject.kernel, self.small_sizes(), _FEW_INSTANCES)) is not None:
            raise Rejected(faulty(self.function, fault))
        kernel = in_their_cells(without_idle_lanes(subject.kernel))
        lost = destroyed(kernel, binding, self.system)
        kernel = replace(kernel, assumed=(*task.conditions, *kernel.assumed, *subject.declared, *lost))
        self.on_progress("looking for what its statements compute")
        count = [0]

        def count_up(_: Answer) -> None:
            count[0] += 1
            self.on_progress(f"{count[0]} questions answered")

        limited = nullcontext() if task.effort.inference is None else budget(task.effort.inference)
        with working_at(kernel.span, f"which values the statements of `{self.function}` compute"), deep(), limited:
            return proof_of(checked, self.system, kernel, binding, task.laws, task.effort, task.spread, count_up)

    def race(self, proof: Proof | None = None) -> Diagnostic | None:
        """Returns the finding of what is undefined in code of a GPU, or of a data race, with a repair that was tried;
        None if none is found, or if the text is such a repair: it only counts whether that is proved."""
        if self.subject is None or self.task.effort is _OF_REMEDIES:
            return None
        parameter_sets = self.small_sizes(proof)
        fault = None if proof is None else fault_in(self.subject.kernel, parameter_sets) or unwritten_output(proof)
        if fault is not None:
            return faulty(self.function, fault)
        race = race_in(self.subject.kernel, parameter_sets)
        if race is None:
            return None
        self.on_progress("trying repairs of a data race")
        return racing(self.function, race, repair_of(race, self.source, self._is_repaired))

    def _is_repaired(self, text: Source) -> bool:
        task = replace(self.task, executes=False, effort=_OF_REMEDIES, jobs=1, annotations=None)
        return prove_c(self.checked, text, task).is_proved

    def _with_repair(self, finding: Diagnostic) -> Diagnostic:
        """Returns the finding of the reader with a repair that was tried, or as it is."""
        if self.task.effort is _OF_REMEDIES:
            return finding
        repair = repair_of_finding(finding, self.source, self._is_repaired)
        return replace(finding, help=repair) if repair else finding

    def small_sizes(self, proof: Proof | None = None) -> list[Mapping[str, int]]:
        """Returns parameters for which all instances of the text are enumerated."""
        assert self.subject is not None
        trial = self.subject.trial(self.checked, self.source, self.task)
        return [size for size in sizes(trial, proof) if is_quick_to_interpret(trial, size, _MOST_ENUMERATED)]

    def laws(self, proof: Proof) -> tuple[str, ...]:
        """Returns the laws of arithmetic with which it is proved: one of them, or all; none if it still is not."""
        laws = self.task.laws
        if not proof.disagreements or laws.is_exact or laws.allows_all or self.task.effort is not WHOLE:
            return ()
        self.on_progress("trying laws of arithmetic")
        as_reals = laws.allowed | {DISTRIBUTIVITY, ASSOCIATIVITY}
        for names in dict.fromkeys((*(laws.allowed | {name} for name in LAWS), as_reals, frozenset(LAWS))):
            task = replace(self.task, executes=False, effort=_OF_REMEDIES, jobs=1, laws=replace(laws, allowed=names))
            if prove_c(self.checked, self.source, task).is_proved:
                return tuple(name for name in LAWS if name in names)
        return ()

    def not_compared(self, *findings: Diagnostic) -> CVerdict:
        """Returns the verdict on C that cannot be compared with the equations, by a data race or its execution."""
        race = self._with_repair(findings[0]) if findings[0].rule is C_REFUTED else self.race()
        if race is not None:
            return self.ended("refuted", (race,))
        result = self.ended("undecided", findings)
        if not self.task.executes:
            return result
        if self.subject is None:
            trial = unread_trial(self.checked, self.source, self.task, self.system)
        else:
            trial = self.subject.trial(self.checked, self.source, self.task)
        if trial is None:
            return result
        result = _tried_unread(replace(result, function=trial.function), trial, self.on_progress)
        return replace(result, seconds=time.perf_counter() - self.start)


def _confirmed(verdict: CVerdict, proof: Proof, trial: RunRequest, on_progress: Callable[[str], None]) -> CVerdict:
    """Returns the verdict after executing proved code: if that goes wrong, nothing is proved."""

    def contradicted_verdict(reason: str, summary: RunSummary | None = None) -> CVerdict:
        finding = contradicted(proof, verdict.assumed, reason, summary.wrong if summary is not None else None)
        return replace(verdict, verdict="undecided", findings=(finding,), tried=summary)

    try:
        summary = run_sanitized(trial, few(trial), seeds=(1,), on_progress=on_progress)
    except CompileError as reason:
        return contradicted_verdict(f"the C compiler rejects the text: {reason}")
    except RunTimeout as reason:
        return contradicted_verdict(str(reason))
    except NotExecuted as reason:
        summary = RunSummary(left=str(reason))
    except Rejected as rejected:
        summary = RunSummary(left=rejected.diagnostics[0].message)
    return (
        replace(verdict, tried=summary)
        if summary.wrong is None
        else contradicted_verdict("an execution goes wrong", summary)
    )


def _tried_unread(verdict: CVerdict, trial: RunRequest, on_progress: Callable[[str], None]) -> CVerdict:
    """Returns the verdict on a function that is only executed: refuted if that goes wrong, else as before."""
    first, *others = verdict.findings
    try:
        summary = run_sanitized(trial, sizes(trial), on_progress=on_progress)
    except CompileError as reason:
        return replace(verdict, findings=(compiler_finding(trial.source, str(reason)),))
    except NotExecuted as reason:
        summary = RunSummary(left=str(reason))
    except Rejected as rejected:
        summary = RunSummary(left=rejected.diagnostics[0].message)
    if summary.wrong is not None:
        finding = refuted_by_execution(trial.function, first, summary.wrong)
        return replace(verdict, verdict="refuted", findings=(finding,), tried=summary)
    note = f"executed for {summary.where}, it computes what the equations say" if summary.ran else str(summary)
    return replace(verdict, findings=(replace(first, notes=(*first.notes, note)), *others), tried=summary)


def _tried_to_refute(
    verdict: CVerdict, proof: Proof, trial: RunRequest, attempt: _Attempt, on_progress: Callable[[str], None]
) -> CVerdict:
    try:
        summary = run_sanitized(trial, sizes(trial, proof), on_progress=on_progress)
    except NotExecuted as problem:
        summary = RunSummary(left=str(problem))
    except Rejected as rejected:
        summary = RunSummary(left=rejected.diagnostics[0].message)
    verdict = replace(verdict, tried=summary)
    if summary.wrong is not None:
        return replace(verdict, verdict="refuted", findings=(refuted(proof, summary.wrong, trial.macros),))
    reason = f"it could not be executed: {summary.left}"
    if summary.ran:
        reason = f"executed for {summary.where}, it computes what the equations say"
    return replace(verdict, findings=tuple(open_ones(proof, reason, attempt.laws(proof), bool(summary.ran))))
