"""A few of the slips of `scripts/mutate-generator`: they are put into the generator, and the proofs notice."""

from collections.abc import Mapping

import pytest

from tests.equivalence.generator_family import FAMILY
from tests.equivalence.generator_mutants import Slip, slips
from tests.equivalence.mutate_generator import ORDER, REFUSED, SAME, STAGE, apart, lines, mapped, texts
from tools.differential.proved_mappings import Proved

MEMBERS = ("triangle", "triangle, parallel sum")


@pytest.fixture(scope="module")
def family() -> Mapping[str, Proved]:
    return mapped({name: FAMILY[name] for name in MEMBERS})


@pytest.fixture(scope="module")
def before(family: Mapping[str, Proved]) -> Mapping[str, str]:
    return texts(family)


def slip(function: str, said: str) -> Slip:
    (found,) = [each for each in slips() if each.function == function and each.said.startswith(said)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "said", "what"),
    [
        ("_present", "`if not nothing(f'{action.comment}: there is no operation'", STAGE),
        ("Parallelise._shared", "`if isinstance(node, Merge)` never", ORDER),
        ("_Generator.file_comment", "`if self.storage.allocated` never", SAME),
    ],
)
def test_what_becomes_of_a_slip(
    family: Mapping[str, Proved], before: Mapping[str, str], function: str, said: str, what: str
) -> None:
    assert apart(slip(function, said), family, before, {})[0] == what


@pytest.mark.slow
def test_a_generator_that_dies_has_refused(family: Mapping[str, Proved], before: Mapping[str, str]) -> None:
    wrong = slip("_Nest.node", "`boxes[0].level.position == start` with NotEq")
    assert apart(wrong, family, before, {})[0] == REFUSED


def test_most_places_are_reached(family: Mapping[str, Proved]) -> None:
    every = slips()
    assert len(every) > 1000
    there = lines(family)
    assert sum((each.place, each.line) in there for each in every) > 200
