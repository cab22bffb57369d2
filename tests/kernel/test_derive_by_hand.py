"""Derived sets of small inventories written by hand: domains with quotients, and mod factors."""

from typing import Any

import pytest

from alphaz.kernel.checker import NotConfirmed, check, goal_of
from alphaz.kernel.derive import derived
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.kernel.small_sets import Json, at_least, case, equal, total


def inventory(domain: Json, date: list[Json], kinds: list[str], factors: list[Json]) -> Json:
    """One family w[i], which writes v[i] into cell [i]."""
    family: Json = {
        "name": "w",
        "variable": "v",
        "moment": "dated",
        "role": "value",
        "names": ["i"],
        "domain": [domain],
    }
    family |= {"target": [total(i=1)], "date": date, "kinds": kinds, "whole": None, "direct": False}
    cells = {"variable": "v", "space": "v", "names": ["i"], "map": [total(i=1)], "factors": factors}
    lists: Json = {name: [] for name in ("reads", "lifetimes", "before", "bands", "copies", "buffers", "in_place")}
    context = [case(at_least(-2, N=1))]
    return {"parameters": ["N"], "context": context, "operations": [family], "cells": [cells], **lists}


def is_proved(stated: Json, kind: str, read: int | None = None, **families: int) -> bool:
    found = derived(stated, {"kind": kind, "read": read, "families": families, "tiled": False, "sized": False})
    try:
        steps = proof_of(goal_of(*found), 2_000)
    except NotRefuted:
        return False
    check(goal_of(*found), steps)
    return True


@pytest.mark.parametrize(("last", "expected"), [(1, True), (2, False)])
def test_a_domain_with_a_quotient(last: int, expected: bool) -> None:
    """All even i from 0 to `last` have one date, which is right for one i only."""
    even = case(equal(i=1, q=-2), at_least(i=1), at_least(last, i=-1), q=(total(i=1), 2))
    assert is_proved(inventory(even, [total()], ["SEQUENTIAL"], []), "S1", operation=0) is expected


ALL = case(at_least(i=1), at_least(-1, N=1, i=-1))
FACTORS: list[tuple[Json, bool]] = [
    (total(), True),
    (total(N=1), True),
    (total(-1, N=1), False),
    (total(3), False),
]


@pytest.mark.parametrize(("factor", "expected"), FACTORS)
def test_parallel_writes_with_a_mod_factor(factor: Json, expected: bool) -> None:
    """N writes in parallel need N cells."""
    stated = inventory(ALL, [total(i=1)], ["PARALLEL"], [factor])
    assert is_proved(stated, "M4", writer=0, other=0) is expected


def test_two_spaces_and_two_factors() -> None:
    stated: Any = inventory(ALL, [total(i=1)], ["PARALLEL"], [total(3)])
    other = {**stated["operations"][0], "name": "u", "variable": "u"}
    stated["operations"].append(other)
    stated["cells"].append({**stated["cells"][0], "variable": "u", "space": "u"})
    assert is_proved(stated, "M4", writer=0, other=1)
    for factors in ([total(4)], []):
        stated["cells"][1].update(space="v", factors=factors)
        assert not is_proved(stated, "M4", writer=0, other=1)
    stated["cells"][1]["factors"] = [total(N=1)]
    with pytest.raises(NotConfirmed, match="different factors"):
        is_proved(stated, "M4", writer=0, other=1)
    stated["operations"][1]["target"] = [total(1, i=2)]
    stated["operations"][0]["target"] = [total(i=2)]
    for cell, factor in zip(stated["cells"], (2, 4), strict=True):
        cell["factors"] = [total(factor)]
    assert is_proved(stated, "M4", writer=0, other=1), "one writes into even cells, the other into odd ones"
    stated["cells"][0]["factors"] = [total(-2)]
    with pytest.raises(NotConfirmed, match="-2 is not the expected integer"):
        is_proved(stated, "M4", writer=0, other=1)


@pytest.mark.parametrize(("running", "expected"), [(True, True), (False, False)])
def test_nothing_is_accumulated_into_what_is_there_from_the_start(running: bool, expected: bool) -> None:
    """w[i] reads v[0], which is there from the start, and which w[0] overwrites."""
    stated = inventory(ALL, [total(i=1)], ["SEQUENTIAL"], [])
    stated["operations"].append({**stated["operations"][0], "name": "v", "moment": "start", "date": [], "kinds": []})
    read: Json = {"reader": 0, "running": running, "direct": False, "names": ["i"], "domain": [ALL], "at": [total(i=1)]}
    stated["reads"].append({**read, "variable": "v", "index": [total()], "text": "", "place": None})
    stated["operations"][0]["variable"] = "u"
    stated["cells"].append({**stated["cells"][0], "variable": "u"})
    assert is_proved(stated, "M", read=0, writer=0, first=1) is expected


def test_a_quotient_that_hides_an_index() -> None:
    hidden = case(at_least(i=1), i=(total(N=1), 2))
    with pytest.raises(NotConfirmed, match="a name stands twice"):
        is_proved(inventory(hidden, [total()], ["SEQUENTIAL"], []), "S1", operation=0)
