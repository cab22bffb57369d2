"""Arguments of calls without arrays of their own: the called system works in the cells of the caller's variable."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.legality.options import Options
from alphaz.legality.verify import is_legal
from alphaz.mapping.aliases import plain_access
from alphaz.mapping.design import Design
from alphaz.mapping.statements import resolve
from alphaz.mapping.target import ArgumentSpace
from alphaz.mapping.uses import Argument
from alphaz.poly import AffineFunction


def in_place(design: Design, system: str, options: Options) -> tuple[ArgumentSpace, ...]:
    """Returns each argument without a stated memory space that is proved to need no copy, given the ones before it."""
    found: tuple[ArgumentSpace, ...] = ()
    for entry in _possible(design, system):
        if is_legal(with_arguments(design, system, (*found, entry)), system, options):
            found = (*found, entry)
    return found


def with_arguments(design: Design, system: str, entries: tuple[ArgumentSpace, ...]) -> Design:
    mapping = design.mapping(system)
    return design.with_mapping(system, replace(mapping, argument_spaces=(*mapping.argument_spaces, *entries)))


def _possible(design: Design, system: str) -> Iterator[ArgumentSpace]:
    mapping, stated = resolve(design, system), design.mapping(system)
    dated = {(entry.label, entry.is_output, entry.number) for entry in stated.argument_dates}
    for argument in (argument for use in mapping.uses for argument in use.arguments):
        key = (argument.label, argument.is_output, argument.number)
        variable = _variable(argument)
        if variable is not None and not argument.in_place and key not in dated:
            yield ArgumentSpace(*key, mapping.cells[variable].space)


def _variable(argument: Argument) -> str | None:
    """The caller's variable, if the argument is one."""
    if argument.body is None:
        return argument.variable
    copied = plain_access(argument.body, AffineFunction.identity(argument.domain.space))
    return None if copied is None else copied[0]
