"""The leaves of proofs as SMT-LIB: z3 reads them, and none has a rational point."""

import json
from pathlib import Path

import pytest
import z3

from alphaz.kernel.checker import NotConfirmed
from alphaz.proof.refute.leaf_texts import leaves_of, smt_of_leaves, texts_of_leaves
from tests.cli.command_line import ask
from tests.kernel.small_sets import EMPTY
from tests.kernel.test_derive import MCM, texts


def answers(text: str) -> list[str]:
    """The answers of z3 to a script."""
    context = z3.Context()
    output: str = z3.Z3_eval_smtlib2_string(context.ref(), text)
    return output.split()


@pytest.mark.parametrize("name", EMPTY)
def test_the_leaves_of_a_proof_have_no_rational_point(name: str) -> None:
    small_set, steps = EMPTY[name]
    leaves = tuple(leaves_of(small_set.goal, steps))
    assert len(leaves) == sum(step[0] == "sum" for step in steps)
    assert answers(smt_of_leaves(name, leaves)) == ["unsat"] * len(leaves)
    for leaf in leaves:
        fewer = [leaf[:at] + leaf[at + 1 :] for at, (_, factor) in enumerate(leaf) if factor]
        assert answers(smt_of_leaves(name, fewer)) == ["sat"] * len(fewer), "each fact is needed"


def test_a_wrong_sum_has_no_leaf() -> None:
    small_set, steps = EMPTY["factors"]
    ((name, *numbers),) = steps
    with pytest.raises(NotConfirmed, match="no contradiction"):
        list(leaves_of(small_set.goal, [[name, *numbers[2:]]]))


@pytest.mark.slow
def test_all_sets_of_a_sample(tmp_path: Path) -> None:
    certificate, proofs = texts(MCM)
    scripts = dict(texts_of_leaves(certificate.encode(), proofs.encode()))
    document = json.loads(proofs)
    kinds = [place.endswith("-derived") for place in scripts]
    assert (kinds.count(False), kinds.count(True)) == (
        len(document["proofs"]),
        len(json.loads(certificate)["systems"][0]["obligations"]),
    )
    for script in scripts.values():
        assert answers(script) == ["unsat"] * script.count("(check-sat)")
    for name, text in (("c.json", certificate), ("c.proofs.json", proofs)):
        (tmp_path / name).write_text(text)
    answer = ask("recheck", tmp_path / "c.json", "--leaves", tmp_path / "out")
    assert (answer.code, answer.out) == (0, f"wrote the leaves of {len(scripts)} proofs to {tmp_path / 'out'}\n")
    assert {path.read_text() for path in (tmp_path / "out").glob("*.smt2")} == {*scripts.values()}
    (tmp_path / "c.proofs.json").write_text("{}")
    assert ask("recheck", tmp_path / "c.json", "--leaves", tmp_path / "out").code == 2
