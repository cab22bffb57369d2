"""Names of C that the program does not have: which parameters and variables they may stand for.

void gemv(int rows, int cols, const double *A, ..)        affine gemv {N, M | ..}    rows is N, cols is M

As many arguments as names are left are matched in their order, then in others. A proof for one of these is a proof, and
says so. A refutation needs all of them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, permutations, product
from math import factorial, prod

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c import tree as c
from alphaz.codegen.c.names import identifier
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.argument_names import macros_of, names_ignoring_case, parameters_of
from alphaz.equivalence.driver.function_reading import file_tree
from alphaz.equivalence.driver.task import ProofTask, chosen_function
from alphaz.model.program import System, Variable
from alphaz.model.types import ScalarType
from alphaz.scop.tree_queries import definitions, element_type, is_constant, is_simple, is_wide_integer, scalar_type

_MOST = 6


def possible_names(checked: Checked, source: Source, task: ProofTask, system: System) -> list[Mapping[str, str]]:
    """Returns the correspondences of arguments without counterparts to names of the program without arguments; none if
    there are no such arguments, or too many possibilities."""
    try:
        tree, _ = file_tree(source, source.text, checked, task, system)
        function = chosen_function(tree, source, system, task)
    except Rejected:
        return []
    stated = task.names or {}
    arguments = parameters_of(tree, function)
    macros = macros_of(tree, source, function, system, stated)
    known = {**_own_names(system), **names_ignoring_case(arguments, system, stated), **macros, **stated}
    used = {name for argument in arguments for name in known.get(argument.name, "").split("+")} | {*macros.values()}
    open_ = [one for one in arguments if one.name not in known and one.name not in (task.sizes or {})]
    inputs = {variable.name for variable in system.inputs}
    sizes = _groups([one for one in open_ if _is_size(one)], {None: [n for n in system.parameters if n not in used]})
    data = [one for one in open_ if not _is_size(one)]
    variables = _open_variables(system, used)
    matchings = _few_matchings([*sizes, *_groups(data, variables, inputs)])
    returned = _returned(definitions(tree)[function], system, used)
    if returned is None or not matchings:
        return matchings
    # The output may be returned; then one of the arguments that it could be is a work array.
    others = {type_: [name for name in names if name != returned.name] for type_, names in variables.items()}
    for work in (one for one in data if element_type(one.type) == returned.type and not is_constant(one.type)):
        groups = [*sizes, *_groups([one for one in data if one is not work], others, inputs)]
        matchings = [*(_few_matchings(groups) if groups else [{}]), *matchings]
    return matchings[:_MOST]


def _few_matchings(groups: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[Mapping[str, str]]:
    if not groups or prod(factorial(len(names)) for _, names in groups) > _MOST:
        return []
    return [*islice(_matchings(groups), _MOST)]


def _returned(function: c.Function, system: System, used: Collection[str]) -> Variable | None:
    """Returns the output that the function may return: the only one without an argument, a scalar of its type."""
    outputs = [variable for variable in system.outputs if variable.name not in used]
    type_ = scalar_type(function.type)
    is_alone = len(outputs) == 1 and outputs[0].type == type_ and not outputs[0].domain.space.names
    return outputs[0] if is_alone else None


def _own_names(system: System) -> dict[str, str]:
    names = [*system.parameters, *(variable.name for variable in (*system.inputs, *system.outputs))]
    return {form: name for name in names for form in (name, identifier(name))}


def _is_size(argument: c.Parameter) -> bool:
    return is_simple(argument.type) and is_wide_integer(element_type(argument.type))


def _open_variables(system: System, used: set[str]) -> dict[ScalarType | None, list[str]]:
    """Returns the variables without an argument, by type, except those that an output's argument may hold first."""
    held = tuple(variable.name for variable in system.outputs if variable.name in used)
    variables = [variable for variable in system.inputs if variable.name not in used]
    variables = [variable for variable in variables if not (held and variable.name.startswith(held))]
    variables += [variable for variable in system.outputs if variable.name not in used]
    types = dict.fromkeys(variable.type for variable in variables)
    return {type_: [variable.name for variable in variables if variable.type == type_] for type_ in types}


def _groups(
    arguments: Sequence[c.Parameter], names: Mapping[ScalarType | None, Sequence[str]], inputs: Collection[str] = ()
) -> list[tuple[list[str], Sequence[str]]]:
    """Returns the arguments of each type with the names of that type; none if their numbers differ. As many pointers to
    constants as inputs are these."""
    groups: list[tuple[list[str], Sequence[str]]] = []
    for type_, open_ in names.items():
        own = [argument for argument in arguments if type_ is None or element_type(argument.type) == type_]
        if len(own) != len(open_):
            return []
        steady = [one.name for one in own if is_constant(one.type)]
        held = [name for name in open_ if name in inputs]
        if type_ is not None and len(steady) == len(held):
            others = [one.name for one in own if one.name not in steady]
            rest = [name for name in open_ if name not in held]
            groups += [pair for pair in ((steady, held), (others, rest)) if pair[0]]
        elif own:
            groups.append(([one.name for one in own], open_))
    return groups if sum(len(own) for own, _ in groups) == len(arguments) else []


def _matchings(groups: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Iterator[dict[str, str]]:
    for chosen in product(*(permutations(names) for _, names in groups)):
        yield {
            argument: name
            for (arguments, _), names in zip(groups, chosen, strict=True)
            for argument, name in zip(arguments, names, strict=True)
        }
