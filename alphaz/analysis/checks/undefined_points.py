"""Finds the cause of an undefined point: a read of a point that does not exist, or a missing definition.

    claim(e)   where e claims to have a value: as value(e), except that a read under a restrict (or under the equation
    itself)
               claims everything, even if it does not exist. A read without other limits, in a branch of a case
               without a restrict, claims the points that exist.
An undefined point that is claimed is the fault of a read (AZ306), located there; one that is not claimed is missing
from the definition (AZ304)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.analysis.checks.obligation_finding import (
    ProgramCheck,
    limits,
    parameter_values,
    parameters_text,
    point_text,
)
from alphaz.analysis.facts.definedness_at_points import readable
from alphaz.analysis.facts.domains import DomainInference, at, both, either, image_of
from alphaz.diagnostics import Label, Witness, WitnessPoint
from alphaz.diagnostics.rules import OUTSIDE
from alphaz.model.expression import Access, Case, Compose, Expression, Reduce, Restrict
from alphaz.model.program import System, Variable
from alphaz.model.walk import children
from alphaz.poly import AffineFunction, Domain, outside
from alphaz.proof import Obligation, Values


def claim(node: Expression, inference: DomainInference) -> Domain | None:
    """Returns the claimed points; None for everything."""
    match node:
        case Access() if inference.queries[node].promised:
            return None
        case Restrict():
            return both(node.domain, claim(node.body, inference))
        case Compose():
            inner = claim(node.body, inference)
            return None if inner is None else inner.preimage(node.function)
        case Reduce():
            space = inference.spaces[node]
            return None if inference.queries[node].promised else image_of(inference.values[node.body], node, space)
        case Case():
            branches = [claim(branch, inference) for branch in node.branches]
            result = branches[0]
            for branch in branches[1:]:
                result = either(result, branch)
            return result
    inside = children(node)
    if not inside:
        return inference.values[node]
    result = None
    for child in inside:
        result = both(result, claim(child, inference))
    return result


@dataclass(frozen=True, slots=True, eq=False)
class Blame:
    """The reads of one equation (of `name`), or of one input of a call."""

    system: System
    variables: Mapping[str, Variable]
    name: str
    inference: DomainInference

    def reads(self, node: Expression, undefined: Domain, owner: AffineFunction | None) -> Iterator[ProgramCheck]:
        """Yields a check for each read that may be the reason why the value of `node` is missing at the points of
        `undefined`."""
        match node:
            case Access():
                if self.inference.queries[node].promised:
                    yield self._outside(node, undefined, owner)
            case Restrict():
                yield from self.reads(node.body, undefined & node.domain, owner)
            case Compose():
                yield from self.reads(node.body, undefined.image(node.function, node.names), None)
            case Case():
                for branch in node.branches:
                    yield from self.reads(branch, both(undefined, claim(branch, self.inference)) or undefined, owner)
            case Reduce():
                return
            case _:
                for child in children(node):
                    yield from self.reads(child, undefined, owner)

    def _outside(self, node: Access, undefined: Domain, owner: AffineFunction | None) -> ProgramCheck:
        variable = self.variables[node.variable]
        names = undefined.space.names
        parameters = self.system.parameters

        def explain(values: Values) -> Witness:
            read = node.function.at(values)
            reader = owner.at(values) if owner is not None else tuple(values[n] for n in names)
            subject = point_text(self.name, reader) if owner is not None else f"the equation of {self.name}"
            domain = limits(variable.domain, self.system.context)
            missing = f"{point_text(variable.name, read)}, which is outside {domain}"
            places = (WitnessPoint("reader", self.name, reader), WitnessPoint("read", variable.name, read))
            return Witness(
                parameter_values(values, parameters),
                places,
                f"{parameters_text(values, parameters)}{subject} reads {missing}",
            )

        obligation = Obligation(
            OUTSIDE,
            f"every point of {variable.name} that is read here exists",
            lambda: undefined - at(variable.domain, node.function),
            (("reader", names),),
            explain,
            lambda values: not readable(self.variables, node, values),
            node.span,
            (Label(variable.span, "declared here"),),
            lambda: outside(undefined, at(variable.domain, node.function)),
        )
        remedy = "limit where it is read, by the restrict of its branch, or make the domain of the variable larger"
        return ProgramCheck(
            obligation, f"`{variable.name}` is read outside its domain", "some of these points do not exist", remedy
        )
