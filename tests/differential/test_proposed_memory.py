"""Memory maps that are found, executed: the generated code of random programs with proposed maps computes what the
interpreter does, under sanitizers. Dates, tiles, register tiles, vectors, reductions and calls are drawn at random.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from alphaz.legality.verdicts import DesignVerdict
from alphaz.legality.verify import certify
from alphaz.mapping.design import Design
from alphaz.mapping.factors import is_parametric
from alphaz.mapping.target_mapping import MemoryMap, Overwritable
from alphaz.search.memory.proposal import MemoryChoice, MemoryProposal, Request, propose
from alphaz.search.memory.sharing import Objective
from tests.differential.execution import disagreements, sanitized
from tests.strategies.mapping_variants import dressed, summed
from tools.differential.proved_mappings import Proved, proved, proved_sample

pytestmark = pytest.mark.slow

_SECONDS = 0.2


def _proposed(case: Proved, random: Random) -> MemoryProposal | None:
    """With maps that are found in place of its own; with a rolling buffer where one would do."""
    design = case.verified.design
    bare = design.with_mapping(case.name, replace(design.mapping(case.name), memory=()))
    bare = _with_inputs_given_up(bare, case.name) if random.random() < 0.5 else bare
    result = propose(bare, case.name, Request(random.choice(list(Objective)), seconds=_SECONDS))
    if not isinstance(result, MemoryProposal):
        return None
    for choice in result.choices:
        rolling = next((entry for entry in _own_maps(result, choice) if any(map(is_parametric, entry.moduli))), None)
        if rolling is not None:
            result = result.with_map(rolling) or result
    return result


def _with_inputs_given_up(design: Design, name: str) -> Design:
    entries = tuple(Overwritable(variable.name) for variable in design.system(name).inputs)
    return design.with_mapping(name, replace(design.mapping(name), overwritable=entries))


def _summed(case: Proved | None, random: Random) -> Proved | None:
    """With a reduction dimension, where that is proved: maps are not those that it was proved with."""
    if case is None:
        return None
    sample = replace(case.sample, steps=tuple(step for step in case.sample.steps if step.verb != "memory"))
    return proved(dressed(random, sample, (summed,)), case.pipeline) or case


def _own_maps(proposal: MemoryProposal, choice: MemoryChoice) -> Iterator[MemoryMap]:
    """Returns the alternative maps of the variables that share cells with no other variable."""
    space = proposal.prices.system.variable(choice.variable).domain.space
    if len(proposal.placement.spaces.get(choice.variable, ())) == 1:
        yield from (candidate.entry(choice.variable, space) for candidate in choice.candidates)


def _cases(seed: str, samples: int) -> Iterator[tuple[Proved, MemoryProposal]]:
    for at in range(samples):
        random = Random(f"{seed}/{at}")
        case = _summed(proved_sample(f"M{at}", random, 3), random)
        result = _proposed(case, random) if case is not None else None
        if case is not None and result is not None:
            verified = certify(DesignVerdict(result.design, (result.report,)))
            yield replace(case, verified=verified), result


def test_code_with_proposed_maps_equals_the_interpreter() -> None:
    results = list(_cases("memory", 60))
    cases = [case for case, _ in results]
    assert disagreements(cases, way=sanitized()) == []
    # Otherwise this would say little.
    assert len(cases) > 20
    seen = {feature for case in cases for feature in case.features}
    assert {
        "mod factor",
        "shared space",
        "tiled",
        "registers",
        "parallel",
        "use equation",
        "in place",
        "input overwritten",
        "reduction dimension",
    } <= seen
    assert any(p.arguments for _, p in results)
    assert any(is_parametric(m) for _, p in results for e in p.entries for m in e.moduli)
