"""In which ways a function is taken until it is proved: as it stands, with numbers computed where they are read, with
inputs that are overwritten copied before. Each is the same function. And without laws of arithmetic, which change what
parts of sums look like."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from alphaz.analysis.checks.checked import Checked
from alphaz.c_reading import Kernel
from alphaz.c_reading.forward_substitution import forward_substituted
from alphaz.execution.c_inlined import with_calls_inlined
from alphaz.model.program import System
from alphaz.verify.c.as_told import proved_as_told
from alphaz.verify.c.in_place import apart
from alphaz.verify.c.inference import Laws
from alphaz.verify.c.prove import Answer, Effort, Proof, inquiry_of, prove
from alphaz.verify.c.shared import Spread
from alphaz.verify.c.trace import Binding


def proof_of(
    checked: Checked, system: System, kernel: Kernel, binding: Binding, laws: Laws, effort: Effort,
    spread: Spread | None, told: Callable[[Answer], None],
) -> Proof:  # fmt: skip
    """The proof, about the equations of the system and of those that it calls; of what is not seen to be wrong, in any
    of these ways."""
    inlined = with_calls_inlined(checked, system.name)
    checked = inlined.checked
    system = replace(checked.program.system(system.name), context=system.context)
    kernel = inlined.told(kernel)

    def ask(kernel: Kernel, binding: Binding, laws: Laws = laws) -> Proof:
        found = proved_as_told(kernel, checked, system, binding, laws, effort, told, spread)
        if found is not None:
            return found
        inquiry, suspicions = inquiry_of(kernel, checked, system, binding, laws, effort, spread)
        return prove(inquiry, suspicions, effort=effort, told=told, spread=spread)

    proof = ask(kernel, binding)
    if proof.is_proved or proof.suspicions:
        return proof
    others = (ask(*each) for each in _other_attempts(kernel, binding, system, laws))
    return next((other for other in others if other.is_proved), proof)


def _other_attempts(
    kernel: Kernel, binding: Binding, system: System, laws: Laws
) -> Iterator[tuple[Kernel, Binding, Laws]]:
    substituted = forward_substituted(kernel)
    if laws.allowed:
        yield kernel, binding, replace(laws, allowed=frozenset())
    if substituted is not None:
        yield substituted, binding, laws
    for each in (kernel,) if substituted is None else (kernel, substituted):
        if (copied := apart(each, binding, system)) is not None:
            yield *copied, laws
