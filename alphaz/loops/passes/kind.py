"""What a pass is."""

from typing import ClassVar, Protocol, TypeVar

Tree = TypeVar("Tree")


class Pass(Protocol[Tree]):
    """A rewriting of a tree (of loops, or of the C that they have become): a frozen dataclass, whose fields are its
    options.

    Its docstring says what it keeps and what it changes. `optional`: the program is the same without it, but slower, or
    harder to read.
    """

    name: ClassVar[str]
    optional: ClassVar[bool]

    def __call__(self, tree: Tree) -> Tree: ...
