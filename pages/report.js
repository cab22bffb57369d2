"use strict";
// Everything here is made with createElement and textContent: no text of the user is ever markup.
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...(children || []));
  return element;
}
const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
// Where there is no room, names break behind their parts.
const broken = (name) => name.split(/(?<=[/_])/).flatMap((part) => [part, html("wbr")]);

let mapping = -1;
let step = 0;
let timer = null;

// --- what is known of a mapping, by step --------------------------------------------------------------------------

function prepare(one) {
  const trace = one.trace;
  if (!trace || trace.byStep) return;
  trace.byStep = Array.from({ length: trace.steps + 1 }, () => []);
  trace.operations.forEach((operation, number) => trace.byStep[operation.step].push(number));
  trace.readsOf = trace.operations.map(() => []);
  trace.reads.forEach((read) => trace.readsOf[read.by].push(read));
  const last = trace.witness ? (trace.witness.find(([role]) => role === "writer") || [])[1] : undefined;
  trace.cellsOf = new Map();
  trace.operations.forEach((operation, number) => {
    for (const [value, cell] of operation.writes) {
      if (!trace.cellsOf.has(cell)) trace.cellsOf.set(cell, []);
      trace.cellsOf.get(cell).push({ value, number, step: operation.step, late: number === last ? 1 : 0 });
    }
  });
  for (const writes of trace.cellsOf.values()) writes.sort((a, b) => a.step - b.step || a.late - b.late || a.number - b.number);
  trace.readsIn = new Map();
  for (const read of trace.reads) {
    if (!trace.readsIn.has(read.cell)) trace.readsIn.set(read.cell, []);
    trace.readsIn.get(read.cell).push(read);
  }
}

const stepOf = (trace, read) => trace.operations[read.by].step;

function cellState(trace, cell, now) {
  const writes = trace.cellsOf.get(cell) || [];
  const held = writes.filter((write) => write.step <= now).pop();
  const reads = trace.readsIn.get(cell) || [];
  const wrong = reads.filter((read) => read.lost && stepOf(trace, read) === now);
  const asked = reads.some((read) => stepOf(trace, read) === now);
  if (!held) return { kind: wrong.length ? "wrong" : "empty", word: wrong.length ? "read too early" : "empty", asked };
  const value = trace.elements[held.value];
  const fresh = held.step === now;
  const lost = reads.filter((read) => read.lost && read.value !== held.value && stepOf(trace, read) >= now
    && writes.some((write) => write.value === read.value && write.step <= held.step));
  if (lost.length) return { kind: "lost", word: "lost: " + trace.elements[lost[0].value], value, fresh, asked, lost };
  if (wrong.length) return { kind: "wrong", word: "not what is read", value, fresh, asked };
  const live = reads.some((read) => read.value === held.value && stepOf(trace, read) > now);
  return { kind: live ? "live" : "dead", word: live ? "live" : "dead", value, fresh, asked };
}

function sentences(trace, now) {
  const said = [];
  for (const number of trace.byStep[now]) {
    for (const read of trace.readsOf[number]) {
      if (!read.lost) continue;
      const found = read.found < 0 ? "nothing" : trace.elements[read.found];
      const numbers = read.expected === undefined ? "" : ` (expected ${read.expected}${read.other === undefined ? "" : ", found " + read.other})`;
      const what = read.found === read.value ? "only a part of it" : found;
      said.push(`${trace.operations[number].name} reads ${trace.elements[read.value]} in ${trace.elements[read.cell]}, and finds ${what}${numbers}.`);
    }
    for (const [value, cell] of trace.operations[number].writes) {
      for (const read of trace.readsIn.get(cell) || []) {
        const writes = trace.cellsOf.get(cell);
        const was = writes.some((write) => write.value === read.value && (write.step < now || (write.step === now && write.number !== number)));
        if (read.lost && read.value !== value && was && stepOf(trace, read) > now)
          said.push(`${trace.elements[value]} overwrites ${trace.elements[read.value]} in ${trace.elements[cell]}, which ${trace.operations[read.by].name} still needs.`);
      }
    }
  }
  // Dates, races and arrays that do not exist harm no value that a cell could show: there the counterexample is said in its own words.
  if (!said.length && now === witnessStep(trace)) said.push(trace.sentence);
  return [...new Set(said)];
}

