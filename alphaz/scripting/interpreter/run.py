"""Interprets a command script: statement by statement, no control flow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.message_words import did_you_mean, nearest
from alphaz.diagnostics.rules import ARGUMENT, FILE, REFUSED, REPLACED, UNKNOWN_TARGET
from alphaz.diagnostics.work_limits import working_at
from alphaz.legality.verdicts import DesignVerdict, Verified
from alphaz.legality.verify import assume_legal, certify
from alphaz.mapping.design import Design
from alphaz.run.declared_operators import trial_findings
from alphaz.scripting.commands.catalogue import find, names, require
from alphaz.scripting.commands.declaring.call import perform
from alphaz.scripting.commands.declaring.declaration import Command, Topic
from alphaz.scripting.commands.file_lookup import Library, inside
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, MathValue, description, text_of
from alphaz.scripting.commands.kinds.program_parts import SelectedPart
from alphaz.scripting.commands.outcome import (
    Detail,
    Generation,
    Generator,
    Outcome,
    Request,
    Saving,
    VerificationRequest,
)
from alphaz.scripting.interpreter.verification_cache import VerificationCache, obligations_text, verdict_line
from alphaz.syntax.parser import parse_script
from alphaz.syntax.script_build import content_span
from alphaz.syntax.script_tree import (
    CommandCall,
    Concatenation,
    NumberLiteral,
    ScriptExpression,
    ScriptStatement,
    TextLiteral,
    VariableUse,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """`designs` are the programs that were read, in their final state; `values` are the script's variables.

    `findings` are those of the script and its programs, in the order in which they came; those of verdicts are in
    `design_verdicts`. `files` has the files to write, by folder; it is empty after an error. `lookups` has the files
    that were searched, by name: the text, or None if there was none."""

    source: Source
    designs: tuple[Design, ...]
    values: Mapping[str, object]
    findings: tuple[Diagnostic, ...]
    requests: tuple[Request, ...]
    design_verdicts: tuple[DesignVerdict, ...]
    files: Mapping[Path, Sources]
    lookups: Mapping[str, str | None]

    @property
    def has_errors(self) -> bool:
        """Returns True if the script itself has an error, or was refused; a refuted mapping alone is not an error of
        the script."""
        return any(finding.is_error for finding in self.findings)

    @property
    def is_clean(self) -> bool:
        """Returns True if there are no errors, and every verified mapping is proved."""
        return not self.has_errors and all(design_verdict.first.is_proved for design_verdict in self.design_verdicts)


Generate = Callable[[Generation, Verified | None], Sources]


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of a script run. `generate` makes the code, with a certificate if it needs one; None: no code.

    `output` is the folder for files (None: that of the script); `say` receives the output of the script, and the
    verdicts. `instructions` names the instruction set of the target (None: this machine's). `assume_legal` generates
    code for mappings that are not proved; only the user sets it. `tries` calls declared operators, in the C of the
    user, to refute the laws that reductions need (AZ317)."""

    generate: Generate | None = None
    output: Path | None = None
    assume_legal: bool = False
    tries: bool = False
    instructions: str | None = None
    say: Callable[[str], None] = lambda _: None


def run_script(
    source: Source,
    folder: Path,
    settings: Settings | None = None,
    verifications: VerificationCache | None = None,
    texts: Mapping[Path, str] | None = None,
) -> Session:
    """Interprets the script; `folder` is where its relative names start. The session has its findings, errors included.

    `texts` replace files, by whole path: unsaved texts of an editor.

    Writes no files: `session.files` has the files that the script writes."""
    run = Interpreter(folder, settings or Settings(), verifications or VerificationCache(), saved=dict(texts or {}))
    run.execute(source)
    return run.session(source)


