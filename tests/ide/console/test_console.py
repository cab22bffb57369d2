"""The console: what is entered is done, shown, and taken back."""

from pathlib import Path

import pytest

from alphaz.ide.console.console import Console
from alphaz.ide.console.words import say
from alphaz.scripting.commands.catalogue import commands
from alphaz.scripting.commands.declaring.declaration import CommandStatus
from alphaz.scripting.commands.reference import EXAMPLE_C, EXAMPLE_C_FILE, EXAMPLE_CALLER, EXAMPLE_FILE, EXAMPLE_PROGRAM

READ = f'prog = ReadAlphabets("{EXAMPLE_FILE}")'
MAPS = 'setSpaceTimeMap(prog, "sums", "B, C", "(i->i)")'


@pytest.fixture
def console(tmp_path: Path) -> Console:
    (tmp_path / EXAMPLE_FILE).write_text(f"{EXAMPLE_PROGRAM}\n{EXAMPLE_CALLER}", encoding="utf-8")
    (tmp_path / EXAMPLE_C_FILE).write_text(EXAMPLE_C, encoding="utf-8")
    made = Console(tmp_path)
    assert made.enter(READ).is_good
    return made


@pytest.mark.slow
def test_every_command_of_a_script_works_and_is_undone(console: Console) -> None:
    start = console.values().text
    for command in (command for command in commands() if command.status is CommandStatus.DONE):
        entries = command.documentation.example.strip().removesuffix(";").split(";\n")
        for entry in entries:
            answer = console.enter(entry)
            assert [finding.message for finding in answer.findings if finding.is_error] == [], command.name
        for entry in reversed(entries):
            assert console.undo().text == f"undone: {entry.strip()};\n"
        assert console.values().text == start


def test_a_value_that_no_variable_keeps_is_shown(console: Console) -> None:
    assert console.enter('calc_Inverse("(i -> i+1)")').text == "(x0->x0-1)\n"
    assert console.enter('"a" + 1').text == "a1\n"
    assert console.enter('x = "a"').text == ""
    assert console.enter("prog").text.startswith("affine sums {N | N>=1}\n")
    assert console.enter(MAPS).text == ""


def test_what_goes_wrong_changes_nothing(console: Console) -> None:
    answer = console.enter(f'{MAPS}; CoB(prog, "sums", "B", "(i->2i)")')
    assert [finding.rule.code for finding in answer.findings] == ["AZ406"]
    assert not answer.is_good
    assert console.enter('listSpaceTimeMaps(prog, "sums")').text == "sums: no space-time maps\n"
    assert console.script == f'{READ};\nlistSpaceTimeMaps(prog, "sums");\n'
    assert not console.enter("x = (").is_good


def test_entries_are_undone_and_done_again(console: Console) -> None:
    console.enter(MAPS)
    before = console.values().text
    console.enter('RenameVariable(prog, "sums", "B", "S")')
    assert console.values().text != before
    assert console.undo().text == 'undone: RenameVariable(prog, "sums", "B", "S");\n'
    assert console.values().text == before
    assert console.redo().text.startswith("done again: RenameVariable")
    assert console.redo().text == "there is nothing to redo\n"
    for _ in range(3):
        console.undo()
    assert console.undo().text == "there is nothing to undo\n"
    assert console.values().text == "nothing is assigned yet\n"


def test_after_an_undo_a_new_entry_forgets_what_was_undone(console: Console) -> None:
    console.enter(MAPS)
    console.undo()
    console.enter("x = 1")
    assert console.redo().text == "there is nothing to redo\n"
    assert console.script == f"{READ};\nx = 1;\n"


def test_the_state_shows_variables_and_mappings(console: Console) -> None:
    console.enter('name = "sums"')
    console.enter('f = calc_ReadFunction("(i->i)")')
    console.enter(MAPS)
    console.enter('setMemoryMap(prog, name, "B", "rows", "(i->i)")')
    assert console.values().text.splitlines() == [
        "prog: a program, after 3 commands",
        "  system sums: inputs A; outputs B, C; locals none",
        "    B: (i -> i)",
        "    C: (i -> i)",
        "    B: (i -> i) in rows",
        "  system table: inputs X; outputs Y, Z; locals none",
        "name = 'sums'",
        "f = (i->i)",
    ]


def test_a_verdict_comes_with_its_reasons_however_often_it_is_asked_for(console: Console) -> None:
    console.enter('setSpaceTimeMap(prog, "sums", "B", "(i -> -i)"); setSpaceTimeMap(prog, "sums", "C", "(i->i)")')
    for _ in range(2):
        answer = console.enter('VerifyTargetMapping(prog, "sums")')
        assert answer.text.startswith("sums: refuted")
        assert "AZ502" in [finding.rule.code for finding in answer.findings]
    refused = console.enter('generateScheduledCode(prog, "sums")')
    assert {"AZ502", "AZ804"} <= {finding.rule.code for finding in refused.findings}


def test_files_are_written_at_once(console: Console) -> None:
    assert console.enter('WriteToFile("sub/x.txt", "hello")').text == f"wrote {console.folder / 'sub' / 'x.txt'}\n"
    assert (console.folder / "sub" / "x.txt").read_text(encoding="utf-8") == "hello"
    console.enter('ASave(prog, "copy.ab")')
    assert console.enter('again = ReadAlphabets("copy.ab")').is_good
    assert 'generateWriteC(prog, "sums")' not in console.script
    assert "sums.c" in console.enter('generateWriteC(prog, "sums")').text


@pytest.mark.parametrize("text", ["", "  ", "# a remark", " # one\n # two ;"])
def test_a_remark_is_no_entry(text: str, console: Console) -> None:
    assert console.enter(text).text == ""
    assert console.script == f"{READ};\n"


def test_a_semicolon_in_quotes_or_a_remark_is_none(console: Console) -> None:
    assert console.enter('print("a;") # b;').text == "a;\n"
    assert console.enter('print("# a")').text == "# a\n"


def test_the_words_of_the_console(console: Console) -> None:
    console.enter(MAPS)
    assert say(console, ":save kept.cs").text == f"wrote {console.folder / 'kept.cs'}\n"
    other = Console(console.folder)
    assert say(other, ":run kept.cs").text == ""
    assert other.values().text == console.values().text
    assert say(other, ":script").text.startswith(READ)
    assert say(other, ":undo").text.startswith(f"undone: {READ}")
    missing = f"does not exist; there is `{console.folder / 'kept.cs'}`\n"
    assert say(other, ":run nothing.cs").text.endswith(missing)
    assert ":undo" in say(other, ":help").text
    assert say(other, ":help setMemoryMap").text.startswith("setMemoryMap(program")
    assert say(other, ":help setMemoryMp").text.endswith("did you mean `setMemoryMap`?\n")
    assert say(other, ":undoo").text == "the console has no word `:undoo`: did you mean `:undo`?\n"
