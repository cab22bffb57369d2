"""The console without its terminal: entries in, text out.

A text is either statements of a script or one of the console's own words, which begin with a colon. Every successful
entry makes a new state; an error changes nothing. Undo returns to earlier states."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from alphaz.analysis.texts.show import ashow
from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.diagnostics.message_words import count_text
from alphaz.mapping.design import Design
from alphaz.run.files import write_sources
from alphaz.scripting.commands.all.memory import listed as memory_of
from alphaz.scripting.commands.all.space_time import listed as times_of
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, text_of
from alphaz.scripting.commands.outcome import Generation, VerificationRequest
from alphaz.scripting.commands.python_verdict import report_of
from alphaz.scripting.interpreter.run import Interpreter, Settings
from alphaz.scripting.interpreter.verification_cache import VerificationCache

_BARE = re.compile(r"\s*[A-Za-z_][A-Za-z_0-9]*\s*;?\s*")


@dataclass(frozen=True, slots=True, eq=False)
class Reply:
    """The result of an entry: findings, or the text to be shown (or both, with warnings)."""

    text: str = ""
    findings: Sequence[Diagnostic] = ()

    @property
    def is_good(self) -> bool:
        return not any(finding.is_error for finding in self.findings)


@dataclass(frozen=True, slots=True, eq=False)
class ConsoleState:
    """The state after an entry; `entry` is the text of the entry."""

    interpreter: Interpreter
    entry: str = ""


@dataclass(slots=True)
class Console:
    """The console. `folder` is where relative names of files start; `output`, if given, is the folder for output."""

    folder: Path
    output: Path | None = None
    verifications: VerificationCache = field(default_factory=lambda: VerificationCache(verify=report_of))
    _said: list[str] = field(default_factory=list)
    _past: list[ConsoleState] = field(default_factory=list)
    _undone: list[ConsoleState] = field(default_factory=list)

    def __post_init__(self) -> None:
        settings = Settings(generate, self.output, say=self._said.append)
        self._past.append(ConsoleState(Interpreter(self.folder, settings, self.verifications)))

    @property
    def interpreter(self) -> Interpreter:
        return self._past[-1].interpreter

    @property
    def script(self) -> str:
        """Returns the entries that were not undone: a script with the same result."""
        return "".join(f"{state.entry}\n" for state in self._past[1:])

    def enter(self, text: str) -> Reply:
        """Executes the text. The last semicolon is optional."""
        entry = _closed(text)
        return self._do(entry, Source("<console>", entry)) if entry else Reply()

    def read(self, path: Path, text: str) -> Reply:
        """Executes a script as one entry."""
        return self._do(text.rstrip(), Source(str(path), text))

    def undo(self) -> Reply:
        """Returns to the state before the last entry; written files stay."""
        if len(self._past) == 1:
            return Reply("there is nothing to undo\n")
        self._undone.append(self._past.pop())
        return Reply(f"undone: {self._undone[-1].entry}\n")

    def redo(self) -> Reply:
        if not self._undone:
            return Reply("there is nothing to redo\n")
        self._past.append(self._undone.pop())
        return Reply(f"done again: {self._past[-1].entry}\n")

    def values(self) -> Reply:
        """Returns the variables, and the mapping of each program."""
        return Reply(described(self.interpreter.variables) or "nothing is assigned yet\n")

    def _do(self, entry: str, source: Source) -> Reply:
        self._said.clear()
        state = self.interpreter.successor()
        value = state.execute(source)
        findings = [*state.findings, *self._judged(state)]
        if state.has_errors:
            return Reply("".join(self._said), findings)
        try:
            paths = _write_files(state)
        except Rejected as rejected:
            return Reply("".join(self._said), [*findings, *rejected.diagnostics])
        self._past.append(ConsoleState(state, entry))
        self._undone.clear()
        return Reply("".join([*self._said, _value_text(value, entry), *paths]), findings)

    def _judged(self, state: Interpreter) -> list[Diagnostic]:
        """The findings about the mappings that the entry verifies or generates code for."""
        findings: list[Diagnostic] = []
        for request in state.requests[len(self.interpreter.requests) :]:
            if isinstance(request, VerificationRequest) or (isinstance(request, Generation) and request.needs_proof):
                verdict = self.verifications.verdict_on(request.design, request.system, request.span)
                findings += verdict.first.findings
        return findings


def _closed(text: str) -> str:
    """The entry with its last semicolon; a comment alone is not an entry."""
    stripped = text.strip()
    code = re.sub(
        r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|#[^\n]*""", lambda text_or_comment: text_or_comment[1] or "", stripped
    ).strip()
    return stripped if code.endswith(";") else f"{code};" if code else ""


def _value_text(value: object, entry: str) -> str:
    """The value of an expression without an assignment; a program only if the entry is its name."""
    if isinstance(value, Design):
        return ashow(value.program) if _BARE.fullmatch(entry) else ""
    return "" if value is None else f"{text_of(value)}\n"


def _write_files(state: Interpreter) -> list[str]:
    """Writes the files of the entry."""
    lines = []
    for folder, sources in state.files.items():
        lines += [f"wrote {path}\n" for path in write_sources(sources, folder)]
    state.files.clear()
    return lines


def described(variables: Mapping[str, ArgumentValue]) -> str:
    """Returns a line for each variable; below a program, its mapping."""
    return "".join(line for name, variable in variables.items() for line in _lines(name, variable.value))


def _lines(name: str, value: object) -> Iterator[str]:
    if not isinstance(value, Design):
        yield f"{name} = {value!r}\n" if isinstance(value, str) else f"{name} = {text_of(value)}\n"
        return
    yield f"{name}: a program, after {count_text(len(value.history), 'command')}\n"
    for system in value.program.systems:
        inputs, outputs, local = (
            ", ".join(v.name for v in variables) or "none"
            for variables in (system.inputs, system.outputs, system.locals)
        )
        yield f"  system {system.name}: inputs {inputs}; outputs {outputs}; locals {local}\n"
        if not value.mapping(system.name).is_empty:
            yield from (f"  {line}\n" for line in _mapping(value, system.name))


def _mapping(design: Design, system: str) -> Iterator[str]:
    mapping = design.mapping(system)
    yield from times_of(design, system).splitlines()[1:]
    yield from memory_of(design, system).splitlines()[1:]
    yield from (f"  dimensions {band.start} to {band.end} are tiled" for band in mapping.tiling)
