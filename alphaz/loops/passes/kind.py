"""What a pass is."""

from typing import ClassVar, Protocol

from alphaz.loops.tree import Node


class Pass(Protocol):
    """A rewriting of the tree of loops: a frozen dataclass, whose fields are its options.

    Its docstring says what it keeps and what it changes. `optional`: the program is the same without it, but slower.
    """

    name: ClassVar[str]
    optional: ClassVar[bool]

    def __call__(self, tree: Node) -> Node: ...
