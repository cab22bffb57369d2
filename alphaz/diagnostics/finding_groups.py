"""Fingerprints that identify a finding, and groups of findings with one cause."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from alphaz.diagnostics.diagnostic import Diagnostic
from alphaz.diagnostics.rules import FORMER_CODES


@dataclass(frozen=True, slots=True)
class Group:
    """Findings with one root. `head` has the smallest witness of all; `others` are the rest, in their order."""

    head: Diagnostic
    others: tuple[Diagnostic, ...] = ()

    @property
    def others_text(self) -> str:
        """Returns `and 3 more with this root (2 AZ601, AZ602)`; empty without others."""
        if not self.others:
            return ""
        counts: dict[str, int] = {}
        for other in self.others:
            counts[other.rule.code] = counts.get(other.rule.code, 0) + 1
        codes = ", ".join(f"{count} {code}" if count > 1 else code for code, count in sorted(counts.items()))
        return f"and {len(self.others)} more with this root ({codes})"


def groups(diagnostics: Iterable[Diagnostic]) -> tuple[Group, ...]:
    """Returns the findings by their roots, each group at the position of its first finding; a finding without a root
    is a group of its own.
    """
    by_root: dict[object, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        key: object = (
            id(diagnostic)
            if diagnostic.root is None
            else (diagnostic.root.source.name, diagnostic.root.start, diagnostic.root.end)
        )
        by_root.setdefault(key, []).append(diagnostic)
    return tuple(map(_group, by_root.values()))


def summarized(diagnostics: Iterable[Diagnostic], how: str = "") -> list[Diagnostic]:
    """Returns one finding for each root, with the number of further ones; `how` names the way to show them."""
    return [
        replace(group.head, notes=(*group.head.notes, group.others_text + how)) if group.others else group.head
        for group in groups(diagnostics)
    ]


def _group(members: Sequence[Diagnostic]) -> Group:
    head = min(members, key=_sort_key)
    return Group(head, tuple(member for member in members if member is not head))


def _sort_key(diagnostic: Diagnostic) -> tuple[bool, int, tuple[int, ...]]:
    """Returns the sort key: errors first, then small parameters, then small points."""
    if diagnostic.witness is None:
        return not diagnostic.is_error, 0, ()
    parameters = tuple(value for _, value in diagnostic.witness.parameters)
    points = tuple(abs(at) for place in diagnostic.witness.places for at in place.point)
    return not diagnostic.is_error, sum(parameters), (*parameters, *points)


NAME = "alphazFinding/v1"
"""The name of this fingerprint algorithm in SARIF: another algorithm needs another name."""


def posix_name(name: str) -> str:
    """Returns `a.cs` for `./a.cs`."""
    return PurePath(name).as_posix()


def fingerprints(diagnostics: Sequence[Diagnostic], named: Callable[[str], str] = posix_name) -> list[str]:
    """Returns one for each finding, in their order; no two are the same. `named` returns the name of a file in them."""
    former = {present: code for code, present in FORMER_CODES.items()}
    seen: Counter[tuple[str, ...]] = Counter()
    marks = []
    for diagnostic in diagnostics:
        span = diagnostic.primary.span
        identity = (
            former.get(diagnostic.rule.code, diagnostic.rule.code),
            named(span.source.name),
            diagnostic.message,
            " ".join(span.text.split()),
        )
        seen[identity] += 1
        digest = hashlib.sha256("\0".join(identity).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        marks.append(f"{digest}:{seen[identity]}")
    return marks


def unique(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns each finding once: several scripts that read one program repeat its findings."""
    by_content: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in diagnostics:
        places = tuple(
            (str(label.span), label.span.end, label.text) for label in (diagnostic.primary, *diagnostic.secondary)
        )
        by_content.setdefault((diagnostic.rule.code, diagnostic.message, places, diagnostic.witness), diagnostic)
    return list(by_content.values())
