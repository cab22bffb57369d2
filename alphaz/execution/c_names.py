"""Which argument of a C function has which name of the program, where the two differ in upper and lower case alone."""

from collections.abc import Mapping, Sequence

from pycparser import c_ast

from alphaz.codegen.c.names import identifier
from alphaz.model.program import System


def names_but_for_case(arguments: Sequence[c_ast.Decl], system: System, said: Mapping[str, str]) -> dict[str, str]:
    """The names of the program, by argument: `n` is the parameter N where nothing else can be. What is `said` of
    arguments, and names that are the same, come first; a name that two arguments could have is nobody's.
    """
    open_ = [each for each in arguments if each.name not in said]
    taken = {name for wanted in said.values() for name in wanted.split("+")}
    data = [v.name for v in (*system.inputs, *system.outputs)]
    names = [n for n in (*system.parameters, *data) if n not in taken]
    same = {each.name for each in open_} & {form for n in names for form in (n, identifier(n))}
    free = [n for n in names if not {n, identifier(n)} & same]
    found = {}
    for each in (each for each in open_ if each.name not in same):
        may_be = free if isinstance(each.type, c_ast.TypeDecl) else [n for n in free if n in data]
        alike = [n for n in may_be if n.casefold() == each.name.casefold()]
        if len(alike) == 1:
            found[each.name] = alike[0]
    wanted = list(found.values())
    return {name: n for name, n in found.items() if wanted.count(n) == 1}
