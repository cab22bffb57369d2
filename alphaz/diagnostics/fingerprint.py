"""The identity of a finding, which stays when lines are added above it, or when its smallest counterexample changes.

It is a hash of its rule, its file, its phrase and the text it marks. Findings that agree in all of these are
distinguished by their number.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath

from alphaz.diagnostics.diagnostic import Diagnostic

NAME = "alphazFinding/v1"
"""The name of this fingerprint algorithm in SARIF: another algorithm needs another name."""


def plain(name: str) -> str:
    """Returns `a.cs` for `./a.cs`."""
    return PurePath(name).as_posix()


def fingerprints(diagnostics: Sequence[Diagnostic], named: Callable[[str], str] = plain) -> list[str]:
    """Returns one for each finding, in their order; no two are the same. `named` returns the name of a file in them."""
    seen: Counter[tuple[str, ...]] = Counter()
    marks = []
    for diagnostic in diagnostics:
        span = diagnostic.primary.span
        identity = (diagnostic.rule.code, named(span.source.name), diagnostic.message, " ".join(span.text.split()))
        seen[identity] += 1
        digest = hashlib.sha256("\0".join(identity).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        marks.append(f"{digest}:{seen[identity]}")
    return marks


def unique(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns each finding once: several scripts that read one program repeat its findings."""
    found: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in diagnostics:
        places = tuple(
            (str(label.span), label.span.end, label.text) for label in (diagnostic.primary, *diagnostic.secondary)
        )
        found.setdefault((diagnostic.rule.code, diagnostic.message, places, diagnostic.witness), diagnostic)
    return list(found.values())
