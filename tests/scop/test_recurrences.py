"""Integers and pointers that loops change: their values in closed form, against compiled C."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from alphaz.diagnostics import Rejected
from alphaz.equivalence.concrete_steps import in_order
from alphaz.run.compiler import find_compiler
from alphaz.scop import CKernel
from alphaz.scop.value_tree import LiteralValue
from tests.scop.reading import kernel

READ = {
    "a counter across two loops": (
        "int n = 0; for (int i = 0; i < N; i++) for (int j = 0; j < i; j++) { A[n - i * (i - 1) / 2] = 0; n++; }",
        ["A[j_2]"],
    ),
    "a step inside a subscript": ("int n = 0; for (int i = 0; i < N; i++) A[n++] = i;", ["A[i]"]),
    "a step of a step": ("int n = N; for (int i = 0; i < N; i += 2) { n -= 3; A[n] = 0; }", ["A[N-3q-3]"]),
    "what two loops leave behind": (
        "int n = 0; for (int i = 0; i < N; i++) n += 2; for (int j = 0; j < 3; j++) n--; A[n] = 0;",
        ["A[q]"],
    ),
    "a condition of two counters": (
        "int lo = 0, hi = N; while (lo < hi) { A[lo] = 0; A[hi] = 1; lo++; hi--; }",
        ["A[N-hi]", "A[hi]"],
    ),
    "a pointer that is a walk": ("double *p = A; while (p < A + N) *p++ = 0;", ["A[p_at]"]),
    "a switch": (
        "for (int i = 0; i < N; i++) switch (i % 2) { case 0: A[i] = 0; break; default: A[i] = 1; }",
        ["A[i]", "A[i]"],
    ),
    "an argument": ("while (N-- > 0) A[N] = 0;", ["A[N-trip-1]"]),
}


@pytest.mark.parametrize("name", READ)
def test_a_changed_integer_has_a_value(name: str) -> None:
    text, expected = READ[name]
    assert [
        _shown(statement.target.array.label, statement.target.subscripts) for statement in kernel(text).statements
    ] == expected


def _shown(label: str, subscripts: object) -> str:
    assert isinstance(subscripts, tuple)
    return f"{label}[{','.join(map(str, subscripts))}]"


UNKNOWN = {
    "an amount from data": "int n = 0; for (int i = 0; i < N; i++) { A[n] = 0; n += (int)A[i]; }",
    "a branch": "int n = 0; for (int i = 0; i < N; i++) { A[n] = 0; if (i > 3) n++; }",
    "a loop that data leaves": "int n = 0; for (int i = 0; i < N; i++) { A[n] = 0; n++; if (A[i] > 3) break; }",
    "a loop of its own length": "int n = 0; for (int i = 0; i < N; i++) { A[n] = 0; for (int j = 0; j < n; j++) n++; }",
    "one of all threads": "int n = 0;\n#pragma omp parallel for\nfor (int i = 0; i < N; i++) { A[n] = 0; n++; }",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_integer_without_a_closed_form_is_refused(name: str) -> None:
    with pytest.raises(Rejected):
        kernel(UNKNOWN[name])


PROGRAMS, LARGEST, MIDDLE = 120, 4, 1000


def test_the_model_writes_what_compiled_c_writes(tmp_path: Path) -> None:
    texts, models = [], []
    for seed in range(PROGRAMS):
        text = _Text(Random(seed)).text
        try:
            models.append(kernel(text))
        except Rejected:
            continue
        texts.append(text)
    assert len(texts) > PROGRAMS / 3
    lines = iter(_executed(texts, tmp_path))
    for text, model in zip(texts, models, strict=True):
        for size in range(LARGEST + 1):
            assert next(lines) == " ".join(_written(model, size)), (size, text)


def _written(model: CKernel, size: int) -> Iterator[str]:
    """Yields the cells that the model writes, in order, each with its last value."""
    cells: dict[int, int] = {}
    for step, point in in_order(model, {"N": size})[0]:
        if step.statement.target.array.label == "A":
            assert isinstance(step.statement.value, LiteralValue)
            cells[step.target.at(point)[1][-1]] = int(step.statement.value.value)
    return (f"{at}:{value}" for at, value in sorted(cells.items()))


def _executed(texts: list[str], folder: Path) -> list[str]:
    functions = [f"static void f{at}(long N, double *A)\n{{\n{text}\n}}\n" for at, text in enumerate(texts)]
    calls = "".join(f"f{at}(n, A); show();\n" for at in range(len(texts)))
    shown = (
        f"static double all[{2 * MIDDLE}], *A = all + {MIDDLE};\n"
        f'static void show(void) {{ const char *gap = ""; for (int i = -{MIDDLE}; i < {MIDDLE}; i++) if (A[i]) '
        '{ printf("%s%d:%d", gap, i, (int)A[i]); gap = " "; A[i] = 0; } printf("\\n"); }\n'
    )
    calls = "".join(f"for (int n = 0; n <= {LARGEST}; n++) {{ f{at}(n, A); show(); }}\n" for at in range(len(texts)))
    (folder / "k.c").write_text(
        f"#include <stdio.h>\n{shown}{''.join(functions)}int main(void) {{ {calls} return 0; }}\n", encoding="utf-8"
    )
    command = [*find_compiler().command, "-w", "-O0", "-o", str(folder / "k"), str(folder / "k.c")]
    subprocess.run(command, check=True)
    said = subprocess.run([str(folder / "k")], check=True, capture_output=True, text=True, timeout=60)
    return said.stdout.splitlines()


class _Text:
    """The body of a random function that writes numbers to A by integers and pointers that change."""

    def __init__(self, random: Random) -> None:
        self.random, self.value, self.names = random, 0, 0
        start = self.random.choice(("0", "N", "2", "N - 1"))
        self.text = f"long k = {start}; int m = {random.randint(0, 3)}; double *p = A;\n"
        self.text += "".join(self.statement(2, ()) for _ in range(random.randint(2, 4)))

    def statement(self, depth: int, iterators: tuple[str, ...]) -> str:
        forms = [self.write, self.write, self.change, *([self.loop, self.loop, self.branch] if depth else [])]
        return self.random.choice(forms)(depth, iterators)

    def body(self, depth: int, iterators: tuple[str, ...]) -> str:
        return "{ " + "".join(self.statement(depth, iterators) for _ in range(self.random.randint(1, 3))) + "}\n"

    def write(self, _: int, iterators: tuple[str, ...]) -> str:
        self.value += 1
        places = [
            "A[k]",
            "A[m]",
            "A[k++]",
            "A[--m]",
            "A[k - m]",
            "*p",
            "*p++",
            "p[k]",
            *(f"A[m + {i}]" for i in iterators),
        ]
        return f"{self.random.choice(places)} = {self.value}; "

    def change(self, _: int, iterators: tuple[str, ...]) -> str:
        steps = ["m = 3 - m", "k++", "m--", "k += 2", "m = m + 3", "p++", "p += 2", "k = 1", "k = N - 1"]
        steps += [form for i in iterators for form in (f"k += {i}", f"m -= 2 * {i}", f"p += {i}", f"m = {i}")]
        return f"{self.random.choice(steps)}; "

    def loop(self, depth: int, iterators: tuple[str, ...]) -> str:
        self.names += 1
        i = f"i{self.names}"
        end = self.random.choice(("N", "3", "N - 1", *(f"{other} + 1" for other in iterators)))
        heads = [f"for (int {i} = 0; {i} < {end}; {i}++) ", f"for (int {i} = {end}; {i} > 0; {i}--) "]
        heads += [
            f"for (int {i} = 0; {i} < {end}; {i} += 2) ",
            f"for (int {i} = 0, {i}b = m; {i} < {end}; ++{i}, {i}b += 2) ",
        ]
        match self.random.randint(0, 5):
            case 0:
                return f"{{ int {i} = {end}; while ({i}-- > 0) {self.body(depth - 1, iterators)} }}\n"
            case 1:
                inside = self.body(depth - 1, iterators)
                return f"{{ int {i} = 0; while ({i} < {end}) {{ {inside} {i}++; }} }}\n"
        return self.random.choice(heads) + self.body(depth - 1, (*iterators, i))

    def branch(self, depth: int, iterators: tuple[str, ...]) -> str:
        own = self.random.choice(("k", "N", *iterators))
        if self.random.random() < 0.5:
            return f"if ({own} < 2) {self.body(depth - 1, iterators)}"
        cases = "".join(f"case {at}: {self.body(depth - 1, iterators)} break; " for at in range(2))
        return f"switch ({own}) {{ {cases} default: {self.write(0, iterators)} }}\n"
