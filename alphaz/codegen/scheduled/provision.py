"""Memory that a nest makes for a while: accumulators, and buffers; for all threads, or by each for itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.arrays import Array
from alphaz.codegen.c.memory import failing, missing, released, succeeded

Statements = tuple[c.Statement, ...]


@dataclass(frozen=True, slots=True)
class Provision:
    """What makes it. `failed`: the variable that says whether one of `arrays` is missing; `constants`: what the text of
    those that are made here may need.
    """

    made: Statements
    arrays: tuple[Array, ...]
    failed: str | None
    constants: tuple[c.Declare, ...] = ()

    def around(self, body: Statements) -> Statements:
        """The body, where there is memory, between what makes it and what releases it."""
        if self.failed is not None:
            body = (c.If(succeeded(self.failed), body, (failing(self.failed),)), *released(self.arrays))
        return (*self._used(body), *self.made, *body)

    def in_thread(self, loop: c.For, behind: Sequence[c.Statement] = ()) -> Statements:
        """A loop that all threads must reach, whether or not they have got their memory, and what each does behind."""
        if self.failed is None:
            return (*self._used((loop,)), *self.made, loop, *behind)
        guarded = replace(loop, body=(c.If(succeeded(self.failed), loop.body),))
        failed = (failing(self.failed),)
        end = c.If(succeeded(self.failed), tuple(behind), failed) if behind else c.If(missing(self.failed), failed)
        return (*self._used((guarded,)), *self.made, guarded, end, *released(self.arrays))

    def _used(self, body: Statements) -> Statements:
        used = c.names_used([*self.made, *body])
        return tuple(constant for constant in self.constants if constant.name in used)
