"""Normal forms of C: each rewriting keeps the meaning of the text, or leaves the text as it is.

int i = 0; while (i < n) { ..; i++; }        for (i = 0; i < n; i++) { .. }
int i = a; do { ..; i++; } while (i < n);    for (i = a; i <= a || i < n; i++) { .. }
for (int i = n; i-- > 0;) .. i ..            for (int i = n; i > 0; i--) .. i - 1 ..
for (int i = 0, j = n; i < n; i++, j--) j    for (int i = 0; i < n; i++) n - (i - 0)
if (c) continue; ..                          if (!c) { .. }
for (int i = 0; i < n; i++) .. *p++          for (int i = 0; i < n; i++) .. *(p + (i - 0))
int e = x; if (e > n) e = n;                 int e = x > n ? n : x;
"""

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from alphaz.diagnostics import Source
from alphaz.scop.file_scope import plainly_typed
from alphaz.scop.idioms import items, merge_branches
from alphaz.scop.induction_variables import counting, without_counters
from alphaz.scop.lexical_checks import check_enumerations, check_functions, check_names
from alphaz.scop.parsing import parse_c, vector_types
from alphaz.scop.pointer_swaps import parities
from alphaz.scop.pycparser_queries import changes, nodes, scalar_type, targets
from alphaz.scop.substitution import as_declared, count, is_steady, mentioned, names_in, substitute_names, touched
from alphaz.scop.vector_ssa import renew

_UP, _DOWN = ("++", "p++"), ("--", "p--")


def parse(source: Source, text: str) -> c_ast.FileAST:
    """Returns the normalised tree of a prepared (and preprocessed) text of `source`. Raises Rejected (AZ831)."""
    tree = plainly_typed(parse_c(source, text))
    check_names(source, tree)
    check_functions(source, tree)
    check_enumerations(source, tree)
    for item in tree.ext:
        if isinstance(item, c_ast.FuncDef) and not nodes(item.body, c_ast.Goto | c_ast.Switch | c_ast.StructRef):
            statements = _block(item.body.block_items or [], item.body)
            item.body.block_items = parities(without_counters(statements, item, counting(item)), item)
            renew(item)
    return c_ast.FileAST([*vector_types(source), *tree.ext])


def _block(statements: Sequence[Any], body: Any) -> list[Any]:
    """Returns the normalised statements of a block in a function's `body`."""
    block: list[Any] = []
    for statement in statements:
        statement = _statement(statement, body)
        if isinstance(statement, c_ast.If):
            statement = _clamped(block, statement)
        if (
            isinstance(statement, c_ast.For)
            and statement.init is None
            and not (block and isinstance(block[-1], c_ast.Pragma))
        ):
            _move_start(block, statement)
        if isinstance(statement, c_ast.DoWhile) and not (block and isinstance(block[-1], c_ast.Pragma)):
            statement = _at_least_once(block, statement)
        if statement is not None:
            block.append(statement)
    return block


def _statement(node: Any, body: Any) -> Any:
    match node:
        case c_ast.Compound():
            node.block_items = _block(node.block_items or [], body)
        case c_ast.If():
            node.iftrue, node.iffalse = _statement(node.iftrue, body), _statement(node.iffalse, body)
        case c_ast.For() | c_ast.While():
            node.stmt = c_ast.Compound(_going_on(_block(items(node.stmt), body)), node.stmt.coord)
            node = _counted_loop(node)
            if isinstance(node, c_ast.For):
                _downwards(node)
                _one_iterator(node, body)
        case c_ast.DoWhile():
            node.stmt = c_ast.Compound(_going_on(_block(items(node.stmt), body)), node.stmt.coord)
    return node


def _going_on(statements: list[Any]) -> list[Any]:
    """Returns the body of a loop with each `continue` that ends a branch replaced by the negated branch."""
    for at, statement in enumerate(statements):
        if (
            not isinstance(statement, c_ast.If)
            or statement.iffalse is not None
            or (at and isinstance(statements[at - 1], c_ast.Pragma))
        ):
            continue
        *before, last = items(statement.iftrue) or [None]
        if isinstance(last, c_ast.Continue) and not any(nodes(b, c_ast.Continue) for b in before):
            rest = c_ast.Compound(_going_on(statements[at + 1 :]), statement.coord)
            if before:
                return [
                    *statements[:at],
                    c_ast.If(statement.cond, c_ast.Compound(before, statement.coord), rest, statement.coord),
                ]
            return [
                *statements[:at],
                c_ast.If(c_ast.UnaryOp("!", statement.cond, statement.coord), rest, None, statement.coord),
            ]
    return statements


