"""Proves that a C kernel implements a system of equations; collects obligations and their verdicts."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from alphaz.analysis.checks.checked_program import Checked
from alphaz.diagnostics import Label, Witness, WitnessPoint
from alphaz.diagnostics.rules import C_NOT_PROVED
from alphaz.equivalence.annotated_claims import annotated_parts, annotated_wholes
from alphaz.equivalence.block_trees import has_trees
from alphaz.equivalence.claim_inference import PLAIN, Laws, inferred
from alphaz.equivalence.claim_pruning import pruned
from alphaz.equivalence.claims import Claim, Claims, Contribution
from alphaz.equivalence.copy_propagation import CopyOrigins, origins_of, origins_with_all_copies
from alphaz.equivalence.expression_matching import Matching
from alphaz.equivalence.finite_extremes import has_extremes, with_infinities
from alphaz.equivalence.kernel_obligation import KernelObligation
from alphaz.equivalence.obligations import kernel_obligations
from alphaz.equivalence.operators import with_reciprocals
from alphaz.equivalence.parallel_discharge import ParallelDischarge, discharge_in_parallel
from alphaz.equivalence.partial_reductions import PartialReduction, are_terms, parts_of, refined
from alphaz.equivalence.participant import compared
from alphaz.equivalence.privatised_reductions import (
    agreed,
    merged_reductions,
    unknown_of,
    with_arbitrary_initial_values,
    with_unknown,
)
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.sample_sizes import MOST_OF_LARGEST, beyond_tiles, has_large_runs, sample_sizes, tiles_of
from alphaz.equivalence.size_generalisation import SizeGeneralisation, generalisations
from alphaz.equivalence.symbolic_run import Binding, Fault, SymbolicRun, run
from alphaz.equivalence.tile_shrinking import TileShrinking, shrinkings
from alphaz.equivalence.unused_divisions import check_unused_quotients
from alphaz.equivalence.value_graph import ONE, PADDING, EquationValue, operations_in
from alphaz.equivalence.value_graph_builder import graph_of
from alphaz.equivalence.value_numbering import ValueNumbers
from alphaz.model.program import System
from alphaz.model.types import DOUBLE
from alphaz.poly import OutOfBudget, budget
from alphaz.proof import (
    BUDGET,
    Engine,
    Obligation,
    Proved,
    Undecided,
    Values,
    Verdict,
    discharge,
    is_empty,
    is_empty_by_isl,
)
from alphaz.scop.c_model import CKernel, KernelStatement
from alphaz.scop.index_polynomials import affine
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import LiteralValue

# Partial sums may have parts: registers, then buffers, then thread-private data.
_MOST_LEVELS = 4
# With more pieces, a few isl operations may take seconds, and z3 is tried first.
_FEW_DIMENSIONS = 8
_ZERO = LiteralValue(Fraction(0), DOUBLE)


STAGE_A = frozenset({"C0", "C1", "R1", "R5"})
"""The families about existence of accesses, values and terms of sums, which involve no pairs of instances."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The budget of a proof: the families to discharge (None: all); isl operations for each obligation, and to infer
    claims (None: no limit); instances in a run of the model; and processor seconds to infer claims, and as many
    again to prove them (None: no limit). `leaves_tiles`: claims are inferred from runs with a second tile; `shrinks`:
    those about a GPU from smaller blocks."""

    families: frozenset[str] | None = None
    operations: int = BUDGET
    inference: int | None = None
    instances: int = MOST_OF_LARGEST
    seconds: float | None = None
    leaves_tiles: bool = False
    shrinks: bool = True

    def is_over(self, start: float) -> bool:
        """Returns True if the time since `start` is used up."""
        return self.seconds is not None and time.process_time() - start >= self.seconds

    @property
    def reason(self) -> str:
        return "" if self.seconds is None else f"more than {self.seconds:g} s of the processor"


WHOLE = Effort()


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """An obligation with its verdict. Refuted means that the set is not empty: for an inferred claim this only means
    that it is not proved."""

    question: KernelObligation
    seconds: float
    verdict: Verdict

    @property
    def is_proved(self) -> bool:
        return isinstance(self.verdict, Proved)


@dataclass(frozen=True, slots=True, eq=False)
class Suspect:
    """Parameters for which a run of the model differs from the equations, and how."""

    parameters: Mapping[str, int]
    fault: Fault


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """All answers. `disagreements` are hints for an execution: they prove nothing."""

    proof_context: ProofContext
    answers: tuple[Answer, ...]
    disagreements: tuple[Suspect, ...]
    seconds: float

    @property
    def kernel(self) -> CKernel:
        return self.proof_context.kernel

    @property
    def is_proved(self) -> bool:
        return bool(self.answers) and all(answer.is_proved for answer in self.answers)

    def is_cut(self, effort: Effort) -> bool:
        """Returns True if the seconds of the effort ended the proof."""
        return any(answer.verdict == Undecided(effort.reason) for answer in self.answers[-1:])


def proof_context_of(
    kernel: CKernel,
    checked: Checked,
    system: System,
    binding: Binding,
    laws: Laws = PLAIN,
    effort: Effort = WHOLE,
    spread: ParallelDischarge | None = None,
    runs: bool = True,
    keeps_copies: bool = False,
) -> tuple[ProofContext, tuple[Suspect, ...]]:
    """Returns the proof context of the kernel, with claims inferred from runs of its model (or from annotations only,
    which may state that all copies of the equations are made); and the runs that went wrong."""
    kernel = _by_laws(kernel, laws, checked, system)
    for array in kernel.arrays.values():
        for extent in array.extents:
            bound = None if extent is None else affine(extent)
            names = (*kernel.parameters, *array.prefix, *(() if array.limit is None else (array.limit.name,)))
            if bound is None or not {*bound.names} <= {*names}:
                raise outside(array.span, f"the extents of `{array.label}` are not affine in parameters and iterators")
    start = time.process_time()
    follow = origins_with_all_copies if keeps_copies else origins_of
    general = _generally_inferred(kernel, checked, system, binding, laws, effort, follow) if runs else None
    tiles = tiles_of(kernel) if effort.leaves_tiles else ()
    sizes = sample_sizes(kernel, system, effort.instances, tiles) if runs and general is None else []
    lookups = partial(_agreed, kernel, checked, system, binding, sizes, effort=effort, follow=follow)
    kernel, inference = lookups(laws) if general is None else (kernel, general)
    if inference.disagreements and not laws.is_exact and _is_integral(kernel, inference.values):
        # For integers the law is exact.
        laws = replace(laws, allowed=laws.allowed | {PADDING})
        kernel, inference = lookups(laws)
    if inference.disagreements and laws.allows_all:
        # As polynomials more expressions are equal, so a statement may match more than one.
        same, again = lookups(replace(laws, is_real=True))
        kernel, inference = (kernel, inference) if again.disagreements else (same, again)
    proof_context = ProofContext(
        kernel=kernel,
        system=system,
        values=inference.values,
        origins=inference.origins,
        binding=binding,
        claims=inference.claims.apart().plain(),
        parts=tuple(inference.parts),
    )
    # Annotations are mostly right, and the check takes as long as the proof.
    pruned_context = pruned(proof_context, partial(effort.is_over, start), spread) if runs else proof_context
    return pruned_context, inference.disagreements


def _is_integral(kernel: CKernel, values: Mapping[str, EquationValue]) -> bool:
    """Returns True if nothing is computed with floats."""
    operations = (operation for statement in kernel.statements for operation in operations_in(statement.value))
    types = [array.type for array in kernel.arrays.values()]
    types += [operation.type for operation in operations] + [value.type for value in values.values()]
    return not any(type_.is_float for type_ in types)


def _by_laws(kernel: CKernel, laws: Laws, checked: Checked, system: System) -> CKernel:
    """Returns the kernel with its values in the form that the laws give those of the equations."""
    if has_extremes(kernel):
        kernel = with_infinities(kernel, _graph(kernel, checked, system, laws))
    if not laws.has_reciprocals:
        return kernel
    return kernel.with_statements(lambda statement: replace(statement, value=with_reciprocals(statement.value)))


def disagreements_of(
    kernel: CKernel, checked: Checked, system: System, binding: Binding, laws: Laws, effort: Effort
) -> tuple[Suspect, ...]:
    """Returns a run of the model that goes wrong, if one is found within the effort."""
    start, kernel = time.process_time(), _by_laws(kernel, laws, checked, system)
    try:
        with nullcontext() if effort.inference is None else budget(effort.inference):
            values, sizes = _graph(kernel, checked, system, laws), sample_sizes(kernel, system, effort.instances)
            for run_ in _runs(kernel, values, origins_of(values), binding, sizes, laws):
                if run_.fault is not None and laws.allows_all and not laws.is_real:
                    return disagreements_of(kernel, checked, system, binding, replace(laws, is_real=True), effort)
                if run_.fault is not None:
                    return (Suspect(run_.parameters, run_.fault),)
                if effort.is_over(start):
                    break
    except OutOfBudget:
        pass
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The result of runs of the model: values, with those of partial sums, and claims about them."""

    values: Mapping[str, EquationValue]
    origins: CopyOrigins
    parts: list[PartialReduction]
    claims: Claims
    disagreements: tuple[Suspect, ...]
    # The parts by levels: those of a level are parts of the sums after the levels before.
    levels: tuple[tuple[PartialReduction, ...], ...] = ()


