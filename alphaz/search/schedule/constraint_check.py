"""Checks that dates rearranged by a strategy still satisfy the constraints of the request."""

from itertools import combinations

from alphaz.search.schedule.dates import ComponentKind, Dates
from alphaz.search.schedule.goals import Fuse, ScheduleRequest
from alphaz.search.schedule.ilp.steering import read_steering
from alphaz.search.schedule.problem import Problem


def is_granted(problem: Problem, found: Dates, laid: Dates, wish: ScheduleRequest) -> bool:
    """Returns True if `laid`, made of the dates `found` by an engine, satisfies the constraints; and, if statements are
    to be fused as little as possible, if no statements share more loops than in `found`."""
    if wish.fuse is Fuse.NO and any(
        shared_loops(laid, one, two) > shared_loops(found, one, two) for one, two in combinations(laid, 2)
    ):
        return False
    wanted = read_steering(wish.wishes, problem.statements)
    return (
        all(_is_parallel(laid, name, row) for name, row in wanted.parallel)
        and all(shared_loops(laid, one, two) >= depth for one, two, depth in wanted.fused)
        and not any(shared_loops(laid, one, two) for one, two in wanted.apart)
    )


def shared_loops(dates: Dates, one: str, two: str) -> int:
    """Returns the number of loops around both statements."""
    count = 0
    for mine, theirs in zip(dates[one], dates[two], strict=False):
        if mine.is_row != theirs.is_row or (mine.kind is ComponentKind.ORDER and mine.value != theirs.value):
            break
        count += mine.is_row
    return count


def _is_parallel(dates: Dates, name: str, row: int) -> bool:
    rows = [component for component in dates[name] if component.is_row]
    return row < len(rows) and rows[row].kind is ComponentKind.PARALLEL
