"""Measures the language server: how soon findings come after an edit, and whether fixes are proved."""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any

from tests.architecture.source_tree import ROOT
from tests.ide.lsp.client import SERVER, Editor, greet, leave
from tools.command_line import parser

SAMPLES = ROOT / "samples"
LIMIT = 0.25
EDITS = 5


async def edited(editor: Editor, name: str) -> list[float]:
    """Seconds from each edit of an open file to the first findings of that text."""
    text, taken = editor.texts[name], []
    comment = "//" if name.endswith(".ab") else "#"
    for number in range(EDITS):
        await asyncio.sleep(0.2)
        start = time.perf_counter()
        editor.change(name, f"{text}\n{comment} {number}\n")
        await editor.judged(name)
        taken.append(time.perf_counter() - start)
    editor.change(name, text)
    await editor.judged(name)
    return taken


async def offered(editor: Editor, name: str) -> dict[str, bool]:
    """The fixes of an open script for which they have been searched, and whether the script with each is proved."""
    result, text = {}, editor.texts[name]
    for finding in editor.found[name].diagnostics:
        for action in await editor.actions(name, finding):
            editor.change(name, editor.applied(action.edit)[name])
            result[action.title] = not await editor.judged(name)
            editor.change(name, text)
            await editor.judged(name)
    return result


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


async def _measured(paths: Sequence[Path]) -> int:
    taken, wrong = list[float](), list[str]()
    client: Any = await SERVER.start()
    await greet(client)
    for path in paths:
        editor = Editor(client, path.parent)
        if path.name.startswith("wrong"):
            await editor.open_refuted(path.name)
            fixes = await offered(editor, path.name)
            wrong += [f"{path.name}: {title}" for title, proved in fixes.items() if not proved]
            _say(*(f"{path.name}: {title}: {'proved' if proved else 'not proved'}" for title, proved in fixes.items()))
        else:
            editor.open(path.name)
            await editor.judged(path.name)
        result = await edited(editor, path.name)
        _say(f"{max(result) * 1000:7.0f} ms  {path.relative_to(ROOT)}")
        taken.extend(result)
        await editor.close_all()
    await leave(client)
    tenths = quantiles(taken, n=10)
    _say(f"{len(taken)} edits of {len(paths)} files: median {tenths[4] * 1000:.0f} ms, p90 {tenths[8] * 1000:.0f} ms")
    _say(*wrong)
    return 1 if wrong or tenths[8] > LIMIT else 0


def main(arguments: Sequence[str]) -> int:
    command = parser(
        "python -m tools.measure_server",
        "Opens samples in the language server, edits each five times, and prints how soon findings come. Ends with\n"
        "1 if the 90th percentile is over 250 ms or a fix is not proved. Run it on a machine that does nothing else.",
        "python -m tools.measure_server matrix-chain lu",
    )
    command.add_argument("words", nargs="*", metavar="WORD", help="only samples whose path has one of the words")
    words = command.parse_args(arguments).words or [""]
    every = sorted([*SAMPLES.glob("*/*.ab"), *SAMPLES.glob("*/*.cs"), *SAMPLES.glob("kernels/*/*.cs")])
    return asyncio.run(_measured([path for path in every if any(word in str(path) for word in words)]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
