"""A second opinion on proved C: the model is run with its unordered loops in odd orders, which may change nothing."""

from collections.abc import Mapping
from random import Random

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence import symbolic_run
from alphaz.equivalence.c_proof import proof_context_of
from alphaz.equivalence.concrete_steps import ConcreteStep, in_order
from alphaz.equivalence.driver.function_reading import read_with_arguments
from alphaz.equivalence.driver.preprocessing import preprocessed
from alphaz.equivalence.driver.task import ProofTask, chosen_function, chosen_system
from alphaz.equivalence.participant import participant, unordered
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.symbolic_run import sample_parameters
from alphaz.equivalence.value_numbering import LATTICE, ValueNumbers
from alphaz.scop import parse
from alphaz.scop.c_model import CKernel
from alphaz.scop.value_tree import LiteralValue
from tests.equivalence.asking import ALL_LAWS, program

Instance = tuple[ConcreteStep, tuple[int, ...]]
Ordered = tuple[list[Instance], Mapping[str, LiteralValue]]


def is_open(one: Instance, other: Instance) -> bool:
    """Returns True if C and OpenMP leave the order of two instances open."""
    (step, point), (another, there) = one, other
    x, y = participant("x", step.statement), participant("y", another.statement)
    values = dict(zip((*x.names.values(), *y.names.values()), (*point, *there), strict=True))
    return any(all(constraint.holds(values) for constraint in where) for where, _ in unordered(x, y))


def goes_wrong(proof_context: ProofContext, parameters: Mapping[str, int], random: Random) -> str | None:
    """Returns the first error in one random order; None if there is none."""

    def shuffled(kernel: CKernel, chosen: Mapping[str, int]) -> Ordered:
        steps, filled = in_order(kernel, chosen)
        found: list[Instance] = []
        for instance in steps:
            least = len(found)
            while least > 0 and is_open(found[least - 1], instance):
                least -= 1
            found.insert(random.randint(least, len(found)), instance)
        return found, filled

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symbolic_run, "in_order", shuffled)
        names = ValueNumbers(regroups=LATTICE | {"*"})
        run = symbolic_run.run(
            proof_context.kernel, proof_context.values, proof_context.origins, proof_context.binding, parameters, names
        )
    return None if run.fault is None else run.fault.what


def goes_wrong_somewhere(kernel: str, text: str, random: Random) -> str | None:
    """The same of a text that was proved, for some small parameters."""
    task = ProofTask(laws=ALL_LAWS)
    source = Source("kernel.c", text)
    checked = program(kernel)
    system = chosen_system(checked, task)
    tree = parse(source, preprocessed(source))
    read, _, binding = read_with_arguments(tree, source, system, chosen_function(tree, source, system, task), task)
    proof_context, disagreements = proof_context_of(read, checked, system, binding, task.laws)
    assert not disagreements
    found = (goes_wrong(proof_context, parameters, random) for parameters in sample_parameters(system)[:4])
    return next((each for each in found if each is not None), None)
