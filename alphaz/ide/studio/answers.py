"""Answers to the requests of the page, as plain values. They are computed in a process that is confined."""

import base64
import io
import platform
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.figures.report.page import report_page
from alphaz.ide.features.completion import signature
from alphaz.ide.features.formatters import formatter_of
from alphaz.ide.features.workspace import Workspace
from alphaz.ide.studio.analysis import StudioState, analyse, entries_of, open_workspace, picture
from alphaz.ide.studio.json_values import PageTexts, Value, message_of, offset_of
from alphaz.ide.studio.markdown import html_of
from alphaz.ide.studio.request import StudioRequest
from alphaz.poly.versions import versions
from alphaz.version import VERSION

# Most completions that the page receives: it filters them itself while the user goes on typing.
_MOST_COMPLETIONS = 400


def answers(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    """Yields the answers to a request, the last one of them with the event `end`; raises what the work raises."""
    yield from _TASKS[request.task](request, judged)
    yield {"event": "end"}


def _workspace(request: StudioRequest, judged: StudioState) -> Workspace:
    """Returns the texts with their analysis, if it was made here, else without proofs."""
    return judged.workspace if judged.files == dict(request.files) else open_workspace(request)


def _is_c(request: StudioRequest) -> bool:
    return not request.file.endswith((".ab", ".cs"))


def _cursor(request: StudioRequest) -> tuple[str, int]:
    return str(Path(request.file).resolve()), offset_of(request.files[request.file], request.offset)


def _hover(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    if _is_c(request):
        return
    workspace = _workspace(request, judged)
    path, offset = _cursor(request)
    text = workspace.hover(path, offset)
    named = workspace.named(path, offset)
    span = None if named is None else PageTexts(request.files).place(named[1])
    yield {"event": "hover", "html": html_of(text) if text else "", "at": span}


def _complete(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    if _is_c(request):
        return
    completions = _workspace(request, judged).completions(*_cursor(request))[:_MOST_COMPLETIONS]
    items = [{"text": item.text, "length": item.length, "about": item.about} for item in completions]
    yield {"event": "completions", "items": items}


def _sign(request: StudioRequest, _: StudioState) -> Iterator[Value]:
    offset = _cursor(request)[1]
    call_forms = signature(request.files[request.file][:offset]) if request.file.endswith(".cs") else None
    if call_forms is not None:
        form, names = call_forms.forms[call_forms.best]
        current = names[call_forms.argument] if call_forms.argument < len(names) else ""
        yield {"event": "signature", "form": form, "current": current, "about": call_forms.about}


def _define(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    if _is_c(request):
        return
    workspace = _workspace(request, judged)
    path, offset = _cursor(request)
    file = workspace.file_at(path, offset)
    if file is not None and Path(file).name in request.files:
        yield {"event": "definition", "at": {"file": Path(file).name, "from": 0, "to": 0}}
        return
    named = workspace.named(path, offset)
    for span in () if named is None else workspace.definitions(named[0]):
        yield {"event": "definition", "at": PageTexts(request.files).place(span)}


def _format(request: StudioRequest, _: StudioState) -> Iterator[Value]:
    format_ = formatter_of(request.file)
    if format_ is None:
        yield {"event": "failed", "reason": "C is not formatted here"}
        return
    try:
        text = format_(Source(request.file, request.files[request.file]))
    except Rejected as rejected:
        yield {"event": "failed", "reason": f"not formatted: {message_of(rejected)}"}
        return
    yield {"event": "formatted", "text": text}


def _picture(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    """The picture alone; the analysis, where it was made by another process, is repeated up to the picture."""
    if not judged.is_of(request):
        for value in analyse(request, judged):
            if value["event"] == "picture":
                yield value
                return
    if judged.systems:
        yield picture(request, judged, request.system if request.system in judged.systems else judged.systems[-1])


def _report(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    list(analyse(request, judged))
    facts = {"alphaz": VERSION, "Python": platform.python_version(), **versions()}
    entries = entries_of(request, judged)
    if not entries:
        yield {"event": "failed", "reason": "a report is about a mapping or C, and a program has none"}
        return
    title, noun = f"alphaz studio: {request.file}", "mapping" if judged.c is None else "text"
    page = report_page(title, entries, dict(request.files), [*facts.items()], noun)
    yield {"event": "report", "name": f"{Path(request.file).stem}.html", "text": page}


def _folder(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    """The texts, the generated code and the figure as an archive."""
    files: dict[str, str] = dict(request.files)
    for value in analyse(request, judged):
        match value:
            case {"event": "code", "files": dict(code)}:
                files |= {f"generated/{name}": text for name, text in code.items()}
            case {"event": "picture", "svg": str(svg), "kind": str(kind)}:
                files[f"figures/{Path(request.file).stem}-{kind}.svg"] = svg
    stem = Path(request.file).stem
    files["README.txt"] = _readme(request)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for name, text in files.items():
            # Without the time of day: the same texts are the same archive.
            entry = zipfile.ZipInfo(f"{stem}/{name}")
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            packed.writestr(entry, text)
    yield {"event": "archive", "name": f"{stem}.zip", "base64": base64.b64encode(archive.getvalue()).decode()}


def _readme(request: StudioRequest) -> str:
    verbs: Mapping[str, str] = {".ab": "check", ".cs": "verify"}
    lines = [f"alphaz {verbs[Path(name).suffix]} {name}" for name in request.files if Path(name).suffix in verbs]
    return "Exported from alphaz studio. In this folder:\n\n" + "".join(f"    {line}\n" for line in lines)


_TASKS: Mapping[str, Callable[[StudioRequest, StudioState], Iterator[Value]]] = {
    "analyse": analyse,
    "hover": _hover,
    "complete": _complete,
    "signature": _sign,
    "define": _define,
    "format": _format,
    "picture": _picture,
    "report": _report,
    "folder": _folder,
}


def failure(error: Exception) -> Value:
    """Returns the answer to a request that could not be answered."""
    if isinstance(error, Rejected):
        first: Diagnostic = error.diagnostics[0]
        return {"event": "failed", "reason": f"{first.rule.code}: {first.message}"}
    return {"event": "failed", "reason": f"an internal error, not a verdict: {type(error).__name__}: {error}"}
