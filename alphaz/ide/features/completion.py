"""Completion at the end of a script: from the declarations of the commands, and the state.

It is used by the console and the language server."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from alphaz.diagnostics import Rejected
from alphaz.ide.features.cursor import Typed, parse_prefix
from alphaz.scripting.commands.catalogue import commands, find
from alphaz.scripting.commands.declaring.call import usage_line
from alphaz.scripting.commands.declaring.declaration import Command, Form
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, from_python
from alphaz.scripting.commands.kinds.kind import EarlierArguments, FileKind, FolderKind, Unfit

Variables = Mapping[str, ArgumentValue]


@dataclass(frozen=True, slots=True)
class CommandSignature:
    """The signature of a command: each form with the names of its parameters. `best` is the form that fits; `argument`
    is the current one."""

    about: str
    forms: tuple[tuple[str, tuple[str, ...]], ...]
    best: int
    argument: int


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion. `text` replaces the last `length` characters; `about` describes it."""

    text: str
    length: int
    about: str = ""


def candidates(text: str, variables: Variables, folder: Path) -> list[Completion]:
    """Returns the completions at the end of the text, in order."""
    here = parse_prefix(text)
    if here.quoted:
        return list(_inside_quotes(here, variables, folder))
    word = here.word
    names = [Completion(name, len(word), "variable") for name in variables]
    known = [Completion(f"{c.name}(", len(word), about(c)) for c in commands()]
    if here.call is not None and not word:
        return [*names, *_text_completions(here, variables)]
    return [name for name in [*names, *known] if name.text.lower().startswith(word.lower())]


def usage(text: str) -> str:
    """Returns the usage of the command whose parentheses are open at the end of the text; empty elsewhere."""
    here = parse_prefix(text)
    command = None if here.call is None else find(here.call)
    return "" if command is None else usage_line(command)


def signature(text: str) -> CommandSignature | None:
    """Returns the signature of the command whose parentheses are open at the end of the text; None elsewhere."""
    here = parse_prefix(text)
    command = None if here.call is None else find(here.call)
    if command is None or not command.forms:
        return None
    forms = tuple(
        (shown, tuple(parameter.parameter_text for parameter in form))
        for shown, form in zip(command.signatures(), command.forms, strict=True)
    )
    fitting = [form for form, _ in _forms(here, {})]
    best = command.forms.index(fitting[0]) if fitting else 0
    return CommandSignature(about(command), forms, best, here.index)


def about(command: Command) -> str:
    return command.documentation.summary


def _text_completions(here: Typed, variables: Variables) -> Iterator[Completion]:
    """Whole texts, for an argument that is not begun yet."""
    for name in dict.fromkeys(
        name for form, earlier in _forms(here, variables) for name in _suggested(form, here, earlier)
    ):
        yield Completion(f'"{name}"', 0)


def _inside_quotes(here: Typed, variables: Variables, folder: Path) -> Iterator[Completion]:
    whole = here.word
    part = whole.rpartition(",")[2].lstrip()
    names: dict[str, None] = {}
    for form, earlier in _forms(here, variables):
        if isinstance(form[here.index].kind, FileKind | FolderKind):
            yield from files(whole, folder, ".ab")
            return
        names |= dict.fromkeys(_suggested(form, here, earlier))
    for name in names:
        if name.startswith(whole) and "," in whole:
            yield Completion(name, len(whole))
        elif name.lower().startswith(part.lower()):
            yield Completion(name, len(part))


def _forms(here: Typed, variables: Variables) -> Iterator[tuple[Form, EarlierArguments]]:
    """The forms of the command that fit the arguments so far, with their values."""
    command = None if here.call is None else find(here.call)
    if command is None:
        return
    argument_values = [_argument_value(argument, variables) for argument in here.arguments]
    for form in command.forms:
        if len(form) > here.index and all(
            argument is None or parameter.kind.fits(argument.value)
            for parameter, argument in zip(form, argument_values, strict=False)
        ):
            yield form, _converted(form, argument_values)


def _argument_value(text: str, variables: Variables) -> ArgumentValue | None:
    """The value of an argument, if it is known without executing anything."""
    if text in variables:
        return variables[text]
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        return from_python(text[1:-1])
    return from_python(int(text)) if text.isdigit() else None


def _converted(form: Form, arguments: list[ArgumentValue | None]) -> EarlierArguments:
    values: dict[str, object] = {}
    for parameter, argument in zip(form, arguments, strict=False):
        try:
            if argument is not None:
                values[parameter.name] = parameter.kind.convert(argument, EarlierArguments(values))
        except (Unfit, Rejected, KeyError):
            continue
    return EarlierArguments(values)


def _suggested(form: Form, here: Typed, earlier: EarlierArguments) -> Iterable[str]:
    try:
        return list(form[here.index].kind.suggestions(earlier))
    except KeyError:  # it depends on an argument that is not known
        return []


def files(begun: str, folder: Path, suffix: str) -> Iterator[Completion]:
    """Yields folders, and files of the kind, whose name begins with this text."""
    place, slash, name = begun.rpartition("/")
    where = folder / f"{place}{slash}"
    try:
        paths = sorted(where.iterdir())
    except OSError:
        return
    for path in paths:
        if path.name.startswith(name) and (name or not path.name.startswith(".")):
            if path.is_dir():
                yield Completion(f"{path.name}/", len(name), "folder")
            elif path.suffix == suffix:
                yield Completion(path.name, len(name), "file")
