"""`alphaz prove`: verdicts, formats, exit codes."""

import json
from pathlib import Path

import pytest

import alphaz
from alphaz.diagnostics import Source
from alphaz.equivalence.driver import preprocessing, sanitized_run
from alphaz.equivalence.driver.preprocessing import preprocessed
from tests.cli.command_line import ask
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PROGRAM = """affine sums {N | N>0}
input
  double x {i | 0<=i<N};
output
  double y {i | 0<=i<N};
let
  y[i] = case {| i==0} : x[0]; {| i>0} : y[i-1] + x[i]; esac;
.
"""
RIGHT = """void sums(long N, const double *x, double *y)
{
    y[0] = x[0];
    for (long i = 1; i < N; i++)
        y[i] = y[i - 1] + x[i];
}
"""
TOO_FAR = RIGHT.replace("i < N", "i <= N")
OTHER = RIGHT.replace("y[i - 1] + x[i]", "x[i] + x[i - 1]")
REGROUPED = RIGHT.replace("y[i - 1] + x[i]", "y[i - 1] - (-x[i])")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums.ab").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def prove(here: Path, text: str, *options: str) -> "tuple[int, str, str]":
    (here / "sums.c").write_text(text, encoding="utf-8")
    answer = ask("prove", "sums.ab", "sums.c", *options)
    return answer.code, answer.out, answer.err


def test_right_code_is_proved(here: Path) -> None:
    code, out, _ = prove(here, RIGHT, "--obligations")
    assert code == 0
    assert out.startswith("sums computes sums: proved")
    assert "C0  proved" in out


def test_names_may_differ_in_case(here: Path) -> None:
    code, out, _ = prove(here, RIGHT.replace("N", "n").replace("*x", "*X").replace("x[", "X["))
    assert code == 0
    assert "taken for granted: `n` stands for N" in out
    assert "taken for granted: `X` stands for x" in out


def test_a_name_that_two_arguments_could_have_is_nobodys(here: Path) -> None:
    two = RIGHT.replace("*x, double *y", "*X, double *y, double *x")
    code, out, err = prove(here, two.replace("x[i]", "X[i]"))
    assert (code, "`X` has no counterpart in the program" in out + err) == (1, True)


def test_an_argument_that_is_not_used_may_be_anything(here: Path) -> None:
    code, out, _ = prove(here, RIGHT.replace("*x, double *y", "*x, double *X, double *y"))
    assert (code, "executed for" in out) == (0, True)


