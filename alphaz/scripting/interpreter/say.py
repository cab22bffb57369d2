"""Text of verdicts."""

from alphaz.diagnostics.render.json import witness_value
from alphaz.legality.options import ObligationVerdict
from alphaz.proof import Engine, Proved, Refuted, Undecided, Verdict
from alphaz.scripting.interpreter.judge import CachedVerdict


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
