"""Repairs of a data race: clauses and directives, each tried before it is offered."""

import re
from collections.abc import Callable, Iterator

from alphaz.diagnostics import Diagnostic, Source
from alphaz.equivalence.data_races import Race
from alphaz.scop.c_model import KernelStatement
from alphaz.scop.value_tree import OperationValue, ReadValue, Tree

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*\bfor\b(?:\\\n|[^\n])*", re.MULTILINE)
_ANY_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*", re.MULTILINE)
_PARALLEL = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*\bparallel\b(?:\\\n|[^\n])*", re.MULTILINE)
_NOWAIT = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*?([ \t]+nowait)\b", re.MULTILINE)
_LOOP = re.compile(r"^[ \t]*(for)\b", re.MULTILINE)
_SHARED_INTEGER = re.compile(r"the (?:iterator|integer) `(\w+)`")
_CLAUSE_OF = {"+": "+", "-": "+", "*": "*", "min": "min", "max": "max"}


def repair_of(race: Race, source: Source, is_proved: Callable[[Source], bool]) -> str:
    """Returns the first change of the text that makes it proved, in words; "" if none does."""
    for text, change in _candidates(race, source):
        if is_proved(Source(source.name, text)):
            return f"{change}: then it is proved"
    return ""


def _candidates(race: Race, source: Source) -> Iterator[tuple[str, str]]:
    """Yields changed texts, each with its change in words."""
    loop, statement, array = race.loop, race.one.step.statement, race.one.access.array
    if loop is None:
        yield from _with_barriers(race, source)
        yield from _with_private_copies(race, source)
        return
    directives = _before(_DIRECTIVE, source, loop.span.start)
    operator = _accumulates(statement)
    if statement.span.source is not source:
        return
    if not directives:
        yield from (
            _with_directive(source, statement.span.start, "atomic", "statement") for _ in [operator] if operator
        )
        return
    directive = directives[-1]
    if operator in _CLAUSE_OF and not array.extents:
        yield _with_clause(source, directive, f"reduction({_CLAUSE_OF[operator]}:{array.label})")
    if not (array.extents and array.is_argument):
        yield _with_clause(source, directive, f"private({array.label})")
    for word in ("atomic", "critical") if operator is not None else ():
        yield _with_directive(source, statement.span.start, word, "statement")
    change = f"remove the directive in line {_line(source, directive.start())}"
    yield source.text[: directive.start()] + source.text[directive.end() :], change
    yield from _with_barriers(race, source)


def _with_private_copies(race: Race, source: Source) -> Iterator[tuple[str, str]]:
    """Yields the text in which each thread of the region has a copy of what is no argument."""
    array = race.one.access.array
    for directive in _before(_PARALLEL, source, race.one.step.statement.span.start)[-1:]:
        if not array.is_argument:
            yield _with_clause(source, directive, f"private({array.label})")


def _before(pattern: re.Pattern[str], source: Source, start: int) -> list[re.Match[str]]:
    """Returns the matches that end before a position."""
    return [directive for directive in pattern.finditer(source.text) if directive.end() <= start]


def _line(source: Source, index: int) -> int:
    line, _ = source.position(index)
    return line


def _with_clause(source: Source, directive: re.Match[str], clause: str) -> tuple[str, str]:
    """Returns the text with a clause more in a directive, and the change in words."""
    text = f"{source.text[: directive.end()]} {clause}{source.text[directive.end() :]}"
    return text, f"add `{clause}` to the directive in line {_line(source, directive.start())}"


def _with_directive(source: Source, position: int, words: str, what: str) -> tuple[str, str]:
    """Returns the text with a directive in front of the statement at a position, and the change in words."""
    text = f"{source.text[:position]}\n#pragma omp {words}\n{source.text[position:]}"
    return text, f"write `#pragma omp {words}` in front of the {what} in line {_line(source, position)}"


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
    iterator = _SHARED_INTEGER.search(message)
    if iterator is not None:
        for pattern in (_DIRECTIVE, _PARALLEL):
            for directive in _before(pattern, source, start)[-1:]:
                yield _with_clause(source, directive, f"private({iterator[1]})")
        return
    region = max((match.end() for match in _before(_ANY_DIRECTIVE, source, start)), default=start)
    for loop in _LOOP.finditer(source.text, region, start):
        yield _with_directive(source, loop.start(1), "for", "loop")
    for word in ("critical", "atomic", "single"):
        yield _with_directive(source, start, word, "statement")


def _with_barriers(race: Race, source: Source) -> Iterator[tuple[str, str]]:
    """Yields the text with a barrier in front of the construct that is later in the text."""
    spans = [access.step.statement.span for access in (race.one, race.other)]
    if any(span.source is not source for span in spans):
        return
    start = max(span.start for span in spans)
    for match in reversed(_before(_NOWAIT, source, start)):
        change = f"remove `nowait` in line {_line(source, match.start(1))}"
        yield source.text[: match.start(1)] + source.text[match.end(1) :], change
    for directive in _before(_ANY_DIRECTIVE, source, start)[-1:]:
        at = directive.start()
        text = f"{source.text[:at]}#pragma omp barrier\n{source.text[at:]}"
        yield text, f"write `#pragma omp barrier` in front of line {_line(source, at)}"


def _accumulates(statement: KernelStatement) -> str | None:
    """Returns the operator by which a statement combines its cell with another value; None if it does not. Data may
    decide whether it does."""
    value: Tree = statement.value
    own = {position for position, read in enumerate(statement.reads) if read.same_cell(statement.target)}
    while isinstance(value, OperationValue):
        match value:
            case OperationValue("if", (_, chosen, ReadValue(kept))) if kept in own:
                value = chosen
            case OperationValue(operator, (chosen,)) if operator.startswith("as "):
                value = chosen
            case _:
                break
    if isinstance(value, OperationValue):
        for operand in value.operands:
            if isinstance(operand, ReadValue) and operand.number in own:
                return value.operator
    return None
