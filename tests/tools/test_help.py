"""The help of each tool: the command as it is typed, what it does, and an example."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = sorted(
    ".".join(path.relative_to(ROOT / "tools").with_suffix("").parts)
    for path in (ROOT / "tools").rglob("*.py")
    if '"__main__"' in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", TOOLS)
def test_it_names_the_command_and_gives_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        importlib.import_module(f"tools.{name}").main(["--help"])
    usage, _, rest = capsys.readouterr().out.removeprefix("usage: ").partition(" [-h]")
    assert usage == f"python -m tools.{name}" or (ROOT / usage).is_file()
    assert f"example:\n  {usage}" in rest


def test_each_script_of_a_tool_runs_one() -> None:
    scripts = [path for path in (ROOT / "scripts").iterdir() if '/run-tool"' in path.read_text(encoding="utf-8")]
    named = {path.name: path.read_text(encoding="utf-8").split('/run-tool" ')[1].split()[0] for path in scripts}
    assert named
    assert all(name in TOOLS for name in named.values())
    assert all(name.rpartition(".")[2] == script.replace("-", "_") for script, name in named.items())
