"""C8: an asynchronous copy of a thread has arrived before a later access to one of its cells.

A copy happens at some time between its date and a wait of its thread for its group. The model has it at its date. Every
other time has the same effect if each conflicting access is before the date (C6), or after such a wait.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from alphaz.equivalence.bounds_and_race_obligations import conflicting_accesses
from alphaz.equivalence.joined_sets import joined_domain
from alphaz.equivalence.kernel_obligation import (
    KernelObligation,
    all_of,
    any_of,
    no_participant,
    participants_formula,
    within,
)
from alphaz.equivalence.participant import NEVER, Participant, before, conflict, participant, same, together
from alphaz.poly import Affine, Constraint, Domain, Formula
from alphaz.scop.c_model import ArrayAccess, CKernel, CopyEvent, KernelLoop, KernelStatement, LoopKind


def arrivals_of_copies(kernel: CKernel) -> Iterator[KernelObligation]:
    for copied in kernel.statements:
        if not copied.is_asynchronous:
            continue
        flight = _Flight.of(kernel, copied)
        for other in kernel.statements:
            if other.block is not copied.block:
                continue
            who = participant("x", other)
            if before(flight.copy, who) == NEVER:
                continue
            for (i, a), (j, b) in conflicting_accesses(copied, other):
                yield KernelObligation(
                    family="C8",
                    claim=f"the copy in {copied} has arrived before {other} accesses {a.array.label}",
                    violations=partial(flight.violations, who, a, b),
                    participants=(flight.copy, who),
                    about=copied,
                    subjects={"copy": copied, "access": i, "other": other, "other access": j},
                    stated=partial(flight.stated, who, a, b),
                    others=(other,),
                )


@dataclass(slots=True)
class _Flight:
    """A copy, with the ends of groups and the waits of its launch. Each end has two roles, so that it may follow
    itself. `awaited` has for each wait the instances of both of which the wait is for the group of the copy."""

    copy: Participant
    ends: tuple[Sequence[Participant], Sequence[Participant]]
    waits: Sequence[tuple[Participant, int]]
    awaited: list[Domain] = field(default_factory=list)

    @staticmethod
    def of(kernel: CKernel, copied: KernelStatement) -> "_Flight":
        events = [event for event in kernel.copy_events if event.launch is copied.block]
        ends = [event for event in events if event.pending is None]
        waits = [event for event in events if event.pending is not None]
        return _Flight(
            participant("c", copied),
            (
                [_participant(f"end{number}", event, copied) for number, event in enumerate(ends)],
                [_participant(f"next{number}", event, copied) for number, event in enumerate(ends)],
            ),
            [(_participant(f"wait{n}", event, copied), event.pending or 0) for n, event in enumerate(waits)],
        )

    def violations(self, who: Participant, access: ArrayAccess, other: ArrayAccess) -> Domain:
        meets = [*same(self.copy.own(access.subscripts), who.own(other.subscripts)), *self._of_launch(who)]
        later = conflict((self.copy, who), meets, before(self.copy, who))
        for (wait, _), awaited in zip(self.waits, self._awaited(), strict=True):
            space = together(self.copy, who, wait)
            after = joined_domain(space, [awaited, who.domain], *before(wait, who))
            later = later - after.onto(later.space.names)
        return later

    def stated(self, who: Participant, access: ArrayAccess, other: ArrayAccess) -> Formula:
        meets = [*same(self.copy.own(access.subscripts), who.own(other.subscripts)), *self._of_launch(who)]
        absent = [
            no_participant(wait, within(awaited), any_of(before(wait, who)))
            for (wait, _), awaited in zip(self.waits, self._awaited(), strict=True)
        ]
        return participants_formula((self.copy, who), all_of(meets), any_of(before(self.copy, who)), absent=absent)

    def _of_launch(self, who: Participant) -> list[Constraint]:
        """Returns the constraints that both are of one launch, in loops of the host."""
        return _of_loops(self.copy, who, (LoopKind.SEQUENTIAL,))

    def _awaited(self) -> list[Domain]:
        """Returns the pairs of the copy and each wait between which enough groups have ended: its own one, and those
        that the wait leaves in flight."""
        if not self.awaited and self.waits:
            steps = [{end: self._reached(self.copy, end, None) for end in self.ends[0]}]
            for number in range(1, max(pending for _, pending in self.waits) + 1):
                steps.append({end: self._next(steps[-1], end) for end in self.ends[number % 2]})
            self.awaited = [self._next(steps[pending], wait) for wait, pending in self.waits]
        return self.awaited

    def _next(self, ended: dict[Participant, Domain], to: Participant) -> Domain:
        union = Domain.empty(together(self.copy, to))
        for end, domain in ended.items():
            union = union | self._reached(end, to, domain)
        return union.coalesced()

    def _reached(self, one: Participant, to: Participant, reached: Domain | None) -> Domain:
        """Returns the pairs of the copy and an event of its thread that is later than this one, which was `reached`."""
        names = together(self.copy, to).names
        known = self.copy.domain if reached is None else reached
        space = known.space.with_names((*known.space.names, *to.dimensions))
        cases = [[*case, *_of_loops(one, to, LoopKind)] for case in before(one, to)]
        return joined_domain(space, [known, to.domain], *cases).onto(names)


def _participant(role: str, event: CopyEvent, copied: KernelStatement) -> Participant:
    place = replace(
        copied, iterators=event.iterators, conditions=event.conditions, domain=event.domain, date=event.date
    )
    return participant(role, place)


def _of_loops(one: Participant, other: Participant, kinds: Sequence[LoopKind] | type[LoopKind]) -> list[Constraint]:
    """Returns the constraints that both are in the same iterations of the loops of these kinds around their kernel."""
    assert one.statement is not None
    assert one.statement.block is not None
    loops = (loop for loop in one.statement.date[: one.statement.block.depth] if isinstance(loop, KernelLoop))
    names = [loop.iterator for loop in loops if loop.kind in kinds]
    return same([Affine.name(one.names[name]) for name in names], [Affine.name(other.names[name]) for name in names])
