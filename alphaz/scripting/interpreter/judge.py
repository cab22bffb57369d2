"""Verdicts: each mapping, as it stands at one place of a script, is verified once; their text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from alphaz.analysis.checks.checked import Checked
from alphaz.diagnostics import Span
from alphaz.diagnostics.deadline import working_at
from alphaz.diagnostics.render.json import witness_value
from alphaz.legality.options import ObligationVerdict
from alphaz.legality.verified import DesignVerdict, SystemVerdict, Verified
from alphaz.legality.verify import assume_legal, certify, verify
from alphaz.mapping.design import Design
from alphaz.mapping.footprint import called_systems
from alphaz.mapping.target import TargetMapping
from alphaz.proof import Engine, Proved, Refuted, Undecided, Verdict


@dataclass(frozen=True, slots=True, eq=False)
class CachedVerdict:
    """The verdict on one system of a design, and the seconds that it took; `span` is the command that requested it.

    `called` are the verdicts on the mapped systems that it calls: its code calls theirs."""

    design: Design
    report: SystemVerdict
    seconds: float
    span: Span | None = None
    called: tuple[SystemVerdict, ...] = ()

    @property
    def word(self) -> str:
        """`proved`, `refuted`, `undecided` or `not well formed`."""
        return self.report.word

    def certify(self) -> Verified:
        """The certificate. Raises Rejected when the mapping is not proved."""
        return certify(DesignVerdict(self.design, (self.report, *self.called)))

    def assume_legal(self) -> Verified:
        return assume_legal(DesignVerdict(self.design, (self.report, *self.called)))


def unjudged(design: Design, systems: Sequence[str]) -> DesignVerdict:
    """Returns no verdict: used to list the systems to verify without verifying them."""
    return DesignVerdict(design, tuple(SystemVerdict(name, None, (), ()) for name in systems))


Watch = Callable[[str], None]


def _unwatched(_: str) -> None:
    return None


@dataclass(slots=True)
class VerificationCache:
    """Caches verdicts; `watch` is called with the name of each system before its verification. `verify` computes the
    verdict on one system."""

    watch: Watch = _unwatched
    verify: Callable[[Design, Sequence[str]], DesignVerdict] = verify
    _known: list[tuple[Checked, str, tuple[TargetMapping, ...], CachedVerdict]] = field(default_factory=list)

    def judge(self, design: Design, system: str, span: Span | None = None) -> CachedVerdict:
        """Returns the verdict on one system in this state of the design."""
        callees = called_systems(design.program, design.system(system))
        mappings = (design.mapping(system), *(design.mapping(callee.name) for callee in callees))
        for checked, name, known, judgement in self._known:
            if checked is design.checked and name == system and known == mappings:
                return judgement
        self.watch(system)
        start = perf_counter()
        place = span or design.program.system(system).span
        with working_at(place, f"whether the mapping of `{system}` is right"):
            report = self.verify(design, [system])
        made = CachedVerdict(
            design=design,
            report=report.systems[0],
            seconds=perf_counter() - start,
            span=span,
            called=report.systems[1:],
        )
        self._known.append((design.checked, system, mappings, made))
        return made

    @property
    def judgements(self) -> tuple[CachedVerdict, ...]:
        """Returns every verdict so far, in the order in which they were computed."""
        return tuple(judgement for *_, judgement in self._known)


def verdict_line(judgement: CachedVerdict) -> str:
    """Returns a line such as `MCM: proved, 23 obligations (0.05 s)`."""
    seconds = "" if judgement.report.mapping is None else f" ({judgement.seconds:.2f} s)"
    return f"{judgement.report!r}{seconds}"


def obligations_text(judgement: CachedVerdict) -> str:
    """Returns every obligation with its verdict, a line each."""
    return "".join(
        f"  {result.rule.code} {result.claim}: {verdict_word(result.verdict)}{_by(result.verdict)}\n"
        for result in judgement.report.results
    )


def _by(verdict: Verdict) -> str:
    """The name of the engine that decided, unless it is isl."""
    return "" if isinstance(verdict, Undecided) or verdict.by is Engine.ISL else f", by {verdict.by}"


def verdict_word(verdict: Verdict) -> str:
    match verdict:
        case Proved():
            return "proved"
        case Refuted():
            return "refuted"
    return "undecided"


def verdict_value(judgement: CachedVerdict) -> dict[str, object]:
    """Returns the verdict as plain values, as JSON has them."""
    return {
        "system": judgement.report.system,
        "verdict": judgement.word,
        **({"only": judgement.report.scope} if judgement.report.scope else {}),
        "seconds": round(judgement.seconds, 3),
        "obligations": [_obligation_value(result) for result in judgement.report.results],
    }


def _obligation_value(result: ObligationVerdict) -> dict[str, object]:
    value: dict[str, object] = {
        "rule": result.rule.code,
        "claim": result.claim,
        "verdict": verdict_word(result.verdict),
    }
    match result.verdict:
        case Proved(by):
            value["engine"] = by
        case Refuted(_, witness, by):
            value["engine"] = by
            value["witness"] = witness_value(witness)
        case Undecided(reason):
            value["reason"] = reason
    return value
