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
    cells = {"variable": "v", "space": "v", "names": ["i"], "map": [total(i=1)], "factors": factors, "outer": 0}
    lists: Json = {
        name: [] for name in ("reads", "lifetimes", "before", "bands", "copies", "buffers", "in_place", "kept")
    }
    lists["ranks"] = None
    context = [case(at_least(-2, N=1))]
    return {"parameters": ["N"], "context": context, "operations": [family], "cells": [cells], **lists}


def is_proved(stated: Json, kind: str, read: int | None = None, **families: int) -> bool:
    result = derived(stated, {"kind": kind, "read": read, "families": families, "tiled": False, "sized": False})
    try:
        steps = proof_of(goal_of(*result), 2_000)
    except NotRefuted:
        return False
    check(goal_of(*result), steps)
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


# --- kept instances and private memory --------------------------------------------------------------------------------


def kept(first: Json, last: Json) -> Any:
    """v[i] is the one of the instances (i,b) of the two tiles b for which first(b) <= i <= last(b), 0 <= i < N."""
    stated = inventory(ALL, [total(i=1)], ["SEQUENTIAL"], [])
    inside = case(at_least(b=1), at_least(1, b=-1), first, last, at_least(i=1), at_least(-1, N=1, i=-1))
    entry: Json = {"variable": "v", "names": ["i"], "domain": [ALL], "indices": ["i", "b"], "instances": [inside]}
    stated["kept"] = [{**entry, "target": [total(i=1)]}]
    return stated


# The first tile has i < 5, and the second one 5 <= i, or another number.
KEPT = [(-5, 4, True, True), (-6, 4, False, True), (-4, 4, True, False)]


@pytest.mark.parametrize(("second", "first", "covers", "is_once"), KEPT)
def test_kept_instances(second: int, first: int, covers: bool, is_once: bool) -> None:
    stated = kept(at_least(second + 5, i=1, b=-5), at_least(first, i=-1, b=1000))
    stated["context"] = [case(at_least(-2, N=1), at_least(100, N=-1))]
    assert is_proved(stated, "S4", value=0) is covers
    assert is_proved(stated, "S4", instance=0) is is_once


def test_a_value_that_is_read_has_an_instance() -> None:
    stated = kept(at_least(i=1, b=-5), at_least(4, i=-1, b=1000))
    stated["context"] = [case(at_least(-2, N=1), at_least(100, N=-1))]
    read: Json = {"reader": 0, "running": False, "direct": False, "names": ["i"], "domain": [ALL], "at": [total(i=1)]}
    stated["reads"] = [{**read, "variable": "v", "index": [total(i=1)], "text": "", "place": None}]
    stated["kept"][0]["domain"] = []
    assert is_proved(stated, "S4", value=0)
    stated["reads"][0]["index"] = [total(1, i=1)]
    assert not is_proved(stated, "S4", value=0), "v[N] is not there"
    stated["reads"][0]["running"] = True
    assert is_proved(stated, "S4", value=0)
    stated["operations"][0]["role"] = "body"
    with pytest.raises(NotConfirmed, match="the instances are not those that are computed"):
        is_proved(stated, "S4", value=0)


def private(distance: int) -> Any:
    """w[i], in iteration i, reads v[i - distance], in the memory of iteration i."""
    stated = inventory(ALL, [total(i=1)], ["SEQUENTIAL"], [])
    read: Json = {"reader": 0, "running": False, "direct": False, "names": ["i"], "domain": [ALL], "at": [total(i=1)]}
    stated["reads"] = [{**read, "variable": "v", "index": [total(-distance, i=1)], "text": "", "place": None}]
    stated["cells"][0]["outer"] = 1
    return stated


def test_private_memory() -> None:
    assert is_proved(private(0), "M5", read=0, producer=0)
    assert not is_proved(private(1), "M5", read=0, producer=0)
    stated = private(0)
    stated["cells"][0]["map"] = [total(1, i=1)]
    assert not is_proved(stated, "M5", read=0, producer=0), "a cell that is not numbered by the iteration"
    stated["cells"][0]["map"] = [total()]
    stated["operations"][0]["kinds"] = ["PARALLEL"]
    assert is_proved(stated, "M4", writer=0, other=0), "each iteration has its memory, whatever the map says"
    stated["operations"][0].update(date=[], kinds=[])
    with pytest.raises(NotConfirmed, match="in no iteration"):
        is_proved(stated, "M5", read=0, producer=0)
    stated["operations"][0]["moment"] = "start"
    assert not is_proved(stated, "M5", read=0, producer=0)


