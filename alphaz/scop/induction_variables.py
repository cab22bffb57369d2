"""Induction variables: integers and pointers that take one step in each iteration, as functions of the iterator.

const double *p = A; int k = 0;       const double *p = A; int k = 0;
for (int i = a; i < n; i++) {         for (int i = a; i < n; i++) {
    B[k] = *p++;                          B[k + (i - a) * 2] = *(p + (i - a));
    k += 2;
}                                     }
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from alphaz.scop.idioms import items
from alphaz.scop.pointer_swaps import start_of
from alphaz.scop.pycparser_queries import nodes, parameters_of, scalar_type, targets
from alphaz.scop.substitution import as_declared, count, exchanged, is_steady, mentioned, names_in, substitute_names

_UP, _DOWN = ("++", "p++"), ("--", "p--")
_LEFT_EARLY = c_ast.Continue | c_ast.Break | c_ast.Return


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """The change of `name`, of the type `declared`, in statement `at` of a loop's body, by `node`: up or down by
    `amount`."""

    name: str
    at: int
    node: Any
    amount: Any
    is_up: bool
    declared: Any = None

    def moved(self, steps: Any) -> Any:
        """Returns the variable after this number of steps."""
        far = steps if self.amount is None else c_ast.BinaryOp("*", steps, self.amount, self.node.coord)
        sign, own = "+" if self.is_up else "-", c_ast.ID(self.name, self.node.coord)
        return as_declared(self.declared, c_ast.BinaryOp(sign, own, far, self.node.coord))


def without_counters(statements: Sequence[Any], definition: Any, counters: frozenset[str]) -> list[Any]:
    """Returns the statements of a block without induction variables; `counters` are the variables of the block with a
    value."""
    for at, statement in enumerate(statements):
        for inner in _blocks(statement):
            inner.block_items = without_counters(inner.block_items or [], definition, frozenset())
        if (
            isinstance(statement, c_ast.Decl)
            and statement.init is not None
            and not statement.storage
            and _counts(statement.type)
        ):
            counters |= {statement.name}
        if isinstance(statement, c_ast.For):
            _by_index(statement, definition)
        if isinstance(statement, c_ast.For) and not (at and isinstance(statements[at - 1], c_ast.Pragma)):
            _at_the_end(statement)
            behind = {name for later in statements[at + 1 :] for name in mentioned(later)}
            for name in sorted(counters & names_in(statement.stmt) - behind):
                _in_terms_of_iterator(name, statement, definition)
    return list(statements)


def counting(definition: Any) -> frozenset[str]:
    """Returns the parameters that may be induction variables."""
    return frozenset(
        parameter.name for parameter in parameters_of(definition) if parameter.name and _counts(parameter.type)
    )


def _counts(type_: Any) -> bool:
    scalar = scalar_type(type_)
    is_integer = scalar is not None and scalar.kind == "int" and scalar.bits >= 32
    return is_integer or isinstance(type_, c_ast.PtrDecl | c_ast.ArrayDecl)


def _blocks(node: Any) -> list[Any]:
    """Returns the blocks directly in a statement that is no block itself."""
    match node:
        case c_ast.Compound():
            return [node]
        case c_ast.If():
            return [*_blocks(node.iftrue), *_blocks(node.iffalse)]
        case c_ast.For() | c_ast.While() | c_ast.DoWhile():
            return _blocks(node.stmt)
    return []


def _by_index(loop: Any, definition: Any) -> None:
    """Rewrites `for (double *p = a; p < a + n; p++) .. p ..` as `for (long p_at = 0; p_at < n; p_at++) .. (a + p_at)
    ..`."""
    match loop.init, loop.cond:
        case (
            c_ast.DeclList(decls=[c_ast.Decl(name=name, type=c_ast.PtrDecl() as pointed, init=start)]),
            c_ast.BinaryOp(op="<" | "!=" as op, left=c_ast.ID(name=tested), right=end),
        ) if name == tested and start is not None:
            pass
        case _:
            return
    length = _length(start, end, definition)
    steps = loop.next.exprs if isinstance(loop.next, c_ast.ExprList) else [loop.next]
    own = [step for step in steps if _stepped_name(step) == name]
    own_names, index = _own_names(definition), f"{name}_at"
    if length is None or len(own) != 1 or not isinstance(own[0], c_ast.UnaryOp) or own[0].op not in _UP:
        return
    fixed = all(_is_fixed(bound, {*own_names} - {name}) for bound in (start, length))
    used = {name, *names_in(start), *names_in(length)}
    if not fixed or own_names.count(name) != 1 or index in mentioned(definition) or not is_steady(used, loop.stmt):
        return
    coord = loop.coord
    at, zero = c_ast.ID(index, coord), c_ast.Constant("int", "0", coord)
    type_ = c_ast.TypeDecl(index, [], None, c_ast.IdentifierType(["long"], coord), coord)
    # The elements have its type.
    typed = c_ast.Cast(c_ast.Typename(None, [], None, pointed, coord), start, coord)
    there = {name: c_ast.BinaryOp("+", typed, at, coord)}
    loop.init = c_ast.DeclList([c_ast.Decl(index, [], [], [], [], type_, zero, None, coord)], coord)
    loop.cond = c_ast.BinaryOp(op, at, length, coord)
    stepped = [c_ast.UnaryOp("p++", at, coord) if step is own[0] else substitute_names(step, there) for step in steps]
    loop.next = c_ast.ExprList(stepped, coord) if len(stepped) > 1 else stepped[0]
    loop.stmt = substitute_names(loop.stmt, there)


def _length(start: Any, end: Any, definition: Any) -> Any:
    """Returns the distance of two pointers: n of `a` and `a + n`, or of a name for `a + n` that never changes."""
    match end:
        case c_ast.BinaryOp(op="+", left=left, right=right) if _text(left) == _text(start):
            return right
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=array, subscript=right)) if _text(array) == _text(start):
            return right
        case c_ast.ID(name=name) if _own_names(definition).count(name) == 1:
            (declared,) = [node for node in nodes(definition, c_ast.Decl) if node.name == name]
            one = declared.init if isinstance(declared.type, c_ast.PtrDecl) else None
            # Its operands do not change before the loop.
            is_kept = one is not None and not ({name} | names_in(one)) & _changed_names(definition.body)
            return _length(start, one, definition) if is_kept and not isinstance(one, c_ast.ID) else None
    return None


def _changed_names(body: Any) -> set[str]:
    """Returns the names that change after their declaration, iterators of loops among them."""
    return {target.name for target in targets(body) if isinstance(target, c_ast.ID)}


def _text(node: Any) -> str:
    return str(CGenerator().visit(node))


def _at_the_end(loop: Any) -> None:
    """Rewrites `i++, p++` as `i++`, with the other steps at the end of the body."""
    start = start_of(loop)
    steps = loop.next.exprs if isinstance(loop.next, c_ast.ExprList) else []
    own = [step for step in steps if start is not None and _stepped_name(step) == start[0]]
    if len(own) != 1 or nodes(loop.stmt, _LEFT_EARLY) or any(_stepped_name(step) is None for step in steps):
        return
    if any(start is not None and start[0] in names_in(step) for step in steps if step is not own[0]):
        return
    loop.next = own[0]
    loop.stmt = c_ast.Compound([*items(loop.stmt), *(step for step in steps if step is not own[0])], loop.stmt.coord)


def _stepped_name(node: Any) -> str | None:
    match node:
        case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in (*_UP, *_DOWN):
            return str(name)
        case c_ast.Assignment(op="+=" | "-=", lvalue=c_ast.ID(name=name)):
            return str(name)
    return None


def _in_terms_of_iterator(name: str, loop: Any, definition: Any) -> None:
    """Replaces a variable whose only change is one step in each iteration by its value in the iteration."""
    start, step = start_of(loop), _step(name, items(loop.stmt))
    if (
        start is None
        or step is None
        or _stepped_name(loop.next) != start[0]
        or not isinstance(loop.next, c_ast.UnaryOp)
    ):
        return
    iterator, value = start
    fixed = [value] if step.amount is None else [value, step.amount]
    names_used = {iterator}.union(*map(names_in, fixed))
    own_names = _own_names(definition)
    is_known = own_names.count(name) == 1 and all(_is_fixed(each, {*own_names} - {iterator, name}) for each in fixed)
    if not is_known or name in names_in(loop.cond) or nodes(loop.stmt, _LEFT_EARLY):
        return
    own, coord = c_ast.ID(iterator, loop.coord), loop.coord
    steps = c_ast.BinaryOp("-", *((own, value) if loop.next.op in _UP else (value, own)), coord)
    every = [*parameters_of(definition), *nodes(definition.body, c_ast.Decl)]
    step = replace(step, declared=next(each.type for each in every if each.name == name))
    rewritten = c_ast.Compound(_with_steps(step, steps, items(loop.stmt)), loop.stmt.coord)
    if is_steady({name, *names_used}, rewritten):
        loop.stmt = rewritten


def _own_names(definition: Any) -> list[str]:
    """Returns the names that a function declares, once for each declaration, except those that other functions may
    change."""
    declared = [*parameters_of(definition), *nodes(definition.body, c_ast.Decl)]
    pointed = [node.expr for node in nodes(definition.body, c_ast.UnaryOp) if node.op == "&"]
    given_away = {node_.name for node_ in pointed if isinstance(node_, c_ast.ID)}
    return [node_.name for node_ in declared if node_.name not in given_away and not node_.storage]


def _is_fixed(node: Any, names: set[str]) -> bool:
    """Returns True if an expression consists of these names and of constants."""
    match node:
        case c_ast.Constant():
            return True
        case c_ast.ID():
            return node.name in names
        case c_ast.UnaryOp(op="+" | "-") | c_ast.Cast():
            return _is_fixed(node.expr, names)
        case c_ast.BinaryOp(op="+" | "-" | "*" | "/"):
            return _is_fixed(node.left, names) and _is_fixed(node.right, names)
    return False


def _step(name: str, body: Sequence[Any]) -> _Step | None:
    """Returns the only change of the variable, if it happens exactly once in each execution of the body."""
    found = [
        (at, node) for at, statement in enumerate(body) for node in nodes(statement, c_ast.UnaryOp | c_ast.Assignment)
        if _stepped_name(node) == name
    ]  # fmt: skip
    if len(found) != 1:
        return None
    at, node = found[0]
    if (at and isinstance(body[at - 1], c_ast.Pragma)) or not _is_done_once(body[at], node, name):
        return None
    if isinstance(node, c_ast.UnaryOp):
        return _Step(name=name, at=at, node=node, amount=None, is_up=node.op in _UP)
    return _Step(name=name, at=at, node=node, amount=node.rvalue, is_up=node.op == "+=")


def _is_done_once(statement: Any, node: Any, name: str) -> bool:
    """Returns True if a statement executes this step exactly once, and does not use the variable otherwise."""
    if statement is node:
        return True
    is_plain = isinstance(statement, c_ast.Assignment | c_ast.Decl) and not nodes(statement, c_ast.TernaryOp)
    may_skip = any(operation.op in ("&&", "||") for operation in nodes(statement, c_ast.BinaryOp))
    return is_plain and not may_skip and isinstance(node, c_ast.UnaryOp) and count(statement, name) == 1


def _with_steps(step: _Step, steps: Any, body: Sequence[Any]) -> list[Any]:
    one = c_ast.Constant("int", "1", step.node.coord)
    before, behind = step.moved(steps), step.moved(c_ast.BinaryOp("+", steps, one, step.node.coord))
    here = [] if body[step.at] is step.node else [
        exchanged(body[step.at], step.node, before if step.node.op.startswith("p") else behind)
    ]  # fmt: skip
    return [
        *(substitute_names(statement, {step.name: before}) for statement in body[: step.at]),
        *here,
        *(substitute_names(statement, {step.name: behind}) for statement in body[step.at + 1 :]),
    ]
