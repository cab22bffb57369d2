"use strict";
// The results of the studio: verdicts, findings, figures and generated C. studio.js holds the state and starts.

// --- the verdict ----------------------------------------------------------------------------------------------------

function judgeSoon(pause, executes) {
  clearTimeout(timers.judge);
  halt();
  timers.judge = setTimeout(() => judge(Boolean(executes)), pause);
}

// The text that is judged: for a program the script that reads it, of several the one that was shown last.
function judgedFile() {
  const readers = is.program(state.file) ? [...state.files.keys()].filter((name) => is.script(name) && textOf(name).includes(state.file)) : [];
  return readers.includes(state.script) ? state.script : readers[0] || state.file;
}

function request() {
  const fields = { files: texts(), file: judgedFile(), system: $("system").value, parameters: $("sizes").value };
  if (state.kind && state.kind !== STEPS) fields.kind = state.kind;
  if (is.c(fields.file)) fields.options = $("options").value;
  return fields;
}

// Ends the analysis that runs, where one does.
function halt() {
  if (running) running.abort();
  running = null;
  $("working").classList.add("hidden");
  $("right").removeAttribute("aria-busy");
}

async function judge(executes) {
  const control = new AbortController(), start = Date.now(), fields = request();
  halt();
  if (/\.h$/.test(fields.file)) { verdict([], "A header is judged with the C that includes it."); return; }
  running = control;
  const slow = setInterval(() => {
    if (running !== control) return;
    $("working").classList.remove("hidden");
    $("elapsed").textContent = `${state.seen.verdicts ? "Looking for fixes" : "Proving"}, ${Math.round((Date.now() - start) / 1000)} s`;
  }, 400);
  $("right").setAttribute("aria-busy", "true");
  state.seen = {};
  try {
    await ask("analyse", { ...fields, executes }, (answer) => { if (running === control) take(answer, fields); }, control.signal);
    if (running === control && !state.seen.picture) { state.picture = null; showPicture(); }
    if (running === control && !state.seen.code) { state.code = {}; showCode([]); }
  } catch (problem) {
    if (running === control && problem.name !== "AbortError") verdict([], problem instanceof TypeError ? "The studio does not answer: has it ended? Its address still holds the texts." : `No verdict: ${problem.message}`);
  } finally {
    clearInterval(slow);
    if (running === control) halt();
  }
}

function take(answer, fields) {
  switch (answer.event) {
    case "findings":
      Object.assign(state, { findings: answer.findings.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)), judgedTexts: fields.files });
      if (!state.seen.findings) $("printed").replaceChildren();
      state.seen.findings = true;
      showFindings();
      break;
    case "printed":
      $("printed").replaceChildren(html("h2", {}, "Printed by the script"), html("pre", { tabindex: "0" }, answer.text));
      break;
    case "verdicts": state.seen.verdicts = true; verdict(answer.verdicts, "", answer.notes); break;
    case "picture": state.seen.picture = true; state.picture = answer; showPicture(); break;
    case "code": state.seen.code = true; state.code = answer.files; showCode(answer.reasons); break;
    case "limit":
      if (state.seen.verdicts) { $("verdict").append(html("p", { class: "soft" }, `Fixes and figures are not complete: ${answer.reason}.`)); break; }
      verdict([{ system: fields.file, word: "undecided", line: `${answer.question ? `It is not decided ${answer.question}` : "Undecided"}: ${answer.reason}.`, obligations: [] }], "");
      break;
    case "failed": verdict([], `No verdict: ${answer.reason}`); break;
  }
}

function verdict(verdicts, otherwise, notes) {
  const lines = verdicts.map(({ word, line }) => html("p", {}, html("span", { class: `word ${word.startsWith("proved under") ? "undecided" : word.split(" ")[0]}` }, word), " ", line));
  $("verdict").replaceChildren(...lines.slice(0, 6), ...(otherwise ? [html("p", { class: "soft" }, otherwise)] : []), ...(notes || []).map((note) => html("p", { class: "soft" }, note)));
  if (lines.length > 6) $("verdict").append(html("p", { class: "soft" }, `and ${lines.length - 6} more`));
  showObligations(verdicts);
}

