"""The house keeps its own rules; and each rule sees what breaks it."""

import ast

import pytest

from tests.architecture import rules
from tests.architecture.records import wide_records_by_position
from tests.architecture.source_tree import PACKAGE, ROOT, Module, modules

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_the_house_keeps_the_rule(rule: rules.Rule) -> None:
    everything = modules()
    assert everything
    assert [broken for module in everything for broken in rule(module)] == []


def test_the_folders_of_a_room_form_no_circle() -> None:
    assert list(rules.circles_within_rooms(modules())) == []


@pytest.mark.parametrize("room", sorted(rules.HEIGHT))
def test_the_files_of_a_room_form_no_circle(room: str) -> None:
    assert list(rules.circles_of_files(modules(), room)) == []


def test_a_circle_of_files_is_seen() -> None:
    one = _module("alphaz.loops.passes.x", "from alphaz.loops.passes import y")
    two = _module("alphaz.loops.passes.y", "from alphaz.loops.passes.x import X")
    assert list(rules.circles_of_files([one], "loops")) == []
    assert len(list(rules.circles_of_files([one, two], "loops"))) == 1


def test_the_folders_of_generated_code_point_down() -> None:
    assert list(rules.arrows_up_within_rooms(modules())) == []
    up = _module("alphaz.codegen.c.x", "from alphaz.codegen.scheduled.y import z")
    aside = _module("alphaz.codegen.demand.y", "from alphaz.codegen.targets.openmp import OPENMP")
    unknown = _module("alphaz.codegen.cuda.y", "from alphaz.codegen.c.x import y")
    assert len(list(rules.arrows_up_within_rooms([up, aside, unknown]))) == 3


def test_wide_records_are_made_by_keyword() -> None:
    assert list(wide_records_by_position(modules())) == []
    record = _module("alphaz.loops.x", "@dataclass\nclass Wide: ...")
    text = "from alphaz.loops.x import Wide\nWide({})"
    wrong, right, starred = (
        _module("alphaz.codegen.y", text.format(arguments)) for arguments in ("1, 2, 3, 4, 5", "1, 2, 3, 4", "1, *four")
    )
    assert [len(list(wide_records_by_position([record, item]))) for item in (wrong, right, starred)] == [1, 0, 0]


def test_a_name_of_a_class_occurs_once() -> None:
    assert list(rules.classes_called_alike(modules())) == []
    one, two = (_module(f"alphaz.{room}.x", "class Tile: ...") for room in ("loops", "codegen"))
    assert len(list(rules.classes_called_alike([one, two]))) == 1
    assert list(rules.classes_called_alike([one])) == []


def test_a_circle_of_folders_is_seen() -> None:
    one = _module("alphaz.poly.plain.x", "from alphaz.poly.algorithms.y import count")
    two = _module("alphaz.poly.algorithms.y", "from alphaz.poly import chest")
    three = _module("alphaz.poly.chest", "from alphaz.poly.plain.x import Affine")
    assert list(rules.circles_within_rooms([one, two])) == []
    [circle] = rules.circles_within_rooms([one, two, three])
    assert {"alphaz.poly.plain", "alphaz.poly.algorithms", "alphaz.poly.chest"} == set(circle.split(" <- "))


def test_no_verb_imports_another() -> None:
    assert list(rules.verbs_import_verbs(modules())) == []
    show = _module("alphaz.cli.show", "import click\n@click.command('show')\ndef command(): ...")
    draw = _module("alphaz.cli.draw", "def f():\n    return lazy_import('alphaz.cli.show').command")
    assert list(rules.verbs_import_verbs([show, draw])) == ["alphaz/cli/draw.py: imports the verb alphaz.cli.show"]


def _module(name: str, text: str) -> Module:
    path = ROOT / (name.replace(".", "/") + ".py")
    return Module(name, path, ast.parse(text))


