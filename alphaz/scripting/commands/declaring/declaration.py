"""The declaration of a command, and its derived parts: forms, usage, documentation."""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from textwrap import dedent
from typing import Annotated, get_args, get_origin, get_type_hints

from alphaz.mapping.design import Design
from alphaz.scripting.commands.kinds.kind import AnyKind, ArgumentKind, IntegerKind, ProgramKind, TextKind

_PLAIN: dict[object, ArgumentKind] = {Design: ProgramKind(), int: IntegerKind(), str: TextKind(), object: AnyKind()}


class Topic(StrEnum):
    """The chapters of the command reference."""

    BASIC = "Programs and files"
    ANALYSIS = "Analysis and verification"
    TRANSFORM = "Transformations"
    REDUCTIONS = "Reductions"
    MAPPING = "Target mapping"
    CODE = "Code generation"
    CALCULATOR = "Calculator"
    SCHEDULE = "Scheduling"


class CommandStatus(StrEnum):
    DONE = "done"
    IGNORED = "accepted, without effect"


@dataclass(frozen=True, slots=True)
class CommandParameter:
    """One parameter of the function of a command. `shown` is its name in documentation.

    A repeated one takes all remaining arguments, at least one, as a tuple."""

    name: str
    kind: ArgumentKind
    repeated: bool = False

    @property
    def parameter_text(self) -> str:
        plain = "program" if self.name == "design" else self.name.rstrip("_")
        return f"{plain}, .." if self.repeated else plain


Form = tuple[CommandParameter, ...]


@dataclass(frozen=True, slots=True)
class Documentation:
    """The parsed docstring: first paragraph, other prose, rewrites, checks, a runnable example."""

    summary: str
    body: str = ""
    rewrites: str = ""
    checks: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """A command. `forms` are in the order in which they are tried; `usage` is their short text, optional parts in
    brackets.

    `rebinds`: a returned design replaces the program that was given first."""

    name: str
    function: Callable[..., object]
    topic: Topic
    usage: tuple[str, ...]
    forms: tuple[Form, ...]
    documentation: Documentation
    rebinds: bool
    aliases: tuple[str, ...] = ()
    status: CommandStatus = CommandStatus.DONE

    @property
    def python_name(self) -> str:
        return self.function.__name__

    def signatures(self) -> Iterator[str]:
        """Yields the text of every form."""
        for form in self.forms:
            yield f"{self.name}({', '.join(parameter.parameter_text for parameter in form)})"


def script_name(python_name: str) -> str:
    """Returns the name in scripts: `set_space_time_map` -> `setSpaceTimeMap`."""
    first, *more = python_name.split("_")
    return first + "".join(word.capitalize() for word in more)


def command_of(
    function: Callable[..., object], topic: Topic, name: str, usage: str | None, aliases: tuple[str, ...], fresh: bool
) -> Command:
    """Returns the command of a function and its declaration. Raises ValueError, at import, for a wrong declaration."""
    script_parameters = _script_parameters(function)
    hints = get_type_hints(function, include_extras=True)
    parameters = {
        parameter.name: CommandParameter(
            parameter.name, _kind(hints[parameter.name]), parameter.kind is parameter.VAR_POSITIONAL
        )
        for parameter in script_parameters
    }
    line = usage or _usage(script_parameters)
    expanded = (form for part in line.split("|") for form in _expand(part.split()))
    forms = tuple(tuple(parameters[parameter] for parameter in form) for form in expanded)
    for form in forms:
        _check_form(function, script_parameters, form)
    rebinds = next(iter(parameters), "") == "design" and not fresh
    shown = tuple(", ".join(_parameter_text(word, parameters) for word in part.split()) for part in line.split("|"))
    documentation = read_docstring(inspect.getdoc(function) or "")
    return Command(
        name=name,
        function=function,
        topic=topic,
        usage=shown,
        forms=forms,
        documentation=documentation,
        rebinds=rebinds,
        aliases=aliases,
    )


def read_docstring(text: str) -> Documentation:
    """Parses a docstring: paragraphs that open with `Rewrites:`, `Checks:` and `Example:` are those sections."""
    sections: dict[str, str] = {"body": ""}
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        match = re.match(r"(Rewrites|Checks|Example):\s*", paragraph)
        key = match[1].lower() if match else "body" if sections.get("summary") else "summary"
        content = paragraph[match.end() :] if match else paragraph
        if match and key == "example":
            content = dedent(paragraph.split("\n", 1)[1])
        sections[key] = f"{sections.get(key, '')}\n\n{content}".strip("\n")
    return Documentation(**sections)


def _script_parameters(function: Callable[..., object]) -> list[inspect.Parameter]:
    """The parameters in scripts: all except the keyword-only `call`."""
    return [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is not parameter.KEYWORD_ONLY
    ]


def _kind(hint: object) -> ArgumentKind:
    """The kind that an annotation carries; `X | None` is X."""
    if get_origin(hint) is Annotated:
        return next(arg for arg in get_args(hint)[1:] if isinstance(arg, ArgumentKind))
    if hint in _PLAIN:
        return _PLAIN[hint]
    for inside in get_args(hint):
        if inside is not type(None):
            return _kind(inside)
    raise ValueError(f"no kind of argument for {hint}")


def _usage(parameters: list[inspect.Parameter]) -> str:
    """The parameters in order, those with a default in brackets."""
    return " ".join(
        parameter.name if parameter.default is parameter.empty else f"[{parameter.name}]" for parameter in parameters
    )


def _expand(words: list[str]) -> list[list[str]]:
    """Every choice of the bracketed words, the fewest first; the two of `[start+end]` go together."""
    choices = [((), tuple(word[1:-1].split("+"))) if word.startswith("[") else ((word,),) for word in words]
    forms = [[name for part in choice for name in part] for choice in product(*choices)]
    return sorted(forms, key=len)


def _parameter_text(word: str, parameters: dict[str, CommandParameter]) -> str:
    names = ", ".join(parameters[name].parameter_text for name in word.strip("[]").split("+"))
    return f"[{names}]" if word.startswith("[") else names


def _check_form(function: Callable[..., object], parameters: list[inspect.Parameter], form: Form) -> None:
    needed = {
        script_parameter.name for script_parameter in parameters if script_parameter.default is script_parameter.empty
    }
    missing = needed - {parameter.name for parameter in form}
    if missing:
        raise ValueError(f"{function.__name__}: a form lacks {sorted(missing)}")