Follow = Callable[[Mapping[str, EquationValue]], CopyOrigins]


def _agreed(
    kernel: CKernel, checked: Checked, system: System, binding: Binding, sizes: Sequence[Mapping[str, int]], laws: Laws,
    effort: Effort, follow: Follow,
) -> tuple[CKernel, _Found]:  # fmt: skip
    """Returns the result by some laws; if threads accumulate privately, in a kernel where they start from unknown
    values."""
    values = _graph(kernel, checked, system, laws)
    if laws.is_exact and kernel.collected:
        raise outside(kernel.collected[0].starts[0].span, "what threads collect is added up in any order")
    inference = _infer_claims(kernel, values, binding, sizes, laws, effort, follow)
    if not kernel.collected:
        return kernel, inference
    into = merged_reductions(kernel, inference.claims, inference.parts, binding.outputs)
    kernel = with_arbitrary_initial_values(kernel)
    values = {**_graph(kernel, checked, system, laws, partial(with_unknown, into)), **unknown_of(into)}
    again = _infer_claims(kernel, values, binding, sizes, laws, effort, follow)
    claims = agreed(kernel, again.claims, again.parts, into)
    return kernel, replace(again, claims=claims, disagreements=inference.disagreements or again.disagreements)


def _graph(
    kernel: CKernel,
    checked: Checked,
    system: System,
    laws: Laws,
    changed: Callable[[EquationValue], EquationValue] = lambda value: value,
) -> Mapping[str, EquationValue]:
    # The constant that many loops start from is neutral in a sum.
    nothing = (_ZERO,) if laws.is_real or laws.adds_zeros or laws.has_neutral else ()
    nothing = (*nothing, ONE) if laws.has_neutral else nothing
    there = (ONE,) if any(statement.is_there for statement in kernel.statements) else ()
    return graph_of(checked, system, laws.allowed, changed, (*nothing, *there), laws.is_exact, laws.adds_zeros)


