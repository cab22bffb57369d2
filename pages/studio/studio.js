"use strict";
// The page of alphaz studio: an editor on the left (editor.js), the answers of the server on the right (results.js). Texts
// of the user are set as text; HTML comes from the server alone, which escapes it.
const $ = (id) => document.getElementById(id);
const NONCE = document.currentScript.dataset.nonce;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .+=@()-]{0,60}\.(ab|cs|c|cu|h)$/u;
const ENDINGS = "Programs end in .ab, scripts in .cs, C in .c, .cu or .h; `alphaz matrix` reads kernels of matrices (.m).";
const PANELS = { findings: "Findings", figures: "Figures", code: "Generated C", rule: "Rule", lesson: "Lesson" };
const STEPS = "steps";
const SEVERITIES = ["error", "warning", "note"];
const PAUSE = 250;

const state = {
  files: new Map(), // the name of a text -> its EditorState
  file: "",
  script: "", // the script that was shown last
  findings: [],
  judgedTexts: {}, // the texts that the findings are about
  picture: null,
  step: 0,
  code: {},
  kind: "",
  lesson: "",
  figures: [], // those of the lesson
  panel: "findings",
  mayRun: false,
  seen: {}, // the answers that have come in the analysis that runs
  words: { keywords: [], commands: [] },
};
let view = null;
let codeView = null;
let running = null;
let timers = {};

const is = { program: (name) => name.endsWith(".ab"), script: (name) => name.endsWith(".cs"), c: (name) => /\.(c|cu)$/.test(name) };

// --- the server -----------------------------------------------------------------------------------------------------

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

// Calls `take` with each answer, as it comes.
async function ask(task, fields, take, signal) {
  const response = await fetch("ask", {
    method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ task, ...fields }),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", ended = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      ended = ended || answer.event === "end" || answer.event === "failed" || answer.event === "limit";
      take(answer);
    }
  }
  if (!ended) throw new Error("the answer broke off");
}

async function one(task, fields, event) {
  let found = null;
  await ask(task, fields, (answer) => { if (answer.event === event) found = answer; else if (answer.event === "failed") throw new Error(answer.reason); });
  return found;
}

// --- links, files, lessons ------------------------------------------------------------------------------------------

const MARK = "#t=";

