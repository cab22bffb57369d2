"""The texts that are open in an editor, saved or not, and queries about them.

Files are identified by whole path. A script is any file that is not a program (`.ab`) and not of a kind for which
there is another verb (`.m`, `.c`, ..): these have a finding that names it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import domain_shown
from alphaz.diagnostics import Diagnostic, Edit, Fix, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import FILE
from alphaz.diagnostics.selection import RuleSelection
from alphaz.diagnostics.user_files import Unreadable, read_text
from alphaz.ide.features.completion import Completion, candidates
from alphaz.ide.features.names import (
    NameOccurrence,
    Symbol,
    at,
    calls_in,
    in_program,
    in_script,
    parse_script_or_none,
    programs,
)
from alphaz.ide.features.script_analysis import AnalysisJob, ScriptAnalysis, ShownVerdict, VariableMapping, is_program
from alphaz.model.program import Variable
from alphaz.scripting.commands.catalogue import find
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.reference import entry
from alphaz.scripting.interpreter.run import Interpreter, Settings
from alphaz.scripting.interpreter.verification_cache import VerificationCache, unverified
from alphaz.syntax.parser import parse_script
from alphaz.syntax.words import KEYWORDS

# Kinds of files without support in editors, with the verb for them.
_OTHER_KINDS = {
    ".alpha": "`alphaz check` reads it, and `alphaz show` prints it as a program (.ab)",
    ".m": "`alphaz matrix` generates code of kernels of linear algebra",
    ".c": "`alphaz prove` proves C",
    ".cu": "`alphaz prove` proves CUDA",
    ".h": "`alphaz prove` proves the C that includes it",
}
# Most scripts in the folder of a program that are searched for references to it.
_MOST = 200


_OPERATOR = re.compile(r"//@\s*identity\b")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_TITLE = re.compile(r"([0-9A-Za-z_][-0-9A-Za-z_]*-)?[0-9]*[A-Za-z_][0-9A-Za-z_]*")


class Unnameable(ValueError):
    """The reason why something cannot have a name."""


@dataclass(frozen=True, slots=True)
class NameAtCursor:
    """The meaning of an occurrence: `file` is the program, or the script itself for a variable of a script."""

    file: str
    symbol: Symbol


@dataclass(slots=True)
class Workspace:
    """Open texts and their analyses. `texts` are the open ones; `analyses` has the latest analysis of each script, and
    of each program with operators that were tried; `selection` has the shown warnings and notes.
    """

    selection: RuleSelection = field(default_factory=RuleSelection)
    texts: dict[str, Source] = field(default_factory=dict)
    analyses: dict[str, ScriptAnalysis] = field(default_factory=dict)
    _checked: dict[str, tuple[str, tuple[Diagnostic, ...]]] = field(default_factory=dict)
    _state: tuple[str, str, dict[str, ArgumentValue]] | None = None

    def put(self, path: str, text: str) -> None:
        """Adds or changes an open text."""
        self.texts[path] = Source(path, text)
        self._state = None

    def close(self, path: str) -> None:
        self.texts.pop(path, None)
        self.analyses.pop(path, None)
        self._checked.pop(path, None)

    def source(self, path: str) -> Source | None:
        """Returns the open text, else the saved one; None if there is none."""
        if path in self.texts:
            return self.texts[path]
        try:
            return Source(path, read_text(Path(path)))
        except Unreadable:
            return None

    def job(self, path: str, *, hinting: bool) -> AnalysisJob:
        """Returns the analysis job of an open text, with the open texts of programs."""
        return AnalysisJob(path, self.texts[path].text, self.programs, hinting)

    @property
    def programs(self) -> dict[Path, str]:
        """Returns the programs that are open, by whole path."""
        return {Path(path): source.text for path, source in self.texts.items() if is_program(path)}

    @property
    def scripts(self) -> list[str]:
        return [path for path in self.texts if not is_program(path) and Path(path).suffix not in _OTHER_KINDS]

    def readers(self, program: str) -> list[str]:
        """Returns the open scripts that read a program."""
        return [path for path in self.scripts if program in self.read_by(path)]

    def read_by(self, script: str) -> list[str]:
        """Returns the programs of a script; those of its last analysis if it has a mistake now."""
        source = self.source(script)
        programs_read = [] if source is None else [self.located(script, program.value) for program in programs(source)]
        known = self.analyses.get(script)
        return [*programs_read, *(known.files if known is not None else ())]

    @staticmethod
    def located(script: str, name: str) -> str:
        """Returns the whole path of a file that a script names."""
        beside = Path(script).parent / name
        return str((beside if beside.exists() or not Path(name).exists() else Path(name)).resolve())

    # --- findings -----------------------------------------------------------------------------------------------------

    def findings(self, path: str) -> list[Diagnostic]:
        """Returns all known findings of a file, each once, including those of the scripts that read it."""
        findings_by_mark: dict[tuple[object, ...], Diagnostic] = {}
        now = self.source(path)
        for finding in self._every(path):
            source = finding.primary.span.source
            # Findings of another text would have wrong places.
            if now is not None and source.text == now.text and whole(source.name) == path:
                mark = (finding.rule.code, finding.message, finding.primary.span.start, finding.primary.span.end)
                if mark not in findings_by_mark or finding.fixes:
                    findings_by_mark[mark] = finding
        return self.selection.applied(findings_by_mark.values())

    def _every(self, path: str) -> Iterator[Diagnostic]:
        yield from self.check(path)
        for analysed in (path, *self.scripts):
            known = self.analyses.get(analysed)
            if known is not None:
                yield from known.findings

    def check(self, path: str) -> tuple[Diagnostic, ...]:
        """Returns the findings that need no proof: of a program all, of a script its syntax."""
        source = self.texts.get(path)
        if source is None:
            return ()
        checked = self._checked.get(path)
        if checked is None or checked[0] != source.text:
            checked = source.text, _findings_without_proof(source)
            self._checked[path] = checked
        return checked[1]

    def needs_analysis(self, path: str) -> bool:
        """Returns True for a script, and for a program that may declare operators, unless it has errors."""
        has_operators = not is_program(path) or _OPERATOR.search(self.texts[path].text) is not None
        return has_operators and not any(finding.is_error for finding in self.check(path))

    def touched(self, path: str) -> list[str]:
        """Returns the files whose findings may change with this one."""
        related = self.readers(path) if is_program(path) else self.read_by(path)
        return list(dict.fromkeys((path, *related)))

    def fixes(self, path: str, start: int, end: int) -> Iterator[tuple[Diagnostic, Fix]]:
        """Yields the fixes of findings between two characters, for the current text."""
        for finding in self.findings(path):
            span = finding.primary.span
            if span.start <= end and start <= span.end:
                yield from ((finding, fix) for fix in finding.fixes if self._fits(fix.edits))

    def _fits(self, edits: tuple[Edit, ...]) -> bool:
        """Returns True if the edits are for the current texts."""
        sources = [(self.source(whole(edit.span.source.name)), edit.span.source) for edit in edits]
        return bool(edits) and all(now is not None and now.text == then.text for now, then in sources)

    # --- names --------------------------------------------------------------------------------------------------------

    def occurrences(self, path: str) -> list[NameOccurrence]:
        source = self.source(path)
        if source is None:
            return []
        return in_program(source) if is_program(path) else in_script(source)

    def named(self, path: str, offset: int) -> tuple[NameAtCursor, Span] | None:
        """Returns the name at a character."""
        name_and_span = at(self.occurrences(path), offset)
        return None if name_and_span is None else (self._meaning(path, name_and_span), name_and_span.span)

    def _meaning(self, path: str, occurrence: NameOccurrence) -> NameAtCursor:
        if is_program(path) or not occurrence.symbol.system:
            return NameAtCursor(path, occurrence.symbol)
        return NameAtCursor(self.located(path, occurrence.file) if occurrence.file else "", occurrence.symbol)

    def definitions(self, what: NameAtCursor) -> list[Span]:
        return [
            occurrence.span
            for occurrence in self.occurrences(what.file)
            if occurrence.symbol == what.symbol and occurrence.defines
        ]

    def references(self, what: NameAtCursor) -> list[Span]:
        """Returns every occurrence: in its program, and in the scripts that are open or in the same folder."""
        return [
            occurrence.span
            for path in self._readers_anywhere(what)
            for occurrence in self.occurrences(path)
            if self._meaning(path, occurrence) == what
        ]  # fmt: skip

    def renamed(self, what: NameAtCursor, name: str) -> list[Edit]:
        """Returns the edits that rename it everywhere. Raises Unnameable."""
        form = _TITLE if not what.symbol.variable else _IDENTIFIER
        taken = {occurrence.symbol for occurrence in self.occurrences(what.file)}
        other = Symbol(what.symbol.system, name) if what.symbol.variable else Symbol(name)
        if not form.fullmatch(name) or name in KEYWORDS:
            raise Unnameable(f"`{name}` cannot be a name here")
        if other in taken:
            raise Unnameable(f"there is a `{name}` already")
        return [Edit(span, name) for span in self.references(what)]

    def _readers_anywhere(self, what: NameAtCursor) -> list[str]:
        if not is_program(what.file):
            return [what.file]
        beside = (str(path) for path in islice(sorted(Path(what.file).parent.glob("*.cs")), _MOST))
        return [what.file, *dict.fromkeys((*self.scripts, *beside))]

    def file_at(self, path: str, offset: int) -> str | None:
        """Returns the program that a script names at a character."""
        source = self.source(path)
        for program in programs(source) if source is not None and not is_program(path) else []:
            if program.span.start <= offset <= program.span.end:
                return self.located(path, program.value)
        return None

    # --- known facts ---------------------------------------------------------------------------------------------

    def hover(self, path: str, offset: int) -> str:
        """Returns all known facts about the name at a character, as Markdown; empty if there are none."""
        name_and_span = self.named(path, offset)
        findings = [
            *self._findings_at(path, offset),
            *(self._findings_about(name_and_span[0]) if name_and_span is not None else ()),
        ]
        parts = list(dict.fromkeys(map(_finding_text, findings)))
        if name_and_span is not None:
            parts.append(self._about(name_and_span[0]))
        elif not is_program(path):
            parts.append(self._command_help(path, offset))
        return "\n\n---\n\n".join(filter(None, parts))

    def _findings_at(self, path: str, offset: int) -> list[Diagnostic]:
        with_witness = [finding for finding in self.findings(path) if finding.witness is not None]
        return [finding for finding in with_witness if finding.primary.span.start <= offset < finding.primary.span.end]

    def _findings_about(self, what: NameAtCursor) -> Iterator[Diagnostic]:
        """Findings of scripts that read the program whose counterexample involves the variable."""
        if not what.symbol.variable or not what.symbol.system:
            return
        for script, known in self.analyses.items():
            for finding in self.findings(script) if what.file in known.files else ():
                places = finding.witness.places if finding.witness is not None else ()
                if any(place.name.partition(".")[0] == what.symbol.variable for place in places):
                    yield finding

    def _about(self, what: NameAtCursor) -> str:
        if not what.symbol.variable or not what.symbol.system:
            lines = [v.line for known in self.analyses.values() for v in known.verdicts if v.system == what.symbol.name]
            return "\n\n".join(dict.fromkeys(lines))
        variable = self._variable(what)
        head = "" if variable is None else _declared(variable)
        facts = [_fact(script, fact) for script, fact in self._facts(what)]
        return "\n\n".join(filter(None, (head, *facts)))

    def _variable(self, what: NameAtCursor) -> Variable | None:
        source = self.source(what.file)
        try:
            program = None if source is None else read_program(source).program
            return None if program is None else program.system(what.symbol.system).variable(what.symbol.variable)
        except (Rejected, KeyError):
            return None

    def _facts(self, what: NameAtCursor) -> Iterator[tuple[str, VariableMapping]]:
        for script, known in self.analyses.items():
            for fact in known.facts:
                if (fact.file, fact.system, fact.variable) == (what.file, what.symbol.system, what.symbol.variable):
                    yield script, fact

    def _command_help(self, path: str, offset: int) -> str:
        source = self.source(path)
        text = None if source is None else parse_script_or_none(source)
        for statement in () if text is None else text.statements:
            for call in calls_in(statement.value):
                if call.name.span.start <= offset <= call.name.span.end:
                    command = find(call.name.text)
                    return "" if command is None else f"```text\n{entry(command)}```"
        return ""

    def verdicts(self, path: str) -> list[ShownVerdict]:
        """Returns the verdicts of a script, if they are for its current text."""
        known = self.analyses.get(path)
        return list(known.verdicts) if known is not None and known.text == self.texts[path].text else []

    # --- typing -------------------------------------------------------------------------------------------------------

    def completions(self, path: str, offset: int) -> list[Completion]:
        """Returns the completions at a character."""
        source = self.texts[path]
        before = source.text[:offset]
        if not is_program(path):
            return candidates(_statement(before), self._variables(path, before), Path(path).parent)
        begun = _word(before)
        # An unfinished text may not be parsable, but its words are known.
        words = dict.fromkeys((w for w in sorted(set(_IDENTIFIER.findall(source.text))) if w != begun), "name")
        names = {occurrence.symbol.name: "variable" for occurrence in in_program(source) if occurrence.symbol.variable}
        known = {**words, **dict.fromkeys(sorted(KEYWORDS), "keyword"), **names}
        return [Completion(name, len(begun), about) for name, about in known.items() if name.startswith(begun)]

    def _variables(self, path: str, before: str) -> Mapping[str, ArgumentValue]:
        """The variables of the script before the current statement; wrong statements are skipped."""
        prefix = before[: len(before) - len(_statement(before))]
        if self._state is None or self._state[:2] != (path, prefix):
            run = Interpreter(Path(path).parent, Settings(), VerificationCache(verify=unverified), saved=self.programs)
            run.execute(Source(path, prefix))
            self._state = path, prefix, run.variables
        return self._state[2]


def whole(name: str) -> str:
    """Returns the whole path of a source."""
    return str(Path(name).resolve())


def _findings_without_proof(source: Source) -> tuple[Diagnostic, ...]:
    path = Path(source.name)
    if path.suffix in _OTHER_KINDS:
        message = f"{path.name} is no program (.ab) and no command script (.cs)"
        return (Diagnostic(FILE, message, Label(Span(source, 0, 0)), help=_OTHER_KINDS[path.suffix]),)
    return _program_findings(source) if is_program(source.name) else _syntax_findings(source)


def _program_findings(source: Source) -> tuple[Diagnostic, ...]:
    try:
        return read_program(source).warnings
    except Rejected as rejected:
        return rejected.diagnostics


def _syntax_findings(source: Source) -> tuple[Diagnostic, ...]:
    try:
        parse_script(source)
    except Rejected as rejected:
        return rejected.diagnostics
    return ()


def _statement(before: str) -> str:
    """The unfinished statement at the end of a script."""
    return before.rpartition(";")[2]


def _word(before: str) -> str:
    end = len(before)
    start = end
    while start and (before[start - 1].isalnum() or before[start - 1] == "_"):
        start -= 1
    return before[start:end]


def _declared(variable: Variable) -> str:
    return f"```alphabets\n{variable.kind.value} {variable.type} {variable.name} {domain_shown(variable.domain)}\n```"


def _fact(script: str, fact: VariableMapping) -> str:
    lines = "\n".join(fact.lines)
    return f"{Path(script).name}\n```text\n{lines}\n```"


def _finding_text(finding: Diagnostic) -> str:
    assert finding.witness is not None
    return f"**{finding.rule.code}** {finding.message}\n\n{finding.witness.sentence}"
