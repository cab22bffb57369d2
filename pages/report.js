// Everything here is made with createElement and textContent: no text of the user is ever markup. It follows player.js.
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
let mapping = -1;
let step = 0;
let timer = null;

// --- the page of a mapping ----------------------------------------------------------------------------------------

function showStep() {
  const one = DATA.mappings[mapping], trace = one.trace;
  if (!trace) return;
  $("slider").max = trace.steps;
  step = Math.max(0, Math.min(step, trace.steps));
  $("slider").value = step;
  const told = toldStep(trace, step);
  $("when").textContent = told.when;
  $("slider").setAttribute("aria-valuetext", told.when);
  showOperations($("operations"), trace, step, (at) => go(mapping, at));
  showMemory($("memory"), trace, step);
  sayStep($("says"), told);
  history.replaceState(null, "", `#m=${mapping}&s=${step}`);
}

function findingBox(finding) {
  const box = html("article", { class: "finding" }, html("h3", {}, html("span", { class: finding.severity === "error" ? "bad" : "soft" }, `${finding.code} ${finding.name}: `), finding.message));
  box.append(html("p", { class: "soft" }, finding.where));
  if (finding.witness) box.append(html("p", {}, "Smallest counterexample: " + finding.witness + "."));
  if (finding.figure) box.append(html("img", { src: finding.figure, alt: finding.described }));
  for (const note of finding.notes) box.append(html("pre", { tabindex: "0" }, note));
  for (const fix of finding.fixes) {
    const button = html("button", { type: "button" }, "Copy");
    button.addEventListener("click", () => copy(button, fix.script));
    box.append(html("p", {}, fix.text + (fix.tried ? " would be legal (tried):" : ":")), html("div", { class: "fix" }, html("pre", { tabindex: "0" }, fix.script), button));
  }
  if (!finding.fixes.length && finding.help) box.append(html("p", {}, "Help: " + finding.help));
  return box;
}

function copy(button, text) {
  const done = () => { button.textContent = "Copied"; };
  if (navigator.clipboard && window.isSecureContext) { navigator.clipboard.writeText(text).then(done, () => select(button)); return; }
  select(button);
}

function select(button) {
  const range = document.createRange();
  range.selectNodeContents(button.previousElementSibling);
  const chosen = getSelection();
  chosen.removeAllRanges();
  chosen.addRange(range);
  button.textContent = "Selected: press Ctrl-C";
}

function sourceBox(name, findings) {
  const marks = findings.flatMap((finding) => finding.labels.map((label, at) => ({ ...label, first: at === 0 && finding.severity === "error" }))).filter((label) => label.file === name);
  const list = html("ol", { class: "source", tabindex: "0", "aria-label": name });
  DATA.sources[name].replace(/\n$/, "").split("\n").forEach((line, at) => {
    const here = marks.filter((mark) => mark.line === at + 1 && mark.endLine === at + 1).sort((a, b) => b.first - a.first)[0];
    const item = html("li", {});
    if (here) {
      const points = [...line];
      item.append(points.slice(0, here.column - 1).join(""), html("mark", here.first ? { class: "first" } : {}, points.slice(here.column - 1, here.endColumn - 1).join("")), points.slice(here.endColumn - 1).join(""));
      const texts = [...new Set(marks.filter((mark) => mark.line === at + 1 && mark.text).map((mark) => mark.text))];
      if (texts.length) item.append(html("em", {}, "  " + texts.join("; ")));
    } else item.append(line || " ");
    list.append(item);
  });
  return html("section", {}, html("h3", { class: "code" }, name), list);
}

