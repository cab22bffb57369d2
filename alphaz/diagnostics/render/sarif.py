"""For code-scanning services: the Static Analysis Results Interchange Format, OASIS standard 2.1.0.

A result has its place in the script and, as related locations, those in the program; its fingerprint; and its witness
among its properties.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from urllib.parse import quote

from alphaz.diagnostics.diagnostic import Diagnostic, Label, Rule
from alphaz.diagnostics.finding_groups import NAME, fingerprints
from alphaz.diagnostics.render.json import witness_value
from alphaz.diagnostics.render.snippet import LineRegion, is_nowhere

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(diagnostics: Sequence[Diagnostic], properties: Mapping[str, object] = MappingProxyType({})) -> str:
    """Returns a log of one run, with these properties, indented, with a line end; the same diagnostics give the same
    bytes.
    """
    rules = list({diagnostic.rule.code: diagnostic.rule for diagnostic in diagnostics}.values())
    numbers = {rule.code: position for position, rule in enumerate(rules)}
    marks = fingerprints(diagnostics)
    run: dict[str, object] = {
        "tool": {"driver": {"name": "alphaz", "rules": [_rule(rule) for rule in rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(diagnostic, numbers[diagnostic.rule.code], mark)
            for diagnostic, mark in zip(diagnostics, marks, strict=True)
        ],
    }
    if properties:
        run["properties"] = dict(properties)
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": str(rule.severity)},
    }


def _result(diagnostic: Diagnostic, rule_index: int, fingerprint: str) -> dict[str, object]:
    labels = [label for label in diagnostic.secondary if not is_nowhere(label.span)]
    result: dict[str, object] = {
        "ruleId": diagnostic.rule.code,
        "ruleIndex": rule_index,
        "level": str(diagnostic.rule.severity),
        "message": {"text": _message(diagnostic)},
        "locations": [] if is_nowhere(diagnostic.primary.span) else [_location(diagnostic.primary)],
        "partialFingerprints": {NAME: fingerprint},
    }
    if labels:
        result["relatedLocations"] = [
            {"id": position, **_location(label)} for position, label in enumerate(labels, start=1)
        ]
    properties = dict(_properties(diagnostic))
    if properties:
        result["properties"] = properties
    return result


def _message(diagnostic: Diagnostic) -> str:
    """Returns the phrase and its proof: viewers show the message and rarely the properties."""
    if diagnostic.witness is None:
        return diagnostic.message
    return f"{diagnostic.message}\n{diagnostic.witness.sentence}"


def _properties(diagnostic: Diagnostic) -> Iterator[tuple[str, object]]:
    if diagnostic.witness is not None:
        yield "witness", witness_value(diagnostic.witness)
    if diagnostic.notes:
        yield "notes", list(diagnostic.notes)
    if diagnostic.help is not None:
        yield "help", diagnostic.help


def _location(label: Label) -> dict[str, object]:
    region = LineRegion.of(label.span)
    location: dict[str, object] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(label.span.source.name)},
            "region": {
                "startLine": region.line,
                "startColumn": region.column,
                "endLine": region.end_line,
                "endColumn": region.end_column,
            },
        }
    }
    if label.text:
        location["message"] = {"text": label.text}
    return location


def _uri(name: str) -> str:
    """Returns the URI: a relative path stays relative (to the checkout); an absolute one becomes a file URI."""
    return f"file://{quote(name)}" if name.startswith("/") else quote(name)