// The fragment: the texts, the one that is shown, and the options of the proof.
async function packed() {
  const value = { files: texts(), file: state.file, options: $("options").value };
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return MARK + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The texts of a link. Its checksum shows damage.
async function unpacked(link) {
  try { return await read(link); } catch { throw new Error("the link is damaged: copy all of it"); }
}

async function read(link) {
  const code = link.slice(link.indexOf(MARK) + MARK.length).trim().replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(code), (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    if (text.length > 4_000_000) { await reader.cancel(); throw new Error("too long"); }
  }
  const value = JSON.parse(text);
  for (const [name, content] of Object.entries(value.files)) if (!NAME.test(name) || typeof content !== "string") throw new Error(name);
  return value;
}

function keepSoon() {
  clearTimeout(timers.keep);
  timers.keep = setTimeout(async () => history.replaceState(null, "", await packed()), 400);
}

// Adds the texts to the history of the browser, so that its button Back leads to those before.
async function keepNow() {
  clearTimeout(timers.keep);
  history.pushState(null, "", await packed());
}

async function openLink(link) {
  if (!link.includes(MARK)) throw new Error("the link is damaged or has no texts: copy all of it");
  const { files, file, options: given } = await unpacked(link);
  load(files, String(file || ""), "", String(given || ""));
}

async function openShare() {
  $("share-said").textContent = "";
  $("share-link").value = location.origin + "/" + await packed();
  $("share-dialog").showModal();
  $("share-link").select();
}

function save(name, parts, kind) {
  const link = html("a", { href: URL.createObjectURL(new Blob(parts, { type: kind })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function exported(task, event) {
  $("share-said").textContent = "Working";
  try {
    const found = await one(task, request(), event);
    if (event === "report") save(found.name, [found.text], "text/html");
    else save(found.name, [Uint8Array.from(atob(found.base64), (character) => character.charCodeAt(0))], "application/zip");
    $("share-said").textContent = `Saved ${found.name}`;
  } catch (problem) { $("share-said").textContent = `Not saved: ${problem.message}`; }
}

async function openMenu() {
  $("open-dialog").showModal();
  if (!$("open-list").childElementCount) {
    const menu = await fetched("menu");
    $("open-list").append(
      list("Lessons", Object.entries(menu.lessons).map(([name, title]) => [title, () => openLesson(name)])),
      list("Samples", menu.samples.filter((name) => !name.startsWith("kernels/")).map((name) => [name, () => openSample(name)])),
      list("Kernels", menu.samples.filter((name) => name.startsWith("kernels/")).map((name) => [name.slice(8), () => openSample(name)])));
    filter();
  }
  $("open-filter").focus();
}

function list(title, entries) {
  return html("section", {}, html("h3", {}, title), html("ul", {}, ...entries.map(([label, act]) => {
    const button = html("button", { type: "button", class: "link" }, ...broken(label));
    button.addEventListener("click", () => { $("open-dialog").close(); act(); });
    return html("li", {}, button);
  })));
}

function filter() {
  const wanted = $("open-filter").value.toLowerCase();
  for (const item of $("open-list").querySelectorAll("li")) item.classList.toggle("hidden", !item.textContent.toLowerCase().includes(wanted));
}

async function openSample(name) {
  const found = await fetched(`samples/${name}`);
  load(found.files, found.first);
  await keepNow();
}

async function openLesson(name) {
  const found = await fetched(`lessons/${name}`);
  load(found.files, found.first, name);
  state.figures = found.figures;
  $("lesson").innerHTML = found.html;
  linked($("lesson"));
  showPanel("lesson");
  $("panel-lesson").scrollTop = 0;
  await keepNow();
}

async function turnLesson(by) {
  const names = Object.keys((await fetched("menu")).lessons), at = names.indexOf(state.lesson.replace("solutions/", "")) + by;
  if (at >= 0 && at < names.length) openLesson(names[at]);
}

async function openFiles(given) {
  const files = {}, chosen = [...given], left = chosen.map((file) => file.name).filter((name) => !NAME.test(name));
  for (const file of chosen) if (NAME.test(file.name)) files[file.name] = (await file.text()).replace(/\r\n?/g, "\n");
  if (chosen.length) $("open-dialog").close();
  $("notice").textContent = left.length ? `Not opened: ${left.map((name) => `${name} (${reasonAgainst(name)})`).join("; ")}.` : "";
  if (!Object.keys(files).length) return;
  load(files, "");
  await keepNow();
}

function reasonAgainst(name) {
  if (name.endsWith(".m")) return "`alphaz matrix show` writes a kernel as a program, .ab";
  if (name.endsWith(".alpha")) return "`alphaz show` writes it as a program, .ab";
  if (/\.(ab|cs|c|cu|h)$/.test(name)) return "names have at most 60 letters, digits, blanks and signs of _.+=@()-";
  return "programs end in .ab, scripts in .cs, C in .c, .cu or .h";
}

// Files that are dropped on the page are opened, not inserted into the text below.
function takeDrops() {
  const hasFiles = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
  window.addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); }, true);
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    openFiles(event.dataTransfer.files);
  }, true);
}

function changeTexts(act) {
  const name = $("text-name").value.trim(), said = $("text-said");
  if (act !== "delete" && (!NAME.test(name) || state.files.has(name))) { said.textContent = state.files.has(name) ? `There is a text ${name}.` : ENDINGS; return; }
  if (act === "delete" && state.files.size < 2) { said.textContent = "The last text stays."; return; }
  if (act === "add") { state.files.set(name, editorState(name, "")); showFile(name); }
  if (act === "rename") {
    const old = state.file, content = textOf(old);
    state.files = new Map([...state.files].map(([key, value]) => (key === old ? [name, editorState(name, content)] : [key, value])));
    state.file = "";
    showFile(name);
  }
  if (act === "delete") { state.files.delete(state.file); state.file = ""; showFile([...state.files.keys()][0]); }
  $("texts-dialog").close();
  keepSoon();
  view.focus();
}

