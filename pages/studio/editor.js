"use strict";
// The texts of the studio and their editor (CodeMirror, the object CM). studio.js holds the state and starts.

// --- the texts ------------------------------------------------------------------------------------------------------

const stateOf = (name) => (view && name === state.file ? view.state : state.files.get(name));
const textOf = (name) => stateOf(name).doc.toString();
const texts = () => Object.fromEntries([...state.files.keys()].map((name) => [name, textOf(name)]));

function load(files, first, lesson, given) {
  state.files = new Map(Object.entries(files).map(([name, text]) => [name, editorState(name, text)]));
  if (!state.files.size) state.files.set("program.ab", editorState("program.ab", ""));
  Object.assign(state, { findings: [], picture: null, code: {}, kind: "", step: 0, mayRun: false, lesson: lesson || "", seen: {} });
  $("sizes").value = "";
  // Results of other texts would be taken for those of these.
  verdict([], "Checking");
  $("printed").replaceChildren();
  showPicture();
  showCode([]);
  $("options").value = given || "";
  if (["rule", "lesson"].includes(state.panel)) state.panel = "findings";
  state.file = "";
  showFile(first && state.files.has(first) ? first : [...state.files.keys()].find(is.script) || [...state.files.keys()][0]);
}

function showFile(name) {
  if (view && state.files.has(state.file)) state.files.set(state.file, view.state);
  state.file = name;
  if (is.script(name)) state.script = name;
  if (view) view.setState(state.files.get(name)); else view = newView(state.files.get(name), $("editor"));
  $("c-bar").classList.toggle("hidden", !is.c(name));
  $("operator-bar").classList.toggle("hidden", !state.files.has("external_functions.h") || (!is.program(name) && !is.script(name)));
  $("format-button").disabled = !is.program(name) && !is.script(name);
  showFiles();
  marked();
  judgeSoon(0);
}

function showFiles() {
  tabs($("files"), [...state.files.keys()].map((name) => [name, name, badge(name)]), state.file, "editor", showFile);
}

function badge(name) {
  const errors = state.findings.filter((finding) => finding.at && finding.at.file === name && finding.severity === "error").length;
  return errors ? `${errors}` : "";
}

// A row of tabs: the arrow keys choose among them.
function tabs(box, entries, chosen, panel, choose) {
  const had = box.contains(document.activeElement);
  box.replaceChildren(...entries.map(([key, label, note]) => {
    const tab = html("button", { type: "button", role: "tab", id: `tab-${panel}-${key}`, "aria-selected": String(key === chosen), tabindex: key === chosen ? "0" : "-1", "aria-controls": panel === "panel" ? `panel-${key}` : panel }, label);
    if (note) tab.append(" ", html("span", { class: "badge", "aria-label": `${note} errors` }, note));
    tab.addEventListener("click", () => choose(key));
    tab.addEventListener("keydown", (event) => {
      const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!move) return;
      event.preventDefault();
      const at = entries.findIndex(([other]) => other === key);
      const next = entries[(at + move + entries.length) % entries.length][0];
      choose(next);
      box.querySelector(`[id="tab-${CSS.escape(panel)}-${CSS.escape(next)}"]`).focus();
    });
    return tab;
  }));
  const now = box.querySelector("[aria-selected=true]");
  if (had && now) now.focus();
  if (now) box.scrollLeft = Math.max(0, now.offsetLeft - box.offsetLeft - 40);
  const target = panel === "panel" ? $(`panel-${chosen}`) : $(panel);
  if (target && now) target.setAttribute("aria-labelledby", now.id);
}

// --- the editor -----------------------------------------------------------------------------------------------------

const COLOURS = CM.HighlightStyle.define([
  { tag: CM.tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: CM.tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: CM.tags.typeName, color: "var(--type)" },
  { tag: CM.tags.string, color: "var(--string)" },
  { tag: CM.tags.number, color: "var(--number)" },
  { tag: CM.tags.function(CM.tags.variableName), color: "var(--type)" },
  { tag: CM.tags.meta, color: "var(--comment)" },
]);

const NEXT = CM.lintKeymap.find(({ key }) => key === "F8");

const LOOK = CM.EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", fontSize: "13.5px", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--chosen)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  ".cm-selectionMatch": { backgroundColor: "var(--live)" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px", maxWidth: "min(640px, 92vw)", overflowWrap: "anywhere" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--liveline)", color: "var(--paper)" },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal", marginLeft: "1em", opacity: "0.85" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--badline)" },
  ".cm-diagnosticText": { whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { backgroundColor: "var(--action)", color: "var(--actionink)", padding: "3px 8px", display: "block", margin: "4px 0" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-textfield": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)" },
});