def _counted_loop(loop: Any) -> Any:
    """Returns a loop whose last statement is the step of the variable in its condition as a `for` loop."""
    if isinstance(loop, c_ast.For) and loop.next is not None:
        return loop
    *before, last = items(loop.stmt) or [None]
    name = _stepped_variable(last)
    is_asked = loop.cond is not None and name is not None and name in names_in(loop.cond)
    if (
        not is_asked
        or any(nodes(statement, c_ast.Continue) for statement in before)
        or (before and _is_pragma(before[-1]))
    ):
        return loop
    start = loop.init if isinstance(loop, c_ast.For) else None
    return c_ast.For(start, loop.cond, last, c_ast.Compound(before, loop.stmt.coord), loop.coord)


def _at_least_once(before: list[Any], loop: Any) -> Any:
    """Returns a `do` loop as a `for` loop whose condition is skipped the first time."""
    inside, test = items(loop.stmt), loop.cond
    match test:
        case c_ast.BinaryOp(op=op, left=c_ast.UnaryOp(op="++" | "--" | "p++" | "p--") as step, right=right):
            inside, left = [*inside, step], step.expr
            if step.op.startswith("p"):
                left = c_ast.BinaryOp("-" if step.op in _UP else "+", left, _one(loop.coord), loop.coord)
            test = c_ast.BinaryOp(op, left, right, test.coord)
    *rest, last = inside or [None]
    name, is_up = _stepped_variable(last), _goes_up(last)
    is_asked = name is not None and name in names_in(test) and not changes(test)
    if not is_asked or is_up is None or (rest and _is_pragma(rest[-1])) or any(nodes(b, c_ast.Continue) for b in rest):
        return loop
    for_loop = c_ast.For(None, test, last, c_ast.Compound(rest, loop.stmt.coord), loop.coord)
    _move_start(before, for_loop)
    if for_loop.init is None or not is_steady({str(name), *names_in(for_loop.init.rvalue)}, for_loop.stmt):
        return loop
    first = c_ast.BinaryOp("<=" if is_up else ">=", for_loop.init.lvalue, for_loop.init.rvalue, loop.coord)
    for_loop.cond = c_ast.BinaryOp("||", first, test, loop.coord)
    return for_loop


def _goes_up(step: Any) -> bool | None:
    """Returns True for a step of one upwards, False for one downwards; None for other statements."""
    match step:
        case c_ast.UnaryOp():
            return step.op in _UP
        case c_ast.Assignment(op="+=" | "-=", rvalue=c_ast.Constant()):
            return bool(step.op == "+=")
        case c_ast.Assignment(op="=", rvalue=c_ast.BinaryOp(op="+" | "-", right=c_ast.Constant()) as value):
            return bool(value.op == "+")
    return None


def _one(coord: Any) -> Any:
    return c_ast.Constant("int", "1", coord)


def _stepped_variable(node: Any) -> str | None:
    """Returns the variable that a statement increments or decrements."""
    match node:
        case c_ast.UnaryOp(op="++" | "p++" | "--" | "p--", expr=c_ast.ID(name=name)):
            return str(name)
        case c_ast.Assignment(op="+=" | "-=", lvalue=c_ast.ID(name=name)):
            return str(name)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=c_ast.BinaryOp(left=c_ast.ID(name=other))):
            return str(name) if name == other else None
    return None


def _is(node: Any, name: str | None) -> bool:
    return isinstance(node, c_ast.ID) and node.name == name


def _is_pragma(node: Any) -> bool:
    return isinstance(node, c_ast.Pragma)


def _move_start(before: list[Any], loop: Any) -> None:
    """Moves the start of a loop from the statement before it into its head."""
    name = _stepped_variable(loop.next)
    for at in reversed(range(len(before))):
        item = before[at]
        is_said = isinstance(item, c_ast.Assignment) and item.op == "=" and _is(item.lvalue, name)
        value = item.rvalue if is_said else None
        if (
            isinstance(item, c_ast.Decl)
            and item.name == name
            and not item.storage
            and scalar_type(item.type) is not None
        ):
            value = item.init
        if value is None:
            if name is None or name in mentioned(item) or _is_pragma(item):
                return
            continue
        if at and _is_pragma(before[at - 1]):
            return
        if names_in(value) & touched(before[at + 1 :]) or changes(value):
            return
        loop.init = c_ast.Assignment("=", c_ast.ID(name, loop.coord), value, loop.coord)
        if isinstance(item, c_ast.Decl):
            item.init = None
        else:
            del before[at]
        return


