"""The cases of `prove/*.md`: C, the equations it shall compute, and what `alphaz prove` says of the two.

A case is a heading of the second level, the C, and what is expected. Equations stand in the first case that they are
for, and hold until there are others. The first line of what is expected is the verdict, with the rule of the first
finding, and pieces of what the findings say: `undecided AZ832 | a piece | another piece`. What is refuted is executed.
Lines below the verdict:

- `executed`: it is executed as well;
- `launch kernel ; grid ; block`: the launch of a kernel without host code, as `alphaz prove` takes it;
- `laws ..`: the laws of arithmetic that are granted;
- `assumes ..`: what is taken for granted, a line for each, or `assumes nothing`;
- `equations proved`: the equations that `alphaz from-c` makes of it are proved of it;
- `long`: other cases show the same in less time; `scripts/test` leaves it out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.equations_from_c import ImportedOrder, from_c
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask, StatedLaunch

FOLDER = Path(__file__).parent / "prove"
DOCUMENTS = sorted(FOLDER.glob("*.md"))
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Proof:
    """A case: `expected` has the lines of what is expected."""

    name: str
    equations: str
    text: str
    expected: tuple[str, ...]

    @property
    def is_long(self) -> bool:
        return "long" in self.expected[1:]

    @property
    def task(self) -> ProofTask:
        stated = [line.removeprefix("launch ").split(" ; ") for line in self.expected if line.startswith("launch ")]
        laws = [name for line in self.expected if line.startswith("laws ") for name in line.split()[1:]]
        launch = StatedLaunch(*stated[0]) if stated else None
        return ProofTask(launch=launch, laws=Laws(frozenset(laws)))


def proofs_of(document: str) -> Iterator[Proof]:
    """The cases of a document, in their order."""
    equations = ""
    for part in re.split(r"^(?=## )", document, flags=re.MULTILINE):
        blocks = dict(_FENCE.findall(part))
        equations = blocks.get("alphabets", equations)
        if part.startswith("## "):
            name = part.splitlines()[0].removeprefix("## ")
            yield Proof(name, equations, blocks.get("cuda") or blocks["c"], tuple(blocks["expect"].splitlines()))


def failure(proof: Proof) -> str:
    """Returns the first difference from the expectations of the case; "" if there is none."""
    wanted, *more = proof.expected
    verdict, *pieces = wanted.split(" | ")
    kind, _, rule = verdict.partition(" ")
    answer = verdict_of(proof, executes=kind == "refuted" or "executed" in more)
    messages = [finding.message for finding in answer.findings]
    rules = [finding.rule.code for finding in answer.findings[:1]] if rule else []
    assumed = [line.removeprefix("assumes ") for line in more if line.startswith("assumes ")]
    if answer.verdict != kind or rules != ([rule] if rule else []):
        return f"{verdict} is expected, and it is {answer.verdict} {' '.join(rules)}: {messages}"
    if lost := [piece for piece in pieces if not any(piece in message for message in messages)]:
        return f"the findings do not say {lost}: {messages}"
    if assumed and assumed != (list(answer.assumed) or ["nothing"]):
        return f"other things are assumed: {answer.assumed}"
    alone = ImportedOrder(executes=False)
    if "equations proved" in more and not from_c(Source("s.c", proof.text), alone).is_proved:
        return "the equations that are made of it are not proved"
    return ""


def verdict_of(proof: Proof, *, executes: bool = False) -> CVerdict:
    """Returns the verdict about the C of a case."""
    return prove_c(_program(proof.equations), Source("s.c", proof.text), replace(proof.task, executes=executes))


def proof_of(document: str, name: str) -> Proof:
    """A case by its name."""
    text = (FOLDER / f"{document}.md").read_text(encoding="utf-8")
    (results,) = [proof for proof in proofs_of(text) if proof.name == name]
    return results


@cache
def _program(equations: str) -> Checked:
    return read_program(Source("s.ab", equations))
