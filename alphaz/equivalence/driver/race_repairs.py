"""Repairs of a data race: clauses and directives, each tried before it is offered."""

import re
from collections.abc import Callable, Iterator

from alphaz.diagnostics import Diagnostic, Source
from alphaz.equivalence.data_races import Race
from alphaz.scop.kernel import KernelStatement
from alphaz.scop.value_tree import OperationValue, ReadValue, Tree

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*\bfor\b(?:\\\n|[^\n])*", re.MULTILINE)
_ANY_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*", re.MULTILINE)
_NOWAIT = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*?([ \t]+nowait)\b", re.MULTILINE)
_LOOP = re.compile(r"^[ \t]*(for)\b", re.MULTILINE)
_ITERATOR = re.compile(r"the iterator `(\w+)`")
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
    if race.loop is None:
        yield from _with_barriers(race, source)
        return
    loop = race.loop
    directive = max(
        (found for found in _DIRECTIVE.finditer(source.text) if found.end() <= loop.span.start),
        key=re.Match[str].end, default=None,
    )  # fmt: skip
    if directive is None or race.one.step.statement.span.source is not source:
        return
    line = source.text.count("\n", 0, directive.start()) + 1
    operator = _accumulates(statement)
    clauses = [f"reduction({_CLAUSE_OF[operator]}:{label})"] if operator in _CLAUSE_OF else []
    array = race.one.access.array
    clauses = [] if array.extents else clauses
    for clause in (*clauses, f"private({label})") if not (array.extents and array.is_argument) else ():
        text = f"{source.text[: directive.end()]} {clause}{source.text[directive.end() :]}"
        yield text, f"add `{clause}` to the directive in line {line}"
    start = statement.span.start
    line, _ = statement.span.position
    for word in ("atomic", "critical") if operator is not None else ():
        text = f"{source.text[:start]}\n#pragma omp {word}\n{source.text[start:]}"
        yield text, f"write `#pragma omp {word}` in front of the statement in line {line}"
    line = source.text.count("\n", 0, directive.start()) + 1
    yield source.text[: directive.start()] + source.text[directive.end() :], f"remove the directive in line {line}"


def repair_of_finding(finding: Diagnostic, source: Source, is_proved: Callable[[Source], bool]) -> str:
    """Returns the first change of the text that makes it proved, in words, for a race that the reader found."""
    start = finding.primary.span.start
    if finding.primary.span.source is not source:
        return ""
    for text, change in _ahead(finding.message, source, start):
        if is_proved(Source(source.name, text)):
            return f"{change}: then it is proved"
    return ""


def _ahead(message: str, source: Source, start: int) -> Iterator[tuple[str, str]]:
    """Yields the text with a clause in front of a position, or a directive there."""
    directives = [found for found in _DIRECTIVE.finditer(source.text) if found.end() <= start]
    if (iterator := _ITERATOR.search(message)) is not None and directives:
        clause, at = f"private({iterator[1]})", directives[-1].end()
        line = source.text.count("\n", 0, directives[-1].start()) + 1
        yield f"{source.text[:at]} {clause}{source.text[at:]}", f"add `{clause}` to the directive in line {line}"
    line = source.text.count("\n", 0, start) + 1
    region = max((found.end() for found in _ANY_DIRECTIVE.finditer(source.text) if found.end() <= start), default=start)
    for loop in _LOOP.finditer(source.text, region, start) if iterator is None else ():
        number = source.text.count("\n", 0, loop.start(1)) + 1
        text = f"{source.text[: loop.start(1)]}\n#pragma omp for\n{source.text[loop.start(1) :]}"
        yield text, f"write `#pragma omp for` in front of the loop in line {number}"
    for word in ("critical", "atomic") if iterator is None else ():
        text = f"{source.text[:start]}\n#pragma omp {word}\n{source.text[start:]}"
        yield text, f"write `#pragma omp {word}` in front of the statement in line {line}"


def _with_barriers(race: Race, source: Source) -> Iterator[tuple[str, str]]:
    """Yields the text with a barrier in front of the construct that is later in the text."""
    spans = [access.step.statement.span for access in (race.one, race.other)]
    if any(span.source is not source for span in spans):
        return
    start = max(span.start for span in spans)
    for found in [found for found in _NOWAIT.finditer(source.text) if found.end() <= start][::-1]:
        line = source.text.count("\n", 0, found.start(1)) + 1
        yield source.text[: found.start(1)] + source.text[found.end(1) :], f"remove `nowait` in line {line}"
    ahead = [found for found in _ANY_DIRECTIVE.finditer(source.text) if found.end() <= start]
    if ahead:
        at = ahead[-1].start()
        line = source.text.count("\n", 0, at) + 1
        yield (
            f"{source.text[:at]}#pragma omp barrier\n{source.text[at:]}",
            f"write `#pragma omp barrier` in front of line {line}",
        )


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
