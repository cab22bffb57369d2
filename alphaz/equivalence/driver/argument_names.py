"""The correspondence of C arguments and results to names of the program, if their names differ."""

from collections.abc import Mapping, Sequence

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.codegen.c.names import identifier
from alphaz.diagnostics import Source
from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, Constraint, Domain
from alphaz.scop.c_model import RESULT
from alphaz.scop.macros import sizes_in
from alphaz.scop.tree_queries import definitions, is_simple, scalar_type


def names_ignoring_case(
    arguments: Sequence[c.Parameter], system: System, stated_names: Mapping[str, str]
) -> dict[str, str]:
    """Returns the names of the program, by argument: `n` is the parameter N if no other name matches. Explicit mappings
    in `stated_names`, and equal names, take precedence; a name that matches two arguments is given to neither."""
    open_ = [argument for argument in arguments if argument.name not in stated_names]
    used_names = {name for variable_names in stated_names.values() for name in variable_names.split("+")}
    data = [v.name for v in (*system.inputs, *system.outputs)]
    names = [n for n in (*system.parameters, *data) if n not in used_names]
    same = {variable.name for variable in open_} & {form for n in names for form in (n, identifier(n))}
    free = [n for n in names if not {n, identifier(n)} & same]
    names_by_letters = {}
    for variable in (variable for variable in open_ if variable.name not in same):
        may_be = free if is_simple(variable.type) else [n for n in free if n in data]
        spelled = [variable.name, *(variable.member.aliases if variable.member is not None else ())]
        alike = next(filter(None, ([n for n in may_be if n.casefold() == s.casefold()] for s in spelled)), [])
        if len(alike) == 1:
            names_by_letters[variable.name] = alike[0]
    variable_names = list(names_by_letters.values())
    members = {argument.name for argument in arguments if argument.member is not None and argument.member.path}
    shared = {
        n for n in system.parameters if all(name in members for name, other in names_by_letters.items() if other == n)
    }
    return {name: n for name, n in names_by_letters.items() if variable_names.count(n) == 1 or n in shared}


def parameter_names(
    arguments: Sequence[c.Parameter], system: System, stated_names: Mapping[str, str]
) -> frozenset[str]:
    """Returns the names of the arguments that stand for parameters of the program."""
    names = {name: parameter for parameter in system.parameters for name in (parameter, identifier(parameter))}
    names |= {**names_ignoring_case(arguments, system, stated_names), **stated_names}
    return frozenset(name for name, target in names.items() if target in system.parameters)


def parameters_of(tree: c.File, function: str) -> list[c.Parameter]:
    """Returns the arguments that a function declares, in order; none if there is no such function."""
    definition = definitions(tree).get(function)
    return [] if definition is None else [argument for argument in definition.parameters if argument.name]


def held_in_place(
    tree: c.File,
    function: str,
    system: System,
    places: Mapping[str, ArgumentPlace],
    variables_by_name: Mapping[str, Variable],
    names: Mapping[str, str],
    alike: Mapping[str, str],
) -> dict[str, tuple[Variable, Variable]]:
    """Returns arguments named as an output that must also hold an input: the only input of the same shape and type
    whose name begins like theirs (`A_in`, `A0`), and which no argument is named after. A mapping in `names` takes
    precedence."""
    arguments = [parameter.name for parameter in parameters_of(tree, function)]
    named = {
        *arguments,
        *alike.values(),
        *(name for variable_names in names.values() for name in variable_names.split("+")),
    }
    alone = [v for v in system.inputs if not {v.name, identifier(v.name)} & named]
    pairs: dict[str, tuple[Variable, Variable]] = {}
    for name in (argument for argument in arguments if argument not in names):
        output = variables_by_name.get(name)
        if output is None or output not in system.outputs:
            continue
        inputs = [
            v for v in alone
            if v.name.startswith(output.name) and (v.type, places[v.name]) == (output.type, places[output.name])
        ]  # fmt: skip
        if len(inputs) == 1:
            pairs[name] = (inputs[0], output)
    return pairs


def returned_output(
    tree: c.File,
    function: str,
    system: System,
    places: Mapping[str, ArgumentPlace],
    bound: Mapping[str, tuple[Variable, ...]],
) -> dict[str, tuple[Variable, ...]]:
    """Returns the output that the function returns: the only one without an argument, if it is a scalar."""
    if RESULT in bound:
        return {}
    bound_names = {v.name for parameter in parameters_of(tree, function) for v in bound.get(parameter.name, ())}
    unbound_outputs = [v for v in system.outputs if v.name not in bound_names]
    type_ = scalar_type(definitions(tree)[function].type)
    if len(unbound_outputs) != 1 or type_ is None or places[unbound_outputs[0].name].extents:
        return {}
    if type_.kind == "int" and type_ != unbound_outputs[0].type:
        return {}
    return {RESULT: (unbound_outputs[0],)}


def macros_of(
    tree: c.File, source: Source, function: str, system: System, stated_names: Mapping[str, str]
) -> dict[str, str]:
    """Returns the macros of a text that are parameters of the program, by name: integers named as a parameter without
    an argument (ignoring case), or mapped to one explicitly."""
    arguments = parameters_of(tree, function)
    alike = names_ignoring_case(arguments, system, stated_names)
    names = {argument.name for argument in arguments}
    reserved_names = {p for p in system.parameters if names & {p, identifier(p)}} | {*alike.values()}
    reserved_names |= {parameter for name, parameter in stated_names.items() if name in names}
    macros: dict[str, str] = {}
    # A macro does not denote a name that the file declares before or after it.
    own = {node.name for node in nodes(tree, (c.Declare, c.Parameter))}
    own |= {node.name for node in nodes(tree, (c.Function, c.Typedef))}
    own |= {name for node in nodes(tree, c.Enumeration) for name, _ in node.constants or ()}
    for name, value in sizes_in(source.text).items():
        if name in own:
            continue
        open_ = [p for p in system.parameters if p not in reserved_names and stated_names.get(name, p) == p]
        same = [p for p in open_ if name in (*stated_names, p, identifier(p))]
        alone = same or [p for p in open_ if p.casefold() == name.casefold()]
        if len(alone) == 1 and alone[0] not in macros.values() and _may_be(system, alone[0], value):
            macros[name] = alone[0]
    return macros


def _may_be(system: System, parameter: str, value: int) -> bool:
    is_it = Constraint(Affine.name(parameter) - value, equality=True)
    return not (system.context & Domain.where(system.context.space, [is_it])).is_empty()
