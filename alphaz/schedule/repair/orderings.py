"""A statement ordering between two statements that have equal dates."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from alphaz.mapping.target import StatementOrder
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint


def orderings(case: Case) -> Iterator[Hint]:
    """For every two operations of a witness at one date: what is produced first, then the other way round."""
    tried: set[tuple[str, str]] = set()
    for _, witness in case.refuted:
        roles = sorted(witness.places, key=lambda place: place.role != "producer")
        for one, two in permutations(roles, 2):
            first, second = case.statement(one), case.statement(two)
            if first is None or second is None or one.date != two.date:
                continue
            names = first.variable, second.variable
            if names[0] == names[1] or names in tried:
                continue
            tried.add(names)
            ordering = (*case.stated.ordering, StatementOrder(*names))
            line = case.command("setStatementOrdering", before=names[0], after=names[1])
            yield Hint(f"{names[0]} before {names[1]} at equal dates", (line,), replace(case.stated, ordering=ordering))
