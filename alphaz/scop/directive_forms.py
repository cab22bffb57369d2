"""The forms of statements that directives of OpenMP require: canonical loops, blocks that are not left, updates.

They are those of the text: a normal form of the reader may have turned another loop into a canonical one.
"""

import re
from collections.abc import Iterable, Iterator

from alphaz.c import tree as c
from alphaz.c.pragmas import closing_bracket
from alphaz.c.preparation import without_comments
from alphaz.c.walk import Part, children, nodes
from alphaz.diagnostics import Source
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import Statements, integer, is_integer
from alphaz.scop.unsupported import outside, span_of

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "!="})
_UPDATES = frozenset({"+=", "-=", "*=", "/=", "&=", "|=", "^=", "<<=", ">>="})
_LOOPS = (c.For, c.While, c.DoWhile)
_FORM = "write `for (i = a; i < b; i++)`, where a and b do not contain i, without `break`"


# Inside of these, up to a parallel region, the others may not be.
_OF_ONE = frozenset({"for", "sections", "single", "critical", "master", "masked", "atomic", "ordered"})
_OF_TEAM = frozenset({"for", "sections", "single", "master", "masked", "barrier"})
_IN_LANES = frozenset({"simd", "atomic"})
_NOT_OF_ITERATORS = frozenset({"firstprivate", "reduction"})


# A loop directive with the directives after it, up to the parenthesis of the head of its loop.
_LOOP_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?P<words>(?:\\\n|[^\n])*\b(?:for|simd|taskloop|loop)\b(?:\\\n|[^\n])*)\n"
    r"(?:[ \t]*(?:#(?:\\\n|[^\n])*)?\n)*[ \t]*for\s*(?=\()",
    re.MULTILINE,
)
_COLLAPSED = re.compile(r"\bcollapse\s*\(\s*(\d+)")
_NEXT_HEAD = re.compile(r"(?:\s|\{|#[^\n]*)*for\s*(?=\()")


def check_parentheses(source: Source, text: str, tree: c.File) -> None:
    """Raises Rejected for heads of loops behind a directive whose start or condition stands in parentheses, which the
    tree does not show: compilers refuse them. `text` is preprocessed."""
    plain = without_comments(text)
    directives = [*_LOOP_DIRECTIVE.finditer(plain)]
    for position, directive in enumerate(directives):
        collapsed = _COLLAPSED.search(directive["words"])
        if any(
            _is_parenthesised(head) for head in _heads(plain, directive.end(), int(collapsed[1]) if collapsed else 1)
        ):
            loops = [omp for omp in nodes(tree, c.Omp) if isinstance((omp.body or (None,))[-1], c.For)]
            span = span_of(source, loops[position]) if len(loops) == len(directives) else source.word_at(1, 1)
            message = f"this is no OpenMP: `omp{directive['words']}` is followed by a loop with parentheses in its head"
            raise outside(span, message, "write `for (i = a; i < b; i++)`")


def _heads(text: str, at: int, count: int) -> Iterator[list[str]]:
    """Yields the parts of the heads of `count` loops in each other; the first one begins at `at`."""
    for _ in range(count):
        end = at + closing_bracket(text[at:])
        yield text[at + 1 : end].split(";")
        following = _NEXT_HEAD.match(text, end + 1)
        if following is None:
            return
        at = following.end()


def _is_parenthesised(head: list[str]) -> bool:
    start, test = head[0].strip(), head[1].strip() if len(head) > 1 else ""
    return start.startswith("(") or (test.startswith("(") and closing_bracket(test) == len(test) - 1)


def check_directives(source: Source, tree: c.File) -> None:
    """Raises Rejected for directives in front of statements that OpenMP does not allow there."""
    for omp in nodes(tree, c.Omp):
        problem = _problem(omp) or _wrong_place(omp)
        if problem is not None:
            raise outside(span_of(source, omp), f"this is no OpenMP: `omp {omp.directive}` {problem[0]}", problem[1])


def _wrong_place(omp: c.Omp) -> tuple[str, str] | None:
    """Returns the directive inside of which another one may not be, and the remedy (OpenMP 5.2, 17.1)."""
    around = {*omp.directive.split()}
    waiting: list[Part] = [*(omp.body or ())]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, c.Omp):
            waiting += children(part)
            continue
        words = {*part.directive.split()}
        if "simd" in around and not words <= _IN_LANES:
            return f"may not contain `omp {part.directive}`", "remove `simd`"
        if "parallel" in words:
            continue
        if around & _OF_ONE and words & _OF_TEAM and not (words <= {"master"} and around <= {"critical"}):
            return f"may not contain `omp {part.directive}`", "move it out"
        waiting += part.body or ()
    return None


