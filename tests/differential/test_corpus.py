"""Every program of the corpus as demand-driven C: the outputs of the interpreter, at every size of the corpus.

Programs are compiled a dozen at a time, and without optimisation: there are many, and each is small.
"""

import pytest

import tests.cases.references  # noqa: F401 - fills the table
from alphaz.codegen.c.names import identifier
from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.sources import Sources
from alphaz.model.interpreter import evaluate
from alphaz.run.compiler import find_compiler
from alphaz.run.kernel import Kernel
from alphaz.run.library import load
from tests.cases.corpus import CORPUS, assert_same, checked, random_inputs, system_of
from tests.cases.table import TABLE, Case
from tests.thinning import thinned

pytestmark = pytest.mark.slow


def _name(case: Case) -> str:
    """Of the generated function, unique in the corpus."""
    return str(case).replace("/", "_")


_BATCHES = [tuple(TABLE[at : at + 12]) for at in range(0, len(TABLE), 12)]


def _compiled(cases: tuple[Case, ...]) -> dict[str, Kernel]:
    """One library for all of them."""
    sources = Sources({})
    for case in cases:
        sources |= write_c(checked(case.path), system_of(case).name, _name(case))
    compiler = find_compiler()
    library = load(sources, compiler, ("-O0",), CORPUS, remember=False)
    return {
        str(case): Kernel(system_of(case), f"{identifier(_name(case))}_status", compiler, library) for case in cases
    }


@pytest.mark.parametrize(
    "cases", thinned([(cases,) for cases in _BATCHES], 8), ids=[f"{cases[0]}...{cases[-1]}" for cases in _BATCHES]
)
def test_the_demand_driven_code_agrees_with_the_interpreter(cases: tuple[Case, ...]) -> None:
    kernels = _compiled(cases)
    for case in cases:
        kernel, program, system = kernels[str(case)], checked(case.path), system_of(case)
        for seed, parameters in enumerate(case.parameters):
            inputs = random_inputs(case, system, parameters, seed)
            wanted = evaluate(program.program, program.facts, system.name, parameters, inputs, case.externals)
            outputs = kernel.run(parameters, inputs).outputs
            for variable in system.outputs:
                assert_same(variable, outputs[variable.name], wanted[variable.name], f"{case} at {dict(parameters)}")
