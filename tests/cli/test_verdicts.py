"""check, verify and run: what they print, and their exit codes."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.command_line import RIGHT, ask


def test_check_says_that_a_program_is_right() -> None:
    answer = ask("check", "sums.ab")
    assert (answer.code, answer.out, answer.err) == (0, "1 file checked: no findings\n", "")


def test_check_reports_every_error_of_every_file(folder: Path) -> None:
    text = (folder / "sums.ab").read_text().replace("B[i-1]", "X[i-1]").replace(": A[k]", ": A[q]")
    (folder / "wrong.ab").write_text(text)
    answer = ask("check", "sums.ab", "wrong.ab")
    assert answer.code == 1
    assert "error[AZ201]" in answer.out
    assert "--> wrong.ab:10:17" in answer.out
    assert "`q`" in answer.out
    assert answer.out.splitlines()[-1] == "2 files checked: 2 errors"
    assert "Traceback" not in answer.out + answer.err


def test_check_as_json(folder: Path) -> None:
    (folder / "wrong.ab").write_text((folder / "sums.ab").read_text().replace("B[i-1]", "X[i-1]"))
    answer = ask("check", "--format", "json", "wrong.ab")
    document = json.loads(answer.out)
    assert answer.code == 1
    assert [diagnostic["code"] for diagnostic in document["diagnostics"]] == ["AZ201"]
    assert document["diagnostics"][0]["location"]["file"] == "wrong.ab"


def test_verify_proves() -> None:
    answer = ask("verify", "right.cs")
    first, last = answer.out.splitlines()
    assert re.fullmatch(r"sums: proved, \d+ obligations \(\d\.\d\d s\)", first)
    assert last == "1 of 1 mapping proved: no findings"
    assert (answer.code, answer.err) == (0, "")


def test_verify_refutes_with_a_witness_and_both_places() -> None:
    answer = ask("verify", "wrong.cs")
    assert answer.code == 1
    assert re.match(r"sums: refuted, 1 of \d+ obligations", answer.out)
    assert "error[AZ502]" in answer.out
    assert "--> wrong.cs:3:37" in answer.out
    assert "--> sums.ab:10:17" in answer.out
    assert "witness: N=2: B[1]" in answer.out
    assert answer.out.splitlines()[-1] == "0 of 1 mapping proved: 1 error"


def test_verify_generates_nothing(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    ask("verify", "right.cs", "wrong.cs")
    assert sorted(path.name for path in folder.iterdir()) == before


def test_verify_names_the_script_where_there_are_several() -> None:
    answer = ask("verify", "right.cs", "wrong.cs")
    assert answer.code == 1
    assert answer.out.startswith("right.cs: sums: proved")
    assert "\nwrong.cs: sums: refuted" in answer.out
    assert answer.out.splitlines()[-1] == "1 of 2 mappings proved: 1 error"


def test_verify_lists_obligations() -> None:
    lines = ask("verify", "--obligations", "right.cs").out.splitlines()
    count = int(re.findall(r"(\d+) obligations", lines[0])[0])
    listed = [line for line in lines if re.fullmatch(r"  AZ\d{3} .*: proved", line)]
    assert len(listed) == count


def test_verify_as_json() -> None:
    answer = ask("verify", "--format", "json", "right.cs", "wrong.cs")
    document = json.loads(answer.out)
    assert answer.code == 1
    right, wrong = document["systems"]
    assert (right["script"], right["system"], right["verdict"]) == ("right.cs", "sums", "proved")
    assert {obligation["verdict"] for obligation in right["obligations"]} == {"proved"}
    assert wrong["verdict"] == "refuted"
    (refuted,) = [obligation for obligation in wrong["obligations"] if obligation["verdict"] == "refuted"]
    assert refuted["rule"] == "AZ502"
    assert refuted["witness"]["parameters"] == {"N": 2}
    assert [diagnostic["code"] for diagnostic in document["diagnostics"]] == ["AZ502"]


def test_verify_says_when_there_is_nothing_to_prove(folder: Path) -> None:
    (folder / "plain.cs").write_text('prog = ReadAlphabets("sums.ab");\nAShow(prog);\n')
    answer = ask("verify", "plain.cs")
    assert answer.out.splitlines()[0] == "no system has a mapping: nothing was proved"
    assert answer.code == 0


def test_run_prints_and_writes_beside_the_script(folder: Path) -> None:
    answer = ask("run", "right.cs")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "done"
    texts = [line.removeprefix("wrote ") for line in lines[1:]]
    assert texts
    assert all((folder / name).is_file() for name in texts)
    assert any(name.endswith(".c") for name in texts)


def test_run_writes_into_the_folder_that_is_given(folder: Path) -> None:
    before = {path.name for path in folder.iterdir()}
    answer = ask("run", "right.cs", "-o", "build/c")
    assert answer.code == 0
    assert {path.name for path in folder.iterdir()} - before == {"build"}
    assert list((folder / "build" / "c").iterdir())


def test_run_refuses_what_is_not_proved(folder: Path) -> None:
    before = {path.name for path in folder.iterdir()}
    answer = ask("run", "wrong.cs")
    assert answer.code == 1
    assert "error[AZ502]" in answer.out
    assert "error[AZ804]: no code is generated for `sums`: its mapping is refuted" in answer.out
    assert {path.name for path in folder.iterdir()} == before


def test_run_generates_what_is_assumed_to_be_legal(folder: Path) -> None:
    answer = ask("run", "wrong.cs", "--assume-legal", "-o", "out")
    assert answer.code == 0
    assert "error[AZ502]" in answer.out, "it is said all the same"
    assert list((folder / "out").iterdir())


def test_run_reports_the_mistakes_of_a_script(folder: Path) -> None:
    (folder / "bad.cs").write_text(RIGHT.replace("generateVerificationCode", "generateVerificationCod"))
    answer = ask("run", "bad.cs")
    assert answer.code == 1
    assert "error[AZ401]: there is no command `generateVerificationCod`" in answer.out
    assert "did you mean `generateVerificationCode`?" in answer.out
    assert not list(folder.glob("*.c"))


@pytest.mark.parametrize("verb", ["verify", "run"])
def test_a_missing_program_is_located_in_the_script(verb: str, folder: Path) -> None:
    (folder / "bad.cs").write_text(RIGHT.replace("sums.ab", "sum.ab"))
    answer = ask(verb, "bad.cs")
    assert answer.code == 1
    assert "error[AZ405]: the file `sum.ab` does not exist" in answer.out
    assert "--> bad.cs:1:22" in answer.out
    assert "did you mean `sums.ab`?" in answer.out


@pytest.mark.slow
def test_test_compares_every_execution() -> None:
    answer = ask("test", "right.cs", "-p", "N=5", "-p", "N=1", "--threads", "1,2")
    assert answer.code == 0, answer.out + answer.err
    lines = answer.out.splitlines()
    assert lines[0] == "sums, N=5, seed 1"
    assert [re.sub(r" +[\d.]+ s +", ": ", line.strip()) for line in lines[1:5]] == [
        "interpreter: reference",
        "demand-driven C: agrees",
        "scheduled C with 1 thread: agrees",
        "scheduled C with 2 threads: agrees",
    ]
    assert lines[-1] == "2 runs agree"


def test_test_stops_at_a_refuted_mapping() -> None:
    answer = ask("test", "wrong.cs", "-p", "N=5")
    assert answer.code == 1
    assert answer.out.startswith("sums: refuted")
    assert "interpreter" not in answer.out


@pytest.mark.slow
def test_test_gives_each_system_of_a_script_its_own_parameters(folder: Path) -> None:
    systems = "".join(
        f"affine {name} {{{p}|{p}>0}}\ninput int a {{i|0<=i<{p}}};\noutput int b {{i|0<=i<{p}}};\nlet b[i] = a[i];\n.\n"
        for name, p in (("first", "N"), ("second", "M"))
    )
    (folder / "two.ab").write_text(systems)
    maps = "".join(f'setSpaceTimeMap(p, "{name}", "b", "(i->i)");\n' for name in ("first", "second"))
    (folder / "two.cs").write_text(f'p = ReadAlphabets("two.ab");\n{maps}')
    answer = ask("test", "two.cs", "-p", "N=3,M=2", "-p", "M=4", "--threads", "1")
    assert answer.code == 0, answer.out + answer.err
    titles = [line for line in answer.out.splitlines() if "seed" in line]
    assert titles == ["first, N=3, seed 1", "second, M=2, seed 1", "second, M=4, seed 1"]


def test_verify_explains_what_conflicts() -> None:
    lines = ask("verify", "--explain", "right.cs").out.splitlines()
    assert lines[1].strip() == "values that may not share a cell, by how far apart they are:"
    assert "may not share" not in ask("verify", "right.cs").out


@pytest.mark.slow
def test_one_wrong_map_is_one_finding(folder: Path) -> None:
    """One row of the stencil is overwritten too early for two of its reads; --all and JSON have both."""
    kernel = Path(__file__).parents[2] / "samples" / "kernels" / "jacobi-2d"
    (folder / "jacobi-2d.ab").write_text((kernel / "jacobi-2d.ab").read_text())
    right, wrong = '"(t,i,j -> i-t,j)"', '"(t,i,j -> t,i,j)", "1,0,0"'
    (folder / "one.cs").write_text((kernel / "jacobi-2d-tuned.cs").read_text().replace(right, wrong))
    message, every = ask("verify", "--no-hints", "one.cs"), ask("verify", "--no-hints", "--all", "one.cs")
    findings = json.loads(ask("verify", "--no-hints", "--format", "json", "one.cs").out)["diagnostics"]
    findings = [finding for finding in findings if finding["severity"] == "error"]
    assert len(findings) > 1
    assert {finding["group"] for finding in findings} == {0}
    assert message.out.count("error[") == 1
    assert f"and {len(findings) - 1} more with this root" in message.out
    assert "(--all shows them)" in message.out
    assert every.out.count("error[") == len(findings)
    assert message.out.splitlines()[-1] == every.out.splitlines()[-1]
    for asked in (ask("run", "one.cs"), ask("test", "one.cs", "-p", "T=2,N=4")):
        assert asked.out.count("error[AZ601]") == 1
        assert "more with this root" in asked.out
        assert "(`alphaz verify --all` shows them)" in asked.out
