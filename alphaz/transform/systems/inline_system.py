"""InlineSubSystem: replaces a use equation by the equations of the called system.

    use E sub[q] (e_1, ...) returns (O_1, ...)

Every variable v of sub gets the dimensions of E as its first dimensions, and every expression of sub is taken at
parameters q:
    v' over { (e,x) | e in E, x in v at q(e) },   v'[e,x] = the right-hand side of v, each read w[f] as w'[e,f]
An output defines its variable of the caller, an input that is a plain read is replaced by the read variable."""

from dataclasses import dataclass, replace

from alphaz.analysis.checks.calls import CallCheck
from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.mapping.statement import labelled_uses
from alphaz.model.expression import Access, Compose, Expression, IndexValue, Reduce, Restrict
from alphaz.model.program import Equation, Kind, Program, System, UseEquation, Variable, defined_by, input_names
from alphaz.model.walk import children, copy, reads, rebuild
from alphaz.poly import Affine, AffineFunction, Domain, Space, instantiate, unlike
from alphaz.transform.engine.checked_rewrite import declared_domain, shortest_form, with_program, without_context
from alphaz.transform.engine.edit import (
    AnyEquation,
    fresh,
    map_accesses,
    map_guarded_reads,
    roots,
    with_equation,
    with_system,
    with_variable,
)  # fmt: skip
from alphaz.transform.engine.refusals import find_system, names_of, refusal, unknown
from alphaz.transform.normal.simplify import simplified


def inline_subsystem(design: Design, system: str, label: str, span: Span = NOWHERE) -> Design:
    """Replace a use equation, given by its label, by the equations of its system.

    *Rewrites*: the variables of the called system into locals of the caller, over the extension domain times their own;
    an output becomes the caller's variable if type and domain agree, and an input that only reads a variable becomes
    that read. A name in use gets a number. The called system stays in the program. A system that calls itself is
    unrolled once.

    *Checks*: the label is one of the system; the called system has no loop. The mapping of the call is dropped, with a
    warning."""
    return inline_labelled(design, system, label, span)[0]


def inline_labelled(design: Design, system: str, label: str, span: Span = NOWHERE) -> tuple[Design, dict[str, str]]:
    """Returns the design, and the new names of the called system's variables: all except inputs that are read from
    another variable."""
    home = find_system(design.program, system, span)
    calls = labelled_uses(home)
    if label not in calls:
        raise unknown("use equation", label, calls, span)
    call = CallCheck(home, design.program.system(calls[label].system), calls[label])
    if call.callee.loop is not None:
        raise refusal(
            f"{call.callee.name} has a loop, which cannot stand among the equations of {system}",
            span,
            secondary=(Label(call.callee.loop.span, "its loop"),),
            help="a while system can only be called",
        )
    with deep():
        changed = _with_inputs(spliced_call := _with_outputs(_splice(design, call), call), call)
        all_names = {
            name for equation in home.equations if equation is not call.equation for name in defined_by(equation)
        }
        design = with_program(design, with_system(design.program, system, changed.system))
        new = (e for e in changed.system.equations if not all_names.intersection(defined_by(e)))
        names = [name for e in new for name in defined_by(e)]
        return with_program(design, simplified(design.checked, system, names)), spliced_call.names


@dataclass(frozen=True, slots=True, eq=False)
class _Spliced:
    """The caller with the equations of the callee; `names` maps the callee's variables to their names here."""

    system: System
    names: dict[str, str]
    place: AnyEquation


def _splice(design: Design, call: CallCheck) -> _Spliced:
    """Every variable of the callee as a local; inputs and outputs are not connected yet."""
    used_names = set(names_of(design.program, call.caller))
    names: dict[str, str] = {}
    for variable in call.callee.variables:
        names[variable.name] = fresh(variable.name, used_names)
        used_names.add(names[variable.name])
    lift = _Lift(design.program, call, names)
    locals_ = tuple(lift.variable(v) for v in call.callee.variables)
    equations = tuple(lift.equation(e) for e in call.callee.equations)
    system = replace(call.caller, variables=(*call.caller.variables, *locals_))
    return _Spliced(with_equation(system, call.equation, call.equation, *equations), names, call.equation)


def _with_outputs(spliced_call: _Spliced, call: CallCheck) -> _Spliced:
    """The caller's variables are the callee's outputs, or copies of them."""
    system, names_here = spliced_call.system, dict(spliced_call.names)
    for name, callee_output in zip(call.equation.outputs, call.callee.outputs, strict=True):
        mine, inner = system.variable(name), system.variable(spliced_call.names[callee_output.name])
        if mine.type == inner.type and mine.domain.in_context(system.context).equals(inner.domain):
            equation = system.equation(inner.name)
            system = _one_variable(with_variable(system, inner), equation, inner.name, name)
            names_here[callee_output.name] = name
        else:
            names = mine.domain.space.names
            read = Access(inner.name, AffineFunction.identity(mine.domain.space), span=mine.span)
            copied = Equation(name, names, read, span=call.equation.span)
            system = with_equation(system, spliced_call.place, spliced_call.place, copied)
    return replace(spliced_call, system=system, names=names_here)


def _one_variable(system: System, equation: AnyEquation, old: str, new: str) -> System:
    """The system in which the equation of `old` defines `new`, and reads of `old` read `new`."""
    if isinstance(equation, Equation):
        defining: AnyEquation = replace(equation, variable=new)
    else:
        defining = replace(equation, outputs=tuple(new if n == old else n for n in equation.outputs))
    return map_accesses(with_equation(system, equation, defining), old, lambda read: replace(read, variable=new))


