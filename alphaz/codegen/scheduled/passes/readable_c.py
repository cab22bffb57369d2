"""Passes over C for readers: hoisting of common indices, and short names."""

from collections.abc import Set
from dataclasses import dataclass
from typing import ClassVar

from alphaz.codegen.c.hoisting import Nest, hoisted, said_once
from alphaz.codegen.c.naming import Statements, shorten_names


@dataclass(frozen=True, slots=True)
class Hoist:
    """Indices that neighbours declare alike, and those that stay the same in a loop, are declared once in front of
    them, and braces that nothing needs any more go. Statements and order stay, and what each computes.
    """

    name: ClassVar[str] = "hoist"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Nest) -> Nest:
        return said_once(hoisted(tree))


@dataclass(frozen=True, slots=True)
class ShortenNames:
    """Scopes that have ended leave their names to those behind them: `j`, where it was `j_2`. Only names change.

    `around` are those that mean something else in front of the statements.
    """

    around: Set[str]
    name: ClassVar[str] = "shorten-names"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Statements) -> Statements:
        return shorten_names(tree, self.around)
