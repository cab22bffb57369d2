"""`setTiling(.., 0)` where nothing else is tiled: dimension 0, or all, is asked (AZ415)."""

import re
from pathlib import Path

import pytest

import alphaz
from alphaz.diagnostics import Diagnostic

PROGRAM = """
affine table {N | N>0}
output int X {i,j | 0<=(i,j)<N};
let X[i,j] = [i] * [j];
.
"""
MAPS = 'prog = ReadAlphabets("table.ab");\nsystem = "table";\nsetSpaceTimeMap(prog, system, "X", "(i,j -> i,j)");\n'


def findings(lines: str, folder: Path, maps: str = MAPS) -> list[Diagnostic]:
    (folder / "table.ab").write_text(PROGRAM, encoding="utf-8")
    return list(alphaz.verify(alphaz.run(folder / "table.cs", text=maps + lines)).findings)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", ["0", '"0"'])
@pytest.mark.parametrize("order", ["", "omp", "recursive"])
def test_which_is_meant_is_asked(dimension: str, order: str, tmp_path: Path) -> None:
    more = f'\nsetTilingType(prog, system, "{order}");' if order else ""
    (finding,) = findings(f"setTiling(prog, system, {dimension});{more}", tmp_path)
    assert finding.rule.code == "AZ415"
    assert finding.primary.span.text == f"setTiling(prog, system, {dimension})"
    every, first = finding.fixes
    assert every.script == f'setTiling(prog, system, "{order or "sequential"}");'
    assert every.python == f'design = design.set_tiling(system, order="{order or "sequential"}")'
    assert first.script == 'setBandForTiling(prog, system, "outer", 0, 0);'
    assert all(fix.script in (finding.help or "") and not fix.is_tried for fix in finding.fixes)


@pytest.mark.parametrize("number", [0, 1])
def test_both_answers_are_taken(number: int, tmp_path: Path) -> None:
    line = "setTiling(prog, system, 0);"
    (finding,) = findings(line, tmp_path)
    ((edit,),) = (finding.fixes[number].edits,)
    text = edit.span.source.text
    mended = text[: edit.span.start] + edit.text + text[edit.span.end :]
    design = alphaz.run(tmp_path / "table.cs", text=mended)
    assert alphaz.verify(design).is_proved
    (band,) = design.mapping("table").tiling
    assert (band.start, band.end, set(band.sizes[0])) == (0, 1 - number, {None})


@pytest.mark.parametrize(
    "lines",
    [
        "setTiling(prog, system, 0, 8);",
        "setTiling(prog, system, 1);",
        "setTiling(prog, system, 0); setTiling(prog, system, 1);",
        "setTiling(prog, system, 0); setTiling(prog, system, 1, 8);",
        'setTiling(prog, system, "sequential");',
        'setBandForTiling(prog, system, "b", 0, 0);',
        'setDefaultDTilerConfiguration(prog, system, 0, 0, "sequential");',
        "setTiling(prog, system, 0); setTiling(prog, system, 0, 4);",
    ],
)
def test_nothing_is_asked_where_it_is_clear(lines: str, tmp_path: Path) -> None:
    assert findings(lines, tmp_path) == []


def test_nothing_is_asked_where_the_other_dimensions_only_order(tmp_path: Path) -> None:
    maps = re.sub(r"i,j -> i,j", "i,j -> i,0,j", MAPS)
    assert [finding.rule.code for finding in findings("setTiling(prog, system, 0);", tmp_path, maps)] == ["AZ415"]
    one = MAPS.replace("(i,j -> i,j)", "(i,j -> i+j,0)")
    kinds = "setOrderingDimensions(prog, system, 1);\nsetTiling(prog, system, 0);"
    assert "AZ415" not in [finding.rule.code for finding in findings(kinds, tmp_path, one)]


def test_a_call_from_python_is_asked_too(tmp_path: Path) -> None:
    (tmp_path / "table.ab").write_text(PROGRAM, encoding="utf-8")
    design = alphaz.read(tmp_path / "table.ab").set_space_time_map("table", "X", "(i,j -> i,j)").set_tiling("table", 0)
    (finding,) = alphaz.verify(design).findings
    assert (finding.rule.code, finding.fixes) == ("AZ415", ())
    assert 'setTiling(.., "sequential")' in (finding.help or "")