async function run() {
  if (!state.mayRun) {
    $("run-dialog").returnValue = "";
    $("run-dialog").showModal();
    await new Promise((done) => $("run-dialog").addEventListener("close", done, { once: true }));
    if ($("run-dialog").returnValue !== "run") return;
    state.mayRun = true;
  }
  judgeSoon(0, true);
}

// --- the start ------------------------------------------------------------------------------------------------------

function listen() {
  takeDrops();
  const on = (id, event, act) => $(id).addEventListener(event, act);
  on("open-button", "click", openMenu);
  on("share-button", "click", openShare);
  on("help-button", "click", () => $("help-dialog").showModal());
  on("texts-button", "click", () => { $("text-name").value = state.file; $("texts-dialog").showModal(); $("text-name").select(); });
  on("format-button", "click", format);
  on("stop-button", "click", () => { halt(); verdict([], "Stopped. Any change starts it again."); });
  on("c-bar", "submit", (event) => { event.preventDefault(); judgeSoon(0); keepSoon(); });
  on("run-button", "click", run);
  on("try-button", "click", run);
  on("panel-findings", "keydown", (event) => { if (event.key === "Escape") view.focus(); });
  on("picture-bar", "submit", (event) => { event.preventDefault(); redraw(); });
  on("kind", "change", () => { state.kind = $("kind").value; if (state.kind === STEPS || (state.picture && state.picture.kind === state.kind)) showPicture(); else redraw(); });
  on("system", "change", () => { state.kind = ""; redraw(); });
  on("slider", "input", () => { stop(); step(Number($("slider").value)); });
  on("back", "click", () => step(state.step - 1));
  on("on", "click", () => step(state.step + 1));
  on("play", "click", play);
  on("jump", "click", () => { stop(); step(wrongStep(state.picture.trace)); });
  on("code-file", "change", () => showCode([]));
  on("code-copy", "click", () => copy($("code-copy"), state.code[$("code-file").value]));
  on("code-edit", "click", editCode);
  on("rule-bar", "submit", (event) => { event.preventDefault(); explain($("rule-code").value); });
  on("lesson-before", "click", () => turnLesson(-1));
  on("lesson-next", "click", () => turnLesson(1));
  on("open-filter", "input", filter);
  on("open-files", "change", async (event) => { await openFiles(event.target.files); event.target.value = ""; });
  on("share-copy", "click", () => copy($("share-copy"), $("share-link").value));
  on("share-go", "click", () => openLink($("share-open").value).then(() => { keepNow(); $("share-dialog").close(); }, (problem) => { $("share-said").textContent = `Not opened: ${problem.message}`; }));
  on("export-folder", "click", () => exported("folder", "archive"));
  on("export-report", "click", () => exported("report", "report"));
  for (const act of ["add", "rename", "delete"]) on(`text-${act}`, "click", () => changeTexts(act));
  on("text-name", "keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); changeTexts("add"); } });
  window.addEventListener("hashchange", () => { if (location.hash) openLink(location.hash).catch(sayDamaged); });
}

async function start() {
  listen();
  const begun = await fetched("start");
  state.words = begun;
  showPanels();
  showPicture();
  showCode([]);
  const problem = location.hash ? await openLink(location.hash).then(() => null, (reason) => reason) : null;
  if (location.hash && !problem) return;
  if (Object.keys(begun.files).length) load(begun.files, "");
  else await openSample("prefix-sum/wrong-parallel");
  if (problem) sayDamaged(problem);
}

// The texts on the page are not those of the link, which must be said.
function sayDamaged(problem) {
  $("notice").textContent = `The link was not opened, and these are not its texts: ${problem.message}.`;
}

start().catch((problem) => verdict([], `The studio does not answer: ${problem.message}`));
