"""Programs of the successor's language: what they mean, what is refused, and that conversion loses nothing."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.analysis.elaborate.programs import elaborate
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import alpha, ashow
from alphaz.cli.main import cli
from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.syntax.partial_programs import salvage_program
from tests.strategies.rewritable import program
from tests.thinning import thinned

TYPES = ("int", "int", "unsigned int", "short", "long", "float", "double")
SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.ab"))


def _bundle(declarations: str, body: str, head: str = "[N] -> {: N>=1}") -> str:
    return f"affine test {head}\n{declarations}\nlet\n{body}\n.\n"


LINE = "inputs A : {[i]: 0<=i<N} outputs B : {[i]: 0<=i<N}"


def _equation(body: str, declarations: str = LINE, head: str = "[N] -> {: N>=1}") -> list[str]:
    """The equations of the program, in array form."""
    text = ashow(read_program(Source("test.alpha", _bundle(declarations, body, head))).program)
    lines = text.split("let\n")[1].split("\n.")[0]
    return [" ".join(line.split()) for line in lines.split(";\n")]


def _refused(text: str) -> list[Diagnostic]:
    with pytest.raises(Rejected) as rejected:
        read_program(Source("test.alpha", text))
    return list(rejected.value.diagnostics)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("B[i] = {: i mod 2 = 0 or i != 3} : A[i];", "B[i] = {| i%2==0} || {| i!=3}: A[i];"),
        ("B = {[k]: 0<=k<N} : A[N-1-k];", "B[i] = {| 0<=i<N}: A[N-i-1];"),
        ("B[i] = (i->N-1-i)@({[j]: j>=0} : A[j]);", "B[i] = (i->N-i-1)@({j | j>=0}: A);"),
        ("B[i] = val[2*(i+1)] * 0.5[] + sum(A[i], A[0]);", "B[i] = [2i+2] * 0.5 + +(A[i], A[0]);"),
        ("B[i] = reduce(prod, (i,k->i), {: k<=i} : A[k]);", "B[i] = reduce(*, [k], {| k<=i}: A[k]);"),
        ("B[x] = if A[x] = 0[] then 1[] else -A[x];", "B[x] = if A[x]==0 then 1 else -A[x];"),
        ("B[i] = {: not (i=0 or i>2)} : A[i];", "B[i] = {| i!=0 && i<=2}: A[i];"),
    ],
)
def test_an_equation_means(written: str, meant: str) -> None:
    (line,) = _lines(written)
    (expected,) = _lines_of_alphabets(meant)
    assert line == expected


def _lines(body: str) -> list[str]:
    return _settled(Source("test.alpha", _bundle(LINE, body)))


def _lines_of_alphabets(body: str) -> list[str]:
    head = "affine test {N | N>=1} input double A {i | 0<=i<N}; output double B {i | 0<=i<N}; let"
    return _settled(Source("test.ab", f"{head}\n{body}\n.\n"))


def _settled(source: Source) -> list[str]:
    """The equations, though they may not be right."""
    text = ashow(elaborate(salvage_program(source).text, source))
    lines = text.split("let\n")[1].split("\n.")[0]
    return [" ".join(line.split()) for line in lines.split(";\n")]


def test_auto_is_what_the_other_branches_leave() -> None:
    body = "B[i] = case { {: i=0} : 0[]; auto : A[i-1] + case { auto : A[i]; {: i>3} : 7[]; }; };"
    result = " ".join(_equation(body))
    assert result.endswith("{| i<=3}: A[i] {| i>=4}: 7 esac esac;"), result


def test_bodies_become_cases_and_calls_locals() -> None:
    text = """
        affine half [N] -> {: N>=1}
        inputs A : {[i]: 0<=i<N}
        outputs B : {[i]: 0<=i<N}
        let B[i] = A[N-1-i];
        .
        affine test [N] -> {: N>=1}
        //@ type A = int
        inputs A : {[i]: 0<=i<N}
        outputs B : {[i]: 0<=i<N}
        locals T : {[i]: 0<=i<N}
        when {: N>5} let
            T[i] = A[i] + 1[];
            with [x] : (B) = half[N](T[x] * 2[]);
        else let
            B[j] = A[j];
        .
    """
    checked = read_program(Source("test.alpha", text))
    for size, expected in ((6, [(12 - 2 * i) for i in range(6)]), (3, [0, 1, 2])):
        values = evaluate(checked.program, checked.facts, "test", {"N": size}, {"A": np.arange(size, dtype="int32")})
        np.testing.assert_array_equal(values["B"], expected)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("B[i] = A[i/2];", "this is an integer division, which programs cannot write"),
        ("B[i] = A[i*i];", "a product of two indices is not affine"),
        ("B[i] = A[i] + auto : A[i];", "unexpected `auto`"),
        ("B[i] = auto : A[i];", "`auto` stands in front of a branch of a case alone"),
        ("B[i] = select {[i]->[j]} from A;", "`select` of the successor's language is not read"),
        ("B[i] = case { auto : A[i]; auto : 0[]; };", "a case has one `auto` branch at most"),
        ("'b-c'[i] = A[i];", "the name `b-c` has letters that names cannot have"),
        ("B['2i'] = A[0];", "the name `2i` has letters that names cannot have"),
        ("B[i] = A[j];", "`j` is neither an index nor a parameter here"),
    ],
)
def test_what_has_no_counterpart_is_said(body: str, message: str) -> None:
    assert any(message in item.message for item in _refused(_bundle(LINE, body))), _refused(_bundle(LINE, body))


def test_one_of_several_bodies_for_all_parameters_is_refused() -> None:
    text = _bundle(LINE, "B[i] = A[i]; when {: N>3} let B[i] = 0[];")
    assert _refused(text)[0].rule.code == "AZ107"


@pytest.mark.parametrize("path", thinned(SAMPLES, 3), ids=lambda path: path.stem)
def test_samples_are_the_same_in_both_languages(path: Path) -> None:
    before = read_program(Source(path.name, path.read_text(encoding="utf-8"))).program
    again = read_program(Source(f"{path.stem}.alpha", alpha(before))).program
    # The two families of keywords are one there.
    words = {"given\n": "input\n", "returns\n": "output\n", "using\n": "local\n", "through\n": "let\n"}
    expected = ashow(before)
    for old, new in words.items():
        expected = expected.replace(old, new)
    assert ashow(again) == expected


@given(seed=st.integers(0, 2**20))
@settings(max_examples=5, deadline=None)
def test_programs_are_the_same_in_both_languages(seed: int) -> None:
    before = read_program(Source("test.ab", program(Random(seed), TYPES))).program
    again = read_program(Source("test.alpha", alpha(before))).program
    assert ashow(again) == ashow(before)


def test_a_script_maps_a_program_of_the_successor(tmp_path: Path) -> None:
    text = "B[i] = case { {: i=0} : A[i]; auto : B[i-1] + A[i]; };"
    (tmp_path / "sums.alpha").write_text(_bundle(LINE, text), encoding="utf-8")
    script = 'prog = ReadAlphabets("sums.alpha");\nsetSpaceTimeMap(prog, "test", "B", "(i->%s)");\n'
    runner = CliRunner()
    assert runner.invoke(cli, ["check", str(tmp_path / "sums.alpha")]).exit_code == 0
    for date, code in (("i", 0), ("-i", 1)):
        (tmp_path / "sums.cs").write_text(script % date, encoding="utf-8")
        assert runner.invoke(cli, ["verify", str(tmp_path / "sums.cs")]).exit_code == code
    shown = runner.invoke(cli, ["show", "--notation", "alpha", str(tmp_path / "sums.alpha")]).output
    assert ashow(read_program(Source("again.alpha", shown)).program) == ashow(
        read_program(Source("sums.alpha", (tmp_path / "sums.alpha").read_text(encoding="utf-8"))).program
    )


def test_functions_keep_their_types() -> None:
    text = "//@ identity f = 1\nint f(int, short);\naffine a {|} output int Y; let Y[] = f(2, 3);.\n"
    before = read_program(Source("test.ab", text)).program
    assert ashow(read_program(Source("test.alpha", alpha(before))).program) == ashow(before)
