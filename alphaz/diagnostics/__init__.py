"""Findings as data: sources and spans, rules, diagnostics, witnesses, fixes.

`render/`: text, JSON, SARIF, JUnit and GitHub annotations.
Entry point: `Diagnostic` in `diagnostic.py`.
"""

from alphaz.diagnostics.diagnostic import (
    UNDER_ASSUMPTION,
    Diagnostic,
    Edit,
    Fix,
    Label,
    Rejected,
    ReportEntry,
    Rule,
    Severity,
    Witness,
    WitnessPoint,
)
from alphaz.diagnostics.source import NOWHERE, Source, Span

__all__ = ["NOWHERE", "UNDER_ASSUMPTION", "Diagnostic", "Edit", "Fix", "Label", "Rejected", "WitnessPoint"]
__all__ += ["ReportEntry", "Rule", "Severity", "Source", "Span", "Witness"]
