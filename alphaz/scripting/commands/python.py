"""Commands as Python functions, and as methods of designs.

    set_memory_map(design, "MCM", "SR_M", "(i,j,k->i,j)", space="M")
    design.normalize().set_memory_map("MCM", "SR_M", "(i,j,k->i,j)", space="M")

The arguments are those that a script gives (texts, numbers, designs), in the order of the signature or by name; a list
may be a text, `"A, B"`, or a list. Warnings come as Python warnings.
"""

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, get_type_hints
from xml.sax.saxutils import escape

from alphaz.analysis.texts.show import latex
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import ARGUMENT
from alphaz.diagnostics.work_limits import OutOfTime, alarm
from alphaz.figures.drawing.figures import best, figure
from alphaz.figures.drawing.svg import Figure
from alphaz.figures.trace.tracing import trace
from alphaz.lazy import lazy_import
from alphaz.legality.verify import certify, verify
from alphaz.mapping import design as mapped
from alphaz.mapping.input_footprint import uncalled_systems
from alphaz.processes.copies import bounded
from alphaz.scripting.commands.all import memory, space_time
from alphaz.scripting.commands.all.scheduling import scheduled_design, undated_systems
from alphaz.scripting.commands.catalogue import commands
from alphaz.scripting.commands.declaring.call import carry_out, closest, convert, perform, usage_line
from alphaz.scripting.commands.declaring.declaration import Command, CommandStatus, Form
from alphaz.scripting.commands.file_lookup import Library
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.commands.outcome import Generation, Outcome, Saving, VerificationRequest
from alphaz.scripting.commands.python_call_place import call_place
from alphaz.scripting.commands.python_verdict import report_of
from alphaz.search.schedule.ilp.cost import Term, cost_of
from alphaz.search.schedule.request import Fuse, Goal, ScheduleEngine, ScheduleRequest

# Seconds for the figure of a design that a notebook shows.
_DRAWING = 5.0


class CommandWarning(UserWarning):
    """A warning of a command: dropped parts of a mapping, options without effect."""


class Design(mapped.Design):
    """A design in Python: every command that takes a program is a method."""

    __slots__ = ()

    @classmethod
    def of(cls, design: mapped.Design) -> "Design":
        """Returns the same design, with the methods."""
        return design if isinstance(design, cls) else cls(design.checked, design.mappings, design.history)

    def __repr__(self) -> str:
        """Returns the names of the systems, and the mapping of each that has one."""
        maps = (space_time.listed(self, name) + memory.listed(self, name) for name in self.mapped_systems)
        return "\n".join([super().__repr__(), *(text.rstrip() for text in maps)])

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = methods().get(name)
        if method is None:
            raise AttributeError(f"a design has no command {name!r}", name=name, obj=self)
        return method.__get__(self)  # type: ignore[no-any-return]

    def draw(
        self,
        kind: str | None = None,
        system: str | None = None,
        *,
        variables: Sequence[str] = (),
        axes: Sequence[str] = (),
        at: Mapping[str, int] | None = None,
        **parameters: int,
    ) -> Figure:
        """Returns a figure, which notebooks display: `design.draw("lifetimes", N=6)`.

        The kinds are domain, dates, tiles, lifetimes, ranks, blocks, order and witness; by default the counterexample
        of a refuted mapping, else the tiles or the dates. Missing parameters have small values. `variables` selects
        variables; `axes` are the indices drawn across and down, and `at` fixes others. Raises Rejected (AZ841, AZ842,
        AZ807).
        """
        name = (
            system
            or uncalled_systems(self.program, self.mapped_systems or tuple(s.name for s in self.program.systems))[-1]
        )
        shown = trace(self, name, parameters or None)
        if kind == "blocks":
            shown = lazy_import("alphaz.equivalence.driver.generated_cuda").with_gpu_blocks(shown, self)
        return figure(shown, kind or best(shown), variables, axes, at)

    def _repr_html_(self) -> str | None:
        """The figure that shows most above the mapping, for notebooks; None, so that they show the mathematics, where
        there is none, or within seconds.
        """
        try:
            with alarm(_DRAWING if current_thread() is main_thread() else None):
                return f"{self.draw().svg}<pre>{escape(repr(self))}</pre>"
        except (Rejected, OutOfTime):
            return None

    def _repr_latex_(self) -> str:
        """The program as typeset mathematics, for notebooks."""
        return latex(self.program)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *methods()})


def as_function(command: Command) -> Callable[..., Any]:
    """Returns the command as a function of Python values.

    The function returns the result of the command: a Design, or another value; the report of a verification; the
    Sources of generated code (Rejected if a mapping is not proved); the text that would be printed or saved."""

    def call(*args: Any, **kwargs: Any) -> Any:
        bound = _bound(command, args, kwargs).arguments
        place = call_place(command.python_name, bound)
        span = place.span
        if command.status is not CommandStatus.DONE:
            return _result(perform(command, (), span, Library(Path())))
        forms = _forms(command, bound, span)
        if len(forms) == 1 or kwargs:
            form = forms[0]
            arguments = [place.argument_value(parameter.name, bound[parameter.name]) for parameter in form]
        else:
            arguments = [place.argument_value(name, value) for name, value in bound.items()]
            form = closest(forms, arguments)
        return _result(carry_out(command, form, arguments, span, Library(Path())))

    call.__name__ = call.__qualname__ = command.python_name
    call.__doc__ = inspect.getdoc(command.function) or command.documentation.summary
    call.__signature__ = _signature(command)  # type: ignore[attr-defined]
    return call


