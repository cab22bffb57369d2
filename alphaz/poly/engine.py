"""The one context of isl, its budget, and the mangling of names for its text.

isl fails silently for objects of two contexts, unknown names, or text after the end of a set: all text for it is
generated here, from mangled names, in one context."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, reduce

import islpy as isl

from alphaz.poly.plain.affine import Affine, Constraint
from alphaz.poly.plain.space import Space

CONTEXT = isl.DEFAULT_CONTEXT

# Keywords of isl's parser.
_RESERVED = frozenset(
    {"and", "or", "not", "implies", "exists", "true", "false", "infty", "infinity", "nan", "min", "max", "rat", "mod"}
    | {"floor", "ceil", "floord", "ceild", "card", "of"}
)


class OutOfBudget(Exception):
    """The operation budget is used up: the answer is unknown. Never treat it as "empty"."""


@contextmanager
def budget(operations: int) -> Iterator[None]:
    """Bounds the work of isl inside the block; raises OutOfBudget if it is used up. Blocks may nest: the inner one
    applies.

    The unit is isl's own (about 10^4 for a typical legality query); it bounds work reproducibly, not time.

    Any error of isl after the budget is used up counts as OutOfBudget, even a syntax error; and results that succeed
    then may be incomplete, so they are discarded."""
    before = CONTEXT.get_max_operations()
    CONTEXT.set_max_operations(operations)
    CONTEXT.reset_operations()
    try:
        yield
    except OutOfBudget:
        raise
    except Exception:
        if _is_used_up():
            raise OutOfBudget(f"more than {operations} operations") from None
        raise
    else:
        if _is_used_up():
            raise OutOfBudget(f"more than {operations} operations")
    finally:
        CONTEXT.set_max_operations(before)
        CONTEXT.reset_operations()


def _is_used_up() -> bool:
    """Returns True if the budget is used up: then every operation fails, this one included."""
    try:
        isl.Val(0, CONTEXT).add(isl.Val(1, CONTEXT))
    except isl.Error:
        return True
    return False


def mangle(name: str) -> str:
    """Returns an isl identifier for a user name; the map is injective."""
    plain = name.isascii() and name.isidentifier()
    if plain and name.lower() not in _RESERVED and not name.startswith("z_"):
        return name
    return "z_" + "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in name)


def affine_text(affine: Affine) -> str:
    """Returns the expression in isl's syntax: `2*i - j + 1`."""
    terms = [f"{_FACTORS.get(c, f'{c}*')}{mangle(n)}" for n, c in affine.terms]
    constant = [str(affine.constant)] if affine.constant or not terms else []
    return " + ".join([*terms, *constant]).replace("+ -", "- ")


_FACTORS = {1: "", -1: "-"}

# Unions of more pieces are made by halves.
_MANY = 64


def constraint_text(constraint: Constraint) -> str:
    return f"{affine_text(constraint.affine)} {'=' if constraint.equality else '>='} 0"


def tuple_text(names: Iterable[str]) -> str:
    return f"[{', '.join(mangle(n) for n in names)}]"


def read_set(space: Space, conjunctions: Iterable[Iterable[Constraint]]) -> isl.Set:
    """Returns the union of the conjunctions: the empty set if there are none. An empty conjunction is the universe."""
    return _set(space, tuple(map(tuple, conjunctions)))


@lru_cache(maxsize=4096)
def _set(space: Space, conjunctions: tuple[tuple[Constraint, ...], ...]) -> isl.Set:
    """Builds the union constraint by constraint, without a text: isl takes ten times as long to parse one."""
    own = isl_space(space)
    local, whole = isl.LocalSpace.from_space(own), isl.BasicSet.universe(own)
    places = _places(space, isl.dim_type.set)
    sets = []
    for conjunction in conjunctions:
        basic = whole
        for constraint in conjunction:
            basic = basic.add_constraint(_constraint(local, places, constraint))
        sets.append(basic.to_set())
    if len(sets) < _MANY:
        return reduce(isl.Set.union, sets, isl.Set.empty(own))
    # isl sorts the pieces of a union that others are added to, and leaves the last ones where they are.
    return _halved(sets[:-1]).union(sets[-1])


def _halved(sets: list[isl.Set]) -> isl.Set:
    """Returns the union, made by halves: to add one piece, isl copies all."""
    if len(sets) == 1:
        return sets[0]
    half = len(sets) // 2
    return _halved(sets[:half]).union(_halved(sets[half:]))


def read_map(
    parameters: tuple[str, ...],
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    extra: tuple[str, ...],
    conjunction: Iterable[Constraint],
) -> isl.Map:
    """Returns the pairs for which there are integers `extra` that satisfy the constraints."""
    wrapped = read_set(Space(parameters, (*sources, *targets, *extra)), [conjunction])
    wrapped = wrapped.project_out(isl.dim_type.set, len(sources) + len(targets), len(extra))
    return isl.Map.from_domain(wrapped).move_dims(isl.dim_type.out, 0, isl.dim_type.in_, len(sources), len(targets))


@lru_cache(maxsize=256)
def isl_space(space: Space) -> isl.Space:
    """Returns the isl space of sets."""
    parameters, names = (list(map(mangle, group)) for group in (space.parameters, space.names))
    return isl.Space.create_from_names(CONTEXT, set=names, params=parameters)


def multi_affine(space: Space, outputs: Iterable[Affine]) -> isl.MultiAff:
    """Returns the function from a space with these outputs."""
    return _multi_affine(space, tuple(outputs))


@lru_cache(maxsize=4096)
def _multi_affine(space: Space, outputs: tuple[Affine, ...]) -> isl.MultiAff:
    own = isl_space(space)
    local, places = isl.LocalSpace.from_space(own), _places(space, isl.dim_type.in_)
    affines = isl.AffList.alloc(CONTEXT, 0)
    for output in outputs:
        affine = isl.Aff.zero_on_domain(local).set_constant_val(_number(output.constant))
        for name, coefficient in output.terms:
            affine = affine.set_coefficient_val(*places[name], _number(coefficient))
        affines = affines.add(affine)
    shape = own.map_from_set().drop_dims(isl.dim_type.out, 0, space.dimensions)
    return isl.MultiAff.from_aff_list(shape.add_dims(isl.dim_type.out, affines.n_aff()), affines)


Places = dict[str, tuple["isl.dim_type", int]]


def _places(space: Space, kind: "isl.dim_type") -> Places:
    places = {name: (isl.dim_type.param, position) for position, name in enumerate(space.parameters)}
    return places | {name: (kind, position) for position, name in enumerate(space.names)}


def _constraint(local: isl.LocalSpace, places: Places, constraint: Constraint) -> isl.Constraint:
    allocate = isl.Constraint.alloc_equality if constraint.equality else isl.Constraint.alloc_inequality
    equation = allocate(local)
    affine = constraint.affine
    if affine.constant:
        equation = equation.set_constant_val(_number(affine.constant))
    for name, coefficient in affine.terms:
        equation = equation.set_coefficient_val(*places[name], _number(coefficient))
    return equation


@lru_cache(maxsize=1024)
def _number(value: int) -> isl.Val:
    return isl.Val(str(value), CONTEXT)
