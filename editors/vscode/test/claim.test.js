const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { isScript } = require("../src/claim");
const { page } = require("../src/page");

const samples = path.join(__dirname, "..", "..", "..", "samples", "prefix-sum");

test("scripts are told from C#", () => {
  for (const name of fs.readdirSync(samples).filter((each) => each.endsWith(".cs"))) {
    assert.ok(isScript(fs.readFileSync(path.join(samples, name), "utf8")), name);
  }
  assert.ok(isScript('prog = ReadAlphabets("a.ab");\n'));
  assert.ok(isScript('# a comment\n\nprog=ReadAlphabets( "a.ab" );'));
  assert.ok(!isScript("using System;\nclass A { static void Main() {} }\n"));
  assert.ok(!isScript("// prog = ReadAlphabets()\nclass A {}"));
});

test("a figure cannot leave its image", () => {
  const made = page('"><script>alert(1)</script>');
  assert.ok(!made.includes("<script>"));
  assert.ok(made.includes("default-src 'none'"));
});
