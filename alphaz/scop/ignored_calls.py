"""Calls without effect on the computed values: reports, assertions and hints to the machine."""

import re
from collections.abc import Mapping, Sequence

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.model.types import INT
from alphaz.scop.functions import Functions
from alphaz.scop.tree_queries import (
    Trees,
    body_of,
    changes,
    changes_only_through_address,
    is_zero_of_type,
    last_statement,
    name_of,
    scalar_type,
    type_text,
)

_NUMBER = r"[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|j|z|t|L)?[diouxXeEfFgGaAc]"
_TEXT = r"-?\d*(?:\.\d+)?s"
_CONVERSION = re.compile(rf"%(?:(?P<none>%)|(?P<text>{_TEXT})|(?P<number>{_NUMBER})|(?P<other>.?))", re.DOTALL)
# The characters by their codes: an escape may denote `%`.
_NUMBERED = re.compile(r"\\[0-7xuU]")
_STREAMS = ("stdout", "stderr")
_PLAIN_OPERATORS = frozenset(["+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^"])


def is_report(call: c.Call, texts: Sequence[str] = (), tables: Mapping[str, int] | None = None) -> bool:
    """Returns True if a call prints named scalars. `texts` are names of strings, `tables` tables of strings with their
    lengths."""
    match call.function, call.arguments:
        case "printf", (form, *rest):
            return _prints(form, rest, texts, tables or {})
        case "fprintf", (c.Name(stream), form, *rest) if stream in _STREAMS:
            return _prints(form, rest, texts, tables or {})
        case "fputs", (text, c.Name(stream)) if stream in _STREAMS:
            return _is_text(text, texts, tables or {})
        case "puts" | "perror", (text,):
            return _is_text(text, texts, tables or {})
        case "fflush", (c.Name(stream),):
            return stream in _STREAMS
    return False


def _prints(
    form: c.Expression, values: Sequence[c.Expression], texts: Sequence[str], tables: Mapping[str, int]
) -> bool:
    """Returns True if a format string matches these values, and all of them can be printed."""
    if not isinstance(form, c.String) or _NUMBERED.search(form.text):
        return False
    conversions = [conversion_ for conversion_ in _CONVERSION.finditer(form.text) if conversion_["none"] is None]
    if len(conversions) != len(values) or any(conversion_["other"] is not None for conversion_ in conversions):
        return False
    return all(
        _is_text(value, texts, tables) if conversion_["text"] else is_plain(value)
        for conversion_, value in zip(conversions, values, strict=True)
    )


def _is_text(node: c.Expression, texts: Sequence[str], tables: Mapping[str, int]) -> bool:
    match node:
        case c.String():
            return True
        case c.Name(name):
            return name in texts
        case c.Index(c.Name(name), c.Name()):
            return name in tables
    return False


def is_plain(node: c.Expression) -> bool:
    """Returns True if an expression reads only named scalars and cannot fail, except by overflow."""
    match node:
        case c.Literal() | c.Name():
            return True
        case c.Cast(type_, operand):
            return scalar_type(type_) is not None and is_plain(operand)
        case c.SizeOf(of):
            return isinstance(of, c.Type)
        case c.Unary(operator, operand):
            return operator in ("-", "+", "!", "~") and is_plain(operand)
        case c.Binary("/" | "%", left, c.Literal(text)):
            return text.isdigit() and int(text, 8 if text.startswith("0") else 10) > 0 and is_plain(left)
        case c.Binary(operator, left, right):
            return operator in _PLAIN_OPERATORS and is_plain(left) and is_plain(right)
        case c.Ternary(test, then, otherwise):
            return all(map(is_plain, (test, then, otherwise)))
    return False


def is_asserted(name: str, arguments: Sequence[c.Expression]) -> bool:
    """Returns True for an assertion about named scalars."""
    return name == "assert" and len(arguments) == 1 and is_plain(arguments[0])


def only_reports(definition: c.Function) -> bool:
    """Returns True if a function of the file only prints."""
    texts = [parameter.name for parameter in definition.parameters if _is_of_characters(parameter.type)]
    return _only_tell(body_of(definition), texts, string_tables_of(definition))


def _only_tell(statements: Sequence[c.Statement], texts: Sequence[str], tables: Mapping[str, int]) -> bool:
    return all(_only_tells(statement, texts, tables) for statement in statements)


def _only_tells(item: c.Statement, texts: Sequence[str], tables: Mapping[str, int]) -> bool:
    match item:
        case c.Declare(_, name):
            return name in tables
        case c.Evaluate(c.Call() as call):
            return is_report(call, texts, tables)
        case c.If(test, then, otherwise):
            return is_plain(test) and _only_tell((*then, *otherwise), texts, tables)
        case c.Block(body):
            return _only_tell(body, texts, tables)
        case c.Evaluate(c.Cast(_, operand)):
            return isinstance(operand, c.Name)
        case c.Return(value):
            return value is None or is_plain(value)
    return False


