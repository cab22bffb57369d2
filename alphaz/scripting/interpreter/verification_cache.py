"""Verdicts: each mapping, as it stands at one place of a script, is verified once; their text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from alphaz.analysis.checks.checked_program import Checked
from alphaz.diagnostics import Span
from alphaz.diagnostics.render.json import witness_value
from alphaz.diagnostics.work_limits import working_at
from alphaz.legality.verdicts import DesignVerdict, ObligationVerdict, SystemVerdict
from alphaz.legality.verify import verify
from alphaz.mapping.design import Design
from alphaz.mapping.input_footprint import called_systems
from alphaz.mapping.target_mapping import TargetMapping
from alphaz.proof import Engine, Proved, Refuted, Undecided, Verdict


def unverified(design: Design, systems: Sequence[str]) -> DesignVerdict:
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
    _entries: list[tuple[Checked, str, tuple[TargetMapping, ...], DesignVerdict]] = field(default_factory=list)

    def verdict_on(self, design: Design, system: str, span: Span | None = None) -> DesignVerdict:
        """Returns the verdict on one system in this state of the design, and on those that it calls."""
        callees = called_systems(design.program, design.system(system))
        mappings = (design.mapping(system), *(design.mapping(callee.name) for callee in callees))
        for checked, name, earlier_mappings, design_verdict in self._entries:
            if checked is design.checked and name == system and earlier_mappings == mappings:
                return design_verdict
        self.watch(system)
        start = perf_counter()
        place = span or design.program.system(system).span
        with working_at(place, f"whether the mapping of `{system}` is right"):
            verdict = self.verify(design, [system])
        new_verdict = replace(verdict, seconds=perf_counter() - start, span=span)
        self._entries.append((design.checked, system, mappings, new_verdict))
        return new_verdict

    @property
    def design_verdicts(self) -> tuple[DesignVerdict, ...]:
        """Returns every verdict so far, in the order in which they were computed."""
        return tuple(design_verdict for *_, design_verdict in self._entries)


def verdict_line(design_verdict: DesignVerdict) -> str:
    """Returns a line such as `MCM: proved, 23 obligations (0.05 s)`."""
    seconds = "" if design_verdict.first.mapping is None else f" ({design_verdict.seconds:.2f} s)"
    return f"{design_verdict.first!r}{seconds}"


def obligations_text(design_verdict: DesignVerdict) -> str:
    """Returns every obligation with its verdict, a line each."""
    return "".join(
        f"  {result.rule.code} {result.claim}: {result.verdict.word}{_by(result.verdict)}\n"
        for result in design_verdict.first.results
    )


def _by(verdict: Verdict) -> str:
    """The name of the engine that decided, unless it is isl."""
    return "" if isinstance(verdict, Undecided) or verdict.by is Engine.ISL else f", by {verdict.by}"


def verdict_value(design_verdict: DesignVerdict) -> dict[str, object]:
    """Returns the verdict as plain values, as JSON has them."""
    return {
        "system": design_verdict.first.system,
        "verdict": design_verdict.first.word,
        **({"assumptions": list(design_verdict.first.assumed)} if design_verdict.first.assumed else {}),
        **({"only": design_verdict.first.scope} if design_verdict.first.scope else {}),
        "seconds": round(design_verdict.seconds, 3),
        "obligations": [_obligation_value(result) for result in design_verdict.first.results],
    }


def _obligation_value(result: ObligationVerdict) -> dict[str, object]:
    value: dict[str, object] = {
        "rule": result.rule.code,
        "claim": result.claim,
        "verdict": result.verdict.word,
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
