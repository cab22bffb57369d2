"""Folders, patterns, processes, deadlines, baselines, and the options of a project."""

import json
import math
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.cli.config import options
from alphaz.cli.output import bar
from alphaz.cli.verification import (
    RunningVerification,
    ScriptVerdict,
    TaskPart,
    TaskPlan,
    VerificationTask,
    WorkQueue,
    rule,
)
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.render.text import to_text
from alphaz.legality.verdicts import Options
from alphaz.processes.pool import Crashed, Expired, Pool
from tests.cli.command_line import RIGHT, ask
from tests.cli.pool_tasks import Job, job
from tests.strategies.chains import Chain


def without_times(text: str) -> str:
    return re.sub(r"\(\d+\.\d+ s\)|\"seconds\": [\d.]+", "", text)


# --- what is looked at ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_folders_and_patterns(folder: Path) -> None:
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "a.ab").write_text((folder / "sums.ab").read_text())
    (folder / "deep" / "notes.txt").write_text("")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "b.ab").write_text("nonsense")
    assert ask("check", ".").out == "2 files checked: no findings\n"
    assert ask("check", "deep", "deep/er/a.ab", "*.ab", "./sums.ab").out == "2 files checked: no findings\n"
    assert ask("check", "deep/**/*.ab").out == "1 file checked: no findings\n"
    assert ask("verify", ".").out.splitlines()[-1] == "1 of 2 mappings proved: 1 error"


# --- processes --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_processes_give_the_output_of_one(folder: Path) -> None:
    (folder / "broken.cs").write_text(RIGHT.replace("sums.ab", "none.ab"))
    names = ["right.cs", "broken.cs", "wrong.cs"]
    for form in ("text", "json"):
        alone, together = (ask("verify", "--format", form, "--jobs", jobs, *names) for jobs in (1, 2))
        assert without_times(alone.out) == without_times(together.out)
        assert alone.code == together.code == 1
    assert ask("check", "--jobs", 2, "sums.ab").out == "1 file checked: no findings\n"


@pytest.mark.slow
def test_work_in_processes_comes_back_whatever_happens() -> None:
    tasks = [Job("square", 3), Job("fail"), Job("die"), Job("crash"), Job("hang"), Job("more", 2), Job("square", 4)]
    results = dict(Pool(job, more, jobs=2, timeout=2.0).run(tasks))
    assert results[Job("square", 3)] == 9
    assert results[Job("square", 4)] == 16
    assert results[Job("fail")] == Crashed("ValueError: no such luck")
    assert results[Job("die")] == Crashed("its process ended with exit code 7")
    where = "while it was to be found out whether this equation is right (heavy.ab:2:3)"
    assert results[Job("crash")] == Crashed(f"its process ended with signal SIGSEGV, {where}")
    assert results[Job("hang")] == Expired(2.0)
    assert results[Job("more", 2)] == -2
    assert results[Job("square", 2)] == 4, "what a result asks for is done too"


