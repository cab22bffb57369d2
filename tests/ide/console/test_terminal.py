"""The console at a terminal: keys go in, an entry comes out."""

from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from alphaz.ide.console.console import Console
from alphaz.ide.console.terminal import prompt
from alphaz.scripting.commands.reference import EXAMPLE_FILE, EXAMPLE_PROGRAM


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("Normalize(prog)\r", "Normalize(prog)"),
        ("print(1,\r2)\r", "print(1,\n2)"),
        ('x = "a\rb"\r', 'x = "a\nb"'),
        (":save (x\r", ":save (x"),
    ],
)
@pytest.mark.parametrize("colour", [False, True])
def test_an_entry_is_typed(keys: str, expected: str, colour: bool, home: Path) -> None:
    (home / EXAMPLE_FILE).write_text(EXAMPLE_PROGRAM, encoding="utf-8")
    with create_pipe_input() as typing, create_app_session(input=typing, output=DummyOutput()):
        typing.send_text(keys)
        assert prompt(Console(home), colour).prompt() == expected


def test_the_prompt_completes(home: Path) -> None:
    session = prompt(Console(home), False)
    assert session.completer is not None
    results = list(session.completer.get_completions(Document("x = Farkas1"), CompleteEvent(completion_requested=True)))
    assert [(result.text, result.start_position) for result in results] == [("Farkas1DScheduler(", -7)]


def test_what_was_typed_is_remembered(home: Path) -> None:
    for keys, expected in (("print(1)\r", "print(1)"), ("\x1b[A\r", "print(1)")):
        with create_pipe_input() as typing, create_app_session(input=typing, output=DummyOutput()):
            typing.send_text(keys)
            assert prompt(Console(home), False).prompt() == expected
    assert "+print(1)\n" in (home / "state" / "alphaz" / "history").read_text(encoding="utf-8")


def test_without_a_place_for_it_nothing_is_remembered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "file"))
    with create_pipe_input() as typing, create_app_session(input=typing, output=DummyOutput()):
        typing.send_text("print(1)\r")
        assert prompt(Console(home), False).prompt() == "print(1)"
