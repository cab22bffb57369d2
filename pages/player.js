"use strict";
// The steps of a trace: what the cells hold, and what goes wrong. The report and the studio use it.
// Everything here is made with createElement and textContent: no text of the user is ever markup.
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

// --- what is known of a mapping, by step --------------------------------------------------------------------------

function prepare(trace) {
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
// --- the pictures of a step ---------------------------------------------------------------------------------------

// Draws the operations into a box; `choose` is called with the step of an operation that is clicked.
function showOperations(box, trace, step, choose) {
  const left = box.scrollLeft;
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
    group.addEventListener("click", () => choose(operation.step));
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

function cellBox(trace, cell, tag, step) {
  const state = cellState(trace, cell, step);
  const classes = ["cell", state.kind, state.fresh ? "fresh" : "", state.asked ? "asked" : ""].filter(Boolean).join(" ");
  return html(tag, { class: classes }, html("span", {}, trace.elements[cell]), html("b", {}, state.value || "–"), html("small", {}, state.word));
}

// Draws the cells of all memory spaces into a box.
function showMemory(box, trace, step) {
  const left = [...box.querySelectorAll(".space")].map((space) => space.scrollLeft);
  box.replaceChildren();
  for (const space of trace.spaces) {
    const count = space.cells.length === 1 ? "1 cell" : `${space.cells.length} cells`;
    box.append(html("h3", {}, html("span", { class: "code" }, space.name), `, ${count}` + (space.more ? ` of ${space.more}` : "")));
    const inside = html("div", { class: "space", tabindex: "0", role: "group", "aria-label": "memory space " + space.name });
    if (space.rows) {
      const table = html("table", { class: "grid" });
      for (const [head, cells] of space.rows) {
        const row = html("tr", {}, html("th", { scope: "row" }, String(head)));
        for (const cell of cells) row.append(cell < 0 ? html("td", {}) : cellBox(trace, cell, "td", step));
        table.append(row);
      }
      inside.append(table);
    } else {
      inside.append(html("div", { class: "cells" }, ...space.cells.map((cell) => cellBox(trace, cell, "div", step))));
    }
    box.append(inside);
  }
  box.querySelectorAll(".space").forEach((space, at) => { space.scrollLeft = left[at] || 0; });
}

// What is done in a step, in words, and what goes wrong in it.
function toldStep(trace, step) {
  const now = trace.byStep[step].filter((number) => trace.operations[number].dated);
  const dates = [...new Set(now.map((number) => trace.operations[number].date))];
  const when = step === 0 ? "before the first operation" : step === trace.steps ? "after the last operation" : `step ${step} of ${trace.steps - 1}`;
  const names = now.map((number) => trace.operations[number].name);
  const shown = names.length > 12 ? names.slice(0, 12).join(", ") + ` and ${names.length - 12} more` : names.join(", ");
  return {
    when: when + (dates.length === 1 ? `, date ${dates[0]}` : ""),
    done: names.length ? `Now: ${shown}.` : "Nothing is done in this step.",
    wrong: sentences(trace, step),
  };
}

// Says in a box what is done in a step, and what goes wrong.
function sayStep(box, told) {
  box.replaceChildren(html("p", {}, told.done), ...told.wrong.slice(0, 6).map((text) => html("p", { class: "bad" }, text)));
  if (told.wrong.length > 6) box.append(html("p", { class: "bad" }, `And ${told.wrong.length - 6} more.`));
  box.classList.toggle("bad", told.wrong.length > 0);
}
