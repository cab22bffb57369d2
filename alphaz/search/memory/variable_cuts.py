"""Cuts a variable in two where some of its values live longer than the others, with a memory map for each part.

If all values conflict along a border, or in a last step, no single affine map is small, but two maps are. The cut is
index-set splitting (`alphaz.transform.variables.split`), which preserves the program; the maps of both parts are
searched and proved like any others."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

from alphaz.analysis.facts.dependences import dependences_of
from alphaz.diagnostics import Rejected
from alphaz.mapping.target_mapping import MemoryMap, TargetMapping
from alphaz.model.expression import Case
from alphaz.model.program import Equation, System, Variable
from alphaz.poly import Domain, OutOfBudget
from alphaz.proof.discharge import with_growing_budget
from alphaz.search.memory.proposal import MemoryChoice, MemoryProposal, Request, propose
from alphaz.search.memory.set_sizes import degree
from alphaz.transform.variables.split import split

# Processor seconds for the search of cuts, and isl operations for the conflicts of the parts.
_SECONDS, _BUDGET = 0.5, 50_000


@dataclass(frozen=True, slots=True, eq=False)
class VariableCut:
    """The values of `variable` in `domain` become the variable `part`; then `stated` is the proposed mapping of
    both."""

    variable: str
    part: str
    domain: Domain
    stated: TargetMapping
    proposal: MemoryProposal

    @property
    def entries(self) -> tuple[MemoryMap, ...]:
        """The maps of both parts."""
        return tuple(map(self.proposal.placement.of, (self.variable, self.part)))


def cuts(proposal: MemoryProposal) -> Iterator[VariableCut]:
    """Returns for each variable the first cut that lowers the degree of its cells in the parameters, or the number of
    spaces of that degree."""
    end = process_time() + _SECONDS
    for choice in proposal.choices:
        if _may_be_less(proposal, choice):
            variable_cuts = (
                _cut(proposal, choice, domain) for domain in _domains(proposal, choice) if process_time() < end
            )
            yield from [variable_cut for variable_cut in variable_cuts if variable_cut is not None][:1]


def _may_be_less(proposal: MemoryProposal, choice: MemoryChoice) -> bool:
    """Returns True if its space may have so many cells only because no single map of the variable needs less."""
    together = proposal.placement.spaces[proposal.placement.of(choice.variable).space]
    return 0 < choice.least == degree(proposal.prices.space(together) or ())


def _domains(proposal: MemoryProposal, choice: MemoryChoice) -> Iterator[Domain]:
    """The sets that other variables read, one for each reference, and the branches; none is the whole domain."""
    system = proposal.prices.system
    variable = system.variable(choice.variable)
    seen: list[Domain] = []
    for domain in (*_read(proposal, system, variable), *_branches(proposal, system, variable)):
        here = domain.in_context(system.context).simplify()
        whole = variable.domain.in_context(system.context)
        if here.is_empty() or whole.is_subset(here) or any(here.equals(other) for other in seen):
            continue
        seen.append(here)
        if _separates(proposal, choice, here):
            yield here


def _read(proposal: MemoryProposal, system: System, variable: Variable) -> Iterator[Domain]:
    for equation in system.equations:
        if isinstance(equation, Equation) and equation.variable != variable.name:
            for dependence in dependences_of(equation, proposal.design.checked.facts):
                if dependence.producer == variable.name:
                    yield dependence.domain.image(dependence.function, variable.domain.space.names)


def _branches(proposal: MemoryProposal, system: System, variable: Variable) -> Iterator[Domain]:
    for equation in system.equations:
        if isinstance(equation, Equation) and equation.variable == variable.name:
            branches = equation.expression.branches if isinstance(equation.expression, Case) else ()
            for branch in branches:
                domain = proposal.design.checked.facts.context_domain[branch]
                yield domain.renamed(variable.domain.space.names) & variable.domain


def _separates(proposal: MemoryProposal, choice: MemoryChoice, domain: Domain) -> bool:
    """Returns True if both parts may need a lower degree than the whole."""
    legality = proposal.legality

    def separates() -> bool:
        parts = (domain, proposal.prices.system.variable(choice.variable).domain - domain)
        return all(legality.least_degree_within(choice.variable, part) < choice.least for part in parts)

    try:
        return with_growing_budget(separates, _BUDGET)
    except OutOfBudget:
        return False


def _cut(proposal: MemoryProposal, choice: MemoryChoice, domain: Domain) -> VariableCut | None:
    system, stated = proposal.prices.system, proposal.design.mapping(proposal.system)
    if any(entry.variable == choice.variable for entry in stated.formats):
        return None  # both parts would have it
    used_names = [variable.name for variable in system.variables]
    part = next(
        name
        for position in range(1, len(used_names) + 2)
        if (name := f"{choice.variable}_{position}") not in used_names
    )
    whole = domain.gist(system.variable(choice.variable).domain)
    try:
        design = split(proposal.design, system.name, choice.variable, whole, part)
    except Rejected:
        return None
    request = Request(
        objective=proposal.objective,
        sizes=proposal.prices.sizes.samples[-1],
        only=(choice.variable, part),
        options=proposal.options,
    )
    new_proposal = propose(design, system.name, request)
    if not isinstance(new_proposal, MemoryProposal):
        return None
    here, there = (proposal_.prices.bill(proposal_.placement) for proposal_ in (proposal, new_proposal))
    if here is None or there is None or there.largest >= here.largest:
        return None
    stated = design.mapping(system.name)
    return VariableCut(variable=choice.variable, part=part, domain=whole, stated=stated, proposal=new_proposal)