@dataclass(slots=True)
class Interpreter:
    """The state of a script between two statements: its variables, findings, requests and written texts."""

    folder: Path
    settings: Settings
    verifications: VerificationCache
    variables: dict[str, ArgumentValue] = field(default_factory=dict)
    designs: list[Design] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    saved: dict[Path, str] = field(default_factory=dict)
    files: dict[Path, Sources] = field(default_factory=dict)
    lookups: dict[str, str | None] = field(default_factory=dict)

    @property
    def has_errors(self) -> bool:
        return any(finding.is_error for finding in self.findings)

    def report(self, *findings: Diagnostic) -> None:
        """Reports each finding once (a warning of a program comes with each check of it)."""
        self.findings += [finding for finding in findings if finding not in self.findings]

    def successor(self) -> "Interpreter":
        """Returns an interpreter that continues from here, without findings; this one is unchanged."""
        return replace(
            self,
            variables=dict(self.variables),
            designs=list(self.designs),
            findings=[],
            requests=list(self.requests),
            saved=dict(self.saved),
            files=dict(self.files),
            lookups=dict(self.lookups),
        )

    # --- statements ---------------------------------------------------------------------------------------------

    def execute(self, source: Source) -> object:
        """Executes every statement of the text; returns the value of the last one, if it is not assigned to a
        variable."""
        try:
            with working_at(Span(source, 0, 0), "whether the syntax of the script is correct"):
                statements = parse_script(source).statements
        except Rejected as rejected:
            self.report(*rejected.diagnostics)
            return None
        last: object = None
        for statement in statements:
            value = self.statement(statement)
            last = value if statement.target is None else None
        return last

    def statement(self, statement: ScriptStatement) -> object:
        """Executes the statement, and returns its value; errors are added to the findings."""
        try:
            with working_at(statement.span, _open_question(statement.value)):
                value = evaluate(statement.value, self.variables, self._call)
        except Rejected as rejected:
            self.report(*rejected.diagnostics)
            value = ArgumentValue(BROKEN, statement.span)
        except Broken:
            value = ArgumentValue(BROKEN, statement.span)
        if statement.target is not None:
            self.variables[statement.target.text] = value
        return value.value

    def _call(self, node: CommandCall) -> object:
        try:
            command = require(node.name.text, node.name.span)
            arguments = [evaluate(argument, self.variables, self._call) for argument in node.arguments]
            library = Library(
                folder=self.folder,
                output=self.settings.output,
                saved=self.saved,
                instructions=self.settings.instructions,
                lookups=self.lookups,
            )
            outcome = perform(command, arguments, node.span, library)
            self._perform_effects(outcome)
        except Rejected:
            self._break_program(node)
            raise
        self._bind(command, arguments, outcome.value)
        return outcome.value

    def _bind(self, command: Command, arguments: list[ArgumentValue], value: object) -> None:
        """A design that a command returns replaces the given one, under all its names."""
        if not isinstance(value, Design):
            return
        if not command.rebinds:
            self.designs.append(value)
            # An error in the C of the operators is no error of the script.
            tried = trial_findings(value.program) if self.settings.tries else ()
            self.report(*(finding for finding in tried if not finding.is_error))
            return
        given_design = arguments[0].value
        self.designs = [value if design is given_design else design for design in self.designs]
        for name, variable in self.variables.items():
            if variable.value is given_design:
                self.variables[name] = ArgumentValue(value, variable.span)
            elif isinstance(variable.value, SelectedPart) and variable.value.design is given_design:
                self.variables[name] = ArgumentValue(variable.value.of(value), variable.span)

    def _break_program(self, node: CommandCall) -> None:
        """Marks the program as broken: after a failed transformation, further findings about it would mostly be
        wrong."""
        if not node.arguments or not isinstance(node.arguments[0], VariableUse) or not _transforms(node.name.text):
            return
        value = self.variables.get(node.arguments[0].name.text)
        if value is not None and isinstance(value.value, Design):
            for name, other in self.variables.items():
                if other.value is value.value:
                    self.variables[name] = ArgumentValue(BROKEN, value.span)

    # --- effects ------------------------------------------------------------------------------------------------

    def _perform_effects(self, outcome: Outcome) -> None:
        self.report(*outcome.findings)
        if outcome.printed:
            self.settings.say(outcome.printed)
        for request in outcome.requests:
            self.requests.append(request)
            self._answer(request)

    def _answer(self, request: Request) -> None:
        if isinstance(request, Saving):
            self._save(request)
        elif self.settings.generate is not None and not self.has_errors:
            match request:
                case VerificationRequest():
                    self._verify(request)
                case Generation():
                    proof = self._proof(request) if request.needs_proof else None
                    with working_at(request.span, f"what the code of `{request.system}` is"):
                        sources = self.settings.generate(self._comparable(request), proof)
                    self.report(*sources.findings)
                    self._add(self._place(request.folder, request.span), sources, request.span)

    def _save(self, request: Saving) -> None:
        path = self._place(request.name, request.span)
        if request.original is not None and path.resolve() == Path(request.original).resolve():
            message = f"this would overwrite {request.original}, the file that the program was read from"
            raise Rejected(Diagnostic(FILE, message, Label(request.span), help="save it under another name"))
        self.saved[path.resolve()] = request.text
        self._add(path.parent, Sources({path.name: request.text}), request.span)

    def _verify(self, request: VerificationRequest) -> None:
        design_verdict = self.verifications.verdict_on(request.design, request.system, request.span)
        self.settings.say(verdict_line(design_verdict) + "\n")
        if request.detail is Detail.MAX:
            self.settings.say(obligations_text(design_verdict))

    def _proof(self, request: Generation) -> Verified:
        design_verdict = self.verifications.verdict_on(request.design, request.system, request.span)
        if design_verdict.first.is_usable:
            return certify(design_verdict)
        if self.settings.assume_legal:
            return assume_legal(design_verdict)
        raise Rejected(_refusal(design_verdict, request))

    def _place(self, name: str, span: Span) -> Path:
        """The path of a file or folder of the script; with an output folder, always inside it."""
        output = self.settings.output
        path = self.folder / name if output is None else inside(output, name)
        if output is not None and not path.resolve().is_relative_to(output.resolve()):
            message = f"`{name}` lies outside {output}, the folder that was given for all output"
            raise Rejected(Diagnostic(FILE, message, Label(span)))
        return path

    def _comparable(self, request: Generation) -> Generation:
        """A Makefile compares with verification code if the script has generated some in the same folder."""
        compares = any(
            isinstance(other, Generation)
            and (other.system, Path(other.folder)) == (request.system, Path(request.folder))
            and (other.verification or other.generator is Generator.VERIFICATION)
            for other in self.requests
        )
        return replace(request, verification=True) if compares and request.generator is Generator.MAKEFILE else request

    def _add(self, folder: Path, sources: Sources, span: Span) -> None:
        before = self.files.get(folder, Sources({}))
        for name in sorted(before.files.keys() & sources.files.keys()):
            if before.files[name] != sources.files[name]:
                message = f"this replaces {name}, which an earlier command of the script has written"
                remedy = "give one of the two commands a folder of its own"
                self.report(Diagnostic(REPLACED, message, Label(span), help=remedy))
        self.files[folder] = before | sources

    # --- the end ------------------------------------------------------------------------------------------------

    def session(self, source: Source) -> Session:
        """Returns the result; verifies the mappings that are not verified yet."""
        if self.settings.generate is None and not self.has_errors:
            self._judge_all()
        return Session(
            source=source,
            designs=tuple(self.designs),
            values={name: value.value for name, value in self.variables.items()},
            findings=tuple(self.findings),
            requests=tuple(self.requests),
            design_verdicts=self.verifications.design_verdicts,
            files={} if self.has_errors else self.files,
            lookups=self.lookups,
        )

    def _judge_all(self) -> None:
        """Verifies every mapping with a verification or generation request, and every mapping at the end of the
        script."""
        for request in self.requests:
            if isinstance(request, VerificationRequest) or (isinstance(request, Generation) and request.needs_proof):
                self.verifications.verdict_on(request.design, request.system, request.span)
        for design in self.designs:
            for system in design.mapped_systems:
                self.verifications.verdict_on(design, system)


