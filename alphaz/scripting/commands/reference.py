"""The command reference: the list, one command with its example, and the whole page `docs/commands.md`."""

from textwrap import indent

from alphaz.scripting.commands.catalogue import commands
from alphaz.scripting.commands.declaring.call import usage_line
from alphaz.scripting.commands.declaring.declaration import Command, CommandStatus, Topic

EXAMPLE_FILE = "sums.ab"
EXAMPLE_PROGRAM = """\
affine sums {N | N > 0}
input
  int A {i | 0 <= i < N};
output
  int B {i | 0 <= i < N};
  int C {i | 0 <= i < N};
let
  B[i] = case
    {| i == 0} : A[i];
    {| i > 0} : B[i-1] + A[i];
  esac;
  C[i] = reduce(+, [k], {| 0 <= k <= i} : A[k]);
.
"""
# A system that calls it, for the examples about use equations.
EXAMPLE_CALLER = """\
affine table {N,M | N > 0 && M > 0}
input
  int X {r,i | 0 <= r < M && 0 <= i < N};
output
  int Y {r,i | 0 <= r < M && 0 <= i < N};
  int Z {r,i | 0 <= r < M && 0 <= i < N};
let
  use {r | 0 <= r < M} sums[N] (X) returns (Y, Z);
.
"""

# C for the examples about C.
EXAMPLE_C_FILE = "kernel.c"
EXAMPLE_C = """\
void sums(int N, const double A[N], double *total)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += A[i];
    *total = sum;
}
"""


_MARKS = {CommandStatus.DONE: "", CommandStatus.IGNORED: " (accepted, without effect)"}


def overview() -> str:
    """Returns the list of commands, a line each, by topic."""
    parts = []
    for topic in Topic:
        rows = [
            f"  {command.name:44} {command.documentation.summary}{_MARKS[command.status]}\n" for command in _of(topic)
        ]
        parts.append(f"{topic}\n{''.join(rows)}")
    return "\n".join(parts)


def entry(command: Command) -> str:
    """Returns the documentation of one command, as plain text."""
    text = command.documentation
    parts = [f"{usage_line(command)}{_MARKS[command.status]}", text.summary]
    if command.aliases:
        parts.append(f"Also called {', '.join(command.aliases)}.")
    parts += [text.body] if text.body else []
    parts += [f"Rewrites: {text.rewrites}"] if text.rewrites else []
    parts += [f"Checks: {text.checks}"] if text.checks else []
    parts += [f"In Python: alphaz.{command.python_name}(...)"] if command.status is CommandStatus.DONE else []
    parts += [f"Example:\n{indent(text.example, '    ')}"] if text.example else []
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """Returns the page `docs/commands.md`."""
    return "\n".join([_HEAD, *(_chapter(topic) for topic in Topic)])


_HEAD = f"""# Commands of scripts

This page is for authors of scripts. It is generated from the declarations of the commands:
`alphaz commands --markdown > docs/commands.md`.

A script is a sequence of statements, `[variable =] expression;`, with `#` before a comment. Expressions are texts,
numbers, variables, calls, and `+` between texts. Numbers may be written as texts; lists are texts, `"A, B"` or
`"2,0,0"`. A command that returns a program replaces the program that is its argument. In Python every command is a
function of `alphaz` that takes the same arguments and returns the new design.

Each example follows `prog = ReadAlphabets("{EXAMPLE_FILE}");`, where `{EXAMPLE_FILE}` is

```alphabets
{EXAMPLE_PROGRAM.strip()}

{EXAMPLE_CALLER.strip()}
```

and `{EXAMPLE_C_FILE}` is

```c
{EXAMPLE_C.strip()}
```
"""


def _of(topic: Topic) -> list[Command]:
    return [command for command in commands() if command.topic is topic]


def _chapter(topic: Topic) -> str:
    every = _of(topic)
    rows = "".join(_row(command) for command in every)
    details = "".join(_detail(command) for command in every if command.status is CommandStatus.DONE)
    return f"## {topic}\n\n| command | what it does | |\n|---|---|---|\n{rows}\n{details}".rstrip("\n") + "\n"


def _row(command: Command) -> str:
    usage = usage_line(command).replace("|", "\\|")
    status = "" if command.status is CommandStatus.DONE else str(command.status)
    return f"| `{usage}` | {command.documentation.summary} | {status} |\n"


def _detail(command: Command) -> str:
    text = command.documentation
    also = f"Also called {', '.join(f'`{name}`' for name in command.aliases)}." if command.aliases else ""
    rewrites = f"*Rewrites*: {text.rewrites}" if text.rewrites else ""
    checks = f"*Checks*: {text.checks}" if text.checks else ""
    example = f"```script\n{text.example.strip()}\n```" if text.example else ""
    forms = f"`{usage_line(command)}`, in Python `{command.python_name}`."
    parts = [f"### {command.name}", forms, text.summary, also, text.body, rewrites, checks, example]
    return "\n\n".join(filter(None, parts)) + "\n\n"
