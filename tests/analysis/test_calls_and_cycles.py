"""Cycles through calls: of values (AZ310), and of the call as one operation only (AZ316)."""

import random
from pathlib import Path

import pytest

import alphaz
from alphaz.analysis.facts.input_output_dependences import Summaries
from alphaz.diagnostics import Rejected
from alphaz.diagnostics.rules import CYCLE
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from tests.analysis.programs import found, read
from tests.thinning import thinned

_CALLEES = (
    "y[i] = x[i];",
    "y[i] = case {| i==0}: x[0]; {| i>0}: y[i-1] + x[i]; esac;",
    "y[i] = case {| i==M-1}: x[M-1]; {| i<M-1}: y[i+1] + x[i]; esac;",
    "y[i] = x[M-1-i];",
    "y[i] = reduce(+, [k], {| 0<=k<i}: x[k]);",
    "y[i] = case {| 2i<M}: 3; {| 2i>=M}: x[i]; esac;",
    "y = t; t[i] = case {| i==0}: 1; {| i>0}: x[i-1] + t[i-1]; esac;",
)
_INPUTS = (
    "b[i]",
    "case {| i==0}: a[0]; {| i>0}: b[i-1]; esac",
    "case {| i==N-1}: a[0]; {| i<N-1}: b[i+1]; esac",
    "case {| 2i<N}: a[i]; {| 2i>=N}: b[N-1-i]; esac",
    "case {| 2i<N}: b[N-1-i]; {| 2i>=N}: a[i]; esac",
    "case {| i==2}: b[0]; {| i!=2}: a[i]; esac",
    "case {| i==0}: b[N-1]; {| i!=0}: a[i]; esac",
)

# What these read of the result is where the callee with a constant half does not look.
_UNNEEDED = (_INPUTS[4], _INPUTS[6])


def _program(callee: str, text: str) -> str:
    local = "local int t {i | 0<=i<M};" if "t[i]" in callee else ""
    return (
        f"affine f {{M | M>=1}} input int x {{i | 0<=i<M}}; output int y {{i | 0<=i<M}}; {local} let {callee} . "
        f"affine s {{N | N>=3}} input int a {{i | 0<=i<N}}; output int b {{i | 0<=i<N}}; "
        f"let use f[N]({text}) returns (b); ."
    )


def _runs(text: str, size: int) -> bool:
    """Returns True if every value can be computed on demand. The findings of the checks are ignored."""
    program = read(text)
    system = program.program.system("s")
    inputs = random_inputs(system, {"N": size}, size)
    try:
        evaluate(program.program, program.facts, "s", {"N": size}, inputs)
    except Rejected as problem:
        return problem.diagnostics[0].rule is not CYCLE
    return True


def _apart(callee: str, equation: str, size: int) -> bool:
    """By the definition: is there no cycle among the values, where the call is written out?"""
    inner = callee.replace("x[", "w[").replace("M", "N").replace("y[", "b[").replace("y =", "b =")
    local = "int t {i | 0<=i<N};" if "t[i]" in callee else ""
    text = (
        f"affine s {{N | N>=3 && N<={size}}} input int a {{i | 0<=i<N}}; output int b {{i | 0<=i<N}}; "
        f"local int w {{i | 0<=i<N}}; {local} let w[i] = {equation}; {inner} ."
    )
    codes = {d.rule.code for d in found(text)} - {"AZ207"}
    assert codes <= {"AZ310"}
    return not codes


@pytest.mark.parametrize("callee", _CALLEES)
@pytest.mark.parametrize("given", thinned(_INPUTS, 4))
def test_the_call_written_out_has_a_cycle_exactly_where_a_value_of_the_call_needs_itself(
    callee: str, given: str
) -> None:
    text = _program(callee, given)
    codes = {d.rule.code for d in found(text)}
    needs_itself = callee != _CALLEES[5] or given not in _UNNEEDED
    assert len(codes & {"AZ310", "AZ315", "AZ316"}) == needs_itself, "as one operation, the call needs what it computes"
    assert _apart(callee, given, 6) == ("AZ310" not in codes)
    if "AZ316" in codes:
        assert all(_runs(text, size) for size in range(3, 7))


@pytest.mark.slow
@pytest.mark.parametrize("given", _UNNEEDED)
def test_inputs_that_a_call_does_not_need_keep_it_from_no_schedule(given: str, tmp_path: Path) -> None:
    (tmp_path / "s.ab").write_text(_program(_CALLEES[5], given), encoding="utf-8")
    (tmp_path / "s.cs").write_text(
        'prog = ReadAlphabets("s.ab"); setSpaceTimeMap(prog, "s", "UseEquation_b", "(->0)");', encoding="utf-8"
    )
    assert alphaz.verify(alphaz.run(tmp_path / "s.cs")).is_proved


def test_a_summary_lists_exactly_the_needed_inputs() -> None:
    program = read(_program("y = t; t[i] = case {| i==0}: 1; {| i>0}: x[i-1] + t[i-1]; esac;", "a[i]"))
    summary = Summaries(program.program, program.facts).of("f")
    assert summary.is_exact
    assert set(summary.needs[0, 0].points({"M": 4})) == {(i, k) for i in range(4) for k in range(i)}


def test_a_system_that_calls_itself_is_taken_to_need_everything() -> None:
    text = (
        "affine f {M | M>=1} input int x {i | 0<=i<M}; output int y {i | 0<=i<M}; local int z {i | 0<=i<M-1 && M>=2}; "
        "let use {| M>=2} f[M-1]((i->i)@x) returns (z); y[i] = case {| i==0}: x[0]; {| i>0}: z[i-1] + x[i]; esac; . "
        "affine s {N | N>=3} input int a {i | 0<=i<N}; output int b {i | 0<=i<N}; "
        "let use f[N](case {| i==0}: a[0]; {| i>0}: b[i-1]; esac) returns (b); ."
    )
    assert {d.rule.code for d in found(text)} == {"AZ315"}
    program = read(text)
    summary = Summaries(program.program, program.facts).of("f")
    assert not summary.is_exact
    seed = random.Random(1).randrange(5)
    inputs = random_inputs(program.program.system("s"), {"N": 5}, seed)
    outputs = evaluate(program.program, program.facts, "s", {"N": 5}, inputs)
    assert outputs["b"].shape == (5,)
