"""Calls without effect on the computed values: reports, assertions and hints to the machine."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pycparser import c_ast

from alphaz.model.types import INT
from alphaz.scop.functions import Functions
from alphaz.scop.pycparser_queries import (
    changes,
    changes_only_through_address,
    is_zero_of_type,
    nodes,
    parameters_of,
    scalar_type,
)

_NUMBER = r"[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|j|z|t|L)?[diouxXeEfFgGaAc]"
_TEXT = r"-?\d*(?:\.\d+)?s"
_CONVERSION = re.compile(rf"%(?:(?P<none>%)|(?P<text>{_TEXT})|(?P<number>{_NUMBER})|(?P<other>.?))", re.DOTALL)
# The characters by their codes: an escape may denote `%`.
_NUMBERED = re.compile(r"\\[0-7xuU]")
_STREAMS = ("stdout", "stderr")
_PLAIN_OPERATORS = frozenset(["+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^"])


def is_report(item: Any, texts: Sequence[str] = (), tables: Mapping[str, int] | None = None) -> bool:
    """Returns True if a call prints named scalars. `texts` are names of strings, `tables` tables of strings with their
    lengths."""
    arguments = item.args.exprs if item.args is not None else []
    match item.name, arguments:
        case c_ast.ID(name="printf"), [form, *rest]:
            return _prints(form, rest, texts, tables or {})
        case c_ast.ID(name="fprintf"), [c_ast.ID(name=stream), form, *rest] if stream in _STREAMS:
            return _prints(form, rest, texts, tables or {})
        case c_ast.ID(name="fputs"), [text, c_ast.ID(name=stream)] if stream in _STREAMS:
            return _is_text(text, texts, tables or {})
        case c_ast.ID(name="puts" | "perror"), [text]:
            return _is_text(text, texts, tables or {})
        case c_ast.ID(name="fflush"), [c_ast.ID(name=stream)]:
            return stream in _STREAMS
    return False


def _prints(form: Any, values: Sequence[Any], texts: Sequence[str], tables: Mapping[str, int]) -> bool:
    """Returns True if a format string matches these values, and all of them can be printed."""
    if not isinstance(form, c_ast.Constant) or form.type != "string" or _NUMBERED.search(form.value):
        return False
    conversions = [conversion_ for conversion_ in _CONVERSION.finditer(form.value) if conversion_["none"] is None]
    if len(conversions) != len(values) or any(conversion_["other"] is not None for conversion_ in conversions):
        return False
    return all(
        _is_text(value, texts, tables) if conversion_["text"] else is_plain(value)
        for conversion_, value in zip(conversions, values, strict=True)
    )


def _is_text(node: Any, texts: Sequence[str], tables: Mapping[str, int]) -> bool:
    match node:
        case c_ast.Constant(type="string"):
            return True
        case c_ast.ID(name=name):
            return name in texts
        case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=c_ast.ID()):
            return name in tables
    return False


def is_plain(node: Any) -> bool:
    """Returns True if an expression reads only named scalars and cannot fail, except by overflow."""
    match node:
        case c_ast.Constant():
            return bool(node.type != "string")
        case c_ast.ID():
            return True
        case c_ast.Cast():
            return scalar_type(node.to_type.type) is not None and is_plain(node.expr)
        case c_ast.UnaryOp(op="sizeof"):
            return isinstance(node.expr, c_ast.Typename)
        case c_ast.UnaryOp():
            return node.op in ("-", "+", "!", "~") and is_plain(node.expr)
        case c_ast.BinaryOp(op="/" | "%", right=c_ast.Constant(value=value)):
            return value.isdigit() and int(value, 8 if value.startswith("0") else 10) > 0 and is_plain(node.left)
        case c_ast.BinaryOp():
            return node.op in _PLAIN_OPERATORS and is_plain(node.left) and is_plain(node.right)
        case c_ast.TernaryOp():
            return all(map(is_plain, (node.cond, node.iftrue, node.iffalse)))
    return False


def is_asserted(name: str, arguments: Sequence[Any]) -> bool:
    """Returns True for an assertion about named scalars."""
    return name == "assert" and len(arguments) == 1 and is_plain(arguments[0])


def only_reports(definition: Any) -> bool:
    """Returns True if a function of the file only prints."""
    texts = [item.name for item in parameters_of(definition) if _is_of_characters(item.type)]
    tables = tables_of(definition)
    return all(_only_tells(item, texts, tables) for item in definition.body.block_items or [])


def _only_tells(item: Any, texts: Sequence[str], tables: Mapping[str, int]) -> bool:
    match item:
        case c_ast.Decl():
            return item.name in tables
        case c_ast.FuncCall():
            return is_report(item, texts, tables)
        case c_ast.If():
            branches = [item_ for item_ in (item.iftrue, item.iffalse) if item_ is not None]
            return is_plain(item.cond) and all(_only_tells(branch, texts, tables) for branch in branches)
        case c_ast.Compound():
            return all(_only_tells(item_, texts, tables) for item_ in item.block_items or [])
        case c_ast.Cast():
            return isinstance(item.expr, c_ast.ID)
        case c_ast.Return():
            return item.expr is None or is_plain(item.expr)
    return isinstance(item, c_ast.EmptyStatement)


def _is_of_characters(type_: Any) -> bool:
    return (
        isinstance(type_, c_ast.PtrDecl)
        and isinstance(type_.type, c_ast.TypeDecl)
        and getattr(type_.type.type, "names", None) == ["char"]
    )


def tables_of(definition: Any) -> Mapping[str, int]:
    """Returns the constant tables of strings of a function, with the length of each."""
    lengths = {}
    for node in nodes(definition.body, c_ast.Decl):
        match node:
            case c_ast.Decl(type=c_ast.ArrayDecl(dim=None, type=pointer), init=c_ast.InitList(exprs=exprs)):
                is_text = all(isinstance(e, c_ast.Constant) and e.type == "string" for e in exprs)
                if "static" in node.storage and _is_of_characters(pointer) and is_text:
                    lengths[node.name] = len(exprs)
    return lengths


def has_harmless_arguments(functions: Functions, definition: Any, arguments: Sequence[Any]) -> bool:
    """Returns True if the arguments of a reporting function are harmless: named scalars, strings, or results of
    functions; an index into a table of strings must be below its length."""
    if len(parameters_of(definition)) != len(arguments):
        return False
    tables = tables_of(definition)
    least: dict[str, int] = {}
    for node in nodes(definition.body, c_ast.ArrayRef):
        name = node.subscript.name
        least[name] = min(tables[node.name.name], least.get(name, tables[node.name.name]))
    for parameter, argument in zip(parameters_of(definition), arguments, strict=True):
        is_text = isinstance(argument, c_ast.Constant) and argument.type == "string"
        if is_text != _is_of_characters(parameter.type):
            return False
        if parameter.name in least and not _is_below(functions, argument, least[parameter.name]):
            return False
        is_said = _returns(functions, argument) if isinstance(argument, c_ast.FuncCall) else is_plain(argument)
        if not is_text and not is_said:
            return False
    return least.keys() <= {parameter_.name for parameter_ in parameters_of(definition)}


def _is_below(functions: Functions, node: Any, count: int, within: Any = None) -> bool:
    """Returns True if a value is from 0 to count - 1: a constant, or the result of a function that returns such
    constants or (`within`) results of helpers of generated files."""
    match node:
        case c_ast.Constant():
            return bool(node.type == "int" and node.value.isdigit() and int(node.value) < count)
        case c_ast.ID(name=name) if within is not None:
            own = [declaration for declaration in nodes(within, c_ast.Decl) if declaration.name == name]
            return len(own) == 1 and is_zero_of_type(own[0], INT) and changes_only_through_address(within, name)
        case c_ast.FuncCall() if (definition := functions.called(node)) is not None:
            returned = nodes(definition.body, c_ast.Return)
            return bool(returned) and all(_is_below(functions, e.expr, count, definition.body) for e in returned)
    return False


def _returns(functions: Functions, call: Any) -> bool:
    """Returns True if a called function is known to return a value on all paths."""
    definition = functions.called(call)
    if definition is None:
        return True
    last = (definition.body.block_items or [None])[-1]
    return isinstance(last, c_ast.Return) and all(e.expr is not None for e in nodes(definition.body, c_ast.Return))


def is_hint(item: Any) -> bool:
    """Returns True if a call only tells the machine about future use of memory."""
    arguments = item.args.exprs if item.args is not None else []
    if changes(item) or not isinstance(item.name, c_ast.ID):
        return False
    match item.name.name, arguments:
        case "__builtin_prefetch", [place, *rest]:
            return _is_place(place) and all(isinstance(argument, c_ast.Constant) for argument in rest)
        case "madvise", [place, size, c_ast.Constant(value="14") | c_ast.ID(name="MADV_HUGEPAGE")]:
            return _is_place(place) and is_plain(size)
        case "_mm_prefetch", [place, c_ast.ID(name=name)]:
            return _is_place(place) and name.startswith("_MM_HINT_")
        case "_mm256_zeroupper", []:
            return True
    return False


def _is_place(node: Any) -> bool:
    """Returns True if an expression is an address computation without reads."""
    match node:
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef() as inner):
            while isinstance(inner, c_ast.ArrayRef):
                if not is_plain(inner.subscript):
                    return False
                inner = inner.name
            return isinstance(inner, c_ast.ID)
        case c_ast.Cast():
            return _is_place(node.expr)
    return is_plain(node)
