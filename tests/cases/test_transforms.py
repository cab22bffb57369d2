"""Programs before and after each command that rewrites them: a document a command, a section an example.

A section has the program (`alphabets`), the commands on it, which is `prog` (`script`), what is said (`text`: findings
with their witness), and the program afterwards (`after`, in array form). An example without the last is refused.
`pytest --update-golden` writes `text` and `after` anew: read the difference.

Where an output keeps its name and domain, the interpreter must give the same values before and after; `Sizes:` says for
which parameters.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import ashow
from alphaz.codegen.demand.write_c import write_c
from alphaz.diagnostics import Diagnostic, Source
from alphaz.mapping.design import Design
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.model.program import System, Variable
from alphaz.poly.algorithms.bounds import box_of
from alphaz.scripting.commands.catalogue import commands
from alphaz.scripting.commands.declaring.declaration import CommandStatus, Topic
from alphaz.scripting.interpreter.run import run_script
from tests.thinning import thinned

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "transforms"
_SECTION = re.compile(r"^## .*$", re.MULTILINE)
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    command: str
    title: str
    text: str

    @property
    def blocks(self) -> dict[str, str]:
        return dict(_FENCE.findall(self.text))

    @property
    def sizes(self) -> list[dict[str, int]]:
        line = re.search(r"^Sizes: (.*)$", self.text, re.MULTILINE)
        values = line[1].split(";") if line else []
        return [{name: int(value) for name, value in re.findall(r"(\w+)=(-?\d+)", part)} for part in values]


def examples() -> list[Example]:
    results = []
    for path in sorted(FOLDER.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        titles, parts = _SECTION.findall(text), _SECTION.split(text)[1:]
        results += [Example(path.stem, title[3:], part) for title, part in zip(titles, parts, strict=True)]
    return results


EXAMPLES = examples()


def _said(finding: Diagnostic) -> str:
    witness = f"\n  witness: {finding.witness.sentence}" if finding.witness else ""
    return f"{finding.rule.code} {finding.message}{witness}\n"


@pytest.mark.parametrize("example", thinned(EXAMPLES, 4), ids=lambda e: f"{e.command}: {e.title}")
def test_an_example(example: Example, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    blocks = example.blocks
    before = Design(read_program(Source("program.ab", blocks["alphabets"])))
    (tmp_path / "program.ab").write_text(blocks["alphabets"], encoding="utf-8")
    session = run_script(Source("script.cs", 'prog = ReadAlphabets("program.ab");\n' + blocks["script"]), tmp_path)
    after = session.values["prog"]
    results = {"text": "".join(map(_said, session.findings))}
    if not session.has_errors:
        assert isinstance(after, Design)
        results["after"] = ashow(after.program)
    if request.config.getoption("--update-golden"):
        _write(example, results)
        return
    assert results == {"text": "", **{kind: blocks[kind] for kind in ("text", "after") if kind in blocks}}
    if isinstance(after, Design):
        _require_same_meaning(before, after, example.sizes)
        read_program(Source("after.ab", ashow(after.program)))
        for system in after.program.systems:
            write_c(after.checked, system.name)


def _write(example: Example, results: dict[str, str]) -> None:
    path = FOLDER / f"{example.command}.md"
    bare = re.sub(r"\n```(text|after)\n.*?^```\n", "", example.text, flags=re.MULTILINE | re.DOTALL).rstrip("\n")
    blocks = "".join(f"\n\n```{kind}\n{text}```" for kind, text in results.items() if text)
    path.write_text(path.read_text(encoding="utf-8").replace(example.text, f"{bare}{blocks}\n\n"), encoding="utf-8")


def _require_same_meaning(before: Design, after: Design, sizes: list[dict[str, int]]) -> None:
    names = {s.name for s in after.program.systems}
    for system in before.program.systems:
        if system.name not in names or not _is_same(system.inputs, after.system(system.name).inputs):
            continue
        for parameters in sizes:
            if set(parameters) == set(system.parameters):
                _compare(before, after, system, parameters)


def _compare(before: Design, after: Design, system: System, parameters: dict[str, int]) -> None:
    random = np.random.default_rng(7)
    inputs = {
        v.name: random.integers(-9 if v.type.signed else 0, 10, box_of(v.domain, parameters).shape).astype(v.type.numpy)
        for v in system.inputs
    }
    wanted, result = (evaluate(d.program, d.checked.facts, system.name, parameters, inputs) for d in (before, after))
    for mine, theirs in zip(system.outputs, after.system(system.name).outputs, strict=True):
        if _is_same((mine,), (theirs,)):
            np.testing.assert_array_equal(result[theirs.name], wanted[mine.name], err_msg=f"{mine.name}, {parameters}")


def _is_same(mine: tuple[Variable, ...], theirs: tuple[Variable, ...]) -> bool:
    """Returns True if variables have the same names and domains."""
    shapes = [[(v.name, v.domain.space.dimensions) for v in item] for item in (mine, theirs)]
    return shapes[0] == shapes[1] and all(a.domain.equals(b.domain) for a, b in zip(mine, theirs, strict=True))


REWRITING = [
    c.name for c in commands() if c.topic in (Topic.TRANSFORM, Topic.REDUCTIONS) and c.status is CommandStatus.DONE
]


@pytest.mark.parametrize("command", REWRITING)
def test_there_are_three_examples_and_a_refusal(command: str) -> None:
    mine = [e for e in EXAMPLES if e.command == command]
    assert sum("after" in e.blocks for e in mine) >= 3
    assert any("after" not in e.blocks for e in mine)
    assert all(f"{command}(" in e.blocks["script"] for e in mine)
