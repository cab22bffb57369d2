"""Completion of partial schedules: the stated rows are fixed, and integer programs find the rest.

The script may state the outer components of all statements (the later ones are found), or whole dates of some
statements (those of the others are found). The dates of all statements are extended together."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import CONFLICT, NO_SCHEDULE, SCHEDULE_CONSTRAINT
from alphaz.legality.verdicts import SystemVerdict
from alphaz.legality.verify import verify
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import DimensionKind, KindSetting, SpaceTimeMap
from alphaz.poly import Affine, AffineFunction
from alphaz.poly.scheduling.band_schedules import NoSchedule
from alphaz.search.schedule.dates import ComponentKind, Dates, dates_in_full
from alphaz.search.schedule.ilp.bands import BandTask, schedule
from alphaz.search.schedule.ilp.cost import PLUTO, Cost
from alphaz.search.schedule.ilp.user_constraints import Conflict, Steering
from alphaz.search.schedule.infeasibility import conflict
from alphaz.search.schedule.problem import Problem, problem_of
from alphaz.search.schedule.request import Fuse
from alphaz.search.schedule.script_lines import length_of


def complete_dates(
    design: Design, system: str, steering: Steering, cost: Cost = PLUTO
) -> tuple[Design, Problem, Dates]:
    """Returns the design with dates for all statements, proved; the stated rows come first in each date.

    Raises Rejected: AZ516 if the stated rows cannot be met, with the dependences in conflict; AZ511 if no completion is
    found that is proved."""
    problem = problem_of(design, system)
    fixed_rows = dict(_given_rows(design, problem))
    new_steering = replace(steering, fixed_rows=fixed_rows)
    try:
        tree = schedule(
            BandTask(
                domains=problem.domains,
                validity=problem.flow,
                unordered=problem.order,
                cost=cost,
                fuse=Fuse.SMART,
                steering=new_steering,
            )
        )
    except Conflict as error:
        raise Rejected(conflict(problem, error.asked, error.edges, CONFLICT)) from None
    except (NoSchedule, TimeoutError) as reason:
        raise Rejected(_none(problem, str(reason) or "HiGHS takes too long")) from None
    dates = dates_in_full(problem, tree)
    found_design = _with_dates(design, problem, dates)
    (report,) = (verdict for verdict in verify(found_design, [system]).systems if verdict.system == system)
    if not report.is_proved:
        raise Rejected(_none(problem, _why(report)))
    return found_design, problem, dates


def _why(report: SystemVerdict) -> str:
    errors = [finding for finding in report.findings if finding.is_error]
    return (
        f"the completed mapping is not proved: {errors[0].message}" if errors else "the completed mapping is not proved"
    )


def _none(problem: Problem, reason: str) -> Diagnostic:
    message = f"the mapping of {problem.system.name} could not be completed"
    return Diagnostic(NO_SCHEDULE, message, Label(problem.system.span), notes=(reason,))


def _given_rows(design: Design, problem: Problem) -> Iterator[tuple[str, tuple[Affine, ...]]]:
    """The stated rows of the mapping, in the indices of each statement. Raises Rejected (AZ515) for other indices."""
    for entry in design.mapping(problem.system.name).space_time:
        statement = problem.statements.get(entry.variable)
        if statement is None:
            continue
        names = statement.domain.space.names
        if len(entry.function.domain.names) != len(names):
            message = f"{entry.variable} accumulates: its contributions are to have dates, over {len(names)} indices"
            raise Rejected(Diagnostic(SCHEDULE_CONSTRAINT, message, Label(entry.span)))
        yield entry.variable, entry.function.renamed(names).outputs


def _with_dates(design: Design, problem: Problem, dates: Dates) -> Design:
    """The mapping with these dates, padded to one length, with constants after the stated rows as ordering
    dimensions."""
    system, length = problem.system.name, length_of(dates)
    mapping = design.mapping(system)
    before = {entry.variable: entry for entry in mapping.space_time}
    for name, components in dates.items():
        values = _pad_row(tuple(c.value for c in components), length)
        function = AffineFunction(problem.statements[name].domain.space, values)
        entry = before.get(name, SpaceTimeMap(name, function))
        init = None if entry.init is None else replace(entry.init, outputs=_pad_row(entry.init.outputs, length))
        mapping = mapping.with_space_time(replace(entry, function=function, init=init))
    width = max((len(entry.function.outputs) for entry in before.values()), default=0)
    kinds = [
        KindSetting(name, (), (position,), DimensionKind.ORDERING)
        for name, components in dates.items()
        for position, component in enumerate(components)
        if component.kind is ComponentKind.ORDER and position >= width
    ]
    return design.with_mapping(system, replace(mapping, kinds=(*mapping.kinds, *kinds)))


def _pad_row(values: tuple[Affine, ...], length: int) -> tuple[Affine, ...]:
    return (*values, *((Affine(),) * (length - len(values))))
