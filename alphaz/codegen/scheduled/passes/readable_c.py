"""Passes over C for readability: hoisting of common indices, and short names."""

from collections.abc import Set
from dataclasses import dataclass
from typing import ClassVar

from alphaz.codegen.c.hoisting import Nest, hoisted, without_repeated_indices
from alphaz.codegen.c.naming import Statements, shorten_names


@dataclass(frozen=True, slots=True)
class Hoist:
    """Declares indices that adjacent statements share, and those that are invariant in a loop, once before them, and
    removes braces that are no longer needed. Statements and order stay, and the result of each.
    """

    name: ClassVar[str] = "hoist"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Nest) -> Nest:
        return without_repeated_indices(hoisted(tree))


@dataclass(frozen=True, slots=True)
class ShortenNames:
    """Reuses names of scopes that have ended in later ones: `j` instead of `j_2`. Only names change.

    `around` are the names with another meaning before the statements.
    """

    around: Set[str]
    name: ClassVar[str] = "shorten-names"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Statements) -> Statements:
        return shorten_names(tree, self.around)
