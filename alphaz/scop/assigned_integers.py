"""Integers assigned outside of the heads of loops: each assignment of an index gives a value from there on.

int lbp;                      Undefined
lbp = t1 + 1;                 t1 + 1
if (t1 > 3) lbp = 4;          kept if both branches agree, else Undefined
for (..) lbp = lbp + 1;       Undefined in the loop and after it

An integer whose value is needed where it is Undefined, or is no index, is data: the function is read again
(`reader_state.ReadAsData`).
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.model.types import ScalarType
from alphaz.scop.assignments import is_executed_at_once
from alphaz.scop.c_model import KernelLoop, LoopKind
from alphaz.scop.index_expressions import index
from alphaz.scop.index_polynomials import leaves
from alphaz.scop.integer_widths import check_constant, note_width
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState, stays_positive
from alphaz.scop.scope import Context, NamedInteger, Undefined
from alphaz.scop.substitution import count, names_in
from alphaz.scop.tree_queries import (
    Trees,
    addressed,
    changed_in_head,
    is_wide_integer,
    names_among,
    pragma_text,
    scalar_type,
    stepped_name,
    targets,
    words_in,
)
from alphaz.scop.unsupported import outside, race

_STORAGE = frozenset({"auto", "register"})
# Clauses that only say whose a variable is.
_OWNERSHIP = frozenset({"private", "firstprivate", "shared", "default"})


def followed_integers(body: Trees, others: Collection[str]) -> frozenset[str]:
    """Returns the integers of a function whose assignments are followed: those that only statements assign, and that
    an index, a bound or a condition uses. `others` are the names declared outside of its body."""
    declarations = nodes(body, c.Declare)
    counts = Counter(declared.name for declared in declarations)
    names = {
        declared.name
        for declared in declarations
        if is_wide_integer(scalar_type(declared.type))
        and counts[declared.name] == 1
        and declared.name not in others
        and _STORAGE.issuperset(declared.storage.split())
    }
    names &= _assigned_by_statements(body)
    if not names:
        return frozenset()
    names -= names_among(addressed(body)) | _used_by_directives(body)
    for loop in nodes(body, c.For):
        names -= changed_in_head(loop)
    values = _values(body)
    names -= {name for name, value in values if nodes(value, c.Index)}
    return frozenset(names & (_used_as_indices(body, values) | _loop_counters(body)))


def _assigned_by_statements(body: Trees) -> set[str]:
    """Returns the names that are assigned, and not inside of expressions."""
    targets_ = [node.target for node in nodes(body, c.Assign)]
    targets_ += [node.expression.operand for node in nodes(body, c.Evaluate) if isinstance(node.expression, c.Step)]
    alone = Counter(target.name for target in targets_ if isinstance(target, c.Name))
    every = Counter(target.name for target in targets(body) if isinstance(target, c.Name))
    return {name for name, number in alone.items() if every[name] == number}


def _used_by_directives(body: Trees) -> set[str]:
    """Returns the words of directives, except those of clauses that only say whose a variable is."""
    words = set[str]()
    for directive in nodes(body, (c.Omp, c.Pragma)):
        if isinstance(directive, c.Omp):
            clauses = tuple(clause for clause in directive.clauses if clause.name not in _OWNERSHIP)
            directive = replace(directive, clauses=clauses, body=None)
        words |= words_in(pragma_text(directive))
    return words


def _values(body: Trees) -> list[tuple[str, c.Expression | None]]:
    """Returns the names that are declared or assigned with their values."""
    values = [(declared.name, declared.value) for declared in nodes(body, c.Declare)]
    assignments = nodes(body, c.Assign)
    return [*values, *((node.target.name, node.value) for node in assignments if isinstance(node.target, c.Name))]


def _used_as_indices(body: Trees, values: Sequence[tuple[str, c.Expression | None]]) -> set[str]:
    """Returns the names in bounds, subscripts, conditions, extents and arguments, and in values of such names."""
    parts: list[Trees] = [node.index for node in nodes(body, c.Index)]
    parts += [node.base for node in nodes(body, c.Index) if isinstance(node.base, c.Binary)]
    parts += [node.operand for node in nodes(body, c.Unary) if node.operator == "*"]
    parts += [node.condition for node in nodes(body, (c.If, c.Ternary))]
    parts += [loop.condition for loop in nodes(body, c.While)]
    parts += [node.arguments for node in nodes(body, c.Call)]
    for loop in nodes(body, c.For):
        parts += [loop.start, loop.test, loop.steps]
    parts += [declared for declared in nodes(body, c.Declare) if isinstance(declared.type, c.Pointer | c.Array)]
    names = {name for part in parts for name in names_in(part)}
    while more := {used for name, value in values if name in names for used in names_in(value)} - names:
        names |= more
    return names


def _loop_counters(body: Trees) -> set[str]:
    """Returns the names that one loop alone uses, in steps and in other places of an iteration."""
    counters = set[str]()
    for loop in nodes(body, c.For):
        steps = Counter(map(stepped_name, nodes(loop.body, (c.Step, c.Assign))))
        counters |= {name for name in steps if name and steps[name] < count(loop.body, name) == count(body, name)}
    return counters


def is_flag(value: c.Expression) -> bool:
    """Returns True if a value is one of two constants: such data splits a statement into two."""
    match value:
        case c.Ternary(_, c.Literal() | c.String(), c.Literal() | c.String()):
            return True
    return False


def named_integer(
    state: ReaderState, name: str, value: c.Expression, type_: ScalarType, nest: Context, node: c.Statement
) -> Context:
    """Returns the context in which an integer has the value of an index expression. Raises NoIndex."""
    asides = Existentials()
    known = index(state, nest, value, asides)
    check_constant(state, value, known, type_)
    note_width(state, type_)
    if not type_.signed:
        stays_positive(state, nest, known, asides, state.span(node))
    return asides.added(nest).with_names({name: NamedInteger(known, type_)})


def assign_integer(state: ReaderState, name: str, value: c.Expression, nest: Context, node: c.Statement) -> Context:
    """Returns the context after an assignment to an integer that is followed. Raises Rejected for a data race."""
    known = nest.names[name]
    assert isinstance(known, NamedInteger | Undefined)
    if is_flag(value) or (known.is_shared and _is_in_order(nest)):
        state.read_as_data(name)
    try:
        behind = named_integer(state, name, value, known.type, nest, node)
    except NoIndex:
        state.read_as_data(name)
    if known.is_shared:
        remedy = f"declare it inside, or use `private({name})`"
        if is_executed_at_once(state, nest):
            raise race(state.span(node), f"the integer `{name}` is shared by all threads, and assigned here", remedy)
        message = f"the integer `{name}` is shared by all threads or lanes, and assigned here: data race"
        raise outside(state.span(node), message, remedy)
    return behind


def _is_in_order(nest: Context) -> bool:
    """Returns True if threads may assign a shared variable here: under a lock, or one thread alone."""
    is_loop = any(isinstance(part, KernelLoop) and part.kind is not LoopKind.SEQUENTIAL for part in nest.date)
    return nest.mutex is not None or (nest.working is not None and not is_loop)


def forgotten(state: ReaderState, nest: Context, tree: Trees) -> Context:
    """Returns the context in which the followed integers that the statements assign have no known value."""
    if not state.followed:
        return nest
    return nest.with_names({name: _unknown(nest, name) for name in _assigned(state, nest, tree)})


def check_not_followed(state: ReaderState, nest: Context, tree: Trees) -> None:
    """Makes the integers data that a branch on data assigns."""
    for name in sorted(_assigned(state, nest, tree)):
        state.read_as_data(name)


def left(state: ReaderState, nest: Context, inner: Context) -> Context:
    """Returns the context `nest` of a block after it, where `inner` is the context at its end."""
    visible = {*nest.iterators, *state.context.space.parameters}
    names = {name: inner.names[name] for name in _followed(state, nest)}
    for name, meaning in names.items():
        if isinstance(meaning, NamedInteger) and not visible.issuperset(
            used for leaf in leaves(meaning.value) for used in leaf.names
        ):
            names[name] = _unknown(nest, name)
    return nest.with_names(names)


def joined(state: ReaderState, one: Context, other: Context) -> Context:
    """Returns the context after two branches: integers with two values have none."""
    names = [name for name in _followed(state, one) if one.names[name] != other.names[name]]
    return one.with_names({name: _unknown(one, name) for name in names})


def _followed(state: ReaderState, nest: Context) -> list[str]:
    """Returns the followed integers that are declared here."""
    return [name for name in state.followed if isinstance(nest.names.get(name), NamedInteger | Undefined)]


def _assigned(state: ReaderState, nest: Context, tree: Trees) -> set[str]:
    return names_among(targets(tree)) & {*_followed(state, nest)}


def _unknown(nest: Context, name: str) -> Undefined:
    known = nest.names[name]
    assert isinstance(known, NamedInteger | Undefined)
    return Undefined(known.type, is_shared=known.is_shared)