function showMapping() {
  const one = DATA.mappings[mapping];
  prepare(one.trace);
  $("name").replaceChildren(...broken(one.system ? `${one.system}, ${one.script}` : one.script));
  $("word").textContent = one.word;
  $("word").className = "word " + one.word.split(" ")[0];
  $("line").textContent = one.line;
  $("player").classList.toggle("hidden", !one.trace);
  $("noplayer").textContent = one.trace ? "" : `No pictures: ${one.untraced}.`;
  if (one.trace) {
    $("drawn").textContent = `Shown for ${one.trace.size} (${one.trace.why}). The verdict is for all values of the parameters.`;
    if (one.trace.held.length) $("drawn").textContent += ` Of the operations only those with ${one.trace.held.join(", ")} are drawn.`;
    const wrong = wrongStep(one.trace);
    for (const name of ["jump", "key"]) $(name).classList.toggle("hidden", wrong < 0);
  }
  $("findings").replaceChildren(...(one.findings.length ? one.findings.map(findingBox) : [html("p", { class: "soft" }, "Nothing was found.")]));
  const names = [...new Set([one.script, ...one.findings.flatMap((finding) => finding.labels.map((label) => label.file))])].filter((name) => name in DATA.sources);
  const shown = names.map((name) => sourceBox(name, one.findings));
  $("sources").replaceChildren(...(names.includes(one.script) ? shown : [html("p", { class: "soft" }, `${one.script} is left out: the report would be larger than 1 MB.`), ...shown]));
  const order = { refuted: 0, undecided: 1, proved: 2 };
  const rows = [...one.obligations].sort((a, b) => order[a.verdict] - order[b.verdict]);
  $("obligations").replaceChildren(...rows.map((each) => html("tr", {}, html("td", {}, html("span", { class: "word " + each.verdict }, each.verdict)), html("td", { class: "code" }, each.rule), html("td", {}, each.claim))));
}

function go(number, at) {
  const changed = number !== mapping;
  mapping = number;
  step = at;
  $("summary").classList.toggle("hidden", mapping >= 0);
  $("mapping").classList.toggle("hidden", mapping < 0);
  if (mapping < 0) { stop(); history.replaceState(null, "", "#summary"); return; }
  if (changed) { stop(); showMapping(); window.scrollTo(0, 0); history.replaceState(null, "", `#m=${mapping}&s=${step}`); }
  showStep();
}

function stop() { clearInterval(timer); timer = null; $("play").textContent = "Play"; }

function play() {
  if (timer) { stop(); return; }
  $("play").textContent = "Pause";
  timer = setInterval(() => { if (step >= DATA.mappings[mapping].trace.steps) stop(); else go(mapping, step + 1); }, 700);
}

function jump() {
  const wrong = wrongStep(DATA.mappings[mapping].trace);
  if (wrong >= 0) { stop(); go(mapping, wrong); }
}

function fromAddress() {
  const at = new URLSearchParams(location.hash.slice(1));
  const number = at.has("m") ? Number(at.get("m")) : -1;
  go(Number.isInteger(number) && number >= 0 && number < DATA.mappings.length ? number : -1, Number(at.get("s")) || 0);
}

function filter() {
  const wanted = $("filter").value.toLowerCase(), verdict = $("verdicts").value;
  for (const row of document.querySelectorAll("#rows tr")) {
    const fits = row.textContent.toLowerCase().includes(wanted) && (!verdict || row.dataset.verdict === verdict);
    row.classList.toggle("hidden", !fits);
  }
}

$("tools").classList.remove("hidden");
$("filter").addEventListener("input", filter);
$("verdicts").addEventListener("change", filter);
$("slider").addEventListener("input", (event) => { stop(); go(mapping, Number(event.target.value)); });
$("back").addEventListener("click", () => go(mapping, step - 1));
$("on").addEventListener("click", () => go(mapping, step + 1));
$("play").addEventListener("click", play);
$("jump").addEventListener("click", jump);
$("up").addEventListener("click", () => { go(-1, 0); $("filter").focus(); });
document.querySelectorAll("#rows a").forEach((link) => link.addEventListener("click", (event) => { event.preventDefault(); go(Number(link.dataset.mapping), 0); $("up").focus(); }));
window.addEventListener("hashchange", fromAddress);
document.addEventListener("keydown", (event) => {
  if (mapping < 0 || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=range]),select,pre,ol,.space")) return;
  if (event.key === "Escape") { go(-1, 0); return; }
  if (!DATA.mappings[mapping].trace) return;
  if (event.key === "w") jump();
  else if (event.key === "p") play();
  else if (event.target.id === "slider") return;
  else if (event.key === "ArrowRight") go(mapping, step + 1);
  else if (event.key === "ArrowLeft") go(mapping, step - 1);
});
fromAddress();