def test_who_has_nothing_to_do_prepares_for_what_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second process does what takes long too, and nobody hears of it."""
    monkeypatch.setenv("ALPHAZ_TEST_BOOK", str(tmp_path / "book"))
    questions = [Job("prepared", number) for number in range(12)]

    def asked(task: Job, _: object) -> list[Job]:
        return questions if task.name == "prepare" else []

    pool = Pool(job, asked, jobs=2, prepares=lambda task: task.name == "prepare")
    assert sorted(pool.run([Job("prepare")]), key=lambda item: item[0].number) == [
        (Job("prepare"), 2),
        *((question, 1) for question in questions),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_mapping_is_divided_among_processes_and_put_together(jobs: int, folder: Path) -> None:
    """The same obligations in the same order, and the same findings: some questions are answered by each process."""
    Chain(6, "fused", "threes").write(folder)
    script = (folder / "chain.cs").read_text().replace('"(t,i,j -> 3t+1,i,j)"', '"(t,i,j -> 3t,i,j)"')
    whole = VerificationTask(str(folder / "chain.cs"), script, patience=math.inf)
    (alone,) = (item for _, item in Pool(rule, WorkQueue().follow).run([whole]) if isinstance(item, ScriptVerdict))
    results = [item for _, item in Pool(rule, WorkQueue(jobs).follow, jobs).run([replace(whole, patience=0.0)])]
    parts = [result for result in results if isinstance(result, TaskPart)]
    (together,) = (result for result in results if isinstance(result, ScriptVerdict))
    assert sorted(at for part in parts for at in part.stretch) == list(range(parts[0].total))
    assert len(parts) > 3
    assert without_times(together.line) == without_times(alone.line)
    assert together.obligations == alone.obligations
    assert to_text(together.findings) == to_text(alone.findings) != ""


def test_the_bar_shows_what_is_answered() -> None:
    assert bar(0, 0) == ""
    assert bar(1, 4, width=8) == " [##------] 1 of 4"
    assert bar(4, 4, width=8) == " [########] 4 of 4"


def more(task: Job, result: int | Expired | Crashed) -> list[Job]:
    return [Job("square", task.number)] if task.name == "more" else []


def test_a_deadline_makes_it_undecided_and_fails() -> None:
    answer = ask("verify", "right.cs", "--timeout", "0.001")
    assert answer.code == 1
    assert "error[AZ801]: it is not decided" in answer.out
    assert "the time limit of 0.001 s is used up" in answer.out
    assert answer.out.splitlines()[-1] == "1 error"
    assert ask("verify", "right.cs", "--timeout", "60").code == 0
    checked = ask("check", "sums.ab", "--timeout", "0.0001")
    assert (checked.code, checked.out.splitlines()[-1]) == (1, "1 file checked: 1 error")


@pytest.mark.parametrize("why", [Expired(0.1), Crashed("ValueError: no such luck")])
def test_who_fails_to_find_hints_has_judged_before(why: Expired | Crashed, folder: Path) -> None:
    """A refutation stands, whatever becomes of the hints; what was wrong is said, unless they took too long."""
    mapped = "\n".join(RIGHT.splitlines()[:2])
    source = Source(str(folder / "parallel.cs"), f'{mapped}\nsetParallel(prog, "sums", "", 0);\n')
    script, docket, hearing = (
        VerificationTask(source.name, source.text, options=Options(hints=True)),
        WorkQueue(),
        RunningVerification(source),
    )
    plan = rule(script)
    hearing.take(script, plan)
    assert isinstance(plan, TaskPlan)
    (mapping,) = docket.follow(script, plan)
    ruling = rule(mapping)
    assert isinstance(ruling, ScriptVerdict)
    hearing.take(mapping, ruling)
    before = hearing.is_over
    (hints,) = docket.follow(mapping, ruling)
    assert docket.seconds_of(hints) == ruling.seconds > 0
    hearing.take(hints, why)
    assert (before, hearing.is_over) == (False, True)
    message = ["AZ901"] if isinstance(why, Crashed) else []
    assert [finding.rule.code for finding in hearing.findings] == ["AZ502", *message]
    assert "refuted" in hearing.in_order[0].line
    hinted = rule(hints)
    assert isinstance(hinted, ScriptVerdict)
    assert hinted.final
    assert "(tried)" in (hinted.findings[0].help or "")


# --- baselines --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_baseline_lets_known_findings_pass_and_new_ones_fail(folder: Path) -> None:
    outcome = ask("verify", "wrong.cs", "--write-baseline", "known.json")
    assert (outcome.code, outcome.err) == (0, "wrote known.json: 1 known finding\n")
    known = ask("verify", "wrong.cs", "--baseline", "known.json")
    assert known.code == 0
    assert "AZ502" not in known.out
    assert known.out.splitlines()[-1] == "0 of 1 mapping proved: no findings; 1 known from the baseline"
    script = folder / "wrong.cs"
    script.write_text("# moved\n" + script.read_text().replace('"B", "(i->-i)"', '"B", "(i->-2i)"'))
    assert ask("verify", "wrong.cs", "--baseline", "known.json").code == 1, "another map is another finding"
    (folder / "other.cs").write_text(script.read_text())
    assert ask("verify", "other.cs", "--baseline", "known.json").code == 1, "another file is another finding"
    elsewhere = ask("verify", "right.cs", "--baseline", "known.json")
    assert elsewhere.code == 0
    assert "no longer found" not in elsewhere.out
    script.write_text((folder / "right.cs").read_text())
    stale = ask("verify", "wrong.cs", "--baseline", "known.json")
    assert stale.code == 0
    assert "1 of it no longer found" in stale.out
    for form, text in (("json", "diagnostics"), ("junit", "testcase"), ("sarif", "results")):
        script.write_text((folder / "other.cs").read_text().replace("# moved\n", "").replace("-2i", "-i"))
        answer = ask("verify", "wrong.cs", "--baseline", "known.json", "--format", form)
        assert answer.code == 0
        assert text in answer.out
        assert "AZ502" not in re.sub(r'"systems".*', "", answer.out, flags=re.DOTALL)


@pytest.mark.slow
def test_a_baseline_keeps_what_is_known_of_other_files(folder: Path) -> None:
    (folder / "wrong.ab").write_text((folder / "sums.ab").read_text().replace("B[i-1]", "X[i-1]"))
    assert ask("check", "wrong.ab", "--write-baseline", "known.json").err.endswith(": 1 known finding\n")
    assert ask("verify", "wrong.cs", "--write-baseline", "known.json").err.endswith(": 2 known findings\n")
    assert ask("check", "wrong.ab", "--baseline", "known.json").code == 0
    assert ask("verify", "right.cs", "wrong.cs", "--write-baseline", "known.json").err.endswith(": 2 known findings\n")
    shutil.copy(folder / "right.cs", folder / "wrong.cs")
    assert ask("verify", "wrong.cs", "--write-baseline", "known.json").err.endswith(": 1 known finding\n")


@pytest.mark.parametrize("text", ["[]", "{}", '{"format": "alphaz-baseline", "version": 1, "findings": ["x"]}'])
def test_what_is_no_baseline(text: str, folder: Path) -> None:
    (folder / "known.json").write_text(text)
    assert ask("verify", "right.cs", "--baseline", "known.json").code == 2


# --- options of the project -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_options_of_a_project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "scripts" / "broken").mkdir(parents=True)
    for name, place in (("right.cs", "scripts"), ("wrong.cs", "scripts/broken"), ("wrong.cs", "scripts")):
        (folder / place / name).write_text((folder / name).read_text().replace("sums.ab", str(folder / "sums.ab")))
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[tool.alphaz]\nscripts = ["scripts"]\nprograms = ["*.ab"]\n'
        'exclude = ["scripts/broken"]\nbaseline = "known.json"\nformat = "json"\n'
    )
    (folder / "known.json").write_text('{"format": "alphaz-baseline", "version": 1, "findings": {}}')
    answer = ask("verify")
    assert [load["script"] for load in json.loads(answer.out)["systems"]] == ["scripts/right.cs", "scripts/wrong.cs"]
    assert answer.code == 1
    ask("verify", "--write-baseline", "known.json")
    assert ask("verify").code == 0
    assert ask("check", "--format", "text").out == "1 file checked: no findings; 0 known from the baseline\n"
    monkeypatch.chdir(folder / "scripts")
    below = ask("verify", "--format", "text")
    assert below.out.startswith("right.cs: sums: proved")
    assert below.code == 0, "the baseline holds from every folder"
    (folder / "scripts" / "alphaz.toml").write_text('jobs = 2\nscripts = ["right.cs"]\n')
    assert ask("verify").out.splitlines()[-1] == "1 of 1 mapping proved: no findings", "the nearest file counts"


WRONG = [
    ("jbos = 2", "there is no option `jbos`", (1, 1), "did you mean `jobs`?"),
    ('format = "text"\njobs = "2"', "`jobs` is to be a number of processes, at least 1", (2, 1), None),
    ("jobs = 0", "`jobs` is to be a number of processes, at least 1", (1, 1), None),
    ("jobs = true", "`jobs` is to be a number of processes, at least 1", (1, 1), None),
    ("timeout = -1", "`timeout` is to be a number of seconds, more than 0", (1, 1), None),
    ("timeout = inf", "`timeout` is to be a number of seconds, more than 0", (1, 1), None),
    ('  "scripts" = "a"', "`scripts` is to be a list of files, folders and patterns", (1, 4), None),
    ('format = "xml"', "`format` is to be one of", (1, 1), None),
    ("jobs = 2\nx =", "this is no TOML", (2, 4), None),
]


@pytest.mark.parametrize(("text", "message", "place", "help_"), WRONG, ids=[item[0] for item in WRONG])
def test_mistakes_of_a_configuration_are_located(
    text: str, message: str, place: tuple[int, int], help_: str | None, folder: Path
) -> None:
    for name, lead in (("alphaz.toml", ""), ("pyproject.toml", "[tool.other]\njobs = 1\n\n[ tool . alphaz ] # ours\n")):
        (folder / "alphaz.toml").unlink(missing_ok=True)
        (folder / name).write_text(lead + text + "\n")
        with pytest.raises(Rejected) as caught:
            options(folder)
        (finding,) = caught.value.diagnostics
        assert finding.message.startswith(message)
        assert finding.primary.span.source.name == name
        assert finding.primary.span.position == (place[0] + lead.count("\n"), place[1])
        assert finding.rule.code == "AZ808"
        if help_ is not None:
            assert finding.help == help_
        answer = ask("check", "sums.ab")
        assert (answer.code, answer.out) == (2, "")
        assert "error[AZ808]" in answer.err


def test_the_document_of_the_rule_is_true(folder: Path) -> None:
    page = ask("explain", "AZ808").out
    wrong, right = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (folder / "pyproject.toml").write_text(wrong)
    answer = ask("check", "sums.ab")
    assert answer.err.count("error[AZ808]") == 2
    (folder / "pyproject.toml").write_text(right)
    assert ask("check", "sums.ab").code == 0


def test_a_project_without_options(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert ask("check", "sums.ab").code == 0
    (folder / "pyproject.toml").write_text("[tool]\nalphaz = 3\n")
    assert "`tool.alphaz` is to be a table" in ask("check", "sums.ab").err


# --- selected rules ---------------------------------------------------------------------------------------------------

_WARNED = (
    "affine sums {N | N>=1}\ninput\n  int A {i | 0<=i<N};\noutput\n  int y {i | 0<=i<N};\nlocal\n"
    "  int q {i | 0<=i<N};\nlet\n  y[i] = A[i];\n  q[i] = A[i];\n.\n"
)


def test_selected_rules_of_the_command_line_and_the_project(folder: Path) -> None:
    (folder / "warned.ab").write_text(_WARNED)
    assert ask("check", "warned.ab").out.splitlines()[-1] == "1 file checked: 1 warning"
    strict = ask("check", "warned.ab", "--strict")
    assert (strict.code, strict.out.split(":")[0]) == (1, "error[AZ207]")
    assert ask("check", "warned.ab", "--strict", "--ignore", "AZ207").code == 0
    (folder / "alphaz.toml").write_text('ignore = ["AZ2"]\nstrict = true\n')
    assert ask("check", "warned.ab").out == "1 file checked: no findings\n"
    assert ask("check", "warned.ab", "--ignore", "AZ3").code == 1, "the command line takes precedence"
    (folder / "warned.ab").write_text(_WARNED.replace("int q", "// alphaz: ignore[AZ207] of a lesson\n  int q"))
    assert ask("check", "warned.ab", "--ignore", "AZ3").code == 0
    (folder / "alphaz.toml").write_text('per-file-ignores = {"warned.*" = ["AZ207"]}\nseverity = {AZ813 = "error"}\n')
    (folder / "warned.ab").write_text(_WARNED + "// alphaz: ignore[AZ1]\n")
    assert ask("check", "warned.ab").out.splitlines()[-1] == "1 file checked: 1 error"
    assert ask("check", "warned.ab", "--write-baseline", "known.json").out == ""


def test_a_rule_of_a_mapping_is_ignored_where_it_is_found(folder: Path) -> None:
    script = folder / "bare.cs"
    script.write_text(
        'prog = ReadAlphabets("sums.ab");\n# alphaz: ignore[AZ408]\ngenerateScheduledCode(prog, "sums");\n'
    )
    assert "AZ409" in ask("verify", "bare.cs").out
    assert ask("verify", "bare.cs", "--ignore", "AZ4,AZ813").out.splitlines()[-1].endswith("proved: no findings")
    assert "AZ813" in ask("verify", "bare.cs").out


@pytest.mark.parametrize(
    "option",
    ['ignore = ["AZ502"]', 'select = "AZ4"', 'severity = {AZ409 = "loud"}', 'per-file-ignores = {"*" = ["AZ000"]}'],
)
def test_selections_that_mean_nothing(folder: Path, option: str) -> None:
    (folder / "alphaz.toml").write_text(f"{option}\n")
    answer = ask("check", "sums.ab")
    assert (answer.code, "AZ808" in answer.err) == (2, True)


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ('[tool.alphaz]\njobs = 1\n[tool.alphaz.severity]\nAZ207 = "off"\nAZ409 = "loud"', (5, 1)),
        ('[tool.alphaz.severity]\nAZ207 = "off"\nAZ000 = "off"', (3, 1)),
        ('[tool.alphaz.per-file-ignores]\n"*.ab" = ["AZ2"]\n"*.cs" = ["AZ000"]', (3, 2)),
        ('[tool.alphaz]\nseverity = {AZ409 = "loud"}', (2, 1)),
    ],
)
def test_selections_in_tables_are_located(folder: Path, lines: str, place: tuple[int, int]) -> None:
    (folder / "pyproject.toml").write_text(f"{lines}\n")
    with pytest.raises(Rejected) as caught:
        options(folder)
    assert [finding.primary.span.position for finding in caught.value.diagnostics] == [place]
