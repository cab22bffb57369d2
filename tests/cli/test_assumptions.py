"""Named assumptions: a mapping is proved under them, never proved; all outputs say so."""

import json
from pathlib import Path

import pytest

import alphaz
from tests.cli.command_line import ask, files
from tests.thinning import thinned

SCRIPT = """prog = ReadAlphabets("sums.ab");
setSpaceTimeMap(prog, "sums", "B", "(i -> -i)");
{assumptions}
generateScheduledCode(prog, "sums");
"""
ASSUMED = 'assume(prog, "sums", "one element", "AZ502");'


@pytest.fixture
def script(tmp_path: Path) -> Path:
    files(tmp_path)
    (tmp_path / "sums.ab").write_text(
        "affine sums {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N};\n"
        "let B[i] = case {| i==0} : A[i]; {| i>0} : B[i-1] + A[i]; esac; .\n"
    )
    path = tmp_path / "assumed.cs"
    path.write_text(SCRIPT.format(assumptions=ASSUMED))
    return path


@pytest.mark.slow
def test_the_verdict_names_the_assumption(script: Path) -> None:
    for jobs in ("1", "2"):
        outcome = ask("verify", script, "--jobs", jobs)
        assert outcome.code == 3
        assert "sums: proved under the assumption `one element`, 1 of 2 obligations" in outcome.out
        assert "warning[AZ815]: assumed, not proved, by `one element`: AZ502" in outcome.out
        assert "witness: N=2" in outcome.out
        assert "0 of 1 mapping proved, 1 under assumptions" in outcome.out
    assert ask("verify", script, "--strict").code == 1
    assert ask("verify", script, "--ignore", "AZ815").code == 3


@pytest.mark.slow
def test_formats_and_files_name_it(script: Path, tmp_path: Path) -> None:
    reports = [f"{form}={tmp_path / form}" for form in ("json", "sarif", "junit", "html")]
    certificate = tmp_path / "c.json"
    asked = [word for report in reports for word in ("--report", report)]
    assert ask("verify", script, *asked, "--certificate", certificate).code == 3
    (system,) = json.loads((tmp_path / "json").read_text())["systems"]
    assert system["assumptions"] == ["one element"]
    assert system["verdict"] == "proved under the assumption `one element`"
    assert all("one element" in (tmp_path / form).read_text() for form in ("sarif", "html"))
    assert 'skipped="1"' in (tmp_path / "junit").read_text()
    (record,) = json.loads(certificate.read_text())["systems"]
    assert record["verdict"] == "refuted"
    assert ask("recheck", certificate).code == 0


@pytest.mark.slow
def test_generated_code_repeats_it(script: Path, tmp_path: Path) -> None:
    assert ask("run", script, "-o", tmp_path / "out", "--no-prove").code == 3
    text = (tmp_path / "out" / "sums.c").read_text()
    assert "ASSUMED LEGAL, not proved" in text
    assert "by `one element`: AZ502" in text
    assert "proved legal for all" not in text
    refused = ask("run", script, "-o", tmp_path / "proved", "--prove")
    assert (refused.code, "its mapping is assumed" in refused.out + refused.err) == (1, True)
    design = alphaz.run(script)
    assert not alphaz.verify(design).is_proved
    assert "ASSUMED LEGAL, not proved" in (tmp_path / "out" / "sums.h").read_text()
    with pytest.warns(UserWarning, match="proved under the assumption `one element`"):
        alphaz.compile(design)
    for verb in ("test", "bench"):
        tried = ask(verb, script, "-p", "N=1", "--threads", "1")
        assert (tried.code, "proved under the assumption `one element`" in tried.out) == (0, True), tried


def test_help_states_the_exit_code() -> None:
    assert "3 no findings, but proved under named assumptions" in ask("--help").out
    assert "Exit code 3:" in ask("verify", "--help").out


@pytest.mark.parametrize(
    ("assumptions", "code", "text"),
    thinned(
        [
            ('assume(prog, "sums", "other", "AZ601");', 1, "the assumption `other` has no effect"),
            ('assume(prog, "sums", "half", "AZ502, AZ503");', 3, "no effect on AZ503: proved"),
            ('assume(prog, "sums", "AZ502", "the caller checks");', 1, "the rules stand before the name"),
            ('assume(prog, "sums", "x", "AZ411");', 1, "`AZ411` cannot be assumed"),
            ('assume(prog, "sums", "x", "AZ604");', 1, "`AZ604` cannot be assumed"),
            ('assume(prog, "sums", "x", "");', 1, "this assumes no rule"),
            ('assume(prog, "sums", " ", "AZ502");', 1, "an assumption has a name"),
            ('assume(prog, "sums", "x", "AZ601"); ' + ASSUMED, 3, "proved under the assumption `one element`"),
            ("", 1, "sums: refuted"),
        ]
    ),
)
def test_an_assumption_covers_its_rules_alone(script: Path, assumptions: str, code: int, text: str) -> None:
    script.write_text(SCRIPT.format(assumptions=assumptions))
    outcome = ask("verify", script)
    assert (outcome.code, text in outcome.out + outcome.err) == (code, True), outcome
