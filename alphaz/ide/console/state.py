"""Text of the state of a script: its variables, and the mappings of its programs."""

from collections.abc import Iterator, Mapping

from alphaz.mapping.design import Design
from alphaz.scripting.commands.all.memory import listed as memory_of
from alphaz.scripting.commands.all.space_time import listed as times_of
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, text_of


def described(variables: Mapping[str, ArgumentValue]) -> str:
    """Returns a line for each variable; below a program, its mapping."""
    return "".join(line for name, given in variables.items() for line in _lines(name, given.value))


def _lines(name: str, value: object) -> Iterator[str]:
    if not isinstance(value, Design):
        yield f"{name} = {value!r}\n" if isinstance(value, str) else f"{name} = {text_of(value)}\n"
        return
    yield f"{name}: a program, after {_count_text(len(value.history))}\n"
    for system in value.program.systems:
        inputs, outputs, local = (
            ", ".join(v.name for v in each) or "none" for each in (system.inputs, system.outputs, system.locals)
        )
        yield f"  system {system.name}: inputs {inputs}; outputs {outputs}; locals {local}\n"
        if not value.mapping(system.name).is_empty:
            yield from (f"  {line}\n" for line in _mapping(value, system.name))


def _mapping(design: Design, system: str) -> Iterator[str]:
    mapping = design.mapping(system)
    yield from times_of(design, system).splitlines()[1:]
    yield from memory_of(design, system).splitlines()[1:]
    yield from (f"  dimensions {band.start} to {band.end} are tiled" for band in mapping.tiling)


def _count_text(commands: int) -> str:
    return "1 command" if commands == 1 else f"{commands} commands"
