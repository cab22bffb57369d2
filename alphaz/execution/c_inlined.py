"""A system with the equations of those that it calls in the place of its calls: what C is proved against.

What is executed for comparison is the program as it was: so that this is right is tried each time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alphaz.analysis.checks.checked import Checked
from alphaz.c_reading.kernel import Kernel, Statement
from alphaz.mapping.design import Design
from alphaz.mapping.labels import labelled
from alphaz.model.program import Program, System, UseEquation
from alphaz.transform.systems.inline_system import inlined
from alphaz.verify.c.equations import Unsupported

# Each call that is put in its place makes as many equations as its system has.
_MOST_CALLS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Inlined:
    """The program, where a system calls no other. `names`: what variables of those that it called are called there, by
    the labels of the calls that lead to them, `UseEquation_y.UseEquation_z.x`."""

    checked: Checked
    names: Mapping[str, str]

    def told(self, kernel: Kernel) -> Kernel:
        """The kernel, where what is said of statements is said of variables as they are called here."""
        made = {each: self._told(each) for each in kernel.statements}
        collected = (
            replace(
                each, starts=tuple(made[start] for start in each.starts), merges=tuple(made[m] for m in each.merges)
            )
            for each in kernel.collected
        )
        return replace(kernel, statements=tuple(made.values()), collected=tuple(collected))

    def _told(self, statement: Statement) -> Statement:
        told = statement.told
        if told is None or "." not in told.variable:
            return statement
        name = self.names.get(told.variable)
        return replace(statement, told=None if name is None else replace(told, variable=name))


def with_calls_inlined(checked: Checked, name: str) -> Inlined:
    """The program, where the system of this name calls no other. Raises Unsupported for what calls itself, has a while
    loop, or has too many calls."""
    if _count(checked.program, checked.program.system(name), ()) > _MOST_CALLS:
        raise Unsupported(f"the system makes more than {_MOST_CALLS} calls, those in what it calls included")
    design, names = Design(checked), dict[str, str]()
    # How the calls that are left are called by those that lead to them.
    paths = {label: label for label in labelled(design.program.system(name))}
    while paths:
        label, path = next(iter(paths.items()))
        call = labelled(design.program.system(name))[label]
        callee = design.program.system(call.system)
        design, known = inlined(design, name, label)
        names |= {f"{path}.{theirs}": mine for theirs, mine in known.items()}
        del paths[label]
        inner = labelled(callee).items()
        paths |= {_label(known[each.outputs[0]]): f"{path}.{theirs}" for theirs, each in inner}
    return Inlined(design.checked, names)


def _label(variable: str) -> str:
    return f"UseEquation_{variable}"


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