def _with_inputs(spliced_call: _Spliced, call: CallCheck) -> _Spliced:
    """The callee's inputs are the caller's variables if they only read one, else locals."""
    system = with_equation(spliced_call.system, spliced_call.place)
    for callee_input, body in zip(call.callee.inputs, call.equation.inputs, strict=True):
        inner = system.variable(spliced_call.names[callee_input.name])
        if not any(inner.name in reads(root) for e in system.equations for root in roots(e)):
            system = with_variable(system, inner)
        elif isinstance(body, Access) and system.variable(body.variable).type == inner.type:
            system = _read_directly(with_variable(system, inner), inner, body)
        else:
            names = input_names(system.parameters, call.extension.space.names, callee_input)
            equation = Equation(inner.name, names, copy(body), span=body.span)
            system = replace(system, equations=(equation, *system.equations))
    return replace(spliced_call, system=system)


def _read_directly(system: System, inner: Variable, body: Access) -> System:
    names = inner.domain.space.names
    reached = system.variable(body.variable).domain.preimage(body.function).renamed(names).in_context(system.context)

    def change(read: Access) -> Access:
        return replace(read, variable=body.variable, function=read.function.then(body.function.renamed(names)))

    if reached.equals(inner.domain):
        return map_accesses(system, inner.name, change)
    return map_guarded_reads(system, inner.name, change, shortest_form(inner.domain, reached))


@dataclass(frozen=True, slots=True, eq=False)
class _Lift:
    """Expressions of the callee as expressions of the caller, at a point of the extension domain."""

    program: Program
    call: CallCheck
    names: dict[str, str]

    @property
    def _extension(self) -> tuple[str, ...]:
        return self.call.extension.space.names

    def variable(self, variable: Variable) -> Variable:
        own = self._own(variable.domain.space.names)
        domain = declared_domain(self.call.needed_domain(variable, own).simplify(), self.call.caller)
        return replace(variable, name=self.names[variable.name], kind=Kind.LOCAL, domain=domain)

    def equation(self, equation: AnyEquation) -> AnyEquation:
        if isinstance(equation, Equation):
            own = self._own(equation.indices)
            return Equation(
                self.names[equation.variable], (*self._extension, *own),
                self.expression(equation.expression, equation.indices, own), span=equation.span,
            )  # fmt: skip
        return self._use(equation)

    def _use(self, equation: UseEquation) -> UseEquation:
        inner = equation.extension.space.names
        own = self._own(inner)
        space = self._space(own)
        parameters = tuple(self._affine(a, inner, own) for a in equation.parameters)
        extension = self._domain(equation.extension, own) & self.call.extension.embedded(space)
        inputs = []
        for body, callee_input in zip(equation.inputs, self.program.system(equation.system).inputs, strict=True):
            old = input_names(self.call.callee.parameters, inner, callee_input)
            new = input_names(self.call.caller.parameters, space.names, callee_input)
            inputs.append(self.expression(body, old, new[len(self._extension) :]))
        outputs = tuple(self.names[name] for name in equation.outputs)
        declared_extension = declared_domain(extension.simplify(), self.call.caller)
        return UseEquation(
            extension=declared_extension,
            system=equation.system,
            parameters=parameters,
            inputs=tuple(inputs),
            outputs=outputs,
            span=equation.span,
        )

    def expression(self, node: Expression, old: tuple[str, ...], new: tuple[str, ...]) -> Expression:
        """Returns the node with its indices `old` renamed to `new`; the dimensions of the extension come before
        them."""
        match node:
            case IndexValue(affine):
                return replace(node, affine=self._affine(affine, old, new))
            case Access(variable, function):
                here = (*map(Affine.name, self._extension), *self._outputs(function, new))
                return replace(node, variable=self.names[variable], function=AffineFunction(self._space(new), here))
            case Compose(function, inside, body):
                own = self._own(inside)
                here = (*map(Affine.name, self._extension), *self._outputs(function, new))
                lifted = self.expression(body, inside, own)
                return replace(
                    node, function=AffineFunction(self._space(new), here), names=(*self._extension, *own), body=lifted
                )
            case Restrict(domain, body):
                short = without_context(self._domain(domain, new), self.call.caller)
                return replace(node, domain=short, body=self.expression(body, old, new))
            case Reduce(_, projection, body):
                inside = projection.domain.names
                own = self._own(inside)
                here = (*map(Affine.name, self._extension), *self._outputs(projection, own))
                lifted = self.expression(body, inside, own)
                return replace(node, projection=AffineFunction(self._space(own), here), body=lifted)
        inner = children(node)
        return rebuild(node, tuple(self.expression(child, old, new) for child in inner)) if inner else copy(node)

    def _own(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Index names of the callee that are unused in the caller."""
        return unlike(names, self.call.caller.parameters + self._extension)

    def _space(self, own: tuple[str, ...]) -> Space:
        return self.call.caller.space(self._extension + own)

    def _affine(self, affine: Affine, old: tuple[str, ...], new: tuple[str, ...]) -> Affine:
        values = dict(zip(self.call.callee.parameters, self.call.equation.parameters, strict=True))
        return affine.substitute({**values, **{o: Affine.name(n) for o, n in zip(old, new, strict=True)}})

    def _outputs(self, function: AffineFunction, new: tuple[str, ...]) -> tuple[Affine, ...]:
        return tuple(self._affine(a, function.domain.names, new) for a in function.outputs)

    def _domain(self, domain: Domain, own: tuple[str, ...]) -> Domain:
        return instantiate(domain, self._space(own), self.call.equation.parameters, tuple(map(Affine.name, own)))
