"""Options and results of the verification of a mapping: verdicts, and the `Verified` design."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from alphaz.diagnostics import UNDER_ASSUMPTION, Diagnostic, Rule, Span
from alphaz.diagnostics.finding_groups import summarized
from alphaz.diagnostics.message_words import count_text, listing
from alphaz.diagnostics.render.text import to_text
from alphaz.diagnostics.rules import (
    ACCUMULATION,
    CAUSALITY,
    GHOST_LOST,
    INPUT_LOST,
    LATE_MESSAGE,
    NOT_INJECTIVE,
    OUTPUT_LOST,
    OVERWRITE,
    RACE,
    SENT_LOST,
    SEVERAL_PLACES,
    TILING,
)
from alphaz.lazy import lazy_import
from alphaz.mapping.design import Design
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.target_mapping import Assumption
from alphaz.proof import Proved, Undecided, Verdict


class TileOrder(StrEnum):
    """The order of an obligation: without tiling, for tiles of all sizes, or for the tile sizes of the script."""

    PLAIN = "plain"
    TILED = "tiled"
    SIZED = "sized"


@dataclass(frozen=True, slots=True)
class ObligationVerdict:
    """The verdict on one obligation: the deferred obligation of this number, under one order."""

    number: int
    under: TileOrder
    rule: Rule
    claim: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a verification.

    `exact_tiles`: where tiling is not legal for all sizes, prove it for the sizes in the script. `explain`: findings
    state their obligation in mathematics. `hints`: search for changes of a refuted mapping and verify them (slow;
    `alphaz.search.schedule.repair.search`). `advise`: search for smaller memory maps of a proved mapping
    (`alphaz.search.memory.text`).
    """

    exact_tiles: bool = False
    explain: bool = False
    hints: bool = False
    advise: bool = False


ASSUMABLE = (
    NOT_INJECTIVE, CAUSALITY, ACCUMULATION, LATE_MESSAGE, SEVERAL_PLACES,
    OVERWRITE, OUTPUT_LOST, INPUT_LOST, SENT_LOST, GHOST_LOST, RACE, TILING,
)  # fmt: skip
"""The rules whose obligations may be assumed: without them values may be wrong, but no access leaves its array."""


def assumption_on(assumptions: Iterable[Assumption], rule: Rule) -> Assumption | None:
    """Returns the first assumption on a rule."""
    matching = (assumption for assumption in assumptions if rule.code in assumption.rules)
    return next(matching, None) if rule in ASSUMABLE else None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SystemVerdict:
    """The verdict on one system. `mapping` is None when the mapping is not even well formed (`findings` give the
    reasons).

    `findings` are the refuted and undecided obligations as diagnostics, in the order of the script, and the notes.
    `scope` is empty, or the restriction of the verdict ("tile sizes 30,30 of dimensions 0,1"). `assumptions` are those
    of the script.
    """

    system: str
    mapping: ResolvedMapping | None
    results: tuple[ObligationVerdict, ...]
    findings: tuple[Diagnostic, ...]
    scope: str = ""
    assumptions: tuple[Assumption, ...] = ()

    @property
    def assumed(self) -> tuple[str, ...]:
        """Returns the names of the assumptions under which the mapping is proved; empty if it is proved without one, or
        not even with them."""
        if self.mapping is None:
            return ()
        used = [assumption_on(self.assumptions, r.rule) for r in self.results if not isinstance(r.verdict, Proved)]
        names = [assumption.name for assumption in used if assumption is not None]
        return tuple(dict.fromkeys(names)) if len(names) == len(used) else ()

    @property
    def is_usable(self) -> bool:
        """Returns True if code may be generated: the mapping is proved, or proved under named assumptions."""
        return self.is_proved or bool(self.assumed)

    @property
    def is_proved(self) -> bool:
        """Returns True if every obligation was proved. Undecided is not proved."""
        return self.mapping is not None and all(isinstance(r.verdict, Proved) for r in self.results)

    @property
    def word(self) -> str:
        """Returns `proved`, `refuted`, `undecided`, `not well formed` (then there is no verdict), or `proved under the
        assumption` with its name."""
        if not self.assumed:
            return self.plain_word
        return f"{UNDER_ASSUMPTION}{'s' if len(self.assumed) > 1 else ''} {listing(self.assumed)}"

    @property
    def plain_word(self) -> str:
        """Returns the verdict without assumptions."""
        if self.mapping is None:
            return "not well formed"
        failed = [r.verdict for r in self.results if not isinstance(r.verdict, Proved)]
        if not failed:
            return "proved"
        return "undecided" if all(isinstance(verdict, Undecided) for verdict in failed) else "refuted"

    def __repr__(self) -> str:
        """Returns `MCM: proved, 23 obligations`; `MCM: refuted, 2 of 23 obligations`."""
        only = f" for {self.scope} only" if self.scope and self.is_proved else ""
        head = f"{self.system}: {self.word}{only}"
        if self.mapping is None:
            return head
        failed = sum(not isinstance(r.verdict, Proved) for r in self.results)
        obligations = count_text(len(self.results), "obligation")
        return f"{head}, {failed} of {obligations}" if failed else f"{head}, {obligations}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DesignVerdict:
    """The verdicts on systems of a design; `seconds` is the time that they took, `span` the command that requested
    them.
    """

    design: Design
    systems: tuple[SystemVerdict, ...]
    seconds: float = 0.0
    span: Span | None = None

    @property
    def first(self) -> SystemVerdict:
        """Returns the verdict on the requested system; those on the systems that it calls follow it."""
        return self.systems[0]

    @property
    def is_proved(self) -> bool:
        return all(s.is_proved for s in self.systems)

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        return tuple(f for s in self.systems for f in s.findings)

    def __repr__(self) -> str:
        """Returns one line for each system."""
        return "\n".join(map(repr, self.systems)) or "no system has a mapping"

    def _repr_html_(self) -> str:
        """Returns the lines and the findings below them, as text, for a notebook."""
        escape: Callable[[str], str] = lazy_import("html").escape
        lines = "".join(f"<strong>{escape(repr(system))}</strong><br>" for system in self.systems)
        return f"<div>{lines}<pre>{escape(to_text(summarized(self.findings)))}</pre></div>"

    def __str__(self) -> str:
        """Returns the lines, and the findings below them as `alphaz verify` shows them."""
        return f"{self!r}\n{to_text(summarized(self.findings))}".rstrip("\n")


@dataclass(frozen=True, slots=True, eq=False)
class Verified:
    """A design that may be generated as code; made by `certify` (all proved, perhaps under named assumptions) or
    `assume_legal`.

    `assumed` holds the systems that were not proved, and the generated header names them. `mappings` is by system
    name; `scopes` are those of systems that are proved for some tile sizes only.
    """

    design: Design
    mappings: Mapping[str, ResolvedMapping]
    assumed: tuple[Diagnostic, ...] = ()
    scopes: Mapping[str, str] = field(default_factory=dict)
