"""Use equations under a mapping: the date of the called system, and the places of its arguments.

A call is one operation for each point e of its extension domain. For each argument there is
- nothing more: the call makes an array, fills (or empties) it and releases it, all in one operation;
- an array of its own, which operations with dates of their own allocate, copy and free. Calls whose arrays are
  allocated at one date, and have one shape, use one array in turn: the array is that of `instance(e)`;
- no array: the system works on the cells of the caller's variable, in place.
Source: verifier.md, Calls.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import ALIAS, DEFAULT_MAP, IGNORED, MAP_SHAPE, MAPPING, NO_LEAVE, STORAGE_FORMAT
from alphaz.mapping.aliases import plain_access
from alphaz.mapping.cells import rank
from alphaz.mapping.design import Design
from alphaz.mapping.input_footprint import footprint, passed_domain
from alphaz.mapping.statement import Cell, Role, Statement, labelled_uses
from alphaz.mapping.target_mapping import ArgumentDate, CallMoment, TargetMapping
from alphaz.model.expression import Expression
from alphaz.model.program import System, UseEquation, Variable
from alphaz.poly import Affine, AffineFunction, Domain, Unbounded, unlike
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.plain.integer_expression import names_of

_ROLES = {CallMoment.ALLOCATION: Role.ALLOCATION, CallMoment.COPY: Role.COPY, CallMoment.FREE: Role.FREE}


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """Input or output `number` of a call; `name` is the name of its array, `callee_variable` the callee's variable.

    `domain` are the (e,x) that the callee has, `used_domain` those that it reads (of an input) or that the caller's
    variable has (of an output). `body` is the caller's expression for an input, `variable` the caller's variable of an
    output, and of an input in place. `allocation`, `copy` and `free` name the statements with dates of their own.
    """

    label: str
    number: int
    is_output: bool
    callee_variable: Variable
    domain: Domain
    used_domain: Domain
    instance: AffineFunction
    body: Expression | None = None
    variable: str | None = None
    in_place: bool = False
    allocation: str | None = None
    copy: str | None = None
    free: str | None = None
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def name(self) -> str:
        return f"{self.label}.{'out' if self.is_output else 'in'}{self.number}"

    @property
    def has_array(self) -> bool:
        """Returns True if its array outlives the call."""
        return not self.in_place and (self.allocation is not None or self.copy is not None)

    @property
    def cell(self) -> Cell:
        """Returns the cell of an element (e,x) of the array: the array of instance(e), at x."""
        space, dimensions = self.domain.space, self.instance.domain.dimensions
        own = tuple(map(Affine.name, space.names[dimensions:]))
        outputs = self.instance.renamed(space.names[:dimensions]).outputs
        function = AffineFunction(space, (*outputs, *own))
        return Cell(
            variable=self.name, space=self.name, function=function, moduli=(0,) * len(function.outputs), span=self.span
        )


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """One use equation; the statement of its calls has its label as name."""

    label: str
    equation: UseEquation
    callee: System
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return (*self.inputs, *self.outputs)


@dataclass(frozen=True, slots=True)
class Uses:
    """All use equations of a system: `statements` have no kinds yet, `before` is their order at equal dates."""

    uses: tuple[Use, ...]
    statements: tuple[Statement, ...]
    before: tuple[tuple[str, str], ...]
    notes: tuple[Diagnostic, ...]


def uses_of(design: Design, system: System, stated: TargetMapping, cells: Mapping[str, Cell], dimensions: int) -> Uses:
    """Returns every use equation, resolved. Raises Rejected (AZ404, AZ411) where a map or a space does not fit."""
    builders = [
        UseBuilder(design, system, stated, cells, dimensions, *labelled_use)
        for labelled_use in labelled_uses(system).items()
    ]
    uses = tuple(builder.use() for builder in builders)
    before = tuple(pair for use in uses for pair in _at_one_date(use))
    statements = tuple(s for builder in builders for s in builder.statements)
    return Uses(uses, statements, before, tuple(n for builder in builders for n in builder.notes))


def _at_one_date(use: Use) -> Iterator[tuple[str, str]]:
    """Yields the order of the operations on an argument, which also holds at equal dates."""
    for argument in use.arguments:
        middle = (use.label, argument.copy) if argument.is_output else (argument.copy, use.label)
        steps = [name for name in (argument.allocation, *middle, argument.free) if name is not None]
        yield from pairwise(steps)


class UseBuilder:
    """One use equation while its statements are collected."""

    def __init__(
        self,
        design: Design,
        system: System,
        stated: TargetMapping,
        cells: Mapping[str, Cell],
        dimensions: int,
        label: str,
        equation: UseEquation,
    ) -> None:
        self.design, self.system, self.stated, self.cells = design, system, stated, cells
        self.dimensions, self.label, self.equation = dimensions, label, equation
        self.callee = design.program.system(equation.system)
        self.extension = equation.extension.in_context(system.context)
        self.notes: list[Diagnostic] = []
        self.statements: list[Statement] = [self._call()]

    def use(self) -> Use:
        if self.design.mapping(self.callee.name).formats:
            entry = self.design.mapping(self.callee.name).formats[0]
            message = f"`{entry.variable}` has a storage format, and {self.callee.name} is called by {self.system.name}"
            help_ = "arguments of calls lie in boxes: leave the format out, or inline the system"
            raise Rejected(Diagnostic(STORAGE_FORMAT, message, Label(entry.span), help=help_))
        self._check_overwritten()
        inputs = tuple(self._argument(self._input(position)) for position in range(len(self.equation.inputs)))
        outputs = tuple(self._argument(self._output(position)) for position in range(len(self.equation.outputs)))
        if self.design.mapping(self.callee.name).is_empty:
            message = f"{self.callee.name} has no mapping: the code that {self.label} calls is demand-driven"
            self.notes.append(Diagnostic(DEFAULT_MAP, message, Label(self.equation.span)))
        return Use(label=self.label, equation=self.equation, callee=self.callee, inputs=inputs, outputs=outputs)

    def _check_overwritten(self) -> None:
        """Checks that an input that the callee may overwrite is an array that the call makes and fills itself."""
        for entry in self.design.mapping(self.callee.name).overwritable:
            at = next((position for position, v in enumerate(self.callee.inputs) if v.name == entry.variable), None)
            variable = None if at is None else self._given_of_input(at)
            if variable is not None:
                message = f"{self.callee.name} may overwrite `{entry.variable}`, and {self.label} passes it an array"
                message += " that outlives the call"
                remedy = "leave this out: the call makes an array, fills and releases it; or leave setOverwritable out"
                place = Label(entry.span, f"`{entry.variable}` may be overwritten")
                raise Rejected(Diagnostic(NO_LEAVE, message, Label(variable), (place,), help=remedy))

    def _given_of_input(self, number: int) -> Span | None:
        """Returns the place where the script sets the array of an input."""
        dates = [self.stated.argument_date(self.label, False, number, moment) for moment in CallMoment]
        entries = (self.stated.argument_space(self.label, False, number), *dates)
        return next((entry.span for entry in entries if entry is not None), None)

    # --- the call ---------------------------------------------------------------------------------------------------

    def _call(self) -> Statement:
        entry = self.stated.space_time_of(self.label)
        if entry is not None:
            if entry.init is not None:
                message = f"{self.label} is a use equation: it has no initialisation to be mapped"
                raise Rejected(Diagnostic(MAP_SHAPE, message, Label(entry.span)))
            return self._statement(self.label, Role.CALL, entry.function, entry.span)
        own = AffineFunction.identity(self.extension.space)
        missing = self.dimensions - len(own.outputs)
        if missing < 0:
            own_count = count_text(len(own.outputs), "dimension")
            message = (
                f"{self.label} has no space-time map, and its identity has {own_count}; "
                f"the given maps have {self.dimensions}"
            )
            remedy = f"give {self.label} a space-time map with {count_text(self.dimensions, 'dimension')}"
            raise Rejected(Diagnostic(MAPPING, message, Label(self.equation.span), help=remedy))
        date = replace(own, outputs=(*own.outputs, *((Affine(),) * missing)))
        message = f"{self.label} has no space-time map and gets {date}"
        self.notes.append(Diagnostic(DEFAULT_MAP, message, Label(self.equation.span)))
        return self._statement(self.label, Role.CALL, date, self.equation.span)

    def _statement(self, name: str, role: Role, date: AffineFunction, span: Span) -> Statement:
        space = self.extension.space
        if len(date.domain.names) != space.dimensions:
            has, needs = len(date.domain.names), space.dimensions
            message = f"the map of {name} has {has} indices; the extension domain of {self.label} has {needs}"
            raise Rejected(Diagnostic(MAP_SHAPE, message, Label(span), (Label(self.equation.span),)))
        if len(date.outputs) != self.dimensions:
            message = (
                f"the map of {name} has {count_text(len(date.outputs), 'dimension')}; the dates have {self.dimensions}"
            )
            raise Rejected(Diagnostic(MAPPING, message, Label(span), help="pad the shorter maps with constants"))
        identity = AffineFunction.identity(space)
        return Statement(
            name=name,
            variable=self.label,
            role=role,
            domain=self.extension,
            target=identity,
            date=date.renamed(space.names),
            kinds=(),
            equation=None,
            span=span,
        )

    # --- its arguments ----------------------------------------------------------------------------------------------

    def _input(self, number: int) -> Argument:
        callee_variable, body = self.callee.inputs[number], self.equation.inputs[number]
        domain = self.design.checked.facts.context_domain[body].in_context(self.system.context)
        read = passed_domain(self.equation, footprint(self.design, self.callee, callee_variable), domain.space)
        identity = AffineFunction.identity(self.extension.space)
        return Argument(
            label=self.label,
            number=number,
            is_output=False,
            callee_variable=callee_variable,
            domain=domain,
            used_domain=(domain & read).simplify(),
            instance=identity,
            body=body,
            span=body.span,
        )

    def _output(self, number: int) -> Argument:
        callee_variable = self.callee.outputs[number]
        mine = self.system.variable(self.equation.outputs[number])
        extension = self.extension.space.names
        own = unlike(callee_variable.domain.space.names, self.system.parameters + extension)
        space = self.system.space(extension + own)
        domain = passed_domain(self.equation, callee_variable.domain, space).in_context(self.system.context)
        used = mine.domain.renamed(space.names).in_context(self.system.context)
        identity = AffineFunction.identity(self.extension.space)
        return Argument(
            label=self.label,
            number=number,
            is_output=True,
            callee_variable=callee_variable,
            domain=domain,
            used_domain=used,
            instance=identity,
            body=None,
            variable=mine.name,
            span=self.equation.span,
        )

    def _argument(self, plain: Argument) -> Argument:
        shared = self._in_place(plain)
        if shared is not None:
            return shared
        entries = {moment: self._entry(plain, moment) for moment in CallMoment}
        entries_ = {moment: entry for moment, entry in entries.items() if entry is not None}
        if set(entries_) == {CallMoment.FREE}:
            message = f"the array of {plain.name} is made and released by the call: this date has no effect"
            self.notes.append(Diagnostic(IGNORED, message, Label(entries_[CallMoment.FREE].span)))
            return plain
        for moment, entry in entries_.items():
            name = f"{plain.name}.{moment}"
            self.statements.append(self._statement(name, _ROLES[moment], entry.function, entry.span))
        names = {moment: f"{plain.name}.{moment}" for moment in entries_}
        argument = replace(
            plain,
            allocation=names.get(CallMoment.ALLOCATION),
            copy=names.get(CallMoment.COPY),
            free=names.get(CallMoment.FREE),
            span=next((e.span for e in entries_.values()), plain.span),
        )
        return self._with_instance(argument)

    def _entry(self, argument: Argument, moment: CallMoment) -> ArgumentDate | None:
        return self.stated.argument_date(self.label, argument.is_output, argument.number, moment)

    def _with_instance(self, argument: Argument) -> Argument:
        """Returns the argument with one array for all allocations at one date, if its shape is the same for
        all calls.
        """
        if argument.allocation is None or not self._has_one_shape(argument.callee_variable):
            return argument
        date = next(s.date for s in self.statements if s.name == argument.allocation)
        return argument if rank(date) == date.domain.dimensions else replace(argument, instance=date)

    def _has_one_shape(self, callee_variable: Variable) -> bool:
        """Returns True if the box of the variable depends on no parameter that differs from call to call."""
        varying = {
            name
            for name, value in zip(self.callee.parameters, self.equation.parameters, strict=True)
            if set(value.names) & set(self.extension.space.names)
        }
        try:
            box = bounding_box(callee_variable.domain, self.callee.context)
        except Unbounded:
            return False
        return not varying.intersection(n for bound in (*box.lower, *box.upper) for n in names_of(bound))

    # --- in place ---------------------------------------------------------------------------------------------------

    def _in_place(self, argument: Argument) -> Argument | None:
        entry = self.stated.argument_space(self.label, argument.is_output, argument.number)
        if entry is None:
            return None
        if not any(cell.space == entry.space for cell in self.cells.values()):
            message = f"no variable is in memory space {entry.space}: {argument.name} keeps an array of its own"
            self.notes.append(Diagnostic(IGNORED, message, Label(entry.span)))
            return None
        variable = argument.variable if argument.is_output else self._accessed(argument, entry.span)
        assert variable is not None
        cell = self.cells[variable]
        if cell.space != entry.space:
            message = f"{argument.name} is {variable}, which is in memory space {cell.space} and not in {entry.space}"
            remedy = f'setMemorySpace(program, system, "{entry.space}", "{variable}") puts it there'
            raise Rejected(Diagnostic(MAPPING, message, Label(entry.span), (Label(argument.span),), help=remedy))
        if self.system.variable(variable).type != argument.callee_variable.type:
            mine, other = self.system.variable(variable).type, argument.callee_variable.type
            message = (
                f"{argument.name} is {other} in {self.callee.name}, and {variable} is {mine}: there must be a copy"
            )
            raise Rejected(Diagnostic(MAPPING, message, Label(entry.span), (Label(argument.callee_variable.span),)))
        in_place = replace(argument, variable=variable, in_place=True, span=entry.span)
        if any(self._entry(argument, moment) is not None for moment in CallMoment):
            message = f"{argument.name} is in {entry.space} already: it is neither allocated, copied nor freed"
            self.notes.append(Diagnostic(ALIAS, message, Label(entry.span)))
        return in_place

    def _accessed(self, argument: Argument, span: Span) -> str:
        assert argument.body is not None
        copied = plain_access(argument.body, AffineFunction.identity(argument.domain.space))
        if copied is None:
            message = f"{argument.name} is computed, so that it is in no memory space before it is copied"
            remedy = "give the expression a variable of its own, or leave the copy"
            raise Rejected(Diagnostic(MAPPING, message, Label(span), (Label(argument.span),), help=remedy))
        return copied[0]
