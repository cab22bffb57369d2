"""Several reductions of one operator, combined: `reduce(op, p, e) op reduce(op, p, e') op ...`.

In a branch of a case without a restrict, a reduction over no points has no value; then the answers that only some of
the parts have are branches of their own. The same holds for operators that are functions."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations

from alphaz.diagnostics import Span
from alphaz.model.expression import Binary, Call, Case, Expression, Reduce, Restrict
from alphaz.model.walk import copy
from alphaz.poly import Domain
from alphaz.transform.engine.rewrite import without_context
from alphaz.transform.reductions.site import ReductionSite

INFIX = ("+", "*", "min", "max", "and", "or", "xor")


def join_terms(operator: str, parts: Sequence[Expression], span: Span) -> Expression:
    """Returns `a op b op ...`, from the left."""
    result = parts[0]
    for part in parts[1:]:
        if operator in INFIX:
            result = Binary(operator, result, part, span=span)
        else:
            result = Call(operator, (result, part), span=span)
    return result


def combine_parts(whole: ReductionSite, parts: Sequence[tuple[Reduce, Domain]]) -> Expression:
    """Returns `whole` as a combination of parts that share its projection; each with the points that it combines."""
    operator, span = whole.node.operator, whole.node.span
    if whole.asked.promised and operator in INFIX:
        return join_terms(operator, [part for part, _ in parts], span)
    need = whole.need
    answers = [whole.answers(points) & need for _, points in parts]
    branches: list[Expression] = []
    for count in range(1, len(parts) + 1):
        for chosen in combinations(range(len(parts)), count):
            where = need
            for at, answer in enumerate(answers):
                where = where & answer if at in chosen else where - answer
            if where.is_empty():
                continue
            value = join_terms(operator, [copy(parts[at][0]) for at in chosen], span)
            branches.append(Restrict(without_context(where, whole.system), value, span=span))
    rest = reduce(Domain.__sub__, answers, need)
    if whole.asked.promised and not rest.is_empty():
        branches.append(Restrict(without_context(rest, whole.system), copy(whole.node), span=span))
    return branches[0] if len(branches) == 1 else Case(tuple(branches), span=span)
