"""The console at a terminal: a prompt with history, colours and completion."""

import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.shortcuts import CompleteStyle

from alphaz.ide.console.console import Console
from alphaz.ide.console.words import candidates
from alphaz.ide.features.completion import usage
from alphaz.ide.features.cursor import parse_prefix
from alphaz.ide.features.highlight import ScriptLexer


class _Completions(Completer):
    def __init__(self, console: Console) -> None:
        self.console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        variables = self.console.interpreter.variables
        for candidate in candidates(document.text_before_cursor, variables, self.console.folder):
            yield Completion(candidate.text, -candidate.length, display_meta=candidate.about)


def prompt(console: Console, colour: bool) -> PromptSession[str]:
    """Returns a prompt that knows the state of the console."""
    session: PromptSession[str] = PromptSession(
        "alphaz> ",
        completer=_Completions(console),
        complete_while_typing=False,
        complete_style=CompleteStyle.COLUMN,
        history=_history(),
        auto_suggest=AutoSuggestFromHistory(),
        lexer=PygmentsLexer(ScriptLexer) if colour else None,
        multiline=True,
        prompt_continuation="......> ",
        key_bindings=_keys(),
        include_default_pygments_style=colour,
        bottom_toolbar=lambda: usage(session.default_buffer.document.text_before_cursor) or None,
    )
    return session


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        """Ends the entry at a line end, unless a parenthesis or a quote is open."""
        buffer = event.current_buffer
        if parse_prefix(buffer.text).is_whole or buffer.text.lstrip().startswith(":"):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    return keys


def _history() -> History:
    """Earlier entries, in `$XDG_STATE_HOME/alphaz/history` or `~/.local/state/alphaz/history`."""
    base = os.environ.get("XDG_STATE_HOME")
    try:
        folder = (Path(base) if base else Path.home() / ".local" / "state") / "alphaz"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = folder / "history"
        place.touch(mode=0o600)
    except (OSError, RuntimeError):
        return InMemoryHistory()
    return FileHistory(str(place))
