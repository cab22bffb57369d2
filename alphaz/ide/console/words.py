"""The console's own words, such as `:undo`."""

from collections.abc import Callable

from alphaz.codegen.sources import Sources
from alphaz.diagnostics.nearest import did_you_mean
from alphaz.diagnostics.user_files import Unreadable, read_text
from alphaz.ide.console.completion import WORDS
from alphaz.ide.console.console import Console, Reply
from alphaz.run.files import write_sources
from alphaz.scripting.commands.catalogue import find, names
from alphaz.scripting.commands.page import entry

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
    found = find(name)
    if found is None:
        return Reply(f"there is no command `{name}`{_near(name)}\n")
    return Reply(entry(found))


def _near(name: str) -> str:
    near = did_you_mean(name, names())
    return "" if near is None else f": {near}"


def _save(console: Console, name: str) -> Reply:
    if not name:
        return Reply("give the name of a file, as in `:save mapping.cs`\n")
    path = console.folder / name
    written = write_sources(Sources({path.name: console.script}), path.parent)
    return Reply("".join(f"wrote {each}\n" for each in written))


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
