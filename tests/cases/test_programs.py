"""Every program of the corpus: no errors, and what it computes is what an independent reference computes."""

import pytest

import tests.cases.references  # noqa: F401 - fills the table
from alphaz.diagnostics import Rejected
from alphaz.diagnostics.rules import RUN_TIME
from alphaz.model.interpreter import evaluate
from tests.cases.corpus import assert_same, checked, expected, paths, random_inputs, system_of
from tests.cases.table import TABLE, Case
from tests.thinning import thinned

pytestmark = pytest.mark.slow

# A `while` system is checked and never executed, so it has no reference.
_LOOP = "language/while.ab"


def test_the_corpus_is_large_and_every_program_has_a_reference() -> None:
    assert len(paths()) >= 150
    assert {case.path for case in TABLE} == set(paths()) - {_LOOP}
    assert len({str(case) for case in TABLE}) == len(TABLE)


@pytest.mark.parametrize("case", TABLE, ids=str)
def test_the_program_has_no_findings_but_those_announced(case: Case) -> None:
    assert tuple(warning.rule.code for warning in checked(case.path).warnings) == case.warnings


@pytest.mark.parametrize("case", thinned(TABLE, 4), ids=str)
def test_the_interpreter_agrees_with_the_reference(case: Case) -> None:
    program, system = checked(case.path), system_of(case)
    assert len(case.parameters) >= 3
    for seed, parameters in enumerate(case.parameters):
        inputs = random_inputs(case, system, parameters, seed)
        wanted = expected(case, system, parameters, inputs)
        values = evaluate(program.program, program.facts, system.name, parameters, inputs, case.externals)
        assert set(values) == set(wanted)
        for variable in system.outputs:
            assert_same(variable, values[variable.name], wanted[variable.name])


def test_a_while_system_is_checked_and_its_execution_refused_by_name() -> None:
    program = checked(_LOOP)
    assert program.warnings == ()
    with pytest.raises(Rejected) as refusal:
        evaluate(program.program, program.facts, "converge", {"N": 1}, {"x": [1.0]})
    assert refusal.value.diagnostics[0].rule is RUN_TIME
    assert "converge" in refusal.value.diagnostics[0].message
