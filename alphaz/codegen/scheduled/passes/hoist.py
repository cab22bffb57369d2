"""Hoisting of indices."""

from dataclasses import dataclass
from typing import ClassVar

from alphaz.codegen.c.hoisting import Nest, hoisted, said_once


@dataclass(frozen=True, slots=True)
class Hoist:
    """Indices that neighbours declare alike, and those that stay the same in a loop, are declared once in front of
    them, and braces that nothing needs any more go. Statements and order stay, and what each computes.
    """

    name: ClassVar[str] = "hoist"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Nest) -> Nest:
        return said_once(hoisted(tree))
