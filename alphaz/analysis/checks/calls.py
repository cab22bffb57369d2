"""Checks that use equations fit the called systems.

With E the extension domain and q the passed parameters:
    foreign   = E - { e | q(e) in the callee's context }                      (AZ311)
    undefined = D_output - { (e,x) | e in E, x in the callee's output at q(e) }  (AZ304)
    missing   = { (e,x) | e in E, x in the callee's input at q(e) } - value(input)  (AZ311)
`recursion` checks that calls terminate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.analysis.checks.obligation_finding import ProgramCheck, parameter_values, parameters_text, point_text
from alphaz.analysis.checks.types import Typing, is_wider
from alphaz.analysis.facts.definedness_at_points import coordinates, has_value_at, within
from alphaz.diagnostics import Label, Witness, WitnessPoint
from alphaz.diagnostics.rules import CALL, LOSSY, UNDEFINED_POINT
from alphaz.model.program import System, UseEquation, Variable, input_names
from alphaz.poly import Affine, Domain, Space, instantiate, unlike
from alphaz.poly.algorithms.congruence import set_text
from alphaz.proof import Obligation, Values


@dataclass(frozen=True, slots=True, eq=False)
class CallCheck:
    """One use equation between its caller and its callee."""

    caller: System
    callee: System
    equation: UseEquation

    @property
    def label(self) -> str:
        return f"UseEquation_{self.equation.outputs[0]}"

    @property
    def extension(self) -> Domain:
        return self.equation.extension

    def arguments(self, values: Values) -> dict[str, int]:
        """Returns the callee's parameters at a point of the extension."""
        return {n: a.at(values) for n, a in zip(self.callee.parameters, self.equation.parameters, strict=True)}

    def needed_domain(self, variable: Variable, callee_indices: tuple[str, ...]) -> Domain:
        """Returns `{ (e,x) | e in E, x in the callee's variable at q(e) }`; x has the names `own`."""
        space = Space(self.caller.parameters, self.extension.space.names + callee_indices)
        inside = instantiate(variable.domain, space, self.equation.parameters, tuple(map(Affine.name, callee_indices)))
        return inside & self.extension.embedded(space)

    def input_domains(self) -> tuple[Domain, ...]:
        """Returns the domain, over its context space, on which each input expression is needed."""
        extension = self.extension.space.names
        names = (input_names(self.caller.parameters, extension, v)[len(extension) :] for v in self.callee.inputs)
        return tuple(self.needed_domain(v, own) for v, own in zip(self.callee.inputs, names, strict=True))

    def has(self, variable: Variable, values: Values, point: tuple[int, ...]) -> bool:
        """Returns True if the point, extension first, is one of the callee's variable; by integer arithmetic."""
        extra = self.extension.space.dimensions
        here = coordinates(self.extension.space, values, point[:extra])
        return self.extension.contains(here) and within(variable.domain, self.arguments(here), point[extra:])

    # --- types --------------------------------------------------------------------------------------------------

    def type(self, typing: Typing) -> None:
        """Types the inputs, and warns about conversions of inputs and outputs that may lose values."""
        for body, variable in zip(self.equation.inputs, self.callee.inputs, strict=True):
            typing.expect(body, variable.type, variable.span, f"the input `{variable.name}` of `{self.callee.name}`")
        for name, output in zip(self.equation.outputs, self.callee.outputs, strict=True):
            mine = self.caller.variable(name)
            if loses(output, mine):
                typing.findings.report(
                    LOSSY,
                    f"a value of type {output.type} is converted to {mine.type}, the type of `{name}`",
                    self.equation.span,
                    f"`{output.name}` of `{self.callee.name}` is {output.type}",
                    related=(Label(mine.span, f"declared `{mine.type}`"),),
                )

    # --- domains ------------------------------------------------------------------------------------------------

    def questions(self) -> Iterator[ProgramCheck]:
        """Yields the checks of the parameters and the outputs."""
        yield self._parameters()
        for name, output in zip(self.equation.outputs, self.callee.outputs, strict=True):
            yield self._output(self.caller.variable(name), output)

    def _witness(self, values: Values, sentence: str) -> Witness:
        point = tuple(values[n] for n in self.extension.space.names)
        place = WitnessPoint("call", self.label, point)
        return Witness(
            parameter_values(values, self.caller.parameters),
            (place,),
            parameters_text(values, self.caller.parameters) + sentence,
        )

    def _call_text(self, values: Values) -> str:
        """`sub[N=3]`, with the point of the extension."""
        point = tuple(values[n] for n in self.extension.space.names)
        at = f" at ({','.join(map(str, point))})" if point else ""
        arguments = ", ".join(f"{n}={v}" for n, v in self.arguments(values).items())
        return f"`{self.callee.name}` is called with {arguments or 'no parameters'}{at}"

    def _foreign(self) -> Domain:
        """The points of the extension at which the arguments are outside the callee's context."""
        return self.extension - instantiate(self.callee.context, self.extension.space, self.equation.parameters, ())

    def _is_foreign(self, values: Values) -> bool:
        here = {name: values[name] for name in (*self.caller.parameters, *self.extension.space.names)}
        return self.extension.contains(here) and not self.callee.context.contains(self.arguments(here))

    def _parameters(self) -> ProgramCheck:
        context = self.callee.context
        obligation = Obligation(
            CALL,
            f"`{self.callee.name}` is called with legal parameters",
            self._foreign,
            (("call", self.extension.space.names),),
            lambda values: self._witness(values, f"{self._call_text(values)}, which it does not allow"),
            self._is_foreign,
            self.equation.span,
            (Label(self.callee.span, f"its parameters must be in {set_text(context)}"),),
        )
        remedy = "limit the call to legal parameters by an extension domain: `use {| ..} system[..] (..)`"
        return ProgramCheck(
            obligation, f"`{self.callee.name}` is called with parameters that it does not allow", "called here", remedy
        )

    def _output(self, defined_variable: Variable, callee_output: Variable) -> ProgramCheck:
        used_names = self.caller.parameters + self.extension.space.names
        own = unlike(callee_output.domain.space.names, used_names)
        names = self.extension.space.names + own
        space = self.caller.space(names)

        def point(values: Values) -> tuple[int, ...]:
            return tuple(values[n] for n in names)

        def explain(values: Values) -> Witness:
            shown = point_text(defined_variable.name, point(values))
            sentence = f"{parameters_text(values, self.caller.parameters)}{shown} is not computed by this call"
            place = WitnessPoint("point", defined_variable.name, point(values))
            return Witness(parameter_values(values, self.caller.parameters), (place,), sentence)

        def recheck(values: Values) -> bool:
            excused = self._is_foreign(values) or self.has(callee_output, values, point(values))
            return within(defined_variable.domain, values, point(values)) and not excused

        obligation = Obligation(
            UNDEFINED_POINT,
            f"every point of {defined_variable.name} is computed by the call",
            lambda: (
                defined_variable.domain.renamed(names)
                - self.needed_domain(callee_output, own)
                - self._foreign().embedded(space)
            ),
            (("point", names),),
            explain,
            recheck,
            self.equation.span,
            (
                Label(defined_variable.span, "declared here"),
                Label(callee_output.span, f"computed by `{self.callee.name}`"),
            ),
        )
        return ProgramCheck(
            obligation,
            f"`{defined_variable.name}` is not computed at every point of its domain",
            "some point is not a result of this call",
            "make its domain the extension domain times the domain of the result",
        )

    def missing(self, variables: Mapping[str, Variable], number: int, needed: Domain, value: Domain) -> ProgramCheck:
        """Returns the check that the input expression, with the domain `value`, is defined wherever the callee has a
        point."""
        body, callee_input = self.equation.inputs[number], self.callee.inputs[number]
        names = needed.space.names

        def recheck(values: Values) -> bool:
            point = tuple(values[n] for n in names)
            return self.has(callee_input, values, point) and has_value_at(variables, body, values) is not True

        def explain(values: Values) -> Witness:
            extra = self.extension.space.dimensions
            shown = point_text(callee_input.name, tuple(values[n] for n in names[extra:]))
            return self._witness(values, f"{self._call_text(values)}, and its input {shown} is not defined")

        obligation = Obligation(
            CALL,
            f"the input {callee_input.name} is defined wherever it is needed",
            lambda: needed - value,
            (("point", names),),
            explain,
            recheck,
            body.span,
            (Label(callee_input.span, f"the input of `{self.callee.name}`"),),
        )
        message = f"the input `{callee_input.name}` of `{self.callee.name}` is not defined at every point of its domain"
        return ProgramCheck(obligation, message, "not defined everywhere")


def loses(source: Variable, target: Variable) -> bool:
    """Returns True if the conversion between the types of two variables may lose values."""
    source_type, target_type = source.type, target.type
    if source_type.is_float != target_type.is_float:
        return source_type.is_float
    loses_sign = source_type.signed and not target_type.signed
    return target_type.kind != "bool" and (is_wider(source_type, target_type) or loses_sign)