def _transforms(name: str) -> bool:
    """Returns True if the command, or the one that was probably intended, rewrites programs."""
    command = find(name) or find(nearest(name, names()) or "")
    return command is None or command.topic in (Topic.TRANSFORM, Topic.REDUCTIONS)


def _refusal(design_verdict: DesignVerdict, request: Generation) -> Diagnostic:
    message = f"no code is generated for `{request.system}`: its mapping is {design_verdict.first.word}"
    help_ = "correct the mapping; `--assume-legal` generates the code all the same, and its header says so"
    return Diagnostic(REFUSED, message, Label(request.span), help=help_)


Variables = Mapping[str, ArgumentValue]

# The values of these names unless the script assigns them.
_TRUTH = {"true": True, "false": False}


class Broken(Exception):
    """A variable is used whose command failed; the failure is reported already."""


BROKEN = object()
"""The value of a variable whose command failed."""


def evaluate(node: ScriptExpression, variables: Variables, call: Callable[[CommandCall], object]) -> ArgumentValue:
    """Returns the value of an expression, and its place. Raises Rejected, or Broken."""
    match node:
        case TextLiteral(value):
            return ArgumentValue(value, node.span, content_span(node))
        case NumberLiteral(value):
            return ArgumentValue(value, node.span)
        case VariableUse(name) if name.text in _TRUTH and name.text not in variables:
            return ArgumentValue(_TRUTH[name.text], node.span)
        case VariableUse(name):
            variable_value = _variable(name.text, node.span, variables)
            return ArgumentValue(variable_value.value, node.span, variable_value.characters)
        case CommandCall():
            return ArgumentValue(call(node), node.span)
        case Concatenation(parts):
            pieces = [evaluate(part, variables, call) for part in parts]
            return ArgumentValue("".join(_piece(piece) for piece in pieces), node.span)
    raise TypeError(type(node).__name__)


def _variable(name: str, span: Span, variables: Variables) -> ArgumentValue:
    if name not in variables:
        help_ = (
            _text_argument(name, variables)
            or did_you_mean(name, variables)
            or "assign it above, or put a text in quotes"
        )
        raise Rejected(Diagnostic(UNKNOWN_TARGET, f"the script has no variable `{name}` here", Label(span), help=help_))
    if variables[name].value is BROKEN:
        raise Broken
    return variables[name]


def _text_argument(name: str, variables: Variables) -> str | None:
    """The name as a text: systems and variables of programs are named by texts."""
    for value in variables.values():
        for system in value.value.program.systems if isinstance(value.value, Design) else ():
            if name == system.name or any(name == variable.name for variable in system.variables):
                return f'names of the program stand in quotes: write "{name}"'
    return None


def _piece(argument: ArgumentValue) -> str:
    """The text of an operand of `+`: texts and numbers."""
    if isinstance(argument.value, str | int | MathValue):
        return text_of(argument.value)
    message = "`+` joins texts and numbers"
    raise Rejected(Diagnostic(ARGUMENT, message, Label(argument.span, f"this is {description(argument.value)}")))


def _open_question(value: ScriptExpression) -> str:
    """Returns the question that is open while the expression is evaluated."""
    command = value.name.text if isinstance(value, CommandCall) else None
    return "what the value of this statement is" if command is None else f"what the result of `{command}` is"
