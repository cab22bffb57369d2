// Which files ending in .cs are scripts of alphaz: those that read an Alphabets program, which no C# does.

const READS = /^\s*[A-Za-z_][A-Za-z_0-9]*\s*=\s*ReadAlphabets\s*\(/m;

function isScript(text) {
  return READS.test(text.slice(0, 100000));
}

module.exports = { isScript };