def _problem(omp: c.Omp) -> tuple[str, str] | None:
    """Returns the violated requirement of a directive, and the remedy; None if its statement has the right form."""
    words, body = omp.directive.split(), omp.body or ()
    if {"for", "simd", "taskloop", "distribute", "loop"} & {*words}:
        problem = _of_loop(body, _collapsed(omp))
        if problem is not None:
            return problem, _FORM
        iterators = {*_iterators(body, _collapsed(omp))}
        for clause in omp.clauses:
            if clause.name in _NOT_OF_ITERATORS and names_in(clause.arguments) & iterators:
                return f"has its iterator in the clause `{clause.name}`", "remove it: it is private anyway"
        return None
    if words[0] == "atomic" and {clause.name for clause in omp.clauses} <= {"update", "seq_cst", "relaxed", "hint"}:
        is_update = len(body) == 1 and _is_update(body[0])
        return None if is_update else ("needs an update", "write `x += e;`, where e does not contain x")
    if _is_left(body, frozenset({c.Break, c.Continue})):
        return "is left by a jump", "let its block run to the end"
    return None


def _collapsed(omp: c.Omp) -> int:
    """Returns the number of loops that a directive is about."""
    for clause in omp.clauses:
        if clause.name == "collapse" and isinstance(number := clause.arguments[0], c.Literal) and is_integer(number):
            return integer(number) or 1
    return 1


def _of_loop(body: Statements, count: int) -> str | None:
    """Returns the violated requirement on the loops behind a directive."""
    statements = [statement for statement in body if not isinstance(statement, c.Pragma)]
    loop = statements[0] if len(statements) == 1 else None
    if not isinstance(loop, c.For):
        return "must be followed by a `for` loop"
    if not _is_canonical(loop):
        return "must be followed by a loop with one iterator, one comparison of it, and a step by an amount"
    if _is_left(loop.body, frozenset({c.Break})):
        return "must be followed by a loop that nothing leaves"
    if count == 1 or (len(loop.body) == 1 and isinstance(loop.body[0], c.Block)):
        return None
    return _of_loop(loop.body, count - 1)


def _iterators(body: Statements, count: int) -> Iterator[str]:
    """Yields the iterators of canonical loops in each other."""
    for loop in [statement for statement in body if isinstance(statement, c.For)][: min(count, 1)]:
        match loop.start:
            case (c.Declare(name=name),) | (c.Assign(c.Name(name)),):
                yield name
        yield from _iterators(loop.body, count - 1)


def _is_canonical(loop: c.For) -> bool:
    """Returns True for the canonical form of a loop (OpenMP 5.2, 4.4.1)."""
    match loop.start:
        case (c.Declare(name=name, value=value),) if value is not None:
            first = value
        case (c.Assign(c.Name(name), first, "="),):
            pass
        case _:
            return False
    match loop.test:
        case c.Binary(operator, c.Name(own), last) if own == name:
            pass
        case c.Binary(operator, last, c.Name(own)) if own == name:
            pass
        case _:
            return False
    is_fixed = operator in _COMPARISONS and name not in names_in((first, last))
    if not is_fixed or len(loop.steps) != 1 or not _is_step(loop.steps[0], name):
        return False
    return operator != "!=" or _is_of_one(loop.steps[0])


def _is_of_one(step: c.Expression) -> bool:
    match step:
        case c.Step() | c.Set("+=" | "-=", _, c.Literal("1")) | c.Set("=", _, c.Binary(right=c.Literal("1"))):
            return True
        case c.Set("=", _, c.Binary(left=c.Literal("1"))):
            return True
    return False


def _is_step(step: c.Expression, name: str) -> bool:
    match step:
        case c.Step(operand=c.Name(own)):
            return own == name
        case c.Set("+=" | "-=", c.Name(own), amount):
            return own == name and name not in names_in(amount)
        case c.Set("=", c.Name(own), c.Binary("+" | "-", c.Name(left), amount)) if left == name:
            return own == name and name not in names_in(amount)
        case c.Set("=", c.Name(own), c.Binary("+", amount, c.Name(right))):
            return own == name == right and name not in names_in(amount)
    return False


def _is_update(statement: c.Statement) -> bool:
    """Returns True for the update of a cell by a value that does not contain it (OpenMP 5.2, 15.8.4)."""
    match statement:
        case c.Evaluate(c.Step()):
            return True
        case c.Assign(target, value, operator) if operator in _UPDATES:
            return not _contains(value, target)
        case c.Assign(target, c.Binary(operator, left, right), "=") if f"{operator}=" in _UPDATES:
            return (left == target) != (right == target) and not _contains(right if left == target else left, target)
    return False


def _contains(value: c.Expression, target: c.Expression) -> bool:
    return any(node == target for node in nodes(value, type(target)))


def _is_left(parts: Iterable[Part], jumps: frozenset[type]) -> bool:
    """Returns True if statements among these parts jump out of them; `jumps` are the kinds that leave the statement
    around them."""
    for part in parts:
        inner = frozenset[type]() if isinstance(part, _LOOPS) else jumps
        inner -= {c.Break} if isinstance(part, c.Switch) else set()
        if isinstance(part, c.Return) or type(part) in jumps or _is_left(children(part), inner):
            return True
    return False
