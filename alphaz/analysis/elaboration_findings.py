"""The findings of elaboration: all findings of a file, not only the first, with similar names as remedies."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from alphaz.diagnostics import Diagnostic, Label, Rule, Span


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """A list of findings that grows during elaboration, which continues after each of them."""

    diagnostics: list[Diagnostic] = field(default_factory=list)

    def report(
        self,
        rule: Rule,
        message: str,
        span: Span,
        label: str = "",
        *,
        related: tuple[Label, ...] = (),
        help_: str | None = None,
    ) -> None:
        self.diagnostics.append(Diagnostic(rule, message, Label(span, label), related, help=help_))

    @property
    def errors(self) -> int:
        """Returns the number of errors."""
        return sum(d.is_error for d in self.diagnostics)


def near(name: str, candidates: Iterable[str]) -> str | None:
    """Returns the remedy "did you mean ...?" if some candidate is similar; a name that differs in case only always
    is."""
    names = sorted(set(candidates))
    same = [candidate for candidate in names if candidate.lower() == name.lower()]
    close = same or get_close_matches(name, names, n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else None


def in_source_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda d: (d.primary.span.start, d.primary.span.end, d.rule.code)))