// An editor, in which a text that is longer than the page can be scrolled by keys.
function newView(shown, parent) {
  const made = new CM.EditorView({ state: shown, parent });
  made.scrollDOM.tabIndex = 0;
  return made;
}

function language(name) {
  if (!is.program(name) && !is.script(name)) return CM.StreamLanguage.define(CM.c);
  const words = new Set(is.program(name) ? state.words.keywords : state.words.commands);
  const types = /^(bool|char|double|float|int|long|longlong|short|unsigned)$/;
  const comment = is.program(name) ? /\/\/.*/ : /#.*/;
  return CM.StreamLanguage.define({
    startState: () => ({ inside: false }),
    token(stream, mode) {
      if (mode.inside) { mode.inside = !stream.match(/.*?\*\//); if (mode.inside) stream.skipToEnd(); return "comment"; }
      if (is.program(name) && stream.match("/*")) { mode.inside = true; return "comment"; }
      if (stream.match(comment)) return "comment";
      if (stream.match(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?/)) return "string";
      if (stream.match(/\d+(\.\d+f?)?/)) return "number";
      const word = stream.match(/[A-Za-z_][A-Za-z_0-9]*/);
      if (!word) { stream.next(); return null; }
      if (is.script(name)) return words.has(word[0]) ? "keyword" : null;
      return types.test(word[0]) ? "typeName" : words.has(word[0]) ? "keyword" : null;
    },
    languageData: { commentTokens: { line: is.program(name) ? "//" : "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  });
}

function base(name, label) {
  return [
    CM.lineNumbers(), CM.highlightSpecialChars(), CM.drawSelection(), CM.EditorState.tabSize.of(4), CM.bracketMatching(), CM.syntaxHighlighting(COLOURS),
    LOOK, CM.EditorView.cspNonce.of(NONCE), language(name), CM.EditorView.contentAttributes.of({ "aria-label": label, "aria-description": "Escape, then Tab leaves the editor" }),
    CM.search({ top: true }), CM.highlightSelectionMatches(),
  ];
}

function editorState(name, text) {
  return CM.EditorState.create({
    doc: text,
    extensions: [
      ...base(name, name), CM.history(), CM.highlightActiveLine(), CM.highlightActiveLineGutter(), CM.indentUnit.of("\t"), CM.closeBrackets(), CM.lintGutter(),
      CM.EditorView.lineWrapping, CM.tooltips({ position: "fixed" }),
      CM.autocompletion({ override: [complete], icons: false }),
      CM.hoverTooltip(hover),
      CM.keymap.of([
        { key: "Mod-s", run: () => { openShare(); return true; } },
        { key: "F8", run: nextFinding },
        { key: "Mod-.", run: openFixes },
        { key: "F12", run: () => { define(); return true; } },
        { key: "Shift-Alt-f", run: () => { format(); return true; } },
        ...CM.closeBracketsKeymap, ...CM.completionKeymap, ...CM.searchKeymap, ...CM.historyKeymap, ...CM.lintKeymap, ...CM.defaultKeymap, CM.indentWithTab,
      ]),
      CM.EditorView.updateListener.of((update) => {
        if (update.docChanged) { judgeSoon(PAUSE); keepSoon(); }
        if (update.selectionSet) $("notice").textContent = "";
        if (update.docChanged || update.selectionSet) signSoon();
      }),
    ],
  });
}

// Goes to the next finding, and says what it is.
function nextFinding(target) {
  if (!NEXT.run(target)) return false;
  const found = findingHere();
  if (found) $("notice").textContent = `${found.code}: ${found.message}. Ctrl-. goes to ${found.fixes.length ? "its fixes" : "its details"}, Escape back.`;
  return true;
}

// The finding at the cursor; of several one with a fix.
function findingHere() {
  const { from, to } = view.state.selection.main;
  const here = state.findings.filter(({ at }) => at && at.file === state.file && at.from <= to && from <= at.to);
  return here.find((finding) => finding.fixes.length) || here[0];
}

// Moves the focus to the first fix of the finding at the cursor, or to the finding.
function openFixes() {
  const found = findingHere();
  if (!found) return false;
  showPanel("findings");
  const box = $("findings").children[state.findings.indexOf(found)];
  (box.querySelector(".fix button") || box).focus();
  return true;
}

async function complete(context) {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (is.c(state.file) || (!context.explicit && !/[\w"(,]/.test(before))) return null;
  const found = await one("complete", { files: texts(), file: state.file, offset: context.pos }, "completions").catch(() => null);
  if (!found || !found.items.length || context.aborted) return null;
  const length = found.items[0].length;
  return {
    from: context.pos - length,
    options: found.items.map((item, at) => ({
      label: item.text, detail: item.about, boost: -at / 10,
      apply: (target, _, from, to) => {
        const start = from - (item.length - length);
        target.dispatch({ changes: { from: start, to, insert: item.text }, selection: { anchor: start + item.text.length }, userEvent: "input.complete" });
      },
    })),
    validFor: /^[\w.-]*$/,
  };
}

async function hover(target, pos) {
  // There the tooltip of the finding is shown.
  const isFound = state.findings.some(({ at }) => at && at.file === state.file && at.from <= pos && pos <= at.to && at.to > at.from);
  if (is.c(state.file) || isFound) return null;
  const found = await one("hover", { files: texts(), file: state.file, offset: pos }, "hover").catch(() => null);
  if (!found || !found.html) return null;
  const at = found.at || { from: pos, to: pos };
  return { pos: at.from, end: at.to, above: true, create: () => ({ dom: document_(found.html, "hover") }) };
}

// An element with the HTML of the server; links lead to rules in the page, or out of it.
function document_(markup, kind) {
  const box = html("div", { class: `document ${kind}` });
  box.innerHTML = markup;
  linked(box);
  return box;
}

function linked(box) {
  for (const link of box.querySelectorAll("a")) {
    const address = link.getAttribute("href") || "", rule = /(AZ\d{3,4})\.md/.exec(address), lesson = /^((solutions\/)?\d\d-[\w-]+)\.md$/.exec(address), shown = /^show:(\w*)$/.exec(address), drawn = /^figure:(\d+)$/.exec(address);
    if (rule) link.addEventListener("click", (event) => { event.preventDefault(); explain(rule[1]); });
    else if (lesson) link.addEventListener("click", (event) => { event.preventDefault(); openLesson(lesson[1]); });
    else if (shown) link.addEventListener("click", (event) => { event.preventDefault(); showKind(shown[1]); });
    else if (drawn) drawInto(link, state.figures[Number(drawn[1])]);
    else if (/^https?:/.test(address)) Object.assign(link, { target: "_blank", rel: "noopener noreferrer" });
    else link.replaceWith(...link.childNodes);
  }
  for (const picture of box.querySelectorAll("img")) picture.replaceWith(picture.alt);
  for (const block of box.querySelectorAll("pre, table")) { block.tabIndex = 0; block.setAttribute("role", "group"); }
}

function signSoon() {
  clearTimeout(timers.sign);
  timers.sign = setTimeout(async () => {
    if (!is.script(state.file)) { $("status").replaceChildren(); return; }
    const offset = view.state.selection.main.head;
    const found = await one("signature", { files: texts(), file: state.file, offset }, "signature").catch(() => null);
    if (!found) { $("status").replaceChildren(); return; }
    const [before, after] = found.current && found.form.includes(found.current) ? found.form.split(found.current, 2) : [found.form, ""];
    $("status").replaceChildren(html("code", {}, before, ...(after || before !== found.form ? [html("b", {}, found.current), after] : [])), ` ${found.about}`);
  }, 200);
}

async function define() {
  const found = await one("define", { files: texts(), file: state.file, offset: view.state.selection.main.head }, "definition").catch(() => null);
  if (found && found.at) goTo(found.at);
}

function goTo(at) {
  if (at.file !== state.file) showFile(at.file);
  const to = Math.min(at.to, view.state.doc.length), from = Math.min(at.from, to);
  view.dispatch({ selection: { anchor: from, head: to }, effects: CM.EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}

async function format() {
  const file = state.file, before = textOf(file);
  try {
    const found = await one("format", { files: texts(), file }, "formatted");
    if (found && state.file === file && textOf(file) === before && found.text !== before) view.dispatch({ changes: { from: 0, to: before.length, insert: found.text } });
  } catch (problem) { $("status").textContent = problem.message; }
}

// Changes texts; later changes of one text do not move earlier ones.
function edit(edits) {
  for (const name of new Set(edits.map((change) => change.file))) {
    const changes = edits.filter((change) => change.file === name).map(({ from, to, insert }) => ({ from, to, insert }));
    if (name === state.file) view.dispatch({ changes, userEvent: "input.fix" });
    else state.files.set(name, state.files.get(name).update({ changes }).state);
  }
  judgeSoon(0);
  keepSoon();
}