def test_private_memory_that_is_cut() -> None:
    band: Json = {"prefix": [], "first": 0, "last": 1, "ordering": [], "registers": False, "sizes": [[2, 2]]}
    changes: list[Json] = [{"bands": [{**band, "wavefront": [], "recursive": []}]}, {"ranks": {}}]
    for change in changes:
        with pytest.raises(NotConfirmed, match="not executed as a whole"):
            is_proved({**private(0), **change}, "M5", read=0, producer=0)
    stated = private(0)
    stated["cells"].append({**stated["cells"][0], "variable": "u", "outer": 0})
    with pytest.raises(NotConfirmed, match="iterations of different loops"):
        is_proved(stated, "M5", read=0, producer=0)


# --- ranks ------------------------------------------------------------------------------------------------------------


def on_ranks(read_at: Json, blocks: bool = True, pipeline: bool = False) -> Any:
    """w[i], at step i and place i, reads v[read_at], which it wrote at another i; ghosts are modulo 2."""
    stated: Any = inventory(ALL, [total(i=1), total(i=1)], ["SEQUENTIAL"] * 2, [])
    read: Json = {"reader": 0, "running": False, "direct": False, "names": ["i"], "domain": [ALL], "at": [total(i=1)]}
    stated["reads"] = [{**read, "variable": "v", "index": [read_at], "text": "", "place": None}]
    ghosts = [{**cell, "space": "ghost", "factors": [total(2)]} for cell in stated["cells"]]
    stated["ranks"] = {"first": 1, "last": 1, "blocks": blocks, "pipeline": pipeline, "ghosts": ghosts}
    stated["ranks"] |= {"border": None, "scans": []}
    return stated


@pytest.mark.parametrize("pipeline", [False, True])
@pytest.mark.parametrize(("distance", "expected"), [(-1, True), (0, True), (1, False)])
def test_a_value_of_an_earlier_step_is_received_in_time(distance: int, expected: bool, pipeline: bool) -> None:
    stated = on_ranks(total(distance, i=1), pipeline=pipeline)
    assert is_proved(stated, "D1", read=0, producer=0) is expected


@pytest.mark.parametrize(("distance", "expected"), [(-1, True), (1, False)])
def test_a_pipeline_brings_values_of_lower_places_in_their_step(distance: int, expected: bool) -> None:
    stated = on_ranks(total(distance, i=1), pipeline=True)
    stated["operations"][0]["date"][0] = total()
    assert is_proved(stated, "D1", read=0, producer=0) is expected
    stated["ranks"]["pipeline"] = False
    assert not is_proved(stated, "D1", read=0, producer=0)


@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize(("factor", "expected"), [(0, True), (2, False)])
def test_own_and_received_values_in_one_space(factor: int, expected: bool, blocks: bool) -> None:
    stated = on_ranks(total(-1, i=1), blocks=blocks)
    stated["ranks"]["ghosts"][0].update(space="v", factors=[total(factor)])
    stated["cells"][0]["factors"] = [total(factor)]
    two = {"producer": 0, "other": 0, "sender": 0, "received": 0}
    assert is_proved(stated, "D4", read=0, producer=0, writer=0)
    assert is_proved(stated, "D6", read=0, **two)
    stated["reads"][0]["index"] = [total(-3, i=1)]
    assert is_proved(stated, "D4", read=0, producer=0, writer=0) is expected
    assert is_proved(stated, "D6", read=0, **two) is (expected or blocks), "an interval has the places in between"
    stated["reads"][0]["index"] = [total()]
    assert is_proved(stated, "D5", read=0, **two) is True, "one value is received"
    stated["operations"][0]["date"][0] = total()
    assert is_proved(stated, "D3", read=0, producer=0, writer=0) is expected


@pytest.mark.parametrize(("factor", "expected"), [(0, True), (2, False)])
def test_an_output_is_kept_to_the_end(factor: int, expected: bool) -> None:
    """The end reads v[i]; its rank receives another value after it wrote v[i]."""
    stated = on_ranks(total(-3, i=1), blocks=False)
    stated["ranks"]["ghosts"][0].update(space="v", factors=[total(factor)])
    stated["cells"][0]["factors"] = [total(factor)]
    end = {"name": "end", "moment": "end", "role": "", "date": [], "kinds": []}
    stated["operations"].append({**stated["operations"][0], **end})
    stated["reads"].append({**stated["reads"][0], "reader": 1, "index": [total(i=1)]})
    assert is_proved(stated, "D6", read=1, producer=0, other=0, sender=0, received=0) is expected


