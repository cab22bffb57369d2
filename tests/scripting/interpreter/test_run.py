"""Interpreting scripts: variables, files, effects, refusals."""

from pathlib import Path

import pytest

from alphaz.diagnostics import Source
from alphaz.mapping.design import Design
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.commands.reference import EXAMPLE_PROGRAM
from alphaz.scripting.interpreter.run import Generate, Settings, run_script
from tests.scripting.commands.scripts import READ, run

MAPS = 'setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");\n'
WRONG = 'setSpaceTimeMap(prog, "sums", "B", "(i->-i)");\nsetSpaceTimeMap(prog, "sums", "C", "(i->i)");\n'


def errors(session: object) -> list[str]:
    return [finding.rule.code for finding in session.findings]  # type: ignore[attr-defined]


def test_a_command_that_changes_a_program_rebinds_its_variable(tmp_path: Path) -> None:
    session = run(READ + MAPS, tmp_path)
    design = session.values["prog"]
    assert isinstance(design, Design)
    assert design.mapped_systems == ("sums",)
    assert session.designs == (design,)


def test_another_name_of_a_program_is_the_same_program(tmp_path: Path) -> None:
    session = run(READ + "other = prog;\n" + MAPS, tmp_path)
    assert session.values["other"] is session.values["prog"]


def test_every_program_is_judged_as_it_stands_at_the_end(tmp_path: Path) -> None:
    session = run(READ + MAPS + READ + WRONG, tmp_path)
    assert [design_verdict.first.word for design_verdict in session.design_verdicts] == ["proved", "refuted"]
    assert len(session.designs) == 2


def test_a_mapping_is_judged_where_the_script_asks_and_once(tmp_path: Path) -> None:
    ask = 'VerifyTargetMapping(prog, "sums", "MIN");\n'
    session = run(READ + WRONG + ask + ask + MAPS + ask, tmp_path)
    assert [design_verdict.first.word for design_verdict in session.design_verdicts] == ["refuted", "proved"]
    first = session.design_verdicts[0].span
    assert first is not None
    assert first.position == (4, 1)


def test_verify_prints_and_writes_nothing(tmp_path: Path) -> None:
    messages: list[str] = []
    text = READ + MAPS + 'generateScheduledCode(prog, "sums"); generateWriteC(prog, "sums");'
    session = run(text, tmp_path, Settings(say=messages.append))
    assert (messages, session.files, session.is_clean) == ([], {}, True)


def test_run_says_the_verdict_and_collects_files(tmp_path: Path) -> None:
    messages: list[str] = []
    text = READ + MAPS + 'print("a" + 1 + "b"); VerifyTargetMapping(prog, "sums"); WriteToFile("sub/x.txt", "hello");'
    session = run(text, tmp_path, Settings(generate, say=messages.append))
    assert messages[0] == "a1b\n"
    assert messages[1].startswith("sums: proved, ")
    assert {folder: dict(sources.files) for folder, sources in session.files.items()} == {
        tmp_path / "sub": {"x.txt": "hello"}
    }


def test_every_obligation_is_said_on_demand(tmp_path: Path) -> None:
    messages: list[str] = []
    text = READ + WRONG + 'VerifyTargetMapping(prog, "sums", "MAX");'
    session = run(text, tmp_path, Settings(generate, say=messages.append))
    lines = "".join(messages).splitlines()
    assert len(lines) == 1 + len(session.design_verdicts[0].first.results)
    assert any(line.startswith("  AZ502 ") and line.endswith(": refuted") for line in lines)


def test_no_code_for_a_mapping_that_is_refuted(tmp_path: Path) -> None:
    text = READ + WRONG + 'generateWriteC(prog, "sums"); generateScheduledCode(prog, "sums");'
    session = run(text, tmp_path, Settings(generate))
    assert errors(session) == ["AZ804"]
    assert session.findings[0].message == "no code is generated for `sums`: its mapping is refuted"
    assert session.files == {}
    assert not session.is_clean


def test_code_for_a_mapping_that_is_assumed_to_be_legal(tmp_path: Path) -> None:
    text = READ + WRONG + 'generateScheduledCode(prog, "sums");'
    session = run(text, tmp_path, Settings(generate, assume_legal=True))
    assert errors(session) == []
    assert tmp_path in session.files


def test_a_failure_leaves_no_file(tmp_path: Path) -> None:
    session = run(READ + 'WriteToFile("x.txt", "hello"); nonsense();', tmp_path, Settings(generate))
    assert errors(session) == ["AZ401"]
    assert session.files == {}


@pytest.mark.parametrize("maker", [None, generate])
def test_a_saved_program_can_be_read_again(maker: Generate | None, tmp_path: Path) -> None:
    text = READ + 'ASave(prog, "copy.ab"); again = ReadAlphabets("copy.ab"); Save(prog);'
    session = run(text, tmp_path, Settings(maker))
    assert errors(session) == ["AZ405"], "the default name is that of the program itself"
    assert isinstance(session.values["again"], Design)
    assert "this would overwrite" in session.findings[0].message


