"""The action, the hooks and the snippets of docs/ci.md: valid by their schemas, and their commands do what they say."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from alphaz.cli.config import options

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SAMPLE = ROOT / "samples" / "prefix-sum"


def schema(name: str) -> Any:
    """A published schema, as the package check-jsonschema ships it."""
    folder = resources.files("check_jsonschema").joinpath("builtin_schemas", "vendor")
    return json.loads(folder.joinpath(f"{name}.json").read_text(encoding="utf-8"))


def is_valid(name: str, document: object) -> bool:
    kind = jsonschema.validators.validator_for(schema(name))
    return not list(kind(schema(name)).iter_errors(document))


def blocks(heading: str, language: str = "yaml") -> str:
    """The block of that language below a heading of docs/ci.md."""
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    (result,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return str(result)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with one right and one wrong script, and no options."""
    for path in (SAMPLE / "prefix-sum.ab", SAMPLE / "prefix-sum.cs", SAMPLE / "wrong-parallel.cs"):
        shutil.copy(path, tmp_path)
    return tmp_path


def shell(script: str, folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """As the runner of GitHub does it."""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", **variables}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_our_own_workflows_are_valid_and_run_what_there_is(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    # YAML 1.1 reads `on` as a truth value.
    assert is_valid("github-workflows", {"on" if key is True else key: value for key, value in workflow.items()})
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    for script in (word for step in steps for word in step.split() if word.endswith(".sh")):
        assert os.access(ROOT / script, os.X_OK), script


# --- GitHub -----------------------------------------------------------------------------------------------------------


def action() -> Any:
    return yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def run_action(project: Path, **inputs: str) -> "subprocess.CompletedProcess[str]":
    """The step that runs alphaz, its inputs filled in."""
    (step,) = [step for step in action()["runs"]["steps"] if step.get("id") == "alphaz"]
    values = {name: value["default"] for name, value in action()["inputs"].items()} | inputs
    variables = {
        key: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda result: values[result[1]], text)
        for key, text in step["env"].items()
    }
    return shell(step["run"], project, GITHUB_OUTPUT=str(project / "output"), **variables)


def test_the_action_is_valid() -> None:
    assert is_valid("github-actions", action())
    assert not is_valid("github-actions", {**action(), "runs": {"using": "nothing"}})
    for step in action()["runs"]["steps"]:
        assert "${{" not in step["run"], "values reach the shell by its environment, never as text of the script"


@pytest.mark.slow
def test_the_action_annotates_and_leaves_sarif(project: Path) -> None:
    done = run_action(project, targets=".", options="--jobs 1 --timeout 60")
    assert done.returncode == 1, done.stderr
    assert "::error file=wrong-parallel.cs,line=" in done.stdout
    assert "1 of 2 mappings proved" in done.stdout
    assert (project / "output").read_text() == "sarif=alphaz.sarif\n"
    assert json.loads((project / "alphaz.sarif").read_text())["runs"][0]["results"]


@pytest.mark.slow
def test_the_action_gives_patterns_to_alphaz(project: Path) -> None:
    done = run_action(project, targets="prefix-*.cs *-sum.cs")
    assert (done.returncode, done.stdout) == (0, "1 of 1 mapping proved: no findings\n"), done.stderr
    checked = run_action(project, verb="check", targets="*.ab", sarif="check.sarif")
    assert checked.returncode == 0, checked.stderr
    assert (project / "check.sarif").is_file()
    (project / "alphaz.toml").write_text('scripts = ["prefix-sum.cs"]\n')
    assert run_action(project).returncode == 0, "without targets, the options of the project"


def test_the_install_step_is_plain_shell(project: Path) -> None:
    """With a stand-in for Python: that pip installs alphaz is the business of the test of the wheel."""
    (step,) = [step for step in action()["runs"]["steps"] if step.get("id") is None]
    stand_in = project / "python"
    stand_in.write_text(
        '#!/bin/bash\necho "$@" >> "$LOG"\nif [[ $2 == venv ]]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; fi\n'
    )
    stand_in.chmod(0o755)
    home = project / "a b"
    done = shell(
        step["run"],
        project,
        ALPHAZ_HOME=str(home),
        ALPHAZ_PYTHON=str(stand_in),
        ALPHAZ_SOURCE=str(ROOT),
        GITHUB_PATH=str(project / "path"),
        LOG=str(project / "log"),
    )
    assert done.returncode == 0, done.stderr
    assert (project / "path").read_text() == f"{home}/bin\n"
    venv, install = (project / "log").read_text().splitlines()
    assert venv == f"-m venv {home}"
    assert install.startswith("-m pip install ")
    assert install.endswith(str(ROOT))


