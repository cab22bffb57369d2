"""The report as one file of HTML: no network, no library, user data only as text.

The content security policy allows the one script and the one style sheet, by their digests, and images embedded in the
file. Data are in a script element of a non-script type, without any character that could end it; the page creates its
elements itself, and sets texts only."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence

from alphaz.diagnostics import ReportEntry
from alphaz.diagnostics.message_words import count_text
from alphaz.figures.report.document import entry_value, sources_value
from alphaz.resources import resource

# The whole file stays below this.
LIMIT = 1_000_000
_ROOM = 40_000
# Instead of a system: findings in the script itself, before there is a mapping.
_WHOLE = "the script"
# The facts about the proof: objects and tools.
Facts = Sequence[tuple[str, str]]


def report_page(
    title: str, entries: Sequence[ReportEntry], texts: Mapping[str, str], facts: Facts, noun: str = "mapping"
) -> str:
    """Returns the page. `texts` are those of the verified files, by name; `facts` lists the versions and options used.
    `noun` names the kind of proved objects.

    Images of the last mappings are left out if the file would be larger than 1 MB, and the largest texts."""
    script, style = resource("pages", "player.js") + resource("pages", "report.js"), resource("pages", "report.css")
    spent = len(script) + len(style) + _ROOM + sum(_size(entry_value(entry, False)) for entry in entries)
    sources = _fitting(sources_value(entries, texts), LIMIT - spent)
    spent += _size(sources)
    values = []
    for entry in entries:
        whole = entry_value(entry)
        spent += _size(whole)
        values.append(whole if spent < LIMIT else entry_value(entry, with_trace=False))
        if spent >= LIMIT:
            spent -= _size(whole)
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
{_summary(title, entries, facts, noun)}
{_MAPPING}
</main>
<script type="application/json" id="data">{_embedded({"mappings": values, "sources": sources})}</script>
<script>{script}</script>
</body>
</html>
"""


def _fitting(sources: Mapping[str, str], room: int) -> dict[str, str]:
    """The smallest texts, as long as they leave half of the room to images."""
    names, spent = set[str](), 0
    for name in sorted(sources, key=lambda name: (len(sources[name]), name)):
        spent += _size({name: sources[name]})
        if spent > room / 2:
            break
        names.add(name)
    return {name: text for name, text in sources.items() if name in names}


def _summary(title: str, entries: Sequence[ReportEntry], facts: Facts, noun: str) -> str:
    """Plain HTML with the verdicts, which is readable without scripts."""
    of_systems = [entry for entry in entries if entry.system]
    proved = sum(entry.is_proved for entry in of_systems)
    rows = "\n".join(_row(position, entry) for position, entry in enumerate(entries))
    known = "\n".join(f"<tr><td>{html.escape(what)}</td><td>{html.escape(value)}</td></tr>" for what, value in facts)
    return f"""<section id="summary">
<h1>{html.escape(title)}</h1>
<p>{proved} of {count_text(len(of_systems), noun)} proved, for all values of the parameters.</p>
<noscript><p>Pictures, findings and obligations need JavaScript; the verdicts stand below.</p></noscript>
<div class="bar hidden" id="tools">
<label for="filter">Show</label><input type="search" id="filter" placeholder="a system, a script, a rule">
<label for="verdicts">with verdict</label>
<select id="verdicts"><option value="">any</option><option>proved</option><option>refuted</option>
<option>undecided</option><option>not well formed</option><option>remarks</option></select>
</div>
<div class="scroll" tabindex="0" role="group" aria-label="verdicts">
<table class="list"><thead><tr><th scope="col">Verdict</th><th scope="col">System</th><th scope="col">Script</th>
<th scope="col">Found</th></tr></thead><tbody id="rows">
{rows}
</tbody></table>
</div>
<h2>How it was proved</h2>
<p>Each obligation is a set of counterexamples, over integers and for all values of the parameters at once; it is proved
when that set is empty. Counterexamples are checked again by plain integers before they are shown.</p>
<table class="list facts"><tbody>
{known}
</tbody></table>
</section>"""


def _row(position: int, entry: ReportEntry) -> str:
    kind = "undecided" if entry.is_assumed else entry.word.split()[0]
    cells = (
        f'<span class="word {kind}">{html.escape(entry.word)}</span>',
        f'<a href="#m={position}" data-mapping="{position}">{_broken(entry.system or _WHOLE)}</a>',
    )
    rest = f'<td class="code">{_broken(entry.file)}</td><td>{html.escape(_error_summary(entry))}</td>'
    return f'<tr data-verdict="{html.escape(entry.word)}">{"".join(f"<td>{cell}</td>" for cell in cells)}{rest}</tr>'


def _error_summary(entry: ReportEntry) -> str:
    """The first error, and the number of further ones."""
    errors = [finding for finding in entry.findings if finding.is_error]
    if not errors and not entry.system:
        return f"{entry.findings[0].rule.code}: {entry.findings[0].message}"
    if not errors:
        return count_text(len(entry.obligations), "obligation")
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    return f"{errors[0].rule.code}: {errors[0].message}{more}"


_MAPPING = """<section id="mapping" class="hidden">
<p><button type="button" id="up">All mappings</button></p>
<h1><span id="name"></span> <span id="word" class="word"></span></h1>
<p id="line" class="soft"></p>
<p id="noplayer" class="soft"></p>
<div id="player">
<p id="drawn" class="soft"></p>
<div class="bar">
<button type="button" id="back" aria-label="one step back">&#9664;</button>
<button type="button" id="on" aria-label="one step on">&#9654;</button>
<button type="button" id="play">Play</button>
<label for="slider">Step</label><input id="slider" type="range" min="0" value="0">
<output id="when" for="slider"></output>
<button type="button" id="jump">To the counterexample</button>
</div>
<p class="keys soft"><kbd>&larr;</kbd> <kbd>&rarr;</kbd> step,
<span id="key"><kbd>w</kbd> counterexample, </span><kbd>p</kbd> play,
<kbd>Esc</kbd> all mappings. The address has the step: send it to show just that.</p>
<div id="says" role="status" aria-live="polite"></div>
<div class="cols">
<div><h2>Operations: the number is the step</h2><div id="operations" class="scroll" tabindex="0" role="group"
aria-label="operations"></div></div>
<div><h2>Memory: what each cell holds, and whether anybody still reads it</h2><div id="memory"></div></div>
</div>
</div>
<h2>Findings</h2><div id="findings"></div>
<h2>Sources</h2><div id="sources" class="sources"></div>
<h2>Obligations</h2>
<div class="scroll" tabindex="0" role="group" aria-label="obligations"><table class="list"><thead><tr>
<th scope="col">Verdict</th><th scope="col">Rule</th><th scope="col">What is to hold</th></tr></thead>
<tbody id="obligations"></tbody></table></div>
</section>"""


def _embedded(value: object) -> str:
    """JSON that cannot be terminated by a text: not by `</script>`, not by `<!--`, not by line separators of
    JavaScript."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "&<>\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode("utf-8", "replace").decode("utf-8")


def _size(value: object) -> int:
    return len(_embedded(value).encode("utf-8"))


def _digest(text: str) -> str:
    """The source expression of a content security policy (CSP level 3, section 2.3.1)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _broken(name: str) -> str:
    """The name with places for line breaks after its parts."""
    return re.sub("([/_])", r"\1<wbr>", html.escape(name))