def test_two_writes_of_one_value_by_two_ranks() -> None:
    stated = on_ranks(total())
    assert is_proved(stated, "D0", operation=0, other=0)
    stated["operations"][0]["target"] = [total()]
    assert not is_proved(stated, "D0", operation=0, other=0)
    assert not is_proved(stated, "D0", read=0, producer=0, other=0)
    stated["operations"][0]["date"][0] = total()
    assert is_proved(stated, "D0", read=0, producer=0, other=0), "in one step"
    stated["operations"][0]["role"] = "contribution"
    assert is_proved(stated, "D0", operation=0, other=0), "ranks combine them"
    stated["operations"].append({**stated["operations"][0], "moment": "start", "date": [], "kinds": []})
    assert not is_proved(stated, "D0", value=1)
    stated["operations"][1]["domain"] = []
    assert is_proved(stated, "D0", value=1)


MALFORMED_RANKS: list[tuple[Json, str]] = [
    ({"blocks": False, "pipeline": True}, "only blocks of one dimension are a pipeline"),
    ({"last": 2}, "an operation has no place"),
    ({"last": 0}, "0 is not the expected integer"),
]


@pytest.mark.parametrize(("change", "reason"), MALFORMED_RANKS)
def test_malformed_ranks(change: Json, reason: str) -> None:
    stated = on_ranks(total(-1, i=1))
    stated["ranks"].update(change)
    with pytest.raises(NotConfirmed, match=reason):
        is_proved(stated, "D1", read=0, producer=0)


def test_the_key_of_a_received_value_says_who_reads_it() -> None:
    with pytest.raises(NotConfirmed, match="another operation reads the received value"):
        is_proved(on_ranks(total(-1, i=1)), "D5", read=0, producer=0, other=1, sender=0, received=0)
    with pytest.raises(NotConfirmed, match="an object is missing"):
        is_proved(inventory(ALL, [total(i=1)], ["SEQUENTIAL"], []), "D0", operation=0, other=0)


@pytest.mark.parametrize("distance", range(-3, 4))
@pytest.mark.parametrize(("low", "high"), [(0, 0), (2, 0), (1, 2), (3, 3)])
def test_the_border_is_as_wide_as_reads(low: int, high: int, distance: int) -> None:
    stated = on_ranks(total(distance, i=1))
    stated["ranks"]["border"] = {"low": [low], "high": [high]}
    assert is_proved(stated, "D12", read=0, producer=0) is (-low <= distance <= high)


@pytest.mark.parametrize("offset", range(-3, 5))
@pytest.mark.parametrize("distance", [-3, -1])
def test_a_late_copy(distance: int, offset: int) -> None:
    """v[i] arrives after step i, in the cell of v[i+offset]: the rank writes it at step i + offset, if it has the place
    above i."""
    stated = on_ranks(total(distance, i=1))
    stated["ranks"]["border"] = {"low": [3], "high": [0]}
    stated["ranks"]["ghosts"][0].update(space="v", map=[total(offset, i=1)], factors=[])
    assert is_proved(stated, "D12", read=0, producer=0, writer=0) is (offset <= 0)


def test_places_at_once() -> None:
    """w[i] at place i reads v[i-1]: in step i, and then all in one step."""
    stated = on_ranks(total(-1, i=1))
    assert is_proved(stated, "D12.S2", read=0, producer=0)
    stated["operations"][0]["date"][0] = total()
    assert is_proved(stated, "S2", read=0, producer=0)
    assert not is_proved(stated, "D12.S2", read=0, producer=0)


@pytest.mark.parametrize("change", [{"blocks": False}, {"pipeline": True}, {"bands": True}])
def test_ranks_without_a_border(change: Json) -> None:
    stated = on_ranks(total(-1, i=1))
    stated["ranks"] |= {"border": {"low": [1], "high": [1]}, **change}
    if stated["ranks"].pop("bands", False):
        stated["bands"] = [tiled(2)]
    with pytest.raises(NotConfirmed, match="such ranks have no border"):
        is_proved(stated, "D12", read=0, producer=0)


def scanned(read_at: Json, step: Json | None = None) -> Json:
    """w[i], at place i, reads v[read_at] as the value before, if i > 0."""
    stated: Json = on_ranks(read_at, pipeline=True)
    stated["operations"][0]["date"][0] = total() if step is None else step
    stated["reads"][0]["domain"] = [case(at_least(-1, i=1), *ALL["rows"])]
    stated["ranks"]["scans"] = [{"variable": "v", "operator": "+", "index": 0, "reads": [0]}]
    return stated


