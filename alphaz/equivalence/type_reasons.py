"""Types as the reason why C is not proved: it equals the equations in real numbers, but computes in other types.

Explains a verdict, and proves nothing: the model is run once more with value numbers that ignore types.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from alphaz.equivalence.accumulation_chain import links
from alphaz.equivalence.concrete_instances import TooMany, points
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.symbolic_run import SymbolicRun, run
from alphaz.equivalence.value_graph import Term, operations_in
from alphaz.equivalence.value_numbering import LATTICE, ValueNumbers
from alphaz.model.types import ScalarType
from alphaz.scop.c_model import KernelStatement
from alphaz.scop.conversions import RING, conversion, holds
from alphaz.scop.value_tree import Tree

_MOST_INSTANCES = 2_000
_ARITHMETIC = (*RING, "/", "%")


@dataclass(frozen=True, slots=True, eq=False)
class TypeReason:
    """A statement that computes in another type than the equations, with a description."""

    statement: KernelStatement
    text: str


def type_reasons(proof_context: ProofContext, parameters: Mapping[str, int]) -> list[TypeReason]:
    """Returns the places with other types, if C agrees with the equations for these parameters when types are ignored:
    accumulators, or else operations. Empty if types are not the reason, or the model is too large."""
    remaining = _MOST_INSTANCES
    try:
        for statement in proof_context.kernel.statements:
            remaining -= len(points(statement, parameters, remaining))
    except TooMany:
        return []
    names = ValueNumbers(regroups=LATTICE | {"*"}, is_real=True, ignores_types=True)
    run_ = run(
        proof_context.kernel, proof_context.values, proof_context.origins, proof_context.binding, parameters, names
    )
    if run_.fault is not None:
        return []
    reasons = list(_accumulators(proof_context, run_)) or list(_operations(proof_context))
    return list({(reason.statement.name, reason.text): reason for reason in reasons}.values())


def _accumulators(proof_context: ProofContext, run_: SymbolicRun) -> Iterator[TypeReason]:
    """Yields cells that accumulate sums of the equations in a type that does not hold all their values."""
    for key, _, _, chain in run_.complete:
        type_ = proof_context.values[key].type
        accumulating = [link.statement for link in links(chain)]
        for statement in accumulating if len(accumulating) > 1 else ():
            own = statement.target.array.type
            if any(read.same_cell(statement.target) for read in statement.reads) and not holds(own, type_):
                sentence = f"`{statement.target.array.label}` accumulates in `{own}` ({statement})"
                yield TypeReason(statement, f"{sentence}, the equations combine {key.partition('.')[0]} in `{type_}`")


def _operations(proof_context: ProofContext) -> Iterator[TypeReason]:
    """Yields statements with operations in types that the equations have for no such operation, or without one in a
    type that the equations have."""
    definitions = [definition for value in proof_context.values.values() for definition in value.definitions]
    items = [item.term for definition in definitions if definition.sum is not None for item in definition.sum.items]
    statements = proof_context.kernel.statements
    equation_types = _types_by_operator([*items, *(definition.term for definition in definitions)])
    c_types = _types_by_operator(statement.value for statement in statements)
    for statement in statements:
        for operation in operations_in(statement.value):
            types = equation_types.get(operation.operator, {})
            missing = [type_ for type_ in types if type_ not in c_types[operation.operator]]
            computed = f"`{operation.operator}` is computed in `{operation.type}` ({statement}), the equations"
            if operation.operator in _ARITHMETIC and types and operation.type not in types:
                yield TypeReason(statement, f"{computed} compute it in {_text(types)}")
            elif operation.operator in _ARITHMETIC and missing:
                yield TypeReason(statement, f"{computed} compute one in {_text(missing)}")
            elif operation.operator == conversion(operation.type) and not types:
                yield TypeReason(
                    statement, f"a value is converted to `{operation.type}` ({statement}), none in the equations"
                )


def _types_by_operator(nodes: Iterable[Tree | Term | None]) -> Mapping[str, dict[ScalarType, None]]:
    types: dict[str, dict[ScalarType, None]] = defaultdict(dict)
    for node in nodes:
        for operation in operations_in(node):
            types[operation.operator][operation.type] = None
    return types


def _text(types: Iterable[ScalarType]) -> str:
    return " or ".join(f"`{type_}`" for type_ in types)