def _downwards(loop: Any) -> None:
    """Rewrites `for (int i = n; i-- > 0;)` if i is not used after the loop."""
    if loop.next is not None or not isinstance(loop.init, c_ast.DeclList) or len(loop.init.decls) != 1:
        return
    match loop.cond:
        case c_ast.BinaryOp(
            op=">", left=c_ast.UnaryOp(op="p--", expr=c_ast.ID(name=name)), right=c_ast.Constant(value="0")
        ):
            pass
        case c_ast.BinaryOp(
            op=">=", left=c_ast.UnaryOp(op="--", expr=c_ast.ID(name=name)), right=c_ast.Constant(value="0")
        ):
            pass
        case _:
            return
    if loop.init.decls[0].name != name or not is_steady({name}, loop.stmt):
        return
    type_ = scalar_type(loop.init.decls[0].type)
    if loop.cond.op == ">=" and (type_ is None or not type_.signed):
        return
    own, one = c_ast.ID(name, loop.coord), c_ast.Constant("int", "1", loop.coord)
    loop.stmt = substitute_names(loop.stmt, {name: c_ast.BinaryOp("-", own, one, loop.coord)})
    loop.cond = c_ast.BinaryOp(">", own, c_ast.Constant("int", "0", loop.coord), loop.coord)
    loop.next = c_ast.UnaryOp("p--", own, loop.coord)


def _one_iterator(loop: Any, body: Any) -> None:
    """Expresses the second of two iterators with steps of one by the first, if it is not used after the loop."""
    match loop.init:
        case c_ast.DeclList(decls=[c_ast.Decl(name=name) as one, c_ast.Decl(name=other) as two]):
            starts, declared = (one.init, two.init), [one, two]
        case c_ast.ExprList(
            exprs=[
                c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name)) as one,
                c_ast.Assignment(op="=", lvalue=c_ast.ID(name=other)) as two,
            ]
        ):
            if sum(node.name == other for node in nodes(body, c_ast.ID)) != count(loop, other):
                return
            starts = (one.rvalue, two.rvalue)
            declared = [node for node in nodes(body, c_ast.Decl) if node.name in (name, other)]
        case _:
            return
    types = [scalar_type(expression.type) for expression in declared]
    if len(types) != 2 or types[0] is None or types[0] != types[1] or types[0].kind != "int" or types[0].bits < 32:
        return
    ways: dict[str, str] = {}
    for expression in loop.next.exprs if isinstance(loop.next, c_ast.ExprList) else []:
        if (
            isinstance(expression, c_ast.UnaryOp)
            and isinstance(expression.expr, c_ast.ID)
            and expression.op in (*_UP, *_DOWN)
        ):
            ways[expression.expr.name] = "+" if expression.op in _UP else "-"
    if set(ways) != {name, other} or len(loop.next.exprs) != 2 or None in starts or loop.cond is None:
        return
    used = set().union(*map(names_in, starts))
    if {name, other} & used or any(map(changes, starts)) or not is_steady({name, other, *used}, loop.stmt):
        return
    progress = c_ast.BinaryOp("-", c_ast.ID(name, loop.coord), starts[0], loop.coord)
    value = c_ast.BinaryOp("+" if ways[name] == ways[other] else "-", starts[1], progress, loop.coord)
    value = as_declared(declared[1].type, value)
    loop.stmt, loop.cond = substitute_names(loop.stmt, {other: value}), substitute_names(loop.cond, {other: value})
    loop.next = next(expr for expr in loop.next.exprs if expr.expr.name == name)
    loop.init = c_ast.DeclList([one], loop.coord) if isinstance(loop.init, c_ast.DeclList) else one


def _clamped(before: list[Any], item: Any) -> Any:
    """Returns the declaration of an integer e merged with a following `if (e > n) e = n;`, with or without else;
    otherwise the statement unchanged."""
    branches = merge_branches(item)
    if branches is None or not isinstance(branches[0], c_ast.ID):
        return item
    name, value = branches[0].name, branches[1]
    at = next((at for at, b in reversed([*enumerate(before)]) if isinstance(b, c_ast.Decl) and b.name == name), None)
    if at is None or _is_pragma(before[-1]) or (at and _is_pragma(before[at - 1])):
        return item
    declared, rest = before[at], before[at + 1 :]
    type_, first = scalar_type(declared.type), declared.init
    if type_ is None or type_.kind != "int" or declared.storage or (first is None and name in names_in(value)):
        return item
    parts = (value,) if first is None else (first, value)
    if any(changes(part) or nodes(part, c_ast.FuncCall) for part in parts):
        return item
    if any(name in mentioned(statement) for statement in rest) or any(map(_is_pragma, rest)):
        return item
    if first is not None and (names_in(first) & touched(rest) or not all(map(_is_quiet, rest))):
        return item
    del before[at]
    declared.init = value if first is None else substitute_names(value, {name: as_declared(declared.type, first)})
    return declared


def _is_quiet(item: Any) -> bool:
    """Returns True if a statement changes only variables that it names."""
    return all(isinstance(target, c_ast.ID) for target in targets(item)) and not nodes(item, c_ast.FuncCall)