@pytest.mark.parametrize(
    ("rule", "name", "text"),
    [
        (rules.unknown_room, "alphaz.helpers.x", ""),
        (rules.imports_point_down, "alphaz.poly.x", "from alphaz.proof import discharge"),
        (rules.imports_point_down, "alphaz.legality.x", "from alphaz.transform.normalise import normalise"),
        (rules.imports_point_down, "alphaz.legality.x", "import alphaz.search.schedule.propose"),
        (rules.imports_point_down, "alphaz.cli.x", "from alphaz import compile"),
        (rules.imports_point_down, "alphaz.cli.x", "import alphaz"),
        (rules.imports_point_down, "alphaz.syntax.x", "from ..model import Program"),
        (rules.imports_point_down, "alphaz.syntax.x", "from .. import model"),
        (rules.imports_point_down, "alphaz.diagnostics.render.x", "from ...syntax.tree import Node"),
        (
            rules.imports_point_down,
            "alphaz.search.x",
            "def f():\n    from alphaz.scripting.interpreter import interpret",
        ),
        (rules.imports_point_down, "alphaz.resources", "from alphaz.diagnostics import Span"),
        (rules.imports_point_down, "alphaz.syntax.x", "from alphaz.poly import Domain"),
        (rules.only_poly_imports_islpy, "alphaz.legality.x", "import islpy as isl"),
        (rules.only_poly_imports_islpy, "alphaz.proof.x", "from islpy import Set"),
        (rules.only_poly_imports_islpy, "alphaz.poly.plain.x", "import islpy as isl"),
        (rules.only_the_parser_of_c_imports_pycparser, "alphaz.scop.x", "from pycparser import c_ast"),
        (rules.only_the_parser_of_c_imports_pycparser, "alphaz.c.printer", "import pycparser.c_lexer"),
        (rules.the_kernel_imports_the_standard_library, "alphaz.kernel.x", "import islpy"),
        (rules.the_kernel_imports_the_standard_library, "alphaz.kernel.x", "from alphaz.lazy import lazy_import"),
        (rules.imports_stand_at_the_top, "alphaz.legality.x", "def f():\n    import json"),
        (rules.nothing_is_called_utils, "alphaz.legality.string_utils", ""),
        (rules.nothing_is_called_utils, "alphaz.legality.x", "def util(): ..."),
        (rules.modules_open_with_what_they_are, "alphaz.legality.x", "LIMIT = 3"),
        (rules.only_some_rooms_start_processes, "alphaz.codegen.x", "import subprocess"),
        (rules.only_some_rooms_start_processes, "alphaz.poly.x", "from ctypes import CDLL"),
        (rules.only_some_rooms_touch_the_disk, "alphaz.codegen.x", "open('x')"),
        (rules.only_some_rooms_touch_the_disk, "alphaz.codegen.x", "Path('x').write_text('')"),
        (rules.only_some_rooms_touch_the_disk, "alphaz.codegen.x", "path.open()"),
        (rules.only_some_rooms_touch_the_disk, "alphaz.scripting.interpreter.x", "import tempfile"),
        (
            rules.messages_name_no_classes,
            "alphaz.scripting.interpreter.x",
            "text = f'this is a {type(value).__name__}'",
        ),
        (rules.messages_name_no_classes, "alphaz.scripting.interpreter.x", "raise Rejected(type(node.body).__name__)"),
        (rules.messages_name_no_classes, "alphaz.scripting.interpreter.x", "text = value.__class__.__name__"),
    ],
)
def test_a_rule_sees_what_breaks_it(rule: rules.Rule, name: str, text: str) -> None:
    assert list(rule(_module(name, text)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("alphaz.legality.x", "from alphaz.order.precedence import precedes"),
        ("alphaz.legality.x", "from .order import precedes"),
        ("alphaz.codegen.x", "from alphaz.legality import Verified"),
        ("alphaz.analysis.x", "from alphaz.syntax.tree import Node\nfrom alphaz.model import Program"),
        ("alphaz.figures.drawing.x", "def f():\n    import matplotlib.pyplot as plot"),
        ("alphaz.poly.x", "import islpy"),
        ("alphaz.kernel.x", "import json\nfrom alphaz.kernel.checker import main"),
        ("alphaz.c.parse", "from pycparser.c_parser import CParser"),
        ("alphaz.run.x", "import ctypes, subprocess, tempfile\nopen('x')"),
        ("alphaz.cli.x", "from alphaz.scripting.interpreter import interpret"),
        ("alphaz.cli.x", "def f(error: Exception):\n    return type(error).__name__"),
        ("alphaz.model.x", "raise TypeError(f'{type(node).__name__} has no children')"),
    ],
)
def test_no_rule_objects_to_what_is_allowed(name: str, text: str) -> None:
    module = _module(name, f'"""What it is."""\n{text}')
    checks = [rule for rule in rules.RULES if rule is not rules.files_are_short]
    assert [broken for rule in checks for broken in rule(module)] == []


def test_the_public_package_may_import_anything() -> None:
    module = Module(
        "alphaz", PACKAGE / "__init__.py", ast.parse("from alphaz.cli.main import main\nimport alphaz.poly")
    )
    assert list(rules.imports_point_down(module)) == []


def test_a_long_file_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    [longest] = sorted(modules(), key=lambda module: len(module.path.read_bytes()))[-1:]
    monkeypatch.setattr(rules, "MAX_LINES", 5)
    assert list(rules.files_are_short(longest))
