"""Completion at the end of an entry: the console's own words, and statements of scripts."""

from pathlib import Path

from alphaz.ide.features.completion import Completion, Variables, about, files
from alphaz.ide.features.completion import candidates as of_script
from alphaz.scripting.commands.catalogue import commands

WORDS = {
    ":undo": "take the last entry back",
    ":redo": "redo the last undone entry",
    ":state": "show the variables and the mappings",
    ":script": "show the entries that were not undone",
    ":save": "write that to a file",
    ":run": "execute a script as one entry",
    ":help": "explain the console, or a command",
    ":quit": "leave",
}


def candidates(text: str, variables: Variables, folder: Path) -> list[Completion]:
    """Returns the completions at the end of the text, in order."""
    if text.lstrip().startswith(":"):
        return _of_the_console(text.lstrip(), folder)
    return of_script(text, variables, folder)


def _of_the_console(text: str, folder: Path) -> list[Completion]:
    word, space, rest = text.partition(" ")
    if not space:
        return [Completion(each, len(word), said) for each, said in WORDS.items() if each.startswith(word)]
    if word == ":help":
        return [Completion(c.name, len(rest), about(c)) for c in commands() if c.name.lower().startswith(rest.lower())]
    return list(files(rest, folder, ".cs")) if word in (":run", ":save") else []
