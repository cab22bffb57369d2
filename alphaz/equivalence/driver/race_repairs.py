"""Repairs of a data race: clauses and directives, each tried before it is offered."""

import re
from collections.abc import Callable, Iterator

from alphaz.diagnostics import Source
from alphaz.equivalence.data_races import Race
from alphaz.scop.kernel import KernelStatement
from alphaz.scop.value_tree import OperationValue, ReadValue, Tree

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*\bfor\b(?:\\\n|[^\n])*", re.MULTILINE)
_CLAUSE_OF = {"+": "+", "-": "+", "*": "*", "min": "min", "max": "max"}


def repair_of(race: Race, source: Source, is_proved: Callable[[Source], bool]) -> str:
    """Returns the first change of the text that makes it proved, in words; "" if none does."""
    for text, change in _candidates(race, source):
        if is_proved(Source(source.name, text)):
            return f"{change}: then it is proved"
    return ""


def _candidates(race: Race, source: Source) -> Iterator[tuple[str, str]]:
    """Yields changed texts, each with its change in words."""
    statement, label = race.one.step.statement, race.one.access.array.label
    directive = max(
        (found for found in _DIRECTIVE.finditer(source.text) if found.end() <= race.loop.span.start),
        key=re.Match[str].end, default=None,
    )  # fmt: skip
    if directive is None or race.one.step.statement.span.source is not source:
        return
    line = source.text.count("\n", 0, directive.start()) + 1
    operator = _accumulates(statement)
    clauses = [f"reduction({_CLAUSE_OF[operator]}:{label})"] if operator in _CLAUSE_OF else []
    for clause in (*clauses, f"private({label})") if not race.one.access.array.extents else ():
        text = f"{source.text[: directive.end()]} {clause}{source.text[directive.end() :]}"
        yield text, f"add `{clause}` to the directive in line {line}"
    start = statement.span.start
    line, _ = statement.span.position
    for word in ("atomic", "critical") if operator is not None else ():
        text = f"{source.text[:start]}\n#pragma omp {word}\n{source.text[start:]}"
        yield text, f"write `#pragma omp {word}` in front of the statement in line {line}"


def _accumulates(statement: KernelStatement) -> str | None:
    """Returns the operator by which a statement combines its cell with another value; None if it does not."""
    value: Tree = statement.value
    while isinstance(value, OperationValue) and value.operator.startswith("as "):
        (value,) = value.operands
    own = {at for at, read in enumerate(statement.reads) if read.same_cell(statement.target)}
    if isinstance(value, OperationValue):
        for operand in value.operands:
            if isinstance(operand, ReadValue) and operand.number in own:
                return value.operator
    return None
