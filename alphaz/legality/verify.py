"""Verifies a design: states, discharges and reports every obligation of every mapped system, and certifies
the result.
"""

from collections.abc import Iterable, Iterator
from math import inf
from time import process_time

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import ASSUMED, IN_PLACE, REFUSED
from alphaz.legality.mapping_obligations import Verification
from alphaz.legality.reporting.findings import report
from alphaz.legality.verdicts import DesignVerdict, Options, SystemVerdict, Verified
from alphaz.mapping.design import Design
from alphaz.mapping.input_footprint import called_systems
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.proof import Proved


def verify(design: Design, systems: Iterable[str] | None = None, options: Options | None = None) -> DesignVerdict:
    """Returns the verdicts on these systems, or on all that have a mapping, and on the mapped systems that they call.

    Raises KeyError where there is no such system.
    """
    chosen = design.mapped_systems if systems is None else tuple(systems)
    names = tuple(dict.fromkeys((*chosen, *_with_called_systems(design, chosen))))
    return DesignVerdict(design, tuple(_verify_system(design, name, options or Options()) for name in names))


def is_legal(design: Design, system: str, options: Options | None = None, until: float = inf) -> bool:
    """Returns True if every obligation is proved; stops at the first one that is not.

    An obligation that is not proved before the time `until`, by the clock `process_time`, counts as not proved.
    """
    try:
        trial = Verification.of(design, system, options or Options())
    except Rejected:
        return False
    return all(isinstance(result.verdict, Proved) and process_time() <= until for result in trial.results())


def certify(design_verdict: DesignVerdict) -> Verified:
    """Returns the licence to generate code. Raises Rejected (AZ804, then the findings) unless every obligation is
    proved, or assumed by name.
    """
    if not all(s.is_usable for s in design_verdict.systems):
        raise Rejected(*(_refusal(s) for s in design_verdict.systems if not s.is_usable), *_errors(design_verdict))
    scopes = {s.system: s.scope for s in design_verdict.systems if s.scope}
    assumed = tuple(finding for finding in design_verdict.findings if finding.rule == ASSUMED)
    return Verified(design_verdict.design, _mappings(design_verdict), assumed, scopes=scopes)


def assume_legal(report: DesignVerdict) -> Verified:
    """Returns the same licence without a proof; the generated code states this.

    Raises Rejected if the mapping is not well formed, or could write outside its memory.
    """
    impossible = [s for s in report.systems if s.mapping is None or _may_write_outside(s)]
    if impossible:
        raise Rejected(*(f for s in impossible for f in s.findings))
    return Verified(report.design, _mappings(report), _errors(report))


def _may_write_outside(system_verdict: SystemVerdict) -> bool:
    return any(r.rule == IN_PLACE and not isinstance(r.verdict, Proved) for r in system_verdict.results)


def _with_called_systems(design: Design, systems: Iterable[str]) -> Iterator[str]:
    """Yields the systems and their called systems: a call is proved on the assumption that the called system
    is proved.
    """
    for name in systems:
        for callee in called_systems(design.program, design.system(name)):
            if not design.mapping(callee.name).is_empty:
                yield callee.name


def _verify_system(design: Design, name: str, options: Options) -> SystemVerdict:
    design.system(name)
    trial = verification_of(design, name, options)
    return trial if isinstance(trial, SystemVerdict) else report(trial, tuple(trial.results()), options)


def verification_of(design: Design, system: str, options: Options) -> Verification | SystemVerdict:
    """Returns the verification, or the verdict where the mapping is not well formed."""
    try:
        return Verification.of(design, system, options)
    except Rejected as rejected:
        return SystemVerdict(system, None, (), rejected.diagnostics)


def _mappings(report: DesignVerdict) -> dict[str, ResolvedMapping]:
    return {s.system: s.mapping for s in report.systems if s.mapping is not None}


def _errors(report: DesignVerdict) -> tuple[Diagnostic, ...]:
    return tuple(f for f in report.findings if f.is_error or f.rule == ASSUMED)


def _refusal(report: SystemVerdict) -> Diagnostic:
    """Returns the diagnostic at the first finding, which follows it."""
    first = next(f for f in report.findings if f.is_error)
    message = f"no code is generated for system {report.system}: its mapping is not proved"
    return Diagnostic(REFUSED, message, Label(first.primary.span))
