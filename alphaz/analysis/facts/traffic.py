"""Operations and minimal memory traffic of a system, as polynomials in the parameters.

The operations are those of `complexity`, of all equations together. The traffic is a lower bound for every mapping:
every input read from memory once, every output written once."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.analysis.facts.complexity import work_of
from alphaz.model.facts import Facts
from alphaz.model.program import System, UseEquation
from alphaz.poly.algorithms.counting import Count, count


@dataclass(frozen=True, slots=True, eq=False)
class Traffic:
    """The counts of one system; None if a number is not a polynomial, or lies in a called system.

    `values` has for each input and output the number of its points and the bytes of one."""

    operations: tuple[Count, ...] | None
    values: tuple[tuple[Count, int], ...] | None

    def operations_at(self, parameters: Mapping[str, int]) -> int | None:
        if self.operations is None:
            return None
        return sum(number.at(parameters) for number in self.operations)

    def bytes_at(self, parameters: Mapping[str, int]) -> int | None:
        if self.values is None:
            return None
        return sum(number.at(parameters) * size for number, size in self.values)


def traffic_of(facts: Facts, system: System) -> Traffic:
    """Returns the counts of a system."""
    operations = [work.operations for work in work_of(facts, system)]
    if any(isinstance(equation, UseEquation) for equation in system.equations):
        operations.append(None)
    values = [(count(v.domain, system.context), v.type.bits // 8 or 1) for v in (*system.inputs, *system.outputs)]
    known = [(number, size) for number, size in values if number is not None]
    counted = [number for number in operations if number is not None]
    return Traffic(
        tuple(counted) if len(counted) == len(operations) else None,
        tuple(known) if len(known) == len(values) else None,
    )
