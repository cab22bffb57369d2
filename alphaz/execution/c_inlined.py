"""A system with the equations of those that it calls in the place of its calls: what C is proved against.

What is executed for comparison is the program as it was: so that this is right is tried each time.
"""

from alphaz.analysis.checks.checked import Checked
from alphaz.mapping.design import Design
from alphaz.mapping.labels import labelled
from alphaz.model.program import Program, System, UseEquation
from alphaz.transform.systems.inline_system import inline_subsystem
from alphaz.verify.c.equations import Unsupported

# Each call that is put in its place makes as many equations as its system has.
_MOST_CALLS = 64


def with_calls_inlined(checked: Checked, name: str) -> Checked:
    """The program, where the system of this name calls no other. Raises Unsupported for what calls itself, has a while
    loop, or has too many calls."""
    if _count(checked.program, checked.program.system(name), ()) > _MOST_CALLS:
        raise Unsupported(f"the system makes more than {_MOST_CALLS} calls, those in what it calls included")
    design = Design(checked)
    while labels := labelled(design.program.system(name)):
        design = inline_subsystem(design, name, next(iter(labels)))
    return design.checked


def _count(program: Program, system: System, above: tuple[str, ...]) -> int:
    """How many calls there are, up to more than are allowed."""
    if system.name in above:
        raise Unsupported(f"`{system.name}` calls itself")
    if above and system.loop is not None:
        raise Unsupported(f"`{system.name}`, which it calls, has a while loop")
    count = 0
    for each in (e for e in system.equations if isinstance(e, UseEquation)):
        count += 1 + _count(program, program.system(each.system), (*above, system.name))
        if count > _MOST_CALLS:
            break
    return count
