"""The kernel in C gives the answers of the kernel in Python: on small proofs, and on changed ones."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from alphaz.kernel.checker import outcomes
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.kernel.kernel_in_c import compiled, refused
from tests.kernel.random_sets import mutated, narrowed, random_set
from tests.kernel.small_sets import EMPTY, SmallSet, certificate, proofs
from tests.kernel.test_checker import MALFORMED, NESTED_CONTENT, NESTED_STEPS, TREES, WRONG_NUMBERS, changed

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("kernel")) or pytest.skip("there is no compiler")


def asked(kernel: Path, folder: Path, sets: list[SmallSet], steps: list[Any]) -> tuple[set[str], set[str]]:
    """The places that the kernel in Python confirms, and those that the kernel in C does."""
    content = certificate(**{f"s{number}": item for number, item in enumerate(sets)})
    document = proofs(content, *steps)
    results = dict(outcomes(content, document))
    not_confirmed, last = refused(kernel, folder, content, document)
    confirmed = {place for place, reason in results.items() if not reason}
    assert last == f"kernel: {len(results) - len(not_confirmed)} of {len(results)} sets are empty"
    return confirmed, {*results} - not_confirmed


def test_small_proofs(kernel: Path, tmp_path: Path) -> None:
    sets, steps = [value for value, _ in EMPTY.values()], [proof for _, proof in EMPTY.values()]
    one, other = asked(kernel, tmp_path, sets, steps)
    assert one == other
    assert len(one) == len(EMPTY)


def test_changed_proofs_and_malformed_sets(kernel: Path, tmp_path: Path) -> None:
    # A float is no JSON of the document for both: such a change is one of a whole document.
    tried = [(EMPTY[name][0], change(EMPTY[name][1])) for name, change, _ in TREES]
    tried = [(item, steps) for item, steps in tried if "." not in str(steps)]
    tried += [(item, [["instance", 0, [[[], 0]]]]) for _, item, _ in MALFORMED]
    assert asked(kernel, tmp_path, *map(list, zip(*tried, strict=True))) == (set(), set())


def test_changed_numbers_of_parts(kernel: Path, tmp_path: Path) -> None:
    contents = [NESTED_CONTENT, *(changed(NESTED_CONTENT, change) for change, _ in WRONG_NUMBERS)]
    answers = [refused(kernel, tmp_path, content, proofs(content, NESTED_STEPS))[1] for content in contents]
    assert answers[0] == "kernel: 1 of 1 sets are empty"
    assert all(answer.startswith(("kernel: 0 of 1", "nothing is confirmed")) for answer in answers[1:])


def test_random_proofs(kernel: Path, tmp_path: Path) -> None:
    random, sets, steps = Random(3), list[SmallSet](), list[Any]()
    while len(sets) < 200:
        empty = narrowed(random, random_set(random))
        try:
            proof = proof_of(empty.goal)
        except NotRefuted:
            continue
        tried = [proof, *(mutated(random, proof) for _ in range(19))]
        steps += [item for item in tried if "." not in str(item)]
        sets += [empty] * (len(steps) - len(sets))
    one, other = asked(kernel, tmp_path, sets, steps)
    assert one == other
    assert 10 <= len(one) < len(sets)
