"""The models of C texts, printed: `tests/cases/models` has cases for each file of `alphaz.scop`.

A case is named after the file that it is for, and enters it. Its parameters are at least 2."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from alphaz.diagnostics import Rejected, Source
from alphaz.poly import Affine, Domain, Space, at_least
from alphaz.scop import parse, read_kernel, together
from alphaz.scop.arguments import read_arguments
from alphaz.scop.c_model import OtherFile
from tests.scop.model_text import model_text

ROOT = Path(__file__).parents[2]
SCOP = ROOT / "alphaz" / "scop"
DOCUMENTS = sorted((ROOT / "tests" / "cases" / "models").glob("*.md"))


def _cases() -> Iterator[tuple[str, str, str]]:
    """Returns the headings, the texts of C and the models of all cases."""
    for document in DOCUMENTS:
        for part in document.read_text(encoding="utf-8").split("\n## ")[1:]:
            heading, text, model = part.split("\n\n```", maxsplit=2)
            yield heading, _block(text), _block(model)


def _block(fenced: str) -> str:
    _, _, lines = fenced.partition("\n")
    return lines.rstrip().removesuffix("```").rstrip("\n")


CASES = {heading: (text, model) for heading, text, model in _cases()}


def _model(text: str) -> str:
    """Returns the model of the function `f`, or the finding."""
    source = Source("f.c", text)
    try:
        tree = parse(source, text)
        arguments = read_arguments(source, tree, "f", {})
        names = arguments.parameters
        context = Domain.where(Space(names), [at_least(Affine.name(name), 2) for name in names])
        return model_text(
            read_kernel(source, tree, "f", context, dict(zip(names, names, strict=True)), arguments.shapes)
        )
    except Rejected as rejected:
        finding = rejected.diagnostics[0]
        return f"{finding.rule.code} line {finding.primary.span.position[0]}: {finding.message}"


@pytest.mark.parametrize("heading", CASES)
def test_the_model_of_a_text(heading: str) -> None:
    text, expected = CASES[heading]
    files: set[str] = set()

    def follow(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(follow)
    try:
        model = _model(text)
    finally:
        sys.setprofile(before)
    assert model == expected
    assert str(SCOP / f"{heading.partition(':')[0]}.py") in files


def test_each_file_has_a_case_or_tests_of_its_own() -> None:
    """Files that define no function are data."""
    imported = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    named = {heading.partition(":")[0] for heading in CASES}
    lacking = [
        path.stem
        for path in SCOP.glob("*.py")
        if path.stem not in named and f"alphaz.scop.{path.stem} import" not in imported and _has_functions(path)
    ]
    assert lacking == ["translation_units"]


def test_two_files_are_one_text() -> None:
    first = Source("f.c", "void g(double *a);\nvoid f(double A[2]) { g(A + 1); }")
    other = Source("g.c", "void g(double *a) { a[0] = 3; }")
    tree, notes = together((first, parse(first, first.text)), [(other, parse(other, other.text))])
    shapes, context = {"A": (Affine.of((), 2),)}, Domain.universe(Space(()))
    kernel = read_kernel(first, tree, "f", context, {}, shapes, others=[OtherFile(other)])
    assert (model_text(kernel), notes) == ("(0, 0, 0) {} A[1] = 3", ())
    (statement,) = kernel.statements
    assert statement.span.source is other


def _has_functions(path: Path) -> bool:
    return any(isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