function showObligations(verdicts) {
  const order = { refuted: 0, violated: 0, undecided: 1, proved: 2 };
  const rows = verdicts.flatMap((found) => found.obligations).sort((a, b) => order[a.verdict] - order[b.verdict]);
  if (!rows.length) { $("obligations").replaceChildren(); return; }
  const open = $("obligations").querySelector("details")?.open;
  const table = html("table", { class: "list" }, html("thead", {}, html("tr", {}, ...["Verdict", "Rule", "Claim"].map((text) => html("th", { scope: "col" }, text)))),
    html("tbody", {}, ...rows.map(({ verdict: word, rule, claim }) => html("tr", {}, html("td", {}, html("span", { class: "word " + word }, word)), html("td", { class: "code" }, /^AZ/.test(rule) ? ruleButton(rule) : rule), html("td", {}, claim)))));
  const details = html("details", {}, html("summary", {}, `Obligations: ${rows.length}`), html("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "obligations" }, table));
  details.open = Boolean(open);
  $("obligations").replaceChildren(details);
}

function ruleButton(code) {
  const button = html("button", { type: "button", class: "link" }, code);
  button.addEventListener("click", () => explain(code));
  return button;
}

function lineOf(at) {
  const line = stateOf(at.file).doc.lineAt(Math.min(at.from, stateOf(at.file).doc.length));
  return `${at.file}:${line.number}:${at.from - line.from + 1}`;
}

function placeButton(at, label) {
  const button = html("button", { type: "button", class: "link code" }, lineOf(at));
  button.addEventListener("click", () => goTo(at));
  return html("p", { class: "place" }, button, label ? ` ${label}` : "");
}

function findingBox(finding) {
  const box = html("article", { class: `finding ${finding.severity}`, tabindex: "-1" }, html("h2", {}, ruleButton(finding.code), ` ${finding.severity}: `, finding.message));
  if (finding.at && state.files.has(finding.at.file)) box.append(placeButton(finding.at, finding.label));
  for (const { at, text } of finding.related) if (state.files.has(at.file)) box.append(placeButton(at, text));
  if (finding.witness) box.append(html("p", {}, `Counterexample: ${finding.witness}.`));
  for (const note of finding.notes) box.append(html("p", { class: "note" }, note));
  for (const fix of finding.fixes) {
    const button = html("button", { type: "button" }, "Apply");
    button.addEventListener("click", () => { edit(fix.edits); view.focus(); });
    box.append(html("p", {}, fix.text + (fix.tried ? " would be legal (tried):" : ":")), html("div", { class: "fix" }, html("pre", { tabindex: "0" }, fix.script), button));
  }
  if (!finding.fixes.length && finding.help) box.append(html("p", { class: "note" }, `Help: ${finding.help}`));
  const option = is.c(state.file) && /--(laws|assume) [\w,>=<]+/.exec(finding.help);
  if (option && !$("options").value.includes(option[0])) {
    const button = html("button", { type: "button" }, `Prove with ${option[0]}`);
    button.addEventListener("click", () => { $("options").value = `${$("options").value} ${option[0]}`.trim(); judgeSoon(0); });
    box.append(html("p", {}, button));
  }
  return box;
}

function showFindings() {
  const had = $("findings").contains(document.activeElement);
  $("findings").replaceChildren(...(state.findings.length ? state.findings.map(findingBox) : [html("p", { class: "soft" }, "No findings.")]));
  showFiles();
  showPanels();
  marked();
  if (had && !openFixes()) $("panel-findings").focus();
}

// Marks the findings in the editor, as long as they are about the text that it shows.
function marked() {
  if (!view) return;
  const file = state.file, length = view.state.doc.length;
  const mine = state.judgedTexts[file] === textOf(file) ? state.findings.filter((finding) => finding.at && finding.at.file === file) : [];
  const levels = { error: "error", warning: "warning", note: "info" };
  view.dispatch(CM.setDiagnostics(view.state, mine.map((finding) => ({
    from: Math.min(finding.at.from, length), to: Math.min(finding.at.to, length), severity: levels[finding.severity], source: finding.code,
    message: [finding.message, finding.witness && `Counterexample: ${finding.witness}`, ...finding.notes, !finding.fixes.length && finding.help && `Help: ${finding.help}`].filter(Boolean).join("\n"),
    actions: finding.fixes.map((fix) => ({ name: `Fix: ${fix.text}`, apply: () => edit(fix.edits) })),
  }))));
}

// --- panels ---------------------------------------------------------------------------------------------------------

function showPanels() {
  const errors = state.findings.length;
  const shown = Object.entries(PANELS).filter(([key]) => key !== "lesson" || state.lesson);
  if (!shown.some(([key]) => key === state.panel)) state.panel = "findings";
  tabs($("panels"), shown.map(([key, label]) => [key, key === "findings" && errors ? `${label} (${errors})` : label, ""]), state.panel, "panel", showPanel);
  for (const key of Object.keys(PANELS)) $(`panel-${key}`).classList.toggle("hidden", key !== state.panel);
}

function showPanel(key) {
  state.panel = key;
  showPanels();
  if (key === "figures") showStep();
}

async function explain(code) {
  $("rule-code").value = code;
  try {
    const found = await fetched(`rules/${encodeURIComponent(code.trim().toUpperCase())}`);
    $("rule").innerHTML = found.html;
    linked($("rule"));
  } catch { $("rule").replaceChildren(html("p", {}, `There is no rule ${code}.`)); }
  showPanel("rule");
  $("panel-rule").scrollTop = 0;
}

// --- figures --------------------------------------------------------------------------------------------------------

function showPicture() {
  const picture = state.picture, trace = picture && picture.trace;
  // A rejected program has a figure of its mistake, and no steps.
  const kinds = !trace ? {} : picture.verdict === "rejected" ? picture.kinds : { [STEPS]: "what is done in each step, and what the cells hold", ...picture.kinds };
  if (!(state.kind in kinds)) state.kind = trace && picture.verdict === "not mapped" ? "domain" : Object.keys(kinds)[0] || STEPS;
  options($("kind"), Object.keys(kinds), state.kind);
  options($("system"), (picture && picture.systems) || [], picture && picture.system);
  for (const id of ["system", "system-label"]) $(id).classList.toggle("hidden", !picture || picture.systems.length < 2);
  $("picture-bar").classList.toggle("hidden", !picture);
  $("drawn").textContent = !picture ? "There is no figure of this text." : !trace ? `No figure: ${picture.reason}.` : `The ${state.kind}: ${kinds[state.kind]}; for ${picture.size} (${picture.why}).${["not mapped", "rejected"].includes(picture.verdict) ? "" : " The verdict is for all values of the parameters."}`;
  $("player").classList.toggle("hidden", !trace || state.kind !== STEPS);
  $("figure").classList.toggle("hidden", !trace || state.kind === STEPS);
  if (!trace) return;
  prepare(trace);
  const wrong = wrongStep(trace);
  $("jump").classList.toggle("hidden", wrong < 0);
  if (!picture.isSeen) { picture.isSeen = true; state.step = wrong >= 0 ? wrong : Math.min(state.step, trace.steps); stop(); }
  showStep();
  showFigure();
}

function options(select, values, chosen) {
  select.replaceChildren(...values.map((value) => { const option = html("option", { value }, value); option.selected = value === chosen; return option; }));
}

function showStep() {
  const trace = state.picture && state.picture.trace;
  if (!trace || state.kind !== STEPS) return;
  state.step = Math.max(0, Math.min(state.step, trace.steps));
  $("slider").max = trace.steps;
  $("slider").value = state.step;
  const told = toldStep(trace, state.step);
  $("when").textContent = told.when;
  $("slider").setAttribute("aria-valuetext", told.when);
  showOperations($("operations"), trace, state.step, step);
  showMemory($("memory"), trace, state.step);
  sayStep($("says"), told);
}

function showFigure() {
  const picture = state.picture, box = $("figure");
  if (!picture.svg || picture.kind !== state.kind) { box.replaceChildren(html("p", { class: "soft" }, picture.undrawn && picture.kind === state.kind ? `No figure: ${picture.undrawn}.` : "")); return; }
  const button = html("button", { type: "button" }, "Save as SVG");
  button.addEventListener("click", () => save(`${picture.system}-${picture.kind}.svg`, [picture.svg], "image/svg+xml"));
  box.replaceChildren(html("img", { src: imageOf(picture.svg), alt: picture.description }), html("p", {}, button));
}

// Shows a kind of figure of the text in the editor; without a kind that which shows most.
function showKind(kind) {
  state.kind = kind || "witness";
  showPanel("figures");
  redraw();
}

// Replaces a link of a lesson by the figure that it is about.
async function drawInto(link, wanted) {
  // The verdict comes first.
  for (let tries = 0; tries < 100 && !state.seen.verdicts; tries += 1) await new Promise((done) => setTimeout(done, 100));
  try {
    const found = await one("picture", { files: wanted.files, file: wanted.file, kind: wanted.kind, parameters: wanted.parameters, system: "" }, "picture");
    const place = link.closest("p");
    if (place) Object.assign(place, { tabIndex: 0 }).setAttribute("role", "group");
    link.replaceWith(html("img", { src: imageOf(found.svg), alt: found.description }));
  } catch { link.replaceWith(link.textContent); }
}

const imageOf = (svg) => "data:image/svg+xml;base64," + btoa(Array.from(new TextEncoder().encode(svg), (byte) => String.fromCharCode(byte)).join(""));

function step(number) { state.step = number; showStep(); }
function stop() { clearInterval(timers.play); timers.play = null; $("play").textContent = "Play"; }

function play() {
  if (timers.play) { stop(); return; }
  $("play").textContent = "Pause";
  timers.play = setInterval(() => { if (!state.picture || !state.picture.trace || state.step >= state.picture.trace.steps) stop(); else step(state.step + 1); }, 700);
}

async function redraw() {
  const fields = request();
  try {
    const found = await one("picture", fields, "picture");
    if (found) { state.picture = found; showPicture(); }
  } catch (problem) { $("drawn").textContent = `No figure: ${problem.message}`; }
}

// --- generated C ----------------------------------------------------------------------------------------------------

function showCode(reasons) {
  const names = Object.keys(state.code), before = $("code-file").value;
  const chosen = names.includes(before) ? before : names.find((name) => name.endsWith(".c")) || names[0];
  options($("code-file"), names, chosen);
  $("code-bar").classList.toggle("hidden", !names.length);
  $("code").classList.toggle("hidden", !names.length);
  $("code-reason").textContent = reasons.length ? reasons.map((reason) => `${reason}.`).join(" ") : names.length ? "" : "Code is generated from the proved mapping of a script.";
  if (!names.length) return;
  const shown = CM.EditorState.create({ doc: state.code[chosen], extensions: [...base("x.c", `generated ${chosen}`), CM.EditorState.readOnly.of(true)] });
  if (codeView) codeView.setState(shown); else codeView = newView(shown, $("code"));
  showFunction(chosen);
}

// Scrolls to the loops of the system: before them are functions that only help.
function showFunction(name) {
  const lines = state.code[name].split("\n"), stem = name.replace(/\.\w+$/, "");
  const definition = (title) => lines.findLastIndex((line) => /^\w/.test(line) && line.includes(` ${title}(`) && !line.endsWith(";"));
  const at = Math.max(definition(`${stem}_loops`), 0) || definition(stem);
  if (at > 0) codeView.dispatch({ effects: CM.EditorView.scrollIntoView(codeView.state.doc.line(at + 1).from, { y: "start" }) });
}

function editCode() {
  const name = $("code-file").value, text = state.code[name];
  if (!is.c(name)) { $("code-reason").textContent = "Only a C file (.c) is proved."; return; }
  const header = name.replace(/c$/, "h");
  for (const [file, content] of [[header, state.code[header]], [name, text]]) {
    if (content === undefined) continue;
    if (file === state.file) state.file = "";
    state.files.set(file, editorState(file, content));
  }
  showFile(name);
  showPanel("findings");
  keepSoon();
}

async function copy(button, text) {
  const before = button.textContent;
  try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { button.textContent = "Not allowed"; }
  setTimeout(() => { button.textContent = before; }, 1500);
}
