"""`python -m tests.server.measure [WORD...]`: how soon findings come after an edit, and whether fixes are proved.

Every sample whose path has one of the words is opened, and edited five times. Ends with 1 where the 90th percentile is
over 250 ms, or a fix that is offered is not proved. The machine is to have nothing else to do.
"""

import asyncio
import sys
import time
from pathlib import Path
from statistics import quantiles

from lsprotocol import types as lsp

from tests.architecture.source_tree import ROOT
from tests.server.talking import Editor, Talking

SAMPLES = ROOT / "samples"
LIMIT = 0.25
EDITS = 5


async def edited(editor: Editor, name: str) -> list[float]:
    """Seconds from each edit to the first findings of that text."""
    text, taken = editor.texts[name], []
    comment = "//" if name.endswith(".ab") else "#"
    for number in range(EDITS):
        await asyncio.sleep(0.2)
        start = time.perf_counter()
        editor.change(name, f"{text}\n{comment} {number}\n")
        await editor.until(lambda: editor.codes(name) != ["?"])
        taken.append(time.perf_counter() - start)
    editor.change(name, text)
    await editor.until(lambda: editor.codes(name) != ["?"])
    return taken


async def offered(editor: Editor, name: str) -> list[str]:
    """What is wrong with the fixes of a refuted script."""
    errors = [each for each in editor.found[name].diagnostics if each.severity == lsp.DiagnosticSeverity.Error]
    await asyncio.sleep(5 if errors else 0)
    wrong, text = [], editor.texts[name]
    for finding in [each for each in editor.found[name].diagnostics if each in errors or "(tried)" in each.message]:
        document = lsp.TextDocumentIdentifier(editor.uri(name))
        params = lsp.CodeActionParams(document, finding.range, lsp.CodeActionContext([finding]))
        for action in await editor.client.text_document_code_action_async(params):
            editor.change(name, editor.applied(action.edit)[name])
            await editor.until(lambda: editor.codes(name) != ["?"])
            left = [d for d in editor.found[name].diagnostics if d.severity == lsp.DiagnosticSeverity.Error]
            _say(f"{name}: {action.title}: {'not proved' if left else 'proved'}")
            wrong += [f"{name}: {action.title}"] if left else []
            editor.change(name, text)
            await editor.until(lambda: editor.codes(name) != ["?"])
    return wrong


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


def main() -> int:
    talking, taken, wrong = Talking(), list[float](), list[str]()
    every = sorted([*SAMPLES.glob("*/*.ab"), *SAMPLES.glob("*/*.cs"), *SAMPLES.glob("kernels/*/*.cs")])
    paths = [path for path in every if not sys.argv[1:] or any(word in str(path) for word in sys.argv[1:])]

    async def talk(editor: Editor) -> None:
        editor.open(path.name)
        await editor.until(lambda: editor.codes(path.name) != ["?"])
        found = await edited(editor, path.name)
        _say(f"{max(found) * 1000:7.0f} ms  {path.relative_to(ROOT)}")
        taken.extend(found)
        if path.name.startswith("wrong"):
            wrong.extend(await offered(editor, path.name))

    for path in paths:
        talking(Path(path.parent), talk)
    talking.end()
    tenths = quantiles(taken, n=10)
    _say(f"{len(taken)} edits of {len(paths)} files: median {tenths[4] * 1000:.0f} ms, p90 {tenths[8] * 1000:.0f} ms")
    _say(*wrong)
    return 1 if wrong or tenths[8] > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
