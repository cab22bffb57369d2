"""The console's own words, such as `:undo`: their completion, and what they do."""

from collections.abc import Callable
from pathlib import Path

from alphaz.codegen.sources import Sources
from alphaz.diagnostics.message_words import did_you_mean
from alphaz.diagnostics.user_files import Unreadable, read_text
from alphaz.ide.console.console import Console, Reply
from alphaz.ide.features.completion import Completion, Variables, about, files
from alphaz.ide.features.completion import candidates as of_script
from alphaz.run.files import write_sources
from alphaz.scripting.commands.catalogue import commands, find, names
from alphaz.scripting.commands.reference import entry

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
        return [Completion(word_, len(word), summary) for word_, summary in WORDS.items() if word_.startswith(word)]
    if word == ":help":
        return [Completion(c.name, len(rest), about(c)) for c in commands() if c.name.lower().startswith(rest.lower())]
    return list(files(rest, folder, ".cs")) if word in (":run", ":save") else []


HELP = f"""\
Enter statements of a script; each is done at once. The last semicolon may be left out, and an open parenthesis goes on
in the next line. A value that is kept in no variable is shown; the name of a program shows the program.

{"".join(f"  {word:8} {about}{chr(10)}" for word, about in WORDS.items())}
`alphaz commands` lists the commands of scripts, and `:help setMemoryMap` explains one.
"""


def say(console: Console, text: str) -> Reply:
    """Returns the reply to the console word at the start of the text; the terminal handles `:quit`."""
    word, _, rest = text.strip().partition(" ")
    answer = _ANSWERS.get(word)
    if answer is None:
        return Reply(f"the console has no word `{word}`: {did_you_mean(word, WORDS) or '`:help` lists them'}\n")
    return answer(console, rest.strip())


def _help(_: Console, name: str) -> Reply:
    if not name:
        return Reply(HELP)
    command = find(name)
    if command is None:
        return Reply(f"there is no command `{name}`{_near(name)}\n")
    return Reply(entry(command))


def _near(name: str) -> str:
    near = did_you_mean(name, names())
    return "" if near is None else f": {near}"


def _save(console: Console, name: str) -> Reply:
    if not name:
        return Reply("give the name of a file, as in `:save mapping.cs`\n")
    path = console.folder / name
    paths = write_sources(Sources({path.name: console.script}), path.parent)
    return Reply("".join(f"wrote {path}\n" for path in paths))


def _run(console: Console, name: str) -> Reply:
    path = console.folder / name
    try:
        return console.read(path, read_text(path))
    except Unreadable as reason:
        return Reply(f"{path} {reason}\n")


_ANSWERS: dict[str, Callable[[Console, str], Reply]] = {
    ":undo": lambda console, _: console.undo(),
    ":redo": lambda console, _: console.redo(),
    ":state": lambda console, _: console.values(),
    ":script": lambda console, _: Reply(console.script or "nothing was entered yet\n"),
    ":save": _save,
    ":run": _run,
    ":help": _help,
}
