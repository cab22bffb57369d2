"""Gives every reduction an equation, so that each contribution can have a date; except reductions that are guarded.

A guarded reduction, `reduce(op, [u], if [E(u)] == x then a else c)` with data x, evaluates one point in place: as an
equation of its own it would evaluate all points. A reduction that is never evaluated is removed first: as an equation
it would have no dates."""

from collections.abc import Iterator

from alphaz.analysis.facts.guarded_reductions import guarded_of
from alphaz.analysis.texts.nodes import Site, sites
from alphaz.mapping.design import Design
from alphaz.model.expression import Reduce
from alphaz.model.program import UseEquation, defined_by
from alphaz.search.schedule.line import Apply, Line


def normalized(design: Design, system: str, apply: Apply) -> tuple[Design, tuple[Line, ...]]:
    """Returns the design with an equation for each such reduction of the system, and the lines that make them.

    There is one line if all reductions of the program are moved; else one for each equation, or for each reduction if
    an equation has selections as well, and in the inputs of a call."""
    lines: list[Line] = []
    facts = design.checked.facts
    if any(
        site.system.name == system and facts.context_domain[site.expression].is_empty() for site, _ in _inner(design)
    ):
        lines.append(Line("Simplify", (system,), of_system=False))
        design = apply(design, "", lines[0])
    while (line := _next(design, system)) is not None:
        design = apply(design, "", line)
        lines.append(line)
    return design, tuple(lines)


def _next(design: Design, system: str) -> Line | None:
    inner = list(_inner(design))
    chosen = [site for site, selects in inner if not selects and site.system.name == system]
    if not chosen:
        return None
    if len(chosen) == len(inner):
        return Line("NormalizeReduction", of_system=False)
    first = chosen[0]
    in_part = any(selects and site.equation is first.equation for site, selects in inner)
    if in_part or isinstance(first.equation, UseEquation):
        return Line("NormalizeReduction", (first.text,), of_system=False)
    (variable, *_) = defined_by(first.equation)
    return Line("NormalizeReduction", (first.system.name, variable), of_system=False)


def _inner(design: Design) -> Iterator[tuple[Site, bool]]:
    """The reductions that are not a whole right-hand side, and whether each is guarded."""
    facts = design.checked.facts
    for site in sites(design.program):
        if isinstance(site.expression, Reduce) and not _is_whole(site):
            yield site, guarded_of(site.expression, facts, site.system.context) is not None


def _is_whole(site: Site) -> bool:
    return getattr(site.equation, "expression", None) is site.expression