def _infer_claims(
    kernel: CKernel, values: Mapping[str, EquationValue], binding: Binding,
    sizes: Sequence[Mapping[str, int]], laws: Laws,
    effort: Effort, follow: Follow,
) -> _Found:  # fmt: skip
    start = time.process_time()
    parts: list[PartialReduction] = []
    runs: list[SymbolicRun]
    disagreements: tuple[Suspect, ...]
    last: tuple[Mapping[str, EquationValue], list[PartialReduction], list[SymbolicRun]] | None = None
    levels: list[tuple[PartialReduction, ...]] = []
    unmatched = Matching(values, lambda *_: True, laws.is_exact, laws.regroups)
    whole = annotated_wholes(kernel, values, unmatched)
    for level in range(_MOST_LEVELS + 1):
        origins = follow(values)
        runs, disagreements = [], ()
        for run_ in _runs(kernel, values, origins, binding, sizes, laws):
            if run_.fault is not None:
                runs, disagreements = [], (Suspect(run_.parameters, run_.fault),)
                break
            if effort.is_over(start):
                raise OutOfBudget(effort.reason)
            runs.append(run_)
        if disagreements and last is not None:
            # The equations agreed without parts, so these are no parts.
            values, parts, runs = last
            levels.pop()
            origins, disagreements = follow(values), ()
            break
        # Partial sums change the order of additions.
        more = [] if laws.is_exact else parts_of(runs, values, whole, has_trees=has_trees(kernel))
        if not parts and not laws.is_exact:
            more += annotated_parts(kernel, values, runs, unmatched)
        if not more or level == _MOST_LEVELS:
            break
        last = values, [*parts], runs
        parts += more
        levels.append(tuple(more))
        values = refined(values, more)
    claims = inferred(kernel, values, origins, runs, laws, parts)
    return _Found(
        values=values, origins=origins, parts=parts, claims=claims, disagreements=disagreements, levels=tuple(levels)
    )


