"""Summaries of systems: the points of each input on which a point of an output depends.

    S(o, i) = { (x, y) | output o at x needs input i at y, through any number of locals, outputs and calls }

It is the transitive closure of the dependences of the system, exact if isl computes it exactly, and a superset
otherwise. In recursive systems everything is assumed to depend on everything. With summaries the dependences of a use
equation are stated for each value of each output, instead of for the call as a whole."""

from contextlib import suppress
from dataclasses import dataclass, field

from alphaz.analysis.facts.dependences import Dependence, dependences_of, reads_of_input
from alphaz.model.expression import Facts
from alphaz.model.program import Equation, Program, System, UseEquation, Variable
from alphaz.poly import Affine, AffineFunction, Domain, OutOfBudget, Space, instantiate, unlike
from alphaz.poly.algorithms.affine_order import Leap, Reached
from alphaz.proof import with_growing_budget


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """Dependences of outputs on inputs: `needs` by the numbers of the output and of the input, over the indices of the
    one and then the other."""

    needs: dict[tuple[int, int], Domain]
    is_exact: bool


@dataclass(frozen=True, slots=True, eq=False)
class Summaries:
    """The summaries of the systems of a program, computed on demand."""

    program: Program
    facts: Facts
    _summaries: dict[str, Summary] = field(default_factory=dict)

    def of(self, name: str) -> Summary:
        """Returns the summary of a system."""
        if name not in self._summaries:
            system = self.program.system(name)
            self._summaries[name] = _complete_summary(system)
            with suppress(OutOfBudget):
                self._summaries[name] = with_growing_budget(lambda: self._summary_of(system))
        return self._summaries[name]

    def _summary_of(self, system: System) -> Summary:
        numbers = {variable.name: position for position, variable in enumerate(system.variables)}
        steps: list[Leap] = []
        exact = True
        for equation in system.equations:
            reads = dependences_of(equation, self.facts) if isinstance(equation, Equation) else ()
            if isinstance(equation, UseEquation):
                reads, is_exact = self.reads(system, equation)
                exact = exact and is_exact
            steps += [
                Leap(
                    domain=r.domain,
                    source=numbers[r.consumer],
                    start=r.projection,
                    target=numbers[r.producer],
                    end=r.function,
                )
                for r in reads
            ]
        reached = Reached.by(steps)
        needs = {
            (o, i): reached.between(
                _joint_space(output, input_), numbers[output.name], numbers[input_.name], _dimensions(output)
            )
            for o, output in enumerate(system.outputs)
            for i, input_ in enumerate(system.inputs)
        }
        return Summary(needs, exact and reached.is_exact)

    def reads(self, system: System, equation: UseEquation) -> tuple[tuple[Dependence, ...], bool]:
        """Returns the dependences of the outputs of a call on the reads of its inputs; and whether they are exact."""
        callee, summary = self.program.system(equation.system), self.of(equation.system)
        candidates = [
            _dependence_of_output(equation, read, name, summary.needs[o, i], _dimensions(callee.outputs[o]))
            for i, body in enumerate(equation.inputs)
            for read in reads_of_input(equation, body, self.facts)
            for o, name in enumerate(equation.outputs)
        ]
        return tuple(dependence for dependence in candidates if not dependence.domain.is_empty()), summary.is_exact


def _dependence_of_output(equation: UseEquation, read: Dependence, output: str, needs: Domain, rank: int) -> Dependence:
    """A read by an input at (e,y), as one of the output at (e,x) for each x that depends on y in the call of e."""
    space = read.domain.space
    extension = equation.extension.space.names
    x = unlike(needs.space.names[:rank], (*space.parameters, *space.names))
    y = space.names[len(extension) : len(extension) + needs.space.dimensions - rank]
    whole = space.with_names(space.names + x)
    there = instantiate(needs, whole, equation.parameters, tuple(map(Affine.name, (*x, *y))))
    reader = AffineFunction(whole, tuple(map(Affine.name, (*extension, *x))))
    function = AffineFunction(whole, read.function.outputs)
    return Dependence(
        consumer=output,
        producer=read.producer,
        function=function,
        projection=reader,
        domain=read.domain.embedded(whole) & there,
        reference=read.reference,
    )


def _complete_summary(system: System) -> Summary:
    """The summary in which every point of every output depends on every point of every input."""
    needs = {}
    for o, output in enumerate(system.outputs):
        for i, variable in enumerate(system.inputs):
            space = _joint_space(output, variable)
            x, y = space.names[: _dimensions(output)], space.names[_dimensions(output) :]
            needs[o, i] = output.domain.renamed(x).embedded(space) & variable.domain.renamed(y).embedded(space)
    return Summary(needs, is_exact=False)


def _joint_space(output: Variable, input_: Variable) -> Space:
    """The indices of an output, and those of an input."""
    space = output.domain.space
    return space.with_names(space.names + unlike(input_.domain.space.names, (*space.parameters, *space.names)))


def _dimensions(variable: Variable) -> int:
    return variable.domain.space.dimensions
