"""Programs and scripts as people write them: each document of `scripts/` tells its verdict and what it computes.

A document has the program (`alphabets`), the script (`script`), the verdict with every finding (`text`) and, where the
mapping is proved, a reference in Python: `reference(p, v)` as in `references/`, and perhaps `inputs(p, rng)`. The line
`Sizes:` says the values of the parameters, `System:` which of several systems is run. A block that is marked `crlf` is
written with carriage returns.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import alphaz
from alphaz.diagnostics import Rejected
from alphaz.legality.verdicts import DesignVerdict
from tests.cases.corpus import assert_same, expected, random_inputs
from tests.cases.table import Case
from tests.thinning import thinned

FOLDER = Path(__file__).parent / "scripts"
DOCUMENTS = sorted(path.stem for path in FOLDER.glob("*.md"))
_FENCE = re.compile(r"^```(\w+)[ \t]*(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_READ = re.compile(r"""ReadAlphabets\(\s*["']([^"']+)["']""")


@dataclass(frozen=True)
class Document:
    """The blocks of a document by language, and the parameters to run with."""

    blocks: dict[str, str]
    sizes: list[dict[str, int]]
    system: str | None

    @property
    def verdict(self) -> list[str]:
        return self.blocks["text"].strip().splitlines()

    def functions(self) -> dict[str, Callable[..., Any]]:
        names: dict[str, Any] = {"np": np}
        exec(self.blocks["python"], names)  # noqa: S102 - the references are part of the tests
        return names


def document(name: str) -> Document:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    blocks = {
        language: body.replace("\n", "\r\n") if mark == "crlf" else body
        for language, mark, body in _FENCE.findall(text)
    }
    line = re.search(r"^Sizes: (.*)$", text, re.MULTILINE)
    sizes = [dict(_assigned(values)) for values in line[1].split(";")] if line else []
    system = re.search(r"^System: (.*)$", text, re.MULTILINE)
    return Document(blocks, sizes, system[1] if system else None)


def _assigned(values: str) -> list[tuple[str, int]]:
    return [(name, int(value)) for name, value in re.findall(r"(\w+)=(-?\d+)", values)]


def _written(made: Document, folder: Path) -> Path:
    """The script, in a folder with its program."""
    file = _READ.search(made.blocks["script"])
    assert file is not None
    program, script = folder / file[1], folder / "script.cs"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_bytes(made.blocks["alphabets"].encode())
    script.write_bytes(made.blocks["script"].encode())
    return script


def _said(report: DesignVerdict) -> list[str]:
    """A line a system, and a line a finding: its witness, or its sentence where it has none."""
    lines = []
    for system in report.systems:
        lines.append(f"{system.system}: {system.word}")
        lines += [f"{f.rule.code} {f.witness.sentence if f.witness else f.message}" for f in system.findings]
    return lines


def test_there_are_fifty_scripts() -> None:
    assert len(DOCUMENTS) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(DOCUMENTS, 4))
def test_the_verdict_on_a_script_is_the_one_expected(name: str, tmp_path: Path) -> None:
    made = document(name)
    try:
        results = _said(alphaz.verify(alphaz.run(_written(made, tmp_path))))
    except Rejected as refusal:
        results = [f"{diagnostic.rule.code} {diagnostic.message}" for diagnostic in refusal.diagnostics]
    assert results == made.verdict


@pytest.mark.parametrize("name", thinned([name for name in DOCUMENTS if "python" in document(name).blocks], 4))
def test_the_code_computes_what_the_reference_says(name: str, tmp_path: Path) -> None:
    made = document(name)
    kernel = alphaz.compile(alphaz.run(_written(made, tmp_path)), made.system)
    functions = made.functions()
    case = Case("scripts", name, functions["reference"], tuple(made.sizes))
    assert made.sizes
    for seed, parameters in enumerate(made.sizes):
        inputs: dict[str, Any] = random_inputs(case, kernel.system, parameters, seed)
        if "inputs" in functions:
            arguments = functions["inputs"](SimpleNamespace(**parameters), np.random.default_rng(seed))
            inputs |= {argument: np.asarray(arguments[argument], inputs[argument].dtype) for argument in arguments}
        wanted = expected(case, kernel.system, parameters, inputs)
        for threads in (1, 2):
            outputs = kernel.run(parameters, inputs, threads).outputs
            for variable in kernel.system.outputs:
                where = f"for {parameters} with {threads} threads"
                assert_same(variable, outputs[variable.name], wanted[variable.name], where)
