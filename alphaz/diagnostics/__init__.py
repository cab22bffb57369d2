"""Findings as data: sources and spans, rules, diagnostics, witnesses."""

from alphaz.diagnostics.diagnostic import Diagnostic, Label, Place, Rejected, Rule, Severity, Witness
from alphaz.diagnostics.source import NOWHERE, Source, Span

__all__ = ["NOWHERE", "Diagnostic", "Label", "Place", "Rejected", "Rule", "Severity", "Source", "Span", "Witness"]
