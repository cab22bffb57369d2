"""`Any` stands where values of other packages without types come in, and hardly anywhere else."""

import ast
from functools import cache

from tests.architecture.source_tree import modules

# The modules where values of a library come in, by library. Values of a grammar are those that `lark` builds.
EDGES = {
    "pycparser": ("c/parse",),
    "z3": ("proof/z3_engine", "proof/refute/unsatisfiable_cores", "certificate/smt"),
    "json": ("certificate/document", "proof/refute/proof_tree"),
    "lark": ("syntax", "frontends/matrix/reading"),
    "sympy": ("search/memory/count",),
    "pygls": ("ide/lsp/serve",),
    "pygments": ("ide/features/highlight",),
    "xml": ("diagnostics/render/junit",),
    "matplotlib": ("figures/drawing/charts",),
    "scikit-learn": ("tuning/searches",),
    "highspy": ("search/schedule/ilp/row",),
}
_MOST = 20


@cache
def _uses() -> dict[str, int]:
    """How often each module of the package says `Any`."""
    counts = {
        module.place: sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(module.tree))
        for module in modules()
    }
    return {place: count for place, count in counts.items() if count}


def _edge_of(place: str) -> str | None:
    edges = ((library, edge) for library, names in EDGES.items() for edge in names)
    return next((library for library, edge in edges if place.startswith((f"alphaz/{edge}.", f"alphaz/{edge}/"))), None)


def test_few_annotations_outside_of_edges_are_any() -> None:
    inside = {place: count for place, count in _uses().items() if _edge_of(place) is None}
    assert sum(inside.values()) < _MOST, inside


def test_all_edges_use_any() -> None:
    used = {_edge_of(place) for place in _uses()}
    assert set(EDGES) <= used
