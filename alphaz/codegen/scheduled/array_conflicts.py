"""Conflicts of loops on memory, decided by arrays: different arrays are different memory."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.codegen.scheduled.storage import Storage
from alphaz.loops.tree import Node, statement_names
from alphaz.mapping.statement import Role
from alphaz.model.expression import Access
from alphaz.model.walk import walk

_COMPUTED = (Role.VALUE, Role.BODY, Role.INIT)


@dataclass(frozen=True, slots=True)
class ArrayConflicts:
    """Decides conflicts between the loops of one nest; `actions` are its statements by their names."""

    storage: Storage
    actions: Mapping[str, StatementTemplate]

    def meet(self, one: Node, other: Node) -> bool:
        """Returns True if one of two loops may write an array that the other one accesses."""
        mine, theirs = self._arrays(one), self._arrays(other)
        if mine is None or theirs is None:
            return True
        (written, read), (also_written, also_read) = mine, theirs
        return bool(written & (also_written | also_read) or also_written & read)

    def _arrays(self, node: Node) -> tuple[frozenset[str], frozenset[str]] | None:
        """Returns the arrays that are written, and those that are read; None where they are unknown."""
        written: set[str] = set()
        read: set[str] = set()
        for name in statement_names(node):
            action = self.actions[name]
            statement, expression = action.statement, action.expression
            if statement is None or statement.role not in _COMPUTED:
                return None
            written.add(self._array(statement.variable))
            accesses = () if expression is None else walk(expression)
            read.update(self._array(access.variable) for access in accesses if isinstance(access, Access))
        return frozenset(written), frozenset(read)

    def _array(self, variable: str) -> str:
        return self.storage.places[variable].array.name
