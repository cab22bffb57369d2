"""Findings of open texts without an editor."""

import pytest

from alphaz.ide.features.workspace import Workspace


@pytest.mark.parametrize(("name", "help_"), [("k.m", "alphaz matrix"), ("k.c", "alphaz prove"), ("k.alpha", "check")])
def test_files_of_other_kinds_are_not_read_as_scripts(name: str, help_: str) -> None:
    workspace = Workspace()
    workspace.put(f"/folder/{name}", "C = A*B")
    [finding] = workspace.check(f"/folder/{name}")
    assert finding.rule.code == "AZ405"
    assert finding.message == f"{name} is no program (.ab) and no command script (.cs)"
    assert help_ in str(finding.help)
    assert workspace.scripts == []
    workspace.put("untitled", "x = ;")
    assert [item.rule.code for item in workspace.check("untitled")] == ["AZ101"]