def _generally_inferred(
    kernel: CKernel, checked: Checked, system: System, binding: Binding, laws: Laws, effort: Effort, follow: Follow
) -> _Found | None:
    """Returns claims inferred with parameters for large constant sizes, if the runs with the constants are too large,
    or with small blocks of a GPU; None if that gives no claim about some statement, or changes the values."""
    is_of_gpu = any(statement.block is not None for statement in kernel.statements)
    is_asked = effort.shrinks if is_of_gpu else has_large_runs(kernel, system)
    if kernel.collected or effort.leaves_tiles or not is_asked:
        return None
    values = _graph(kernel, checked, system, laws)
    for general in _small_sizes(kernel, system) if is_of_gpu else generalisations(kernel, values, binding):
        relation = _inferred_for(general, values, kernel, system, binding, laws, effort, follow)
        if relation is not None:
            return relation
    return None


def _small_sizes(kernel: CKernel, system: System) -> Iterable[TileShrinking]:
    """Returns choices of small blocks: with trees over partial sums of trees, those first for which small runs have
    more of these sums than a block has threads."""
    if not _has_trees_of_trees(kernel):
        return shrinkings(kernel)

    def reached(small: TileShrinking) -> int:
        return len([*beyond_tiles(small.kernel(kernel), system, (max(small.tiles) ** 2,))])

    return sorted(shrinkings(kernel), key=reached, reverse=True)


def _has_trees_of_trees(kernel: CKernel) -> bool:
    """Returns True if a launch may reduce results of trees of another launch."""
    launches = {id(statement.block) for statement in kernel.statements if statement.block is not None}
    return has_trees(kernel) and len(launches) > 1


def _inferred_for(
    general: SizeGeneralisation | TileShrinking, values: Mapping[str, EquationValue], kernel: CKernel, system: System,
    binding: Binding, laws: Laws, effort: Effort, follow: Follow,
) -> _Found | None:  # fmt: skip
    general_binding = general.binding(binding)
    if general_binding is None:
        return None
    general_kernel, general_system = general.kernel(kernel), general.system(system)
    tiles = general.tiles if isinstance(general, TileShrinking) else ()
    if tiles and _has_trees_of_trees(kernel):
        tiles = (*tiles, max(tiles) ** 2)
    sizes = sample_sizes(general_kernel, general_system, effort.instances, tiles)
    if not sizes:
        return None
    if tiles:
        sizes += [
            sample_size
            for sample_size in sample_sizes(general_kernel, general_system, effort.instances)
            if sample_size not in sizes
        ]
    inference = _infer_claims(general_kernel, general.values(values), general_binding, sizes, laws, effort, follow)
    if inference.disagreements:
        return None
    translation = general.translation(kernel)
    for level in inference.levels:
        parts_of_level = [*map(translation.part, level)]
        if not all(are_terms(part, values) for part in parts_of_level):
            return None
        values = refined(values, parts_of_level)
    claims = translation.claims(inference.claims, inference.values, values)
    if unclaimed(kernel, claims):
        return None
    parts = [*map(translation.part, inference.parts)]
    return _Found(values=values, origins=follow(values), parts=parts, claims=claims, disagreements=())


def unclaimed(kernel: CKernel, claims: Claims) -> list[KernelStatement]:
    """Returns the statements that compute and that no claim is about."""
    every: tuple[Claim | Contribution, ...] = (*claims.values, *claims.contributions)
    claimed_statements = {claim.statement.name for claim in every}
    return [
        statement
        for statement in kernel.statements
        if not all(read.array.is_stale for read in statement.reads) and statement.name not in claimed_statements
    ]


def _runs(
    kernel: CKernel, values: Mapping[str, EquationValue], origins: CopyOrigins, binding: Binding,
    sizes: Sequence[Mapping[str, int]], laws: Laws,
) -> Iterator[SymbolicRun]:  # fmt: skip
    """Yields runs of the model for some sizes."""
    names = ValueNumbers(
        regroups=laws.regroups, is_real=laws.is_real, has_padding=laws.has_padding, adds_zeros=laws.adds_zeros,
        has_neutral=laws.has_neutral,
    )  # fmt: skip
    return (run(kernel, values, origins, binding, parameters, names) for parameters in sizes)


def prove(
    proof_context: ProofContext,
    disagreements: tuple[Suspect, ...] = (),
    *,
    effort: Effort = WHOLE,
    on_answer: Callable[[Answer], None] = lambda _: None,
    spread: ParallelDischarge | None = None,
) -> Proof:
    """Discharges all obligations, or those that the effort allows: in this process, or in several (`spread`), where
    only budgets bound it. Raises Rejected for C that may divide by 0 beside the equations."""
    start = time.perf_counter()
    check_unused_quotients(proof_context.kernel, proof_context.claims)
    obligations = (
        question
        for question in kernel_obligations(proof_context, spread)
        if effort.families is None or question.family in effort.families
    )
    answers = (
        _in_turn(obligations, proof_context, effort, on_answer)
        if spread is None
        else _answer_in_parallel(list(obligations), proof_context, effort, on_answer, spread)
    )
    return Proof(
        proof_context=proof_context,
        answers=tuple(answers),
        disagreements=disagreements,
        seconds=time.perf_counter() - start,
    )


