"""All commands: importing this module declares every one of them."""

from alphaz.commands import (
    calculator,
    checks,
    generation,
    graphs,
    memory,
    not_yet,
    programs,
    reductions,
    reshaping,
    restructuring,
    schedules,
    space_time,
    subsystems,
    tiling,
    transformations,
    use_equations,
    without_effect,
)  # fmt: skip
from alphaz.commands.registry import commands, find, names, require

FAMILIES = (
    programs, checks, transformations, restructuring, reshaping, subsystems, reductions, space_time, memory,
    use_equations, tiling, generation, graphs, schedules, calculator, without_effect, not_yet,
)  # fmt: skip

__all__ = ["FAMILIES", "commands", "find", "names", "require"]
