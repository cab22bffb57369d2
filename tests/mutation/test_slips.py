"""A few of the slips of `scripts/mutate-generator`: they are put into the generator, and the proofs notice."""

from collections.abc import Mapping

import pytest

from tests.thinning import thinned
from tools.differential.proved_mappings import Proved
from tools.mutation.family import FAMILY
from tools.mutation.mutate_generator import ORDER, REFUSED, SAME, STAGE, apart, lines, mapped, texts
from tools.mutation.slips import Slip, slips

MEMBERS = ("triangle", "triangle, parallel sum")


@pytest.fixture(scope="module")
def family() -> Mapping[str, Proved]:
    return mapped({name: FAMILY[name] for name in MEMBERS})


@pytest.fixture(scope="module")
def before(family: Mapping[str, Proved]) -> Mapping[str, str]:
    return texts(family)


def slip_of(function: str, change: str) -> Slip:
    (results,) = [slip for slip in slips() if slip.function == function and slip.change.startswith(change)]
    return results


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "change", "what"),
    thinned(
        [
            ("_present", "never `not nothing(f'{action.comment}: there is no operation'", STAGE),
            ("ShareOut._shared", "never `isinstance(node, Merge)`", ORDER),
            ("_Generator.file_comment", "never `self.storage.allocated or self.storage.private`", SAME),
        ],
        3,
    ),
)
def test_what_becomes_of_a_slip(
    family: Mapping[str, Proved], before: Mapping[str, str], function: str, change: str, what: str
) -> None:
    assert apart(slip_of(function, change), family, before, {})[0] == what


@pytest.mark.slow
def test_a_generator_that_dies_has_refused(family: Mapping[str, Proved], before: Mapping[str, str]) -> None:
    wrong = slip_of("_Nest.node", "replace operator of `boxes[0].level.position == start`")
    assert apart(wrong, family, before, {})[0] == REFUSED


def test_most_places_are_reached(family: Mapping[str, Proved]) -> None:
    every = slips()
    assert len(every) > 1000
    there = lines(family)
    assert sum((slip.place, slip.line) in there for slip in every) > 200