const placesOf = (trace) => (trace.witness || []).map(([, number]) => trace.operations[number].step);

function witnessStep(trace) {
  return trace.witness && !trace.reads.some((read) => read.lost) ? Math.max(...placesOf(trace)) : -1;
}

function wrongStep(trace) {
  if (trace.witness) {
    for (const now of [...new Set(placesOf(trace))].sort((a, b) => a - b)) if (sentences(trace, now).length) return now;
    return Math.max(...placesOf(trace));
  }
  for (let now = 0; now <= trace.steps; now += 1) if (sentences(trace, now).length) return now;
  return -1;
}

// --- the page of a mapping ----------------------------------------------------------------------------------------

function showOperations(trace) {
  const box = $("operations"), left = box.scrollLeft;
  box.replaceChildren();
  box.className = trace.width > 900 ? "scroll big" : "scroll";
  const svg = draw("svg", { viewBox: `0 0 ${trace.width} ${trace.height}`, width: trace.width, height: trace.height, role: "img", "aria-label": "the operations; the number is the step" });
  for (const [x, y, text, kind, anchor] of trace.labels) svg.append(draw("text", { x, y, class: kind, "text-anchor": anchor }, text));
  const now = new Set(trace.byStep[step]);
  const roles = new Map((trace.witness || []).map(([role, number]) => [number, role]));
  for (const number of now) for (const read of trace.readsOf[number]) for (const from of read.from) arrow(svg, trace, from, number, read.lost);
  trace.operations.forEach((operation, number) => {
    if (!operation.at) return;
    const [x, y] = operation.at;
    const state = now.has(number) ? "doing" : operation.step < step ? "done" : "todo";
    const group = draw("g", { class: "op " + state }, draw("title", {}, operation.tip), draw("circle", { class: "dot", cx: x, cy: y, r: 12 }),
      draw("text", { x, y: y + 4, "text-anchor": "middle" }, String(operation.step)));
    const role = roles.get(number);
    if (role === "writer" || role === "other" || role === "free" || role === "allocation") group.append(draw("rect", { x: x - 16, y: y - 16, width: 32, height: 32, rx: 4, class: "mark" }));
    else if (role) group.append(draw("circle", { cx: x, cy: y, r: 16, class: "mark" + (role === "producer" ? " dash" : "") }));
    group.addEventListener("click", () => go(mapping, operation.step));
    svg.append(group);
  });
  box.append(svg);
  box.scrollLeft = left;
  const doing = [...svg.querySelectorAll(".doing")].map((group) => group.getBoundingClientRect()), view = box.getBoundingClientRect();
  if (doing.length && doing.every((place) => place.left < view.left || place.right > view.right)) box.scrollLeft += (doing[0].left + doing[0].right - view.left - view.right) / 2;
}

function arrow(svg, trace, from, to, lost) {
  const start = trace.operations[from].at, end = trace.operations[to].at;
  if (!start || !end || from === to) return;
  const [a, b] = start, [c, d] = end, length = Math.hypot(c - a, d - b) || 1, u = (c - a) / length, v = (d - b) / length;
  if (length < 30) return;
  const bend = bent(trace, start, end), e = (a + c) / 2 - 2 * bend * v, f = (b + d) / 2 + 2 * bend * u;
  const far = Math.hypot(c - e, d - f), s = (c - e) / far, t = (d - f) / far, near = Math.hypot(e - a, f - b), p = (e - a) / near, q = (f - b) / near;
  const x = c - s * 15, y = d - t * 15, size = 7;
  svg.append(draw("path", { class: lost ? "lost" : "read", d: `M${a + p * 14} ${b + q * 14}Q${e} ${f} ${x - s * size} ${y - t * size}` }),
    draw("path", { class: lost ? "losthead" : "readhead", d: `M${x} ${y}L${x - s * size - t * 4} ${y - t * size + s * 4}L${x - s * size + t * 4} ${y - t * size - s * 4}z` }));
}

