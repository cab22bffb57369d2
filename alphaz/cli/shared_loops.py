"""The mapping of a kernel of formulas whose operations share all possible loops, where that lowers the
modelled time.
"""

from pathlib import Path

from alphaz.cli.files import InputError
from alphaz.cli.tuning_problem import opening
from alphaz.machine import USUAL
from alphaz.search.cost.estimate import estimate
from alphaz.tuning.evaluator import proved_mapping
from alphaz.tuning.space import Unproved

_SIZE, _THREADS = 4000, 2
"""The machine for the comparison of times, the same everywhere, so that the text is the same, too."""
_REGISTERS, _GAIN = "setRegisterTile(", 0.95
"""The required speed-up: values in registers avoid loads from caches, which the least time does not model."""


def with_shared_loops(found: str, kernel: str, program: Path) -> str:
    """Returns the script `found` for the equations at `program`, or one in which loops are shared. Both are proved."""
    try:
        with opening(kernel, None, as_written=True) as given:
            shared = given.space.written(given.space.usual)
            name = given.system
        ours, theirs = (_least(text, program, name) for text in (shared, found))
    except (InputError, Unproved):
        return found
    if ours is None or theirs is None or ours >= theirs * (_GAIN if _REGISTERS in found else 1):
        return found
    heading = (
        f"# Found by `alphaz matrix build {Path(kernel).name}`, and proved: operations share the loops that they may.\n"
    )
    return heading + shared


def _least(script: str, program: Path, system: str) -> float | None:
    """Returns the least possible seconds by the model; None for a system without such sizes."""
    verified = proved_mapping(script, str(program.with_suffix(".cs")), program.parent, system)
    mapping = verified.mappings[system]
    sizes = dict.fromkeys(mapping.system.parameters, _SIZE)
    return estimate(mapping, sizes, USUAL, _THREADS).seconds if mapping.system.context.contains(sizes) else None
