"""The option for the target of generated code."""

from collections.abc import Callable
from typing import TypeVar

import click

from alphaz.codegen.targets.registry import target_names, target_of
from alphaz.codegen.targets.target import Target

Command = TypeVar("Command", bound=Callable[..., object])


def _target(ctx: click.Context, parameter: click.Parameter, name: str | None) -> Target | None:
    """Returns the target of this name. Targets are looked up when the command runs, so that there may be more."""
    if name is None or name in target_names():
        return None if name is None else target_of(name)
    raise click.BadParameter(f"{name} is no target; there are: {', '.join(target_names())}", ctx, parameter)


def _target_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in target_names() if name.startswith(incomplete)]


def target_option(command: Command) -> Command:
    """Adds `--target`, whose value is a `Target`, or None."""
    return click.option(
        "--target",
        metavar="NAME",
        callback=_target,
        shell_complete=_target_names,
        help="C for threads (openmp), for one (sequential), for compilers without OpenMP, or for ranks (mpi, "
        "mpi-openmp); kernels of a GPU (cuda); by default that of setTarget in the script, or openmp.",
    )(command)
