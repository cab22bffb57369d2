"""Commands that check: programs, systems, target mappings."""

from collections.abc import Callable

from alphaz.lazy import lazy_import
from alphaz.mapping.design import Design
from alphaz.model.facts import Facts
from alphaz.model.program import System
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import HowMuch, SystemName
from alphaz.scripting.commands.outcome import Detail, Outcome, VerificationRequest


@command(Topic.ANALYSIS, name="CheckProgram")
def check_program(design: Design, *, call: BoundCall) -> Outcome:
    """Check that every variable is defined exactly once at each point, and read only where it is defined.

    A program from ReadAlphabets or from a transformation has passed these checks; only warnings remain.

    Checks: types, arities, coverage and overlap of equations, reads inside domains, bounded reductions, dependence
    cycles of one point.

    Example:
        CheckProgram(prog);"""
    return Outcome(findings=design.checked.warnings)


@command(Topic.ANALYSIS, name="CheckSystem")
def check_system(design: Design, system: SystemName, *, call: BoundCall) -> Outcome:
    """Check one system, as CheckProgram does for all.

    Example:
        CheckSystem(prog, "sums");
    """
    span = design.system(system).span
    inside = [
        warning
        for warning in design.checked.warnings
        if warning.primary.span.source is not span.source or span.start <= warning.primary.span.start < span.end
    ]
    return Outcome(findings=tuple(inside))


@command(Topic.ANALYSIS, name="VerifyTargetMapping")
def verify_target_mapping(
    design: Design, system: SystemName, detail: HowMuch = Detail.MIN, *, call: BoundCall
) -> Outcome:
    """Prove or refute, for all parameters at once, that the mapping computes what the equations say.

    `NONE` prints the verdict, `MIN` also the findings, `MAX` every obligation.

    Checks: one date for each operation; every value written before it is read and kept until its last read; outputs
    kept to the end; no two unordered writes of one cell; all of this for every order that the tiling allows.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        VerifyTargetMapping(prog, "sums", "MIN");"""
    return Outcome(requests=(VerificationRequest(design, system, call.span, detail),))


@command(Topic.ANALYSIS, name="ComplexityCalculator")
def complexity_calculator(design: Design, system: SystemName | None = None, *, call: BoundCall) -> Outcome:
    """Print the number of values and operations of each equation, as polynomials in the parameters.

    A number that is not a polynomial is reported as such.

    Example:
        ComplexityCalculator(prog, "sums");"""
    # Point counting is loaded for this command alone: most scripts only verify.
    work_text: Callable[[Facts, System], str] = lazy_import("alphaz.analysis.facts.complexity").work_text
    chosen = [each for each in design.program.systems if system in (None, each.name)]
    return Outcome(printed="".join(work_text(design.checked.facts, each) for each in chosen))