def test_a_file_is_looked_for_beside_the_script_then_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, beside = tmp_path / "here", tmp_path / "beside"
    for folder, name in ((here, "one"), (beside, "two")):
        folder.mkdir()
        (folder / "p.ab").write_text(EXAMPLE_PROGRAM.replace("sums", name), encoding="utf-8")
    monkeypatch.chdir(here)
    script = Source("s.cs", 'prog = ReadAlphabets("p.ab");')
    for folder, name in ((beside, "two"), (tmp_path, "one")):
        (design,) = run_script(script, folder).designs
        assert design.program.systems[0].name == name
    missing = run_script(Source("s.cs", 'ReadAlphabets("q.ab");'), beside).findings[0]
    assert missing.notes == (f"there is no {beside / 'q.ab'}", "there is no q.ab")


@pytest.mark.parametrize("name", ["/etc/x.txt", "/etc/../x.txt", "link/x.txt", "a/../link/x.txt", "../link/x.txt"])
def test_with_an_output_folder_nothing_is_written_elsewhere(name: str, tmp_path: Path) -> None:
    output = tmp_path / "out"
    output.mkdir()
    (output / "link").symlink_to(tmp_path)
    session = run(READ + f'WriteToFile("{name}", "");', tmp_path, Settings(generate, output=output))
    assert errors(session) == ["AZ405"]
    assert "lies outside" in session.findings[0].message


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("../x", "x"),
        ("../../test-out/x", "test-out/x"),
        ("./../x/", "x"),
        ("a/../../x", "x"),
        ("a/../../b/../x", "x"),
        ("..", "."),
        ("a/../b", "b"),
        ("link/../x", "x"),
    ],
)
def test_what_leads_out_of_the_folder_of_the_script_is_inside_the_output_folder(
    name: str, place: str, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    output.mkdir()
    (output / "link").symlink_to(tmp_path)
    calls = f'outDir = "{name}"; generateWriteC(prog, "sums", outDir); ASave(prog, outDir + "/copy.ab");'
    again = 'again = ReadAlphabets(outDir + "/copy.ab");'
    session = run(READ + calls + again, tmp_path, Settings(generate, output=output))
    assert errors(session) == []
    assert list(session.files) == [output / place]
    assert {"sums.c", "copy.ab"} <= session.files[output / place].files.keys()
    assert isinstance(session.values["again"], Design)


def test_what_a_script_has_saved_is_read_again_though_its_folder_has_such_a_file(tmp_path: Path) -> None:
    (tmp_path / "copy.ab").write_text("another text", encoding="utf-8")
    text = READ + 'ASave(prog, "copy.ab"); again = ReadAlphabets("copy.ab");'
    session = run(text, tmp_path, Settings(generate, output=tmp_path / "out"))
    assert errors(session) == []


def test_a_program_with_errors_is_reported_once_and_not_mapped(tmp_path: Path) -> None:
    wrong = EXAMPLE_PROGRAM.replace("B[i-1]", "X[i-1]")
    session = run(READ + MAPS + "CheckProgram(prog);", tmp_path, program=wrong)
    assert errors(session) == ["AZ201"]
    finding = session.findings[0]
    assert finding.primary.span.source.name.endswith("sums.ab")
    assert [(label.span.text, label.text) for label in finding.secondary][-1] == (
        'ReadAlphabets("sums.ab")',
        "in this command",
    )


def test_a_script_that_is_no_script(tmp_path: Path) -> None:
    session = run("prog = ReadAlphabets(;\n", tmp_path)
    assert errors(session) == ["AZ101"]
    assert session.designs == ()


def test_an_empty_script_does_nothing(tmp_path: Path) -> None:
    session = run("# nothing\n", tmp_path)
    assert session.is_clean
    assert session.design_verdicts == ()


def test_a_makefile_compares_where_there_is_verification_code_beside_it(tmp_path: Path) -> None:
    code = (
        'generateVerificationCode(prog, "sums"); generateMakefile(prog, "sums"); generateMakefile(prog, "sums", "b");'
    )
    session = run(READ + MAPS + code, tmp_path, Settings(generate))
    assert "verify-rand:" in session.files[tmp_path].files["Makefile"]
    assert "verify-rand:" not in session.files[tmp_path / "b"].files["Makefile"]


def test_a_file_that_is_replaced_is_said(tmp_path: Path) -> None:
    code = 'generateScheduledCode(prog, "sums"); generateWriteC(prog, "sums");'
    session = run(READ + MAPS + code, tmp_path, Settings(generate))
    assert errors(session) == ["AZ412"]
    assert not session.has_errors
