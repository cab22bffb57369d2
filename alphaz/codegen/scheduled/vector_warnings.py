"""Vector dimensions around register tiles whose loops are not in vectors, although the script requests them."""

from collections.abc import Iterator, Mapping

from alphaz.codegen.scheduled.loop_layout import rows_in_vectors
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import NO_VECTORS
from alphaz.loops.tree import For, Node, inside, statement_names
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role


def unvectorised_warnings(
    mapping: ResolvedMapping, tree: Node, actions: Mapping[str, StatementTemplate]
) -> list[Diagnostic]:
    """Returns a warning (AZ816) for each command whose vector dimension has rows of a register tile inside and no loop
    in vectors, for an accumulation.
    """
    reached = {s.name for name in _in_vectors(tree) if (s := actions[name].statement) is not None}
    sums = [a.statement for a in actions.values() if a.statement is not None and not a.assigns]
    missing: dict[Label, dict[str, None]] = {}
    for statement in sums:
        if statement.role is Role.BODY and statement.name not in reached:
            for dimension in rows_in_vectors(mapping, statement):
                setting = statement.settings[dimension]
                if setting is not None:
                    missing.setdefault(Label(setting.span), {})[statement.name] = None
    return [_warning(label, list(names)) for label, names in missing.items()]


def _in_vectors(node: Node) -> Iterator[str]:
    if isinstance(node, For):
        in_groups = node.split is not None and any(group.vector for group in node.split.groups)
        if node.vector_dimension or in_groups:
            yield from statement_names(node)
    for child in inside(node):
        yield from _in_vectors(child)


def _warning(label: Label, names: list[str]) -> Diagnostic:
    return Diagnostic(
        NO_VECTORS,
        f"no loop over this vector dimension is in vectors for {' and '.join(names)}: the rows of the register tile "
        "are computed one by one",
        label,
        notes=(
            "in vectors, operations report no failures, call no external functions, have no loops inside, and "
            "accumulate by an operator of OpenMP; their iterations are independent in a tile",
        ),
        help="leave out setVectorDimension: the register tile alone is faster",
    )