def _is_of_characters(type_: c.Type) -> bool:
    return isinstance(type_, c.Pointer) and type_text(type_.to) == "char"


def string_tables_of(definition: c.Function) -> Mapping[str, int]:
    """Returns the constant tables of strings of a function, with the length of each."""
    lengths = {}
    for node in nodes(definition.body, c.Declare):
        match node:
            case c.Declare(c.Array(pointer, None), name, c.Init(values)):
                is_text = all(not places and isinstance(value, c.String) for places, value in values)
                if "static" in node.storage.split() and _is_of_characters(pointer) and is_text:
                    lengths[name] = len(values)
    return lengths


def has_harmless_arguments(functions: Functions, definition: c.Function, arguments: Sequence[c.Expression]) -> bool:
    """Returns True if the arguments of a reporting function are harmless: named scalars, strings, or results of
    functions; an index into a table of strings must be below its length."""
    if len(definition.parameters) != len(arguments):
        return False
    tables = string_tables_of(definition)
    least: dict[str, int] = {}
    for element in nodes(definition.body, c.Index):
        match element:
            case c.Index(c.Name(table), c.Name(name)) if table in tables:
                least[name] = min(tables[table], least.get(name, tables[table]))
            case _:
                return False
    for parameter, argument in zip(definition.parameters, arguments, strict=True):
        is_text = isinstance(argument, c.String)
        if is_text != _is_of_characters(parameter.type):
            return False
        if parameter.name in least and not _is_below(functions, argument, least[parameter.name]):
            return False
        is_said = _returns(functions, argument) if isinstance(argument, c.Call) else is_plain(argument)
        if not is_text and not is_said:
            return False
    return least.keys() <= {parameter_.name for parameter_ in definition.parameters}


def _is_below(functions: Functions, node: c.Expression | None, count: int, within: Trees = None) -> bool:
    """Returns True if a value is from 0 to count - 1: a constant, or the result of a function that returns such
    constants or (`within`) results of helpers of generated files."""
    match node:
        case c.Literal(text):
            return text.isdigit() and int(text) < count
        case c.Name(name) if within is not None:
            own = [declaration for declaration in nodes(within, c.Declare) if declaration.name == name]
            if len(own) != 1 or not is_zero_of_type(own[0], INT):
                return False
            values = [one.value for one in nodes(within, c.Assign) if one.target == node and one.operator == "="]
            is_assigned = len(values) == _mentions(within, node) - _uses(within, node)
            are_below = is_assigned and all(_is_below(functions, value, count) for value in values)
            return are_below or changes_only_through_address(within, name)
        case c.Call() if (definition := functions.called(node)) is not None:
            returned = nodes(definition.body, c.Return)
            return bool(returned) and all(_is_below(functions, e.value, count, definition.body) for e in returned)
    return False


def _mentions(within: Trees, name: c.Name) -> int:
    return sum(node == name for node in nodes(within, c.Name))


def _uses(within: Trees, name: c.Name) -> int:
    """Returns how often a name is returned, or compared with a number: uses that do not change it."""
    returned = sum(node.value == name for node in nodes(within, c.Return))
    return returned + sum(node.left == name and isinstance(node.right, c.Literal) for node in nodes(within, c.Binary))


def _returns(functions: Functions, call: c.Call) -> bool:
    """Returns True if a called function is known to return a value on all paths."""
    definition = functions.called(call)
    if definition is None:
        return True
    is_left = all(e.value is not None for e in nodes(definition.body, c.Return))
    return is_left and isinstance(last_statement(definition), c.Return)


def is_hint(call: c.Call) -> bool:
    """Returns True if a call only tells the machine about future use of memory."""
    if changes(call):
        return False
    match call.function, call.arguments:
        case "__builtin_prefetch", (place, *rest):
            return _is_place(place) and all(isinstance(argument, c.Literal | c.String) for argument in rest)
        case "madvise", (place, size, c.Literal("14") | c.Name("MADV_HUGEPAGE")):
            return _is_place(place) and is_plain(size)
        case "_mm_prefetch", (place, c.Name(name)):
            return _is_place(place) and name.startswith("_MM_HINT_")
        case "_mm256_zeroupper", ():
            return True
    return False


# They choose threads and schedules, as clauses do.
_SETTINGS = frozenset({
    "omp_set_nested", "omp_set_dynamic", "omp_set_num_threads", "omp_set_schedule", "omp_set_max_active_levels",
})  # fmt: skip


def is_setting(call: c.Call) -> bool:
    """Returns True if a call only chooses the threads and schedules of OpenMP."""
    return name_of(call) in _SETTINGS and all(map(is_plain, call.arguments))


def _is_place(node: c.Expression) -> bool:
    """Returns True if an expression is an address computation without reads."""
    match node:
        case c.Unary("&", c.Index() as element):
            inner: c.Expression = element
            while isinstance(inner, c.Index):
                if not is_plain(inner.index):
                    return False
                inner = inner.base
            return isinstance(inner, c.Name)
        case c.Cast(_, operand):
            return _is_place(operand)
    return is_plain(node)
