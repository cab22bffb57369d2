"""The order of tiles that the kernel derives: by hand for two loops, and against the verifier for whole mappings."""

from pathlib import Path
from random import Random

import pytest

import alphaz
from alphaz.diagnostics import Rejected
from alphaz.kernel.checker import NotConfirmed, check, goal_of
from alphaz.kernel.derive import derived
from alphaz.legality.reporting.certificate_record import record
from alphaz.legality.verdicts import Options
from alphaz.legality.verify import verify
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.kernel.derived_sets import disagreements
from tests.kernel.small_sets import Json, at_least, case, total
from tests.legality import test_merges_in_registers as merges
from tests.legality.agreement import design_of
from tests.strategies import mapped_calls, mapped_programs

SEQUENTIAL, PARALLEL, ORDERING, VECTOR = ("SEQUENTIAL",) * 2, ("SEQUENTIAL", "PARALLEL"), "ORDERING", "VECTOR"


def inventory(distance: tuple[int, int], kinds: tuple[str, ...], leading: tuple[int, ...] = (), **band: object) -> Json:
    """v[i,j], which reads v at this distance before it, with dates (leading, i, j); the last two are tiled."""
    at, last = [total(i=1), total(j=1)], len(leading) + 1
    date = [*(total(value) for value in leading), *at]
    domain = [case(*(at_least(i=1), at_least(j=1), at_least(99, i=-1), at_least(99, j=-1)))]
    family: Json = {"name": "v", "variable": "v", "moment": "dated", "role": "value", "names": ["i", "j"]}
    family |= {"domain": domain, "target": at, "date": date, "whole": None, "direct": False}
    family["kinds"] = [*(ORDERING for _ in leading), *kinds]
    read: Json = {"reader": 0, "running": False, "direct": False, "names": ["i", "j"], "domain": domain, "at": at}
    read |= {"variable": "v", "index": [total(-distance[0], i=1), total(-distance[1], j=1)], "text": "", "place": None}
    tiled: Json = {"prefix": list(leading), "first": last - 1, "last": last, "ordering": [], "registers": False}
    tiled |= {"sizes": [[None, None]], "wavefront": [], "recursive": [], **band}
    lists: Json = {"ranks": None}
    lists |= {
        name: list[object]() for name in ("cells", "lifetimes", "before", "copies", "buffers", "in_place", "kept")
    }
    return {"parameters": [], "context": [case()], "operations": [family], "reads": [read], "bands": [tiled], **lists}


def is_proved(document: Json, sized: bool) -> bool:
    key = {"kind": "S2", "read": 0, "families": {"producer": 0}, "tiled": True, "sized": sized}
    try:
        steps = proof_of(goal_of(*derived(document, key)), 3_000)
    except NotRefuted:
        return False
    check(goal_of(*derived(document, key)), steps)
    return True


FOR_ALL_SIZES: list[tuple[tuple[int, int], tuple[str, ...], bool]] = [
    ((1, 0), SEQUENTIAL, True),
    ((0, 1), SEQUENTIAL, True),
    ((1, 1), SEQUENTIAL, True),
    ((1, -1), SEQUENTIAL, False),
    ((1, 0), PARALLEL, True),
    ((1, 1), PARALLEL, False),
    ((1, 1), ("SEQUENTIAL", VECTOR), True),
    ((1, 1), ("SEQUENTIAL", ORDERING), True),
    ((1, -1), ("SEQUENTIAL", ORDERING), False),  # no statement has it as an ordering dimension of its tiles
]


@pytest.mark.parametrize(("distance", "kinds", "expected"), FOR_ALL_SIZES)
@pytest.mark.parametrize("leading", [(), (3,)])
def test_tiles_of_all_sizes(
    distance: tuple[int, int], kinds: tuple[str, ...], leading: tuple[int, ...], expected: bool
) -> None:
    assert is_proved(inventory(distance, kinds, leading), sized=False) == expected


def test_what_stands_outside_of_tiles() -> None:
    assert is_proved(inventory((1, -1), SEQUENTIAL, (3,), prefix=[4]), sized=False), "the band of another nest"
    assert is_proved(inventory((1, -1), ("SEQUENTIAL", ORDERING), ordering=[1]), sized=False), "inside of each tile"


WAVES = [[True, True]]


