"""The kernel in C gives the answers of the kernel in Python: on small proofs, and on changed ones."""

import subprocess
from pathlib import Path
from random import Random
from shutil import which
from typing import Any

import pytest

from alphaz.kernel import checker
from alphaz.kernel.checker import outcomes
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.kernel.random_sets import mutated, narrowed, random_set
from tests.kernel.small_sets import EMPTY, SmallSet, certificate, proofs
from tests.kernel.test_checker import MALFORMED, TREES

pytestmark = pytest.mark.slow

SOURCE = Path(checker.__file__).with_name("kernel.c")
FLAGS = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = which("cc")
    if compiler is None:
        pytest.skip("there is no compiler")
    binary = tmp_path_factory.mktemp("kernel") / "kernel"
    subprocess.run([compiler, *FLAGS, "-o", str(binary), str(SOURCE)], check=True)
    return binary


def asked(kernel: Path, folder: Path, sets: list[SmallSet], steps: list[Any]) -> tuple[set[str], set[str]]:
    """The places that the kernel in Python confirms, and those that the kernel in C does."""
    content = certificate(**{f"s{number}": given for number, given in enumerate(sets)})
    document = proofs(content, *steps)
    names = [folder / "c.json", folder / "c.proofs.json"]
    for path, text in zip(names, (content, document), strict=True):
        path.write_bytes(text)
    found = dict(outcomes(content, document))
    command = [str(kernel), *map(str, names)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout.splitlines()
    refused = {line.split(":")[0] for line in lines[:-1]}
    confirmed = {place for place, reason in found.items() if not reason}
    assert lines[-1] == f"kernel: {len(found) - len(refused)} of {len(found)} sets are empty", lines
    return confirmed, {*found} - refused


def test_small_proofs(kernel: Path, tmp_path: Path) -> None:
    sets, steps = [given for given, _ in EMPTY.values()], [proof for _, proof in EMPTY.values()]
    one, other = asked(kernel, tmp_path, sets, steps)
    assert one == other
    assert len(one) == len(EMPTY)


def test_changed_proofs_and_malformed_sets(kernel: Path, tmp_path: Path) -> None:
    # A float is no JSON of the document for both: such a change is one of a whole document.
    changed = [(EMPTY[name][0], change(EMPTY[name][1])) for name, change, _ in TREES]
    changed = [(given, steps) for given, steps in changed if "." not in str(steps)]
    changed += [(given, [["instance", 0, [[[], 0]]]]) for _, given, _ in MALFORMED]
    assert asked(kernel, tmp_path, *map(list, zip(*changed, strict=True))) == (set(), set())


def test_random_proofs(kernel: Path, tmp_path: Path) -> None:
    random, sets, steps = Random(3), list[SmallSet](), list[Any]()
    while len(sets) < 200:
        empty = narrowed(random, random_set(random))
        try:
            proof = proof_of(empty.goal)
        except NotRefuted:
            continue
        tried = [proof, *(mutated(random, proof) for _ in range(19))]
        steps += [each for each in tried if "." not in str(each)]
        sets += [empty] * (len(steps) - len(sets))
    one, other = asked(kernel, tmp_path, sets, steps)
    assert one == other
    assert 10 <= len(one) < len(sets)