// How far the middle of an arrow is from the straight way, so that it goes past the points in between, as in figures.
function bent(trace, [a, b], [c, d]) {
  const length = Math.hypot(c - a, d - b), u = (c - a) / length, v = (d - b) / length;
  const others = trace.operations.filter((each) => each.at).map((each) => [((each.at[0] - a) * u + (each.at[1] - b) * v) / length, (each.at[1] - b) * u - (each.at[0] - a) * v]).filter(([share]) => share > 0.001 && share < 0.999);
  const hits = (bend) => others.filter(([share, aside]) => Math.abs(aside - 4 * bend * share * (1 - share)) < 12).length;
  return [0, 18, -18, 26, -26, 44, -44].map((bend) => [hits(bend), bend]).reduce((best, each) => (each[0] < best[0] ? each : best))[1];
}

function cellBox(trace, cell, tag) {
  const state = cellState(trace, cell, step);
  const classes = ["cell", state.kind, state.fresh ? "fresh" : "", state.asked ? "asked" : ""].filter(Boolean).join(" ");
  return html(tag, { class: classes }, html("span", {}, trace.elements[cell]), html("b", {}, state.value || "–"), html("small", {}, state.word));
}

function showMemory(trace) {
  const box = $("memory"), left = [...box.querySelectorAll(".space")].map((space) => space.scrollLeft);
  box.replaceChildren();
  for (const space of trace.spaces) {
    const count = space.cells.length === 1 ? "1 cell" : `${space.cells.length} cells`;
    box.append(html("h3", {}, html("span", { class: "code" }, space.name), `, ${count}` + (space.more ? ` of ${space.more}` : "")));
    const inside = html("div", { class: "space", tabindex: "0", role: "group", "aria-label": "memory space " + space.name });
    if (space.rows) {
      const table = html("table", { class: "grid" });
      for (const [head, cells] of space.rows) {
        const row = html("tr", {}, html("th", { scope: "row" }, String(head)));
        for (const cell of cells) row.append(cell < 0 ? html("td", {}) : cellBox(trace, cell, "td"));
        table.append(row);
      }
      inside.append(table);
    } else {
      inside.append(html("div", { class: "cells" }, ...space.cells.map((cell) => cellBox(trace, cell, "div"))));
    }
    box.append(inside);
  }
  box.querySelectorAll(".space").forEach((space, at) => { space.scrollLeft = left[at] || 0; });
}

function showStep() {
  const one = DATA.mappings[mapping], trace = one.trace;
  if (!trace) return;
  $("slider").max = trace.steps;
  step = Math.max(0, Math.min(step, trace.steps));
  $("slider").value = step;
  const now = trace.byStep[step].filter((number) => trace.operations[number].dated);
  const dates = [...new Set(now.map((number) => trace.operations[number].date))];
  const when = step === 0 ? "before the first operation" : step === trace.steps ? "after the last operation" : `step ${step} of ${trace.steps - 1}`;
  $("when").textContent = when + (dates.length === 1 ? `, date ${dates[0]}` : "");
  $("slider").setAttribute("aria-valuetext", $("when").textContent);
  showOperations(trace);
  showMemory(trace);
  const wrong = sentences(trace, step);
  const names = now.map((number) => trace.operations[number].name);
  const shown = names.length > 12 ? names.slice(0, 12).join(", ") + ` and ${names.length - 12} more` : names.join(", ");
  $("says").replaceChildren(html("p", {}, names.length ? `Now: ${shown}.` : "Nothing is done in this step."), ...wrong.slice(0, 6).map((text) => html("p", { class: "bad" }, text)));
  if (wrong.length > 6) $("says").append(html("p", { class: "bad" }, `And ${wrong.length - 6} more.`));
  $("says").className = wrong.length ? "bad" : "";
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
  prepare(one);
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
