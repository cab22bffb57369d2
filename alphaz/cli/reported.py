"""The reports of `alphaz verify` and `alphaz prove --report html=FILE`."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from importlib import metadata

from alphaz.cli.script_verdict import ScriptVerdict, TaskPlan
from alphaz.diagnostics import Diagnostic, Source
from alphaz.equivalence.driver.proof import CVerdict
from alphaz.figures.report.document import Mapped
from alphaz.figures.report.page import report_page
from alphaz.figures.trace.trace import Trace
from alphaz.poly.versions import versions
from alphaz.proof import Proved, Refuted, Verdict


def document(
    scripts: Mapping[str, str],
    plans: Sequence[TaskPlan],
    rulings: Sequence[ScriptVerdict],
    said: Mapping[str, Sequence[Diagnostic]],
) -> str:
    """Returns the page of the verdicts, with versions, and the files read with their digests.

    `said` has the findings in the scripts themselves, by their names, before any mapping was verified.
    """
    facts = _versions()
    facts += dict.fromkeys((name, f"SHA-256 {digest}") for plan in plans for name, digest in plan.files)
    what = f"{len(rulings)} mappings" if len(scripts) != 1 else next(iter(scripts))
    whole = [_script(name, findings) for name, findings in said.items() if findings]
    return report_page(f"alphaz verify: {what}", [*whole, *map(_report_entry, rulings)], scripts, facts)


def proof_document(
    program: Source, source: Source, verdict: CVerdict | None, findings: Sequence[Diagnostic], order: Trace | str
) -> str:
    """Returns the page of a proof about C (None: there was no time): with its order, and its assumptions."""
    facts = [*_versions(), *(("taken for granted", each) for each in (verdict.assumed if verdict is not None else ()))]
    if verdict is not None and verdict.tried is not None:
        facts.append(("execution", str(verdict.tried)))
    facts += [(each.name, f"SHA-256 {sha256(each.text.encode()).hexdigest()}") for each in (program, source)]
    one = Mapped(
        script=source.name,
        system=source.name,
        word="undecided",
        line="undecided",
        seconds=0.0,
        obligations=(),
        findings=tuple(findings),
        trace=order,
    )
    if verdict is not None:
        obligations = [(a.question.family, a.question.claim, word_of(a.verdict)) for a in verdict.obligations]
        line = f"{verdict} ({verdict.seconds:.2f} s)"
        one = replace(
            one, system=verdict.system, word=verdict.verdict, line=line, seconds=verdict.seconds,
            obligations=obligations,
        )  # fmt: skip
    texts = {each.name: each.text for each in (source, program)}
    return report_page(f"alphaz prove: {source.name}", [one], texts, facts, "text")


def word_of(verdict: Verdict) -> str:
    """Returns the verdict of an obligation about C as a word: a violation is "not proved"; only an
    execution refutes.
    """
    match verdict:
        case Proved():
            return "proved"
        case Refuted():
            return "violated"
    return "undecided"


def _versions() -> list[tuple[str, str]]:
    return list({"alphaz": metadata.version("alphaz"), "Python": platform.python_version(), **versions()}.items())


def _script(name: str, findings: Sequence[Diagnostic]) -> Mapped:
    """Returns the entry of a script with errors, which has no mapping."""
    is_wrong = any(finding.is_error for finding in findings)
    return Mapped(
        script=name,
        system="",
        word="not well formed" if is_wrong else "remarks",
        line="the script itself",
        seconds=0.0,
        obligations=(),
        findings=tuple(findings),
        trace="these are findings on the script itself",
    )


def _report_entry(ruling: ScriptVerdict) -> Mapped:
    obligations = ruling.value["obligations"]
    assert isinstance(obligations, list)
    return Mapped(
        script=ruling.script,
        system=ruling.system,
        word=str(ruling.value["verdict"]),
        line=ruling.line,
        seconds=ruling.seconds,
        obligations=[(obligation["rule"], obligation["claim"], obligation["verdict"]) for obligation in obligations],
        findings=ruling.findings,
        trace=ruling.trace,
    )