def test_the_workflow_of_the_document_is_valid() -> None:
    workflow = yaml.safe_load(blocks("GitHub"))
    assert is_valid("github-workflows", {str(key).replace("True", "on"): value for key, value in workflow.items()})
    (step,) = [step for step in workflow["jobs"]["mappings"]["steps"] if "alphaz@" in step["uses"]]
    assert set(step["with"]) <= set(action()["inputs"])
    assert "steps.alphaz.outputs.sarif" in blocks("GitHub")
    assert "sarif" in action()["outputs"]


# --- GitLab -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_gitlab_job(project: Path) -> None:
    job = yaml.safe_load(blocks("GitLab"))
    assert is_valid("gitlab-ci", job)
    install, run = job["mappings"]["script"]
    assert install == 'pip install "alphaz-equations @ git+https://github.com/OWNER/alphaz"'
    (project / "scripts").mkdir()
    for name in ("prefix-sum.ab", "prefix-sum.cs"):
        (project / name).rename(project / "scripts" / name)
    done = shell(run, project)
    assert done.returncode == 0, done.stderr
    artifacts = job["mappings"]["artifacts"]
    for name in (*artifacts["paths"], artifacts["reports"]["junit"]):
        assert (project / name).is_file()


# --- pre-commit -------------------------------------------------------------------------------------------------------


def hooks() -> Any:
    return yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def test_the_hooks_are_valid() -> None:
    done = shell("pre-commit validate-manifest .pre-commit-hooks.yaml", ROOT)
    assert done.returncode == 0, done.stdout
    wanted = yaml.safe_load(blocks("pre-commit"))["repos"][0]["hooks"]
    assert [item["id"] for item in wanted] == [hook["id"] for hook in hooks()]


@pytest.mark.slow
@pytest.mark.long
def test_pre_commit_runs_the_hooks(project: Path) -> None:
    """By pre-commit itself, with the installed alphaz instead of one that it would install from the registry."""
    local = [{**hook, "language": "system"} for hook in hooks()]
    local[-1] |= {"args": ["prefix-sum.ab", "prefix-sum.c"]}
    (project / "prefix-sum.c").write_text(
        "void prefix_sum(long N, const double *x, double *y)\n"
        "{ for (long i = 0; i < N; i++) y[i] = i == 0 ? x[i] : y[i - 1] + x[i]; }\n"
    )
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": local}]}))
    (project / "alphaz.toml").write_text('scripts = ["*.cs"]\n')
    shell("alphaz fmt prefix-sum.ab", project)
    assert shell("git init -q . && git add prefix-sum.ab", project).returncode == 0
    home = {"PRE_COMMIT_HOME": str(project / "home")}
    refused = shell("pre-commit run", project, **home)
    assert refused.returncode == 1
    assert re.search(r"alphaz check\.+Passed", refused.stdout)
    assert re.search(r"alphaz verify\.+Failed", refused.stdout)
    assert re.search(r"alphaz fmt\.+Passed", refused.stdout)
    assert re.search(r"alphaz prove\.+Passed", refused.stdout), refused.stdout
    assert "error[AZ502]" in refused.stdout
    (project / "wrong-parallel.cs").unlink()
    accepted = shell("pre-commit run", project, **home)
    assert accepted.returncode == 0, accepted.stdout


# --- the options ------------------------------------------------------------------------------------------------------


def test_the_options_of_the_document_are_all_there_are(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(blocks("Options of a project", "toml"))
    result = options(tmp_path)
    assert (result.jobs, result.timeout, result.format) == (4, 120, "text")
    assert result.selection.ignore == ("AZ409",)
    for field in set(type(result).__dataclass_fields__) - {"selection"}:
        assert re.search(
            rf"^({field} = |\[tool\.alphaz\.{field}\])", blocks("Options of a project", "toml"), re.MULTILINE
        )
