"""Mappings follow: what a transformation did not touch keeps its maps, and nothing is lost without a warning."""

from itertools import pairwise
from random import Random

import pytest

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.program_reflection import equation_tree
from alphaz.diagnostics import Rejected, Source, rules
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import MemoryMap, SpaceTimeMap, StatementOrder, TargetMapping
from alphaz.model.program import System, defined_by
from alphaz.poly import AffineFunction
from tests.property.test_transform import TRANSFORMATIONS, NothingToDo
from tests.strategies.rewritable import program

pytestmark = pytest.mark.slow

# One transformation at a time; ApplySTMap is tried with maps of its own.
NAMES = [name for name in TRANSFORMATIONS if "," not in name and " and " not in name and name != "ApplySTMap"]


def mapped(design: Design) -> Design:
    """Every variable that is computed has a date and a cell, and comes before the next one."""
    computed = [v for v in design.system("test").variables if v not in design.system("test").inputs]
    mapping = TargetMapping(
        space_time=tuple(SpaceTimeMap(v.name, AffineFunction.identity(v.domain.space)) for v in computed),
        memory=tuple(MemoryMap(v.name, v.name, AffineFunction.identity(v.domain.space)) for v in computed),
        ordering=tuple(StatementOrder(a.name, b.name) for a, b in pairwise(computed)),
    )
    return Design(design.checked, {"test": mapping})


def definitions(design: Design, system: System) -> dict[str, str]:
    """Of each variable that is computed: its domain, and its equation as a tree."""
    domains = {v.name: str(v.domain) for v in system.variables}
    return {
        name: f"{domains[name]} {equation_tree(design.program, system, equation, array=True)}"
        for equation in system.equations
        for name in defined_by(equation)
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.long
def test_what_is_not_touched_keeps_its_maps(name: str) -> None:
    random = Random(1)
    before = mapped(Design(read_program(Source("test.ab", program(random, ("int",))))))
    try:
        after = TRANSFORMATIONS[name](before, random)
    except (NothingToDo, Rejected):
        return
    _compare(before, after)


def _compare(before: Design, after: Design) -> None:
    old, new = definitions(before, before.system("test")), definitions(after, after.system("test"))
    here, there = before.mapping("test"), after.mapping("test")
    assert all(warning.rule is rules.IGNORED for warning in after.dropped)
    text = " ".join(warning.message for warning in after.dropped)
    for one in old:
        dates = [[m for m in item.space_time if m.variable == one] for item in (here, there)]
        cells = [[m for m in item.memory if m.variable == one] for item in (here, there)]
        if old[one] == new.get(one):
            assert dates[0] == dates[1], one
            assert cells[0] == cells[1], one
        elif one in new and not _has_moved(after, one):
            assert dates[1] or f"space-time map of {one} is dropped" in text, one
            assert cells[1] or f"memory map of {one} is dropped" in text, one


def _has_moved(design: Design, variable: str) -> bool:
    """To another system, with its date."""
    return any(
        m.variable == variable for name, value in design.mappings.items() if name != "test" for m in value.space_time
    )