def test_the_pairs_of_a_project(here: Path) -> None:
    (here / "c").mkdir()
    (here / "c" / "right.c").write_text(RIGHT, encoding="utf-8")
    (here / "c" / "other.c").write_text(OTHER.replace("sums(", "f("), encoding="utf-8")
    table = '[tool.alphaz.prove]\n"c/right.c" = "sums.ab"\n"c/other.c" = ["sums.ab", "--function", "f"]\n'
    (here / "pyproject.toml").write_text(table, encoding="utf-8")
    answer = ask("prove", "--report", "sarif=all.sarif", "--report", "json=all.json")
    assert answer.code == 1
    assert "sums computes sums: proved" in answer.out
    assert "f computes sums: refuted" in answer.out
    assert [one["verdict"] for one in json.loads((here / "all.json").read_text())["proofs"]] == ["proved", "refuted"]
    (run,) = json.loads((here / "all.sarif").read_text())["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["AZ836"]


@pytest.mark.parametrize(
    ("table", "arguments", "reason"),
    [
        ("", (), "no files are given, and the project has no table `prove`"),
        ('[prove]\n"a.c" = ["sums.ab", "--jobs", "2"]\n', (), "`jobs` is one of all proofs"),
        ('[prove]\n"a.c" = ["sums.ab", "--lews", "x"]\n', (), "No such option '--lews'"),
        ('[prove]\n"a.c" = []\n', (), "AZ808"),
        ('[prove]\n"a.c" = "sums.ab"\n', ("--exact",), "options of one proof need its files"),
        ('[prove]\n"a.c" = "sums.ab"\n', ("sums.ab",), "sums.ab needs a C file"),
        ('[prove]\n"a.c" = "sums.ab"\n', (), "a.c does not exist"),
    ],
)
def test_pairs_that_mean_nothing(here: Path, table: str, arguments: tuple[str, ...], reason: str) -> None:
    (here / "alphaz.toml").write_text(table, encoding="utf-8")
    answer = ask("prove", *arguments)
    assert (answer.code, reason in answer.err) == (2, True), answer.err


def test_wrong_code_is_refuted_with_what_was_executed(here: Path) -> None:
    code, out, _ = prove(here, OTHER)
    assert code == 1
    assert "AZ836" in out
    assert "N=3: y[2] is" in out
    assert "executed" in out


def test_an_access_outside_of_an_array_is_refuted_by_the_sanitizer(here: Path) -> None:
    code, out, _ = prove(here, TOO_FAR)
    assert code == 1
    assert "AZ836" in out
    assert "heap-buffer-overflow" in out


def test_what_is_equal_and_not_proved_is_undecided(here: Path) -> None:
    code, out, _ = prove(here, REGROUPED)
    assert code == 1
    assert "AZ837" in out
    assert "undecided" in out


def test_without_execution_nothing_is_refuted(here: Path) -> None:
    code, out, _ = prove(here, OTHER, "--no-execution")
    assert (code, "undecided" in out, "AZ837" in out) == (1, True, True)


def test_what_is_not_understood_is_undecided_at_its_place(here: Path) -> None:
    sum_ = "y[i] = y[i - 1] + x[i];"
    code, out, _ = prove(here, RIGHT.replace(sum_, f"{{ {sum_} if (x[i] != x[i]) break; }}"))
    assert code == 1
    assert "AZ832" in out
    assert "sums.c:5" in out


def test_arguments_of_other_names_are_mapped(here: Path) -> None:
    text = RIGHT.replace("long N", "long n").replace("i < N", "i < n").replace("*x", "*from").replace("x[", "from[")
    code, out, _ = prove(here, text)
    assert code == 0, out
    assert "taken for granted: `from` stands for x" in out
    code, out, _ = prove(here, text, "--map", "n=N", "--map", "from=y")
    assert code == 1, out
    code, out, _ = prove(here, text, "--map", "n=N", "--map", "from=x")
    assert code == 0, out


def test_in_place_an_array_is_input_and_output(here: Path) -> None:
    text = "void f(long N, double *a)\n{\n    for (long i = 1; i < N; i++)\n        a[i] = a[i - 1] + a[i];\n}\n"
    code, out, _ = prove(here, text, "--map", "a=x+y")
    assert code == 0, out


def test_assumptions_restrict_the_parameters(here: Path) -> None:
    text = RIGHT.replace("y[0] = x[0];", "y[0] = x[0];\n    y[1] = y[0] + x[1];").replace("i = 1", "i = 2")
    assert prove(here, text)[0] == 1
    code, out, _ = prove(here, text, "--assume", "N>=2")
    assert code == 0, out


def test_every_format_has_the_finding(here: Path) -> None:
    """In one run: what goes wrong is compiled and executed, which takes long."""
    reports = ("text", "json", "sarif", "junit")
    code, out, _ = prove(here, OTHER, "--format", "github", *(f"--report={form}={form}.txt" for form in reports))
    assert code == 1
    assert "AZ836" in out
    assert all("AZ836" in (here / f"{form}.txt").read_text(encoding="utf-8") for form in reports)


def test_the_json_document_lists_the_obligations(here: Path) -> None:
    code, out, _ = prove(here, RIGHT, "--format", "json")
    (proof,) = json.loads(out)["proofs"]
    assert code == 0
    assert proof["verdict"] == "proved"
    assert {obligation["verdict"] for obligation in proof["obligations"]} == {"proved"}


@pytest.mark.parametrize(
    "options",
    [("--laws", "gravity"), ("--map", "x"), ("--assume", "N>"), ("--system", "none"), ("--function", "none")],
)
def test_misuse_says_so(here: Path, options: tuple[str, ...]) -> None:
    code, out, err = prove(here, RIGHT, *options)
    assert code in (1, 2)
    assert options[1].partition(">")[0] in out + err


def test_a_missing_file_is_misuse(here: Path) -> None:
    assert ask("prove", "sums.ab", "none.c").code == 2


def test_from_python(here: Path) -> None:
    (here / "sums.c").write_text(RIGHT, encoding="utf-8")
    verdict = alphaz.prove("sums.ab", "sums.c")
    assert verdict.is_proved
    assert str(verdict).startswith("sums computes sums: proved")


def test_sizes_of_tiles_are_said_for_arguments_that_are_no_parameters(here: Path) -> None:
    tiled = RIGHT.replace("long N,", "long N, long ts,").replace(
        "i < N; i++)", "i < N; i++) for (long o = 0; o < ts; o += ts)"
    )
    code, out, _ = prove(here, tiled)
    assert code == 1
    assert "`ts` has no counterpart in the program" in out
    code, out, _ = prove(here, tiled, "--sizes", "ts=4")
    assert code == 0
    assert "taken for granted: `ts` is 4" in out
    assert prove(here, tiled, "--sizes", "ts=x")[0] == 2


KERNEL = """
__global__ void sums(int N, const double *x, double *y)
{
    if (threadIdx.x == 0) {
        y[0] = x[0];
        for (int i = 1; i < N; i++)
            y[i] = y[i - 1] + x[i];
    }
}
"""


def test_a_kernel_is_proved_by_its_launch(here: Path) -> None:
    code, out, _ = prove(here, KERNEL, "--grid", "1", "--block", "32", "--no-execution")
    assert (code, out.partition(":")[0]) == (0, "sums<<<>>> computes sums")
    assert prove(here, KERNEL, "--kernel", "sums", "--grid", "1")[0] == 2
    for launch, item in (
        (("--kernel", "sum", "--grid", "1", "--block", "32"), "the file has no kernel `sum`"),
        (("--grid", "1,1,1,1", "--block", "32"), "is no list of one to three sizes"),
        ((), "without the sizes of its grid and block"),
    ):
        code, out, _ = prove(here, KERNEL, *launch)
        assert code == 1
        assert item in out


def test_no_equations_are_made_of_a_kernel(here: Path) -> None:
    (here / "sums.cu").write_text(
        f"{KERNEL}void f(int N, const double x[N], double y[N])\n{{\n    sums<<<1, 32>>>(N, x, y);\n}}\n"
    )
    assert "equations from kernels of a GPU are not supported" in ask("from-c", "--function", "f", "sums.cu").err


def test_the_report_has_the_verdict_and_the_order(here: Path) -> None:
    assert prove(here, RIGHT, "--report", "html=report.html")[0] == 0
    page = (here / "report.html").read_text(encoding="utf-8")
    assert "1 of 1 text proved" in page
    assert "y:5[1]" in page
    assert prove(here, TOO_FAR, "--report", "html=wrong.html")[0] == 1
    page = (here / "wrong.html").read_text(encoding="utf-8")
    assert "0 of 1 text proved" in page
    assert "AZ836" in page


def test_c_that_is_not_understood_has_a_report_too(here: Path) -> None:
    text = RIGHT.replace("y[i] = y[i - 1] + x[i];", "goto next; next: y[i] = x[i];")
    assert prove(here, text, "--report", "html=report.html", "--figures", "out")[0] == 1
    assert "the C could not be read" in (here / "report.html").read_text(encoding="utf-8")
    assert list((here / "out").iterdir()) == []


def test_figures_of_the_order_are_written(here: Path) -> None:
    assert prove(here, RIGHT, "--figures", "out")[0] == 0
    assert sorted(path.name for path in (here / "out").iterdir()) == ["sums-sums-dates.svg", "sums-sums-lifetimes.svg"]


def test_what_is_proved_is_executed_too(here: Path) -> None:
    code, out, _ = prove(here, RIGHT)
    assert code == 0
    assert out.splitlines()[1:] == ["  executed for N=1, 2, 5, 11, 302: agrees"]
    assert "executed" not in prove(here, RIGHT, "--no-execution")[1]


# What is wrong, where what was read is right: how it goes wrong, and with which reason.
MISREAD = {
    "other values": (("+ x[i]", "- x[i]"), "but an execution goes wrong", "N=2: y[1] is"),
    "too far": (("i < N", "i <= N"), "but an execution goes wrong", "heap-buffer-overflow"),
    "no C": (("long i", "longer i"), "but the C compiler rejects the text: sums.c:4:10: error: ", "longer"),
    "no end": (("i++", "i += 0"), "but for N=2 it does not end within 0.5 seconds of processor time", ""),
}


@pytest.mark.parametrize("name", thinned(MISREAD, 4))
def test_what_is_proved_and_goes_wrong_is_no_success(here: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (old, new), message, reason = MISREAD[name]
    right = preprocessed(Source("right.c", RIGHT))
    monkeypatch.setattr(preprocessing, "preprocessed", lambda _, has_runtime: right)
    monkeypatch.setattr(sanitized_run, "_RUN_SECONDS", 0.5 if name == "no end" else 10)
    text = RIGHT.replace(old, new)
    assert prove(here, text, "--no-execution")[0] == 0
    code, out, _ = prove(here, text, "--certificate", "wrong.json")
    assert (code, "sums computes sums: undecided" in out, "AZ838" in out) == (2, True, True)
    assert message in out
    assert reason in out
    assert "the proof: 15 obligations, all proved" in out
    assert ask("recheck", "wrong.json").code == 1
    assert not alphaz.prove("sums.ab", "sums.c").is_proved


def test_why_what_is_proved_is_not_executed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = prove(here, f'#include "nowhere.h"\n{RIGHT}')
    assert (code, "  not executed: sums.c:1:10: fatal error: nowhere.h: No such file" in out) == (0, True)
    monkeypatch.setenv("CC", "no-such-compiler")
    code, out, _ = prove(here, RIGHT)
    assert (code, "  not executed: no C compiler was found" in out) == (0, True)


def test_what_it_is_proved_under_stands_everywhere(here: Path) -> None:
    forms = ["json", "sarif", "junit", "html", "github", "text"]
    reports = [word for form in forms for word in ("--report", f"{form}=report.{form}")]
    options = ["--assume", "N>=3", "--laws", "associativity", "--certificate", "proof.json"]
    code, out, _ = prove(here, RIGHT, *options, *reports)
    assert code == 0
    law = "numbers obey `associativity`, as real numbers do"
    assert f"  taken for granted: the parameters are in {{| N>=3}}\n  taken for granted: {law}\n" in out
    for name in [*(f"report.{form}" for form in forms), "proof.json"]:
        text = (here / name).read_text(encoding="utf-8").replace("&gt;", ">")
        assert ("the parameters are in {| N>=3}" in text, law in text) == (True, True), name
    (proof,) = json.loads((here / "report.json").read_text())["proofs"]
    assert proof["executed"] == [{"N": 3}, {"N": 4}, {"N": 7}, {"N": 13}, {"N": 304}]
    assert proof["assumed"] == ["the parameters are in {| N>=3}", law]
    (run,) = json.loads((here / "report.sarif").read_text())["runs"]
    assert (run["properties"]["verdict"], run["properties"]["assumed"]) == ("proved", proof["assumed"])


def test_nothing_is_proved_of_no_parameters(here: Path) -> None:
    code, out, err = prove(here, RIGHT, "--assume", "N<0")
    assert (code, "the assumptions exclude all parameters of `sums`: nothing would be proved" in out + err) == (2, True)
    (here / "sums.ab").write_text(PROGRAM.replace("N>0", "N<9"), encoding="utf-8")
    code, out, err = prove(here, RIGHT.replace("long N", "size_t N"), "--assume", "N<0")
    assert (code, "the assumptions exclude all parameters of `sums`: nothing would be proved" in out + err) == (2, True)


def test_the_obligations_of_c_are_written_as_smt_lib(here: Path) -> None:
    prove(here, RIGHT, "--certificate", "proof.json")
    (record,) = json.loads((here / "proof.json").read_text())["programs"]
    answer = ask("recheck", "proof.json", "--smt-lib", "out")
    assert (answer.code, answer.out) == (0, f"wrote {len(record['obligations'])} obligations to out\n")
    texts = [path.read_text() for path in (here / "out").iterdir()]
    assert len(texts) == len(record["obligations"])
    assert all("in the certificate: proved (unsat)" in text for text in texts)
    prove(here, RIGHT.replace("i++", "i *= 2"), "--certificate", "proof.json")
    answer = ask("recheck", "proof.json", "--smt-lib", "none")
    assert (answer.code, "the certificate lists no obligation" in answer.err) == (2, True)


def test_python_has_what_the_command_has(here: Path) -> None:
    tiled = RIGHT.replace("y[0] = x[0];", "y[0] = x[0]; y[1] = x[0] + x[1];").replace("i = 1", "i = 2")
    tiled = tiled.replace("long N,", "long N, long ts,").replace("i < N; i++)", "i < N; i += ts)")
    (here / "sums.c").write_text(tiled, encoding="utf-8")
    verdict = alphaz.prove("sums.ab", "sums.c", assume=["N>=2"], sizes={"ts": 1}, laws=["associativity"])
    assert verdict.is_proved, verdict.findings
    assert str(verdict.tried) == "executed for N=2, 3, 6, 12, 303: agrees"
    assert alphaz.prove("sums.ab", "sums.c", assume=["N>=2"], sizes={"ts": 1}, executes=False).tried is None
    over = alphaz.prove("sums.ab", "sums.c", sizes={"ts": 1}, timeout=1e-6)
    assert (over.verdict, over.findings[0].rule.code) == ("undecided", "AZ801")
    with pytest.raises(alphaz.Rejected, match="nothing would be proved"):
        alphaz.prove("sums.ab", "sums.c", assume=["N<0"])


RANKS = """prog = ReadAlphabets("prefix.ab");
setSpaceTimeMap(prog, "prefix", "P", "(i -> i)");
setDistributed(prog, "prefix", "", 0, "block");
setTarget(prog, "prefix", "mpi");
generateScheduledCode(prog, "prefix");
"""
PREFIX = """affine prefix {N | N>0}
input long A {i | 0<=i<N};
output long P {i | 0<=i<N};
let P[i] = case {| i==0} : A[i]; {| i>0} : P[i-1] + A[i]; esac;
.
"""


@pytest.mark.slow
def test_an_edited_text_of_ranks_is_read_with_its_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def proved(*options: str) -> tuple[int, str]:
        answer = ask("prove", *options, "prefix.ab", "out/prefix.c")
        return answer.code, answer.out + answer.err

    for name, text in (("prefix.ab", PREFIX), ("prefix.cs", RANKS)):
        Path(name).write_text(text, encoding="utf-8")
    assert ask("run", "prefix.cs", "-o", "out", "--no-prove").code == 0
    assert "--script" in proved()[1]
    path = Path("out/prefix.c")
    wrong = path.read_text(encoding="utf-8").replace("other, 0, comm", "other, 1, comm", 1)
    path.write_text(wrong, encoding="utf-8")
    code, text = proved("--script", "prefix.cs")
    line = wrong[: wrong.index("other, 1, comm")].count("\n") + 1
    assert code == 1
    assert f"out/prefix.c:{line}" in text
    alone = RANKS.replace('"mpi"', '"sequential"').replace('setDistributed(prog, "prefix", "", 0, "block");', "")
    Path("prefix.cs").write_text(alone, encoding="utf-8")
    assert "generates no code of ranks" in proved("--script", "prefix.cs")[1]
    Path("out/prefix.h").unlink()
    assert "generates no code of ranks" in proved("--script", "prefix.cs")[1]
    assert "there.cs does not exist" in proved("--script", "there.cs")[1]
    Path("prefix.cs").write_text(RANKS, encoding="utf-8")
    assert "out/prefix.h does not exist" in proved("--script", "prefix.cs")[1]
