"""The length of the text of loops, and the passes that are left out where it would be too long."""

from collections.abc import Mapping
from math import prod

from alphaz.codegen.scheduled.emit.vectorisation import strip
from alphaz.codegen.scheduled.emit.vectors import vector_of
from alphaz.codegen.scheduled.passes.innermost_loops import VectorDimensions
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import LONG
from alphaz.loops.passes.scan import FULL_TILES, REGISTER_TILES, SEPARATE
from alphaz.loops.tree import For, Instance, Node, inside, is_innermost
from alphaz.machine import Vectors
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.target_mapping import Band, DimensionKind
from alphaz.model.program import System

# No nest of loops is to have more statements than this: some five thousand lines of C.
LONGEST = 2000

# From this length on, leaving out passes cannot reach LONGEST.
_HOPELESS = 4 * LONGEST

# Seconds of processor time for making the loops of one nest; beyond, they are made in a short way.
PATIENCE = 2.5

# The passes to leave out, one after the other, until the text is short enough: first those that only copy loops.
LEFT_OUT: tuple[frozenset[str], ...] = (
    frozenset({FULL_TILES.name, SEPARATE.name}),
    frozenset({FULL_TILES.name, SEPARATE.name, REGISTER_TILES.name, VectorDimensions.name}),
)


def statements_in(node: Node, actions: Mapping[str, StatementTemplate], system: System, longest: Vectors) -> int:
    """Returns the number of statements in the text of a tree after unrolling by the compiler: the vectors of a register
    tile count each (no longer than `longest`), or its points, and so do the statements of lanes.
    """
    if isinstance(node, Instance):
        return _statements_of(actions[node.name], system, longest)
    if isinstance(node, For) and node.vector_dimension and not is_innermost(node) and (row := strip(node)) is not None:
        return 1 + sum(statements_in(child, actions, system, longest) for child in inside(row.body))
    return isinstance(node, For) + sum(statements_in(child, actions, system, longest) for child in inside(node))


def is_hopeless(node: Node, actions: Mapping[str, StatementTemplate], system: System, longest: Vectors) -> bool:
    """Returns True if the text of a tree is far too long, for every selection of passes."""
    return statements_in(node, actions, system, longest) > _HOPELESS


def _statements_of(action: StatementTemplate, system: System, longest: Vectors) -> int:
    if action.box is None or action.statement is None:
        return 1
    type_, sizes = system.variable(action.statement.variable).type, [step.size for step in action.box.steps]
    vectors = [vector for size in sizes if (vector := vector_of(type_, size, longest)) is not None]
    return prod(sizes) // max((vector.lanes for vector in vectors), default=1)


def too_long(mapping: ResolvedMapping, statements: int, without: frozenset[str]) -> Diagnostic:
    """Returns the warning (AZ812) with the commands that multiply the text, those with the largest factor first."""
    return _warning(
        mapping,
        f"the loops of {mapping.system.name} would have {statements} statements, more than {LONGEST}: they are made "
        f"without {', '.join(sorted(without))}",
    )


def too_slow(mapping: ResolvedMapping) -> Diagnostic:
    """Returns the warning (AZ812) for loops that would take too long to make."""
    return _warning(
        mapping,
        f"the loops of {mapping.system.name} would take long to make: they are made in a short way, with tests inside",
    )


def _warning(mapping: ResolvedMapping, message: str) -> Diagnostic:
    factors = sorted(
        ((factor, Label(band.span, said)) for band in mapping.bands for factor, said in (_factor(band),) if factor > 1),
        key=lambda pair: -pair[0],
    )
    settings = (
        s for statement in mapping.statements for s in statement.settings if s and s.kind is DimensionKind.VECTOR
    )
    vectors = [Label(span, "vectors: rows are written one by one") for span in {s.span: None for s in settings}]
    first, *others = (*(label for _, label in factors), *vectors, Label(mapping.statements[0].span))
    return Diagnostic(
        LONG,
        message,
        first,
        tuple(others[: len(factors) + len(vectors) - 1]),
        help="take smaller register tiles, or fewer levels of tiles, or tile fewer statements together",
    )


def _factor(band: Band) -> tuple[int, str]:
    """Returns the factor by which a band may multiply the text, and the reason: each level of tiles splits loops into
    full tiles and others.
    """
    if band.registers:
        points = prod(size or 1 for size in band.sizes[0])
        sizes = " x ".join(str(size) for size in band.sizes[0] if size and size > 1)
        return points, f"register tiles of {sizes}: each point is written"
    levels = len(band.sizes)
    return 2**levels, f"{levels} level{'s' * (levels > 1)} of tiles: full ones have loops of their own"