def _signature(command: Command) -> inspect.Signature:
    """The signature in Python: without the call, with the accepted types."""
    if command.status is not CommandStatus.DONE:
        return inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)])
    whole = inspect.signature(command.function)
    types = get_type_hints(command.function)
    parameters = [p.replace(annotation=types[n]) for n, p in whole.parameters.items() if n != "call"]
    return whole.replace(parameters=parameters)


def _bound(command: Command, args: Sequence[object], kwargs: Mapping[str, object]) -> inspect.BoundArguments:
    """The arguments by name; Rejected (AZ402) for an unknown name, or a wrong number."""
    try:
        return _signature(command).bind(*args, **kwargs)
    except TypeError as reason:
        span = call_place(command.python_name, kwargs).span
        message, remedy = f"{command.python_name}: {reason}", f"write {usage_line(command)}"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(span), help=remedy)) from None


def _forms(command: Command, bound: Mapping[str, Any], span: Span) -> list[Form]:
    """The forms with exactly these parameters: several if a script may give them in any order."""
    forms = [form for form in command.forms if {parameter.name for parameter in form} == set(bound)]
    if forms:
        return forms
    message = f"{command.python_name}: these arguments do not go together"
    raise Rejected(Diagnostic(ARGUMENT, message, Label(span), help=f"the forms are those of {usage_line(command)}"))


def _result(outcome: Outcome) -> Any:
    for finding in outcome.findings:
        warnings.warn(finding.message, CommandWarning, stacklevel=3)
    if isinstance(outcome.value, mapped.Design):
        return Design.of(outcome.value)
    if outcome.value is not None or not (outcome.requests or outcome.printed):
        return outcome.value
    if outcome.printed:
        return outcome.printed
    match outcome.requests[0]:
        case VerificationRequest() as asked:
            return report_of(asked.design, [asked.system])
        case Generation() as wanted:
            proof = certify(verify(wanted.design, [wanted.system])) if wanted.needs_proof else None
            return generate(wanted, proof)
        case Saving() as saved:
            return Sources({saved.name: saved.text})


def schedule(
    design: mapped.Design, *arguments: Any, cost: str | Term | Sequence[str | Term] | None = None, **options: Any
) -> Design:
    """Returns the design with a mapping that is found and proved; the arguments are those of the command `schedule`.

    `cost` is a name or text as of `alphaz schedule --cost`, or a list of texts and functions, minimised one after the
    other. A function takes a `ScheduleRow` and returns weights of its variables: `lambda row: {name: 2 for name in
    row.slopes}`. Variables of the terms `carried`, `latency`, `sequential` and `groups` exist if a text of the list has
    that term. With a cost, the history has the commands of the mapping. Raises Rejected (AZ511 to AZ515)."""
    command = next(command for command in commands() if command.python_name == "schedule")
    bound = _bound(command, (design, *arguments), options)
    is_form = any({parameter.name for parameter in form} == set(bound.arguments) for form in command.forms)
    function = _command_functions()["schedule"]
    if cost is None and is_form:
        return function(design, *arguments, **options)  # type: ignore[no-any-return]
    bound.apply_defaults()
    bound_values = {name: value for name, value in bound.arguments.items() if name != "system" or value is not None}
    form = tuple(parameter for parameter in max(command.forms, key=len) if parameter.name in bound_values)
    place = call_place("schedule", bound_values)
    values = convert(
        command, form, [place.argument_value(parameter.name, bound_values[parameter.name]) for parameter in form]
    )
    goal, fuse, strategy = Goal(str(values["goal"])), Fuse(str(values["fuse"])), str(values["strategy"])
    system = str(values["system"]) if "system" in values else None
    if cost is not None:
        schedule_request = ScheduleRequest(
            goal, fuse, strategy, engine=ScheduleEngine.ILP, cost=cost_of(cost), bounded=bounded
        )
        return Design.of(scheduled_design(design, system, schedule_request, Label(NOWHERE)))
    for name in [system] if system else undated_systems(design):
        design = function(design, name, goal.value.upper(), fuse.value.upper(), strategy)
    return Design.of(design)


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Returns every command by its Python name."""
    return {**_command_functions(), "schedule": schedule}


@cache
def _command_functions() -> dict[str, Callable[..., Any]]:
    return {command.python_name: as_function(command) for command in commands()}


@cache
def methods() -> dict[str, Callable[..., Any]]:
    """Returns the commands that take a program first, by their Python names."""
    taking = (command for command in commands() if any(form and form[0].name == "design" for form in command.forms))
    return {command_.python_name: functions()[command_.python_name] for command_ in taking}