FOR_GIVEN_SIZES: list[tuple[tuple[int, int], tuple[str, ...], Json, bool]] = [
    ((1, -1), SEQUENTIAL, {"sizes": [[2, 2]]}, False),
    ((2, -1), SEQUENTIAL, {"sizes": [[2, 2]]}, True),
    ((1, -1), SEQUENTIAL, {"sizes": [[1, 2]]}, True),
    ((1, -1), SEQUENTIAL, {"sizes": [[2, 0]]}, True),
    ((1, -1), SEQUENTIAL, {"sizes": [[0, 2]]}, False),
    ((1, 0), SEQUENTIAL, {"sizes": [[0, 2]]}, True),
    ((1, -1), SEQUENTIAL, {"sizes": [[4, 0], [2, 2]]}, False),
    ((2, -1), SEQUENTIAL, {"sizes": [[2, 0], [1, 2]]}, True),
    ((2, -2), SEQUENTIAL, {"sizes": [[2, 2]], "wavefront": WAVES}, False),
    ((4, -2), SEQUENTIAL, {"sizes": [[2, 2]], "wavefront": WAVES}, True),
    ((4, -2), SEQUENTIAL, {"sizes": [[2, 2]], "wavefront": [[False, True]]}, True),
    ((4, -2), SEQUENTIAL, {"sizes": [[2, 2]], "recursive": [0]}, False),
    ((4, 2), SEQUENTIAL, {"sizes": [[2, 2]], "recursive": [0]}, True),
    ((1, 1), PARALLEL, {"sizes": [[2, 2]]}, False),
    ((2, 1), PARALLEL, {"sizes": [[2, 2]]}, True),
    ((2, 1), PARALLEL, {"sizes": [[2, 2]], "recursive": [0]}, False),
    ((2, 0), PARALLEL, {"sizes": [[2, 2]], "recursive": [0]}, True),
    ((1, 1), ("SEQUENTIAL", VECTOR), {"sizes": [[2, 2]]}, True),
    ((1, -1), SEQUENTIAL, {"sizes": [[1, 2]], "registers": True}, False),
    ((1, 0), SEQUENTIAL, {"sizes": [[1, 2]], "registers": True}, True),
]


@pytest.mark.parametrize(("distance", "kinds", "band", "expected"), FOR_GIVEN_SIZES)
@pytest.mark.parametrize("leading", [(), (3,)])
def test_tiles_of_given_sizes(
    distance: tuple[int, int], kinds: tuple[str, ...], band: Json, leading: tuple[int, ...], expected: bool
) -> None:
    assert is_proved(inventory(distance, kinds, leading, **band), sized=True) == expected


MALFORMED: list[tuple[Json, str]] = [
    ({"sizes": [[2, None]]}, "None is not the expected integer"),
    ({"sizes": [[2, -1]]}, "-1 is not the expected integer"),
    ({"sizes": [[2]]}, "of another length"),
    ({"sizes": [[2, 2]], "wavefront": [[1, 1]]}, "true or false is missing"),
    ({"sizes": [[2, 2]], "recursive": [1]}, "1 is not the expected integer"),
    ({"sizes": [[2, 2]], "ordering": [7]}, "7 is not the expected integer"),
    ({"sizes": [[2, 2]], "last": -1}, "-1 is not the expected integer"),
    ({"sizes": [[2, 2]], "first": True}, "True is not the expected integer"),
    ({"sizes": [[2, 2]], "more": 1}, "its keys are not prefix first"),
]


@pytest.mark.parametrize(("band", "reason"), MALFORMED)
def test_malformed_tiles_are_refused(band: Json, reason: str) -> None:
    with pytest.raises(NotConfirmed, match=reason):
        is_proved(inventory((1, 0), SEQUENTIAL, **band), sized=True)


SIZES_OF_REGISTERS = [([2, 1, 2], False), ([2, 2, 2], True), ([2, 1, 1], True)]


@pytest.mark.parametrize(("sizes", "expected"), SIZES_OF_REGISTERS)
def test_a_merge_in_register_tiles(sizes: list[int], expected: bool) -> None:
    """Of tiles of which each merges, the one with the initialisation is perhaps not the first."""
    kinds = ["SEQUENTIAL", "REDUCTION", "SEQUENTIAL"]
    family: Json = {"name": "d.init", "variable": "d", "moment": "dated", "role": "init", "names": []}
    family |= {"domain": [case()], "target": [], "date": [total()] * 3, "kinds": kinds, "whole": None, "direct": False}
    merge = {**family, "name": "d.body", "role": "merge"}
    read: Json = {"reader": 1, "running": True, "direct": False, "names": [], "domain": [case()], "at": []}
    read |= {"variable": "d", "index": [], "text": "", "place": None}
    band = inventory((0, 0), SEQUENTIAL)["bands"][0] | {"first": 0, "last": 2, "sizes": [sizes], "registers": True}
    value = inventory((0, 0), SEQUENTIAL) | {"operations": [family, merge], "reads": [read], "bands": [band]}
    assert is_proved(value, sized=False) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("date", "size", "kind"), [(-1, 1, merges.PARALLEL), (2, 1, ""), (-1, 1, "")])
def test_merges_in_register_tiles(tmp_path: Path, date: int, size: int, kind: str) -> None:
    (tmp_path / "s.ab").write_text(merges.PROGRAM)
    script = tmp_path / "s.cs"
    script.write_text(merges.MAPPING.format(date=date, size=size, kind=kind))
    assert list(disagreements(record("s.cs", alphaz.verify(alphaz.run(script)).systems[0]))) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("strategy", [mapped_programs, mapped_calls])
def test_random_mappings(strategy: object, seed: int) -> None:
    """`scripts/fuzz-kernel --mappings` tries more."""
    sample = (mapped_programs if strategy is mapped_programs else mapped_calls).sample(Random(seed))
    try:
        report = verify(design_of(sample), [sample.system], Options(exact_tiles=True)).systems[0]
    except Rejected:
        pytest.skip("no right program, or no mapping of it")
    if report.mapping is None:
        pytest.skip("a mapping that is not well formed")
    assert list(disagreements(record("script.cs", report))) == []
