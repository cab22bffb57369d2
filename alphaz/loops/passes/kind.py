"""What a pass is."""

from typing import ClassVar, Protocol, TypeVar

Tree = TypeVar("Tree")


class Pass(Protocol[Tree]):
    """A rewriting of a tree (of loops, or of the C that they have become): a frozen dataclass, whose fields are its
    options.

    Its docstring says what it keeps and what it changes. `optional`: it is there for speed alone; what is not makes the
    loops that the mapping asks for, or C that people can read.
    """

    name: ClassVar[str]
    optional: ClassVar[bool]

    def __call__(self, tree: Tree) -> Tree: ...
