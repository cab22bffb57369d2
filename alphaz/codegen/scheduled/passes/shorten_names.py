"""Naming."""

from collections.abc import Set
from dataclasses import dataclass
from typing import ClassVar

from alphaz.codegen.c.naming import Statements, shortened


@dataclass(frozen=True, slots=True)
class ShortenNames:
    """Scopes that have ended leave their names to those behind them: `j`, where it was `j_2`. Only names change.

    `around` are those that mean something else in front of the statements.
    """

    around: Set[str]
    name: ClassVar[str] = "shorten-names"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Statements) -> Statements:
        return shortened(tree, self.around)
