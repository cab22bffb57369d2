"""The closing line: the number of findings of each severity."""

from collections import Counter
from collections.abc import Iterable

from alphaz.diagnostics.diagnostic import Diagnostic, Severity
from alphaz.diagnostics.nearest import count_text


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Returns `2 errors, 1 warning`, the gravest first, without a line end; `no findings` when there are none."""
    counts = Counter(diagnostic.rule.severity for diagnostic in diagnostics)
    parts = [count_text(counts[severity], severity) for severity in Severity if counts[severity]]
    return ", ".join(parts) or "no findings"
