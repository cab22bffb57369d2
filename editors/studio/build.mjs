// Bundles CodeMirror into the folder of the page, with the licences of everything in the bundle.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const target = process.argv[2];
const lock = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
const found = await build({
  entryPoints: ["codemirror.js"], bundle: true, minify: true, format: "iife", globalName: "CM", target: "es2022",
  legalComments: "none", metafile: true, write: false, charset: "ascii",
});
const names = [...new Set(Object.keys(found.metafile.inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))].sort();
const versions = names.map((name) => `${name} ${lock["node_modules/" + name].version}`);
const licences = new Map();
for (const name of names) {
  const text = readFileSync(join("node_modules", name, "LICENSE"), "utf8").trim();
  licences.set(text, [...(licences.get(text) ?? []), name]);
}
const head = `/* ${versions.join(", ")}; MIT licences in codemirror.LICENSES.txt. Made by scripts/build-studio. */\n`;
writeFileSync(join(target, "codemirror.js"), head + found.outputFiles[0].text);
const texts = [...licences].map(([text, users]) => `${users.join(", ")}\n\n${text}\n`);
writeFileSync(join(target, "codemirror.LICENSES.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
console.log(`${versions.length} packages, ${Math.round(found.outputFiles[0].text.length / 1000)} kB`);
