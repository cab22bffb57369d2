"""Proof of C with an annotation for each line, without running the model: annotations become claims as they are.

If the annotations do not suffice, or are seen to be wrong, claims are inferred as for other C. If an obligation takes
too long, it would take as long again: then the model is run only to detect errors in the text.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from alphaz.analysis.checks.checked_program import Checked
from alphaz.equivalence.c_proof import Answer, Effort, Proof, disagreements_of, proof_context_of, prove, unclaimed
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.copy_propagation import CopyOrigins, origins_of
from alphaz.equivalence.parallel_discharge import ParallelDischarge
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.symbolic_run import Binding
from alphaz.equivalence.value_graph import is_inner
from alphaz.equivalence.value_graph_builder import graph_of
from alphaz.model.program import System
from alphaz.proof import Refuted
from alphaz.scop.c_model import CKernel
from alphaz.scop.value_tree import ReadValue


class _Wrong(Exception):
    """A claim is false."""


def prove_annotated(
    kernel: CKernel,
    checked: Checked,
    system: System,
    binding: Binding,
    laws: Laws,
    effort: Effort,
    on_answer: Callable[[Answer], None],
    spread: ParallelDischarge | None,
) -> Proof | None:
    """Returns the answers, if the annotations suffice for a proof, and none is refuted."""

    def believed(answer: Answer) -> None:
        if isinstance(answer.verdict, Refuted):
            raise _Wrong
        on_answer(answer)

    def demanded(answer: Answer) -> None:
        if not answer.is_proved:
            raise _Wrong
        on_answer(answer)

    if any(statement.reads and statement.annotation is None for statement in kernel.statements):
        return None
    claimed = partial(proof_context_of, kernel, checked, system, binding, laws, effort, spread, runs=False)
    proof_of_claims = partial(_prove_claims, effort=effort, spread=spread)
    origins = origins_of(graph_of(checked, system, laws.allowed))
    proof = (
        proof_of_claims(claimed(keeps_copies=True)[0], on_answer=demanded) if _makes_copies(kernel, origins) else None
    )
    proof = proof or proof_of_claims(claimed()[0], on_answer=believed)
    if proof is None or proof.is_proved:
        return proof
    return replace(proof, disagreements=disagreements_of(kernel, checked, system, binding, laws, effort))


def _prove_claims(
    proof_context: ProofContext, effort: Effort, spread: ParallelDischarge | None, on_answer: Callable[[Answer], None]
) -> Proof | None:
    """Returns the answers, if every statement has a claim and all answers so far are wanted."""
    if unclaimed(proof_context.kernel, proof_context.claims):
        return None
    try:
        return prove(proof_context, effort=effort, on_answer=on_answer, spread=spread)
    except _Wrong:
        return None


def _makes_copies(kernel: CKernel, origins: CopyOrigins) -> bool:
    """Returns True if C seems to make each copy of the equations: there are some, and an annotation names one."""
    copied = {key for key, copy_origins in origins.of.items() if copy_origins and not is_inner(key)}
    annotated = {
        statement.annotation.variable
        for statement in kernel.statements
        if statement.annotation and isinstance(statement.value, ReadValue)
    }
    return bool(copied) and copied <= annotated
