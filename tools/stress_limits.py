"""Long and deep programs: each verb must end within its limits of time and memory, and without an internal error."""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

from tools.command_line import parser

SECONDS, MEMORY = 10, 2.0
# To load, to hear of the limit, and to report.
_MORE = 12
_HUGE = (2**31, 2**53 + 1, 2**62, 2**63 - 1, 2**63, 2**64, 10**30)


@dataclass(frozen=True)
class Text:
    """A program, with a script where it is about mappings."""

    name: str
    program: str
    script: str = ""


def program(body: str, *, declared: str = "", domain: str = "0<=i<N", parameters: str = "N | N>0") -> str:
    header = f"affine slow {{{parameters}}}\ninput int a {{i | 0<=i<N}};\noutput int x {{i | {domain}}};\n"
    return f"{header}{declared}let\n{body}\n.\n"


def nested(random: Random, count: int) -> str:
    """A value in so many others of one kind, or of several."""
    forms: list[Callable[[str, int], str]] = [
        lambda e, k: f"({e})",
        lambda e, k: f"-({e})",
        lambda e, k: f"({e} + {k})",
        lambda e, k: f"max({e}, a[i])",
        lambda e, k: f"case {{| i=={k}}} : {k}; {{| i!={k}}} : {e}; esac",
        lambda e, k: f"case {{| i%{k + 2}==0}} : {e}; {{| i%{k + 2}!=0}} : 1; esac",
        lambda e, k: f"if i > {k} then {e} else {k}",
        lambda e, k: f"reduce(+, [j{k}], {{| 0<=j{k}<N}} : {e})",
        lambda e, k: f"{{| i>={k % 3}}} : {e}",
        lambda e, k: f"(i -> i) @ ({e})",
    ]
    chosen = random.sample(forms, random.choice((1, 1, 2)))
    value = "a[i]"
    for k in range(count):
        value = random.choice(chosen)(value, k)
    return program(f"  x[i] = {value};")


def unions(random: Random, count: int) -> str:
    def part(k: int) -> str:
        return random.choice((f"i=={k * 3}", f"i%{k + 2}=={k % 2} && i>{k}", f"{k}<=i<={k + N_}"))

    N_ = random.randint(0, 5)
    domain = " || ".join(part(k) for k in range(count))
    branches = "; ".join(f"{{| {part(k)}}} : {k}" for k in range(count // 2 + 1))
    return program(f"  x[i] = case {branches}; esac;", domain=domain)


def constants(random: Random, count: int) -> str:
    def huge() -> int:
        return random.choice((1, -1)) * (random.choice(_HUGE) + random.randint(-2, 2))

    value = " + ".join(random.choice((f"a[i+{huge()}]", f"{huge()}", f"[{huge()}*i]")) for _ in range(count % 20 + 1))
    return program(f"  x[i] = {value};", domain=f"{huge()}<=i<{huge()} && {huge()}*i<N+{huge()}")


def names(random: Random, count: int) -> str:
    many = [f"v{k}" for k in range(count * 4)]
    declared = f"local int {', '.join(many)} {{i | 0<=i<N}};\n"
    is_chain = random.random() < 0.5

    def read(k: int) -> str:
        other = k - 1 if is_chain else random.randrange(len(many))
        return f"{many[other]}[i]" if k else "a[i]"

    lines = [f"  v{k}[i] = {read(k)};" for k in range(len(many))]
    return program("\n".join([*lines, f"  x[i] = {many[-1]}[i];"]), declared=declared)


def long_line(random: Random, count: int) -> str:
    operator = random.choice((" + ", " * ", " min ", " - ", " and "))
    return program("  x[i] = " + operator.join(f"a[i]{' ' * random.randint(0, 40)}" for _ in range(count * 10)) + ";")


def parameters(random: Random, count: int) -> str:
    many = [f"P{k}" for k in range(count % 60 + 2)]
    context = " && ".join(f"{a}<={b}" for a, b in pairwise(many))
    wide = " && ".join(f"0<=i{k}<{many[k % len(many)]}" for k in range(count % 24 + 1))
    indices = ",".join(f"i{k}" for k in range(count % 24 + 1))
    value = f"reduce(+, [{indices}], {{| {wide}}} : a[i])"
    return program(f"  x[i] = {value};", parameters=f"N,{','.join(many)} | {context}")


def noise(random: Random, count: int) -> str:
    text = list(nested(random, count))
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(text))
        text[at] = random.choice("()[]{}|;:,.&<>=+-*@ \n\0é9")
    return "".join(text)


KINDS: tuple[Callable[[Random, int], str], ...] = (
    nested, nested, unions, constants, names, long_line, parameters, noise,
)  # fmt: skip


def texts(seed: int = 1) -> Iterator[Text]:
    """Without end; the same for a seed."""
    number = 0
    while True:
        random = Random(f"{seed} {number}")
        kind = KINDS[number % len(KINDS)]
        made = kind(random, random.choice((10, 40, 120, 300, 700)))
        script = ""
        if number % 3 == 0:
            lines = ['setSpaceTimeMap(p, "slow", "x", "(i -> i)");'] * random.choice((1, 1, 200))
            script = "\n".join(['p = ReadAlphabets("slow.ab");', *lines, 'generateScheduledCode(p, "slow");'])
        yield Text(f"{number:03}-{kind.__name__}", made, script)
        number += 1


def complaint(text: Text, verb: str, folder: Path) -> str | None:
    """Returns the failure in the way a verb ends; None if there is none."""
    (folder / "slow.ab").write_text(text.program, encoding="utf-8")
    (folder / "slow.cs").write_text(text.script, encoding="utf-8")
    file = "slow.cs" if verb in ("verify", "run") else "slow.ab"
    command = [sys.executable, "-P", "-m", "alphaz", verb, file, "--timeout", str(SECONDS), "--memory", str(MEMORY)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "ALPHAZ_PROVE": "no"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    printed_text = done.stdout + done.stderr
    if done.returncode not in (0, 1, 2) or "Traceback" in printed_text:
        return f"exit code {done.returncode}: {printed_text[-300:]}"
    if "[AZ9" in printed_text:
        return next(line for line in printed_text.splitlines() if "[AZ9" in line)
    if used > 2 * SECONDS + _MORE:
        return f"{used:.1f} s of processor time"
    return None


def verbs_of(text: Text) -> tuple[str, ...]:
    return ("verify", "run") if text.script else ("check", "show")


def main(arguments: Sequence[str]) -> int:
    command = parser(
        "python -m tools.stress_limits",
        "Runs the verbs on long and deep programs. Prints those that exceed a limit or end with an internal error,\n"
        "with the reason, and writes them to a folder.",
        "python -m tools.stress_limits --count 300",
    )
    command.add_argument("--count", type=int, default=300, help="the number of programs (default: 300)")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--first", type=int, default=0, help="the number of the first program that is run")
    options = command.parse_args(arguments)
    rest = Path(tempfile.mkdtemp(prefix="alphaz-slow-texts-"))
    wrong = 0
    for number, text in zip(range(options.count), texts(options.seed), strict=False):
        for verb in verbs_of(text) if number >= options.first else ():
            with tempfile.TemporaryDirectory() as folder:
                message = complaint(text, verb, Path(folder))
            if message is not None:
                wrong += 1
                (rest / f"{text.name}.ab").write_text(text.program, encoding="utf-8")
                (rest / f"{text.name}.cs").write_text(text.script, encoding="utf-8")
                sys.stdout.write(f"{text.name} {verb}: {message}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{options.count} texts, {wrong} complaints; texts are in {rest}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
