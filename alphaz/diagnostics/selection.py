"""The warnings and notes that a project wants to see, by rule, by file and by comments in the text.

`// alphaz: ignore[AZ409] reason` (in scripts `# ..`) hides the findings of these rules on its line; alone on a line, on
the next line.
Rules are named by code or by the beginning of codes (`AZ4`). The rules of errors are never hidden.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from alphaz.diagnostics.diagnostic import Diagnostic, Label, Rule, Severity
from alphaz.diagnostics.message_words import did_you_mean
from alphaz.diagnostics.rules import FORMER_CODES, IGNORE_COMMENT, RULES
from alphaz.diagnostics.source import Source, Span
from alphaz.diagnostics.user_files import fits

OFF = "off"
SEVERITIES = (OFF, *(str(severity) for severity in Severity))

_COMMENT = re.compile(r"(?://|--|#|/\*)[ \t]*alphaz:[ \t]*ignore\b(?:\[([^\]\n]*)\])?")


@dataclass(frozen=True, slots=True)
class RuleSelection:
    """The shown warnings and notes: of the rules `select` (empty: of all) without those of `ignore`.

    `severity` has the severity of rules, or `off`; the longest beginning of a code counts. `by_file` has the ignored
    rules for files that match a pattern. Where it is `strict`, warnings are errors.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    by_file: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    strict: bool = False

    def applied(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Returns the findings that are shown, with their severities."""
        changed = (self._changed(finding) for finding in findings if not _ignoring(finding))
        return [finding for finding in changed if finding is not None]

    def _changed(self, finding: Diagnostic) -> Diagnostic | None:
        rule = finding.rule
        if RULES[rule.code].severity is Severity.ERROR:
            return finding
        level = self._severity(rule)
        if level == OFF or (level is None and not self._is_selected(rule, finding.primary.span.source.name)):
            return None
        severity = rule.severity if level is None else Severity(level)
        if self.strict and severity is Severity.WARNING:
            severity = Severity.ERROR
        return finding if severity is rule.severity else replace(finding, rule=replace(rule, severity=severity))

    def _severity(self, rule: Rule) -> str | None:
        """The configured severity of a rule: that of its longest beginning."""
        beginnings = [code for code in self.severity if _is_of(rule, (code,))]
        return self.severity[max(beginnings, key=len)] if beginnings else None

    def _is_selected(self, rule: Rule, file: str) -> bool:
        of_file = (codes for pattern, codes in self.by_file.items() if fits(file, pattern))
        ignored = chain(self.ignore, *of_file)
        return (not self.select or _is_of(rule, self.select)) and not _is_of(rule, ignored)


def present_code(code: str) -> str:
    """Returns the code that a rule has now."""
    return FORMER_CODES.get(code, code)


def mistake(code: str) -> str:
    """Returns the reason why a code cannot be selected or ignored; empty where it can."""
    rules = [rule for rule in RULES.values() if _is_of(rule, (code,))]
    if not rules:
        suggestion = did_you_mean(code, RULES)
        return f"`{code}` is no rule and begins none" + (f": {suggestion}" if suggestion else "")
    if all(rule.severity is Severity.ERROR for rule in rules):
        return f"{code} stands for errors, which are always shown"
    return ""


def _is_of(rule: Rule, codes: Iterable[str]) -> bool:
    return any(code and rule.code.startswith(present_code(code)) for code in codes)


# --- comments ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """A comment that ignores rules in one line. `codes` is None where it names none."""

    span: Span
    line: int
    codes: tuple[str, ...] | None


@lru_cache(maxsize=64)
def ignore_comments(source: Source) -> tuple[IgnoreComment, ...]:
    """Returns the comments of a text, in their order."""
    return tuple(_comments(source)) if "alphaz:" in source.text else ()


def _comments(source: Source) -> Iterator[IgnoreComment]:
    for match in _COMMENT.finditer(source.text):
        span = Span(source, match.start(), match.end())
        line, column = span.position
        before = source.line(line)[: column - 1]
        if before.count('"') % 2:
            continue
        codes = None if match[1] is None else tuple(code.strip() for code in match[1].split(","))
        yield IgnoreComment(span, line if before.strip() else line + 1, codes)


def unused_comments(source: Source, findings: Iterable[Diagnostic], hundreds: str) -> list[Diagnostic]:
    """Returns a finding for each comment that is wrong, and for each of its rules that ignores none of the `findings`.

    Only rules whose codes begin with a digit of `hundreds` are judged: the others are those of another verb. Beside an
    error none is: the checks of warnings may not have been reached.
    """
    every = list(findings)
    here = [finding for finding in every if _is_in(finding, source)]
    judged = "" if any(finding.is_error for finding in every) else hundreds
    return [
        Diagnostic(IGNORE_COMMENT, message, Label(comment.span))
        for comment in ignore_comments(source)
        for message in _complaints(comment, here, judged)
    ]


def _complaints(comment: IgnoreComment, findings: Sequence[Diagnostic], judged: str) -> Iterator[str]:
    if not comment.codes or not all(comment.codes):
        yield "the comment names no rule: write `alphaz: ignore[AZ409]`, several with commas"
        return
    for code in comment.codes:
        wrong = mistake(code)
        if wrong:
            yield wrong
        elif judged and code[2:3] in judged and not any(_hides(comment, code, finding) for finding in findings):
            yield f"line {comment.line} has no finding of {code}: remove {code} from the comment"


def _ignoring(finding: Diagnostic) -> bool:
    if RULES[finding.rule.code].severity is Severity.ERROR:
        return False
    comments = ignore_comments(finding.primary.span.source)
    return any(_hides(comment, code, finding) for comment in comments for code in comment.codes or ())


def _hides(comment: IgnoreComment, code: str, finding: Diagnostic) -> bool:
    return comment.line == finding.primary.span.position[0] and _is_of(finding.rule, (code,))


def _is_in(finding: Diagnostic, source: Source) -> bool:
    other = finding.primary.span.source
    return (other.name, other.text) == (source.name, source.text)