def test_the_value_before_of_a_scan() -> None:
    assert is_proved(scanned(total(-1, i=1)), "D13", read=0, producer=0)
    assert not is_proved(scanned(total(-2, i=1)), "D13", read=0, producer=0), "not the one before"
    assert not is_proved(scanned(total(-1, i=1), total(i=1)), "D13", read=0, producer=0), "in another step"
    assert is_proved(scanned(total(-1, i=1)), "D13", value=0)
    from_two = scanned(total(-1, i=1))
    from_two["reads"][0]["domain"] = [case(at_least(-2, i=1), *ALL["rows"])]
    assert not is_proved(from_two, "D13", value=0), "w[1] begins again"


@pytest.mark.parametrize("distance", [-1, 0, 1])
def test_other_reads_beside_a_scan(distance: int) -> None:
    """They read nothing of lower places; those of terms are of earlier steps."""
    stated = scanned(total(-1, i=1), total(-1, i=-1))
    stated["reads"].append({**stated["reads"][0], "index": [total(distance, i=1)]})
    assert is_proved(stated, "D13", read=1, producer=0) is (distance >= 0)
    assert is_proved(stated, "D13", read=1, producer=0, term=0) is (distance > 0)


def test_scans_of_another_form() -> None:
    stated = scanned(total(-1, i=1))
    stated["operations"][0]["role"] = "body"
    with pytest.raises(NotConfirmed, match="values are computed once"):
        is_proved(stated, "D13", value=0)
    stated = scanned(total(-1, i=1))
    stated["reads"][0]["at"] = [total(1, i=1)]
    with pytest.raises(NotConfirmed, match="read by another operation"):
        is_proved(stated, "D13", value=0)
    stated = scanned(total(-1, i=1))
    stated["ranks"]["scans"][0]["variable"] = "w"
    with pytest.raises(NotConfirmed, match="one of another variable"):
        is_proved(stated, "D13", read=0, producer=0)


def test_ranks_without_scans() -> None:
    stated = scanned(total(-1, i=1))
    for families, reason in (({"producer": 0, "term": 0}, "no read of a term"), ({"value": 1}, "not the expected")):
        with pytest.raises(NotConfirmed, match=reason):
            is_proved(stated, "D13", read=0, **families)
    changes: list[Json] = [{"pipeline": False}, {"scans": []}]
    for change in changes:
        stated["ranks"] |= change
        with pytest.raises(NotConfirmed, match="such ranks have no scans"):
            is_proved(stated, "D13", read=0, producer=0)


def tiled(size: int, **changes: object) -> Json:
    """Tiles of the step and the place."""
    band: Json = {"prefix": [], "first": 0, "last": 1, "ordering": [], "registers": False, "sizes": [[size, 0]]}
    return {**band, "wavefront": [], "recursive": [], **changes}


STEPS = [(1, -1, True), (2, -2, True), (2, -1, False), (0, -2, False)]


@pytest.mark.parametrize(("size", "distance", "expected"), STEPS)
def test_a_step_is_a_tile(size: int, distance: int, expected: bool) -> None:
    stated = on_ranks(total(distance, i=1))
    stated["bands"] = [tiled(size)]
    assert is_proved(stated, "D1", read=0, producer=0) is expected


def test_tiles_that_are_no_steps() -> None:
    stated = on_ranks(total(-2, i=1))
    for band in (tiled(2, last=0, sizes=[[2]]), tiled(2, recursive=[0]), tiled(2, wavefront=[[True, True]])):
        stated["bands"] = [band]
        with pytest.raises(NotConfirmed, match="tiles of the places are no steps"):
            is_proved(stated, "D1", read=0, producer=0)
    stated["bands"] = [tiled(2), tiled(2)]
    with pytest.raises(NotConfirmed, match="an operation is in two bands of tiles"):
        is_proved(stated, "D1", read=0, producer=0)


def every_kind_of_tiles() -> None:
    """Calls the tests of kept instances and private memory."""
    test_kept_instances(*KEPT[0])
    test_a_value_that_is_read_has_an_instance()
    test_private_memory()
    test_private_memory_that_is_cut()


def every_kind_of_ranks() -> None:
    """Calls the tests of ranks, for the lines that they execute."""
    for size, distance, is_right in STEPS:
        test_a_step_is_a_tile(size, distance, is_right)
    test_tiles_that_are_no_steps()
    for blocks, factor, expected in ((False, 0, True), (True, 2, False)):
        test_own_and_received_values_in_one_space(factor, expected, blocks)
    test_two_writes_of_one_value_by_two_ranks()
    test_a_pipeline_brings_values_of_lower_places_in_their_step(-1, expected=True)
    test_the_key_of_a_received_value_says_who_reads_it()
    test_the_border_is_as_wide_as_reads(2, 0, -2)
    test_a_late_copy(-3, 1)
    test_places_at_once()
    test_ranks_without_a_border({"pipeline": True})
    for change, reason in MALFORMED_RANKS:
        test_malformed_ranks(change, reason)
