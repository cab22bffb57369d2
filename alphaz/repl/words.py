"""The console's own words, such as `:undo`."""

from collections.abc import Callable

from alphaz.codegen.sources import Sources
from alphaz.commands.catalogue import find, names
from alphaz.commands.page import entry
from alphaz.commands.reading import Unreadable, read_text
from alphaz.diagnostics.nearest import did_you_mean
from alphaz.execution.files import write_sources
from alphaz.repl.completion import WORDS
from alphaz.repl.console import Answer, Console

HELP = f"""\
Enter statements of a script; each is done at once. The last semicolon may be left out, and an open parenthesis goes on
in the next line. A value that is kept in no variable is shown; the name of a program shows the program.

{"".join(f"  {word:8} {about}{chr(10)}" for word, about in WORDS.items())}
`alphaz commands` lists the commands of scripts, and `:help setMemoryMap` explains one.
"""


def say(console: Console, text: str) -> Answer:
    """What the word that the text begins with answers; `:quit` is the terminal's business."""
    word, _, rest = text.strip().partition(" ")
    answer = _ANSWERS.get(word)
    if answer is None:
        return Answer(f"the console has no word `{word}`: {did_you_mean(word, WORDS) or '`:help` lists them'}\n")
    return answer(console, rest.strip())


def _help(_: Console, name: str) -> Answer:
    if not name:
        return Answer(HELP)
    found = find(name)
    if found is None:
        return Answer(f"there is no command `{name}`{_near(name)}\n")
    return Answer(entry(found))


def _near(name: str) -> str:
    near = did_you_mean(name, names())
    return "" if near is None else f": {near}"


def _save(console: Console, name: str) -> Answer:
    if not name:
        return Answer("say the name of a file, as in `:save mapping.cs`\n")
    path = console.folder / name
    written = write_sources(Sources({path.name: console.script}), path.parent)
    return Answer("".join(f"wrote {each}\n" for each in written))


def _run(console: Console, name: str) -> Answer:
    path = console.folder / name
    try:
        return console.read(path, read_text(path))
    except Unreadable as reason:
        return Answer(f"{path} {reason}\n")


_ANSWERS: dict[str, Callable[[Console, str], Answer]] = {
    ":undo": lambda console, _: console.undo(),
    ":redo": lambda console, _: console.redo(),
    ":state": lambda console, _: console.values(),
    ":script": lambda console, _: Answer(console.script or "nothing was entered yet\n"),
    ":save": _save,
    ":run": _run,
    ":help": _help,
}
