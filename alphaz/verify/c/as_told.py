"""A proof of C that is told of line by line, without a run of the model: what is said is claimed as it stands.

Where that does not suffice, or something is not proved, claims are looked for as in other C.
"""

from collections.abc import Callable

from alphaz.analysis.checks.checked import Checked
from alphaz.c_reading.kernel import Kernel
from alphaz.model.program import System
from alphaz.verify.c.claims import Claim, Contribution
from alphaz.verify.c.inference import Laws
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.prove import Answer, Effort, Proof, inquiry_of, prove
from alphaz.verify.c.shared import Spread
from alphaz.verify.c.trace import Binding


class _Open(Exception):
    """Something is not proved."""


def proved_as_told(
    kernel: Kernel,
    checked: Checked,
    system: System,
    binding: Binding,
    laws: Laws,
    effort: Effort,
    told: Callable[[Answer], None],
    spread: Spread | None,
) -> Proof | None:
    """The proof, if what is told suffices for one."""

    def demanded(answer: Answer) -> None:
        if not answer.is_proved:
            raise _Open
        told(answer)

    if any(each.reads and each.told is None for each in kernel.statements):
        return None
    inquiry, _ = inquiry_of(kernel, checked, system, binding, laws, effort, spread, runs=False)
    if not _is_whole(inquiry):
        return None
    try:
        found = prove(inquiry, effort=effort, told=demanded, spread=spread)
    except _Open:
        return None
    return found if found.is_proved else None


def _is_whole(inquiry: Inquiry) -> bool:
    """Whether something is claimed of each statement that computes anything."""
    made: tuple[Claim | Contribution, ...] = (*inquiry.claims.values, *inquiry.claims.contributions)
    known = {each.statement.name for each in made}
    return all(each.name in known for each in inquiry.kernel.statements if each.reads)