def _in_turn(
    obligations: Iterable[KernelObligation],
    proof_context: ProofContext,
    effort: Effort,
    on_answer: Callable[[Answer], None],
) -> list[Answer]:
    begun = time.process_time()
    answers = []
    for question in obligations:
        if effort.is_over(begun):
            answers.append(Answer(question, 0.0, Undecided(effort.reason)))
            break
        answers.append(answered(question, proof_context, effort.operations))
        on_answer(answers[-1])
    return answers


def _answer_in_parallel(
    obligations: Sequence[KernelObligation],
    proof_context: ProofContext,
    effort: Effort,
    on_answer: Callable[[Answer], None],
    spread: ParallelDischarge,
) -> list[Answer]:
    """Returns the answers in order, computed by several processes. Obligations on existing values come first, as others
    depend on them."""

    def work(task: int) -> tuple[float, Verdict]:
        answer = answered(obligations[task], proof_context, effort.operations)
        return answer.seconds, answer.verdict

    answers: dict[int, Answer] = {}
    tasks = sorted(range(len(obligations)), key=lambda task: obligations[task].family not in STAGE_A)
    readers = [obligation.subjects["reader"] for obligation in obligations if "reader" in obligation.subjects]
    for task, new_answer in discharge_in_parallel(
        spread, proof_context, readers, work, tasks, lambda reason: (0.0, Undecided(reason))
    ):
        answers[task] = Answer(obligations[task], *new_answer)
        on_answer(answers[task])
    return [answers[task] for task in range(len(obligations))]


def answered(question: KernelObligation, proof_context: ProofContext, operations: int) -> Answer:
    start = time.perf_counter()
    obligation = obligation_of(question, proof_context)
    verdict = _by_lemma(question) or discharge(obligation, operations)
    return Answer(question, time.perf_counter() - start, verdict)


def _by_lemma(question: KernelObligation) -> Verdict | None:
    """Returns a proof by an easier statement if isl does not answer soon: a lemma, or z3."""
    if sum(participant.domain.space.dimensions for participant in question.participants) <= _FEW_DIMENSIONS:
        is_empty_ = is_empty_by_isl(question.violations)
        if is_empty_ is not None:
            return Proved() if is_empty_ else None
    lemma = question.lemma or partial(is_empty, question.stated, compared(question.participants), question.violations)
    return Proved(Engine.Z3) if lemma() else None


def obligation_of(question: KernelObligation, proof_context: ProofContext) -> Obligation:
    """Returns the obligation in the form of the engine."""
    about = question.about
    span = question.span or (about.span if about is not None else proof_context.kernel.span)
    roles = tuple((participant.role, participant.dimensions) for participant in question.participants)
    related = tuple(Label(other.span) for other in question.others if other is not about)
    return Obligation(
        C_NOT_PROVED, question.claim, question.violations, roles, partial(_explained, question, proof_context),
        partial(_is_there, question), span, related,
    )  # fmt: skip


def _is_there(question: KernelObligation, point: Values) -> bool:
    """Returns True if all participants at the point exist, by plain integers on the model of the text."""
    for participant in question.participants:
        values = {**point, **{name: point[own] for name, own in participant.names.items()}}
        if participant.statement is not None and not participant.statement.has(values):
            return False
    return True


def _explained(question: KernelObligation, proof_context: ProofContext, point: Values) -> Witness:
    parameters = tuple((name, point[name]) for name in proof_context.kernel.parameters)
    parameter_values = ", ".join(f"{name}={value}" for name, value in parameters)
    places = []
    for participant in question.participants:
        title = "the caller" if participant.statement is None else str(participant.statement)
        places.append(WitnessPoint(participant.role, title, tuple(point[own] for own in participant.dimensions)))
    acting = []
    for participant, place in zip(question.participants, places, strict=True):
        inside = ", ".join(f"{name}={value}" for name, value in zip(participant.names, place.point, strict=True))
        acting.append(f"{place.name} at {inside}" if inside else place.name)
    prefix = f"{parameter_values}: " if parameter_values else ""
    return Witness(parameters, tuple(places), f"{prefix}{'; '.join(acting) or question.claim}")
