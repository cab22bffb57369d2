"""Long programs for the verifier: a chain of k three-dimensional statements, each reading the one before and itself.

`nests`: one nest after another, by a leading ordering dimension, each tiled; `fused`: one tiled nest of all statements,
ordered inside it. Memory `own`: every variable has a space of its own; `turns`: all share two spaces by turns, so that
the number of conflicts grows with k squared, but the order of the nests settles them; `threes`: three neighbours share
a space, in cells of their own.
"""

from dataclasses import dataclass
from pathlib import Path

CUBE = "{t,i,j | 0<=t<N && 0<=i<N && 0<=j<N}"
SYSTEM = "chain"


@dataclass(frozen=True)
class Chain:
    """`shape` is nests or fused, `memory` own, turns or threes."""

    length: int
    shape: str = "nests"
    memory: str = "own"

    def __str__(self) -> str:
        return f"{self.shape}, {self.memory}"

    @property
    def program(self) -> str:
        locals_ = "\n".join(f"  int X{at} {CUBE};" for at in range(1, self.length))
        equations = "\n".join(map(_equation, range(1, self.length + 1)))
        declared = f"input\n  int X0 {CUBE};\noutput\n  int X{self.length} {CUBE};\nlocal\n{locals_}"
        return f"affine {SYSTEM} {{N | N>=4}}\n{declared}\nlet\n{equations}\n.\n"

    @property
    def script(self) -> str:
        lines = ['prog = ReadAlphabets("chain.ab");']
        for at in range(1, self.length + 1):
            date = f"{at},t,i,j" if self.shape == "nests" else f"t,i,j,{at}"
            lines.append(f'setSpaceTimeMap(prog, "{SYSTEM}", "X{at}", "(t,i,j -> {date})");')
        lines.append(f'setOrderingDimensions(prog, "{SYSTEM}", {0 if self.shape == "nests" else 3});')
        lines.append(f'setBandForTiling(prog, "{SYSTEM}", "all", "", 0, 3);')
        lines += [line for at in range(1, self.length) for line in self._memory(at)]
        return "\n".join(lines) + "\n"

    def _memory(self, at: int) -> list[str]:
        if self.memory == "turns":
            return [f'setMemoryMap(prog, "{SYSTEM}", "X{at}", "turn{at % 2}", "(t,i,j -> t,i,j)");']
        if self.memory == "threes":
            return [f'setMemoryMap(prog, "{SYSTEM}", "X{at}", "three{at // 3}", "(t,i,j -> 3t+{at % 3},i,j)");']
        return []

    def write(self, folder: Path) -> Path:
        """The pair of files; the script's path."""
        (folder / "chain.ab").write_text(self.program, encoding="utf-8")
        (folder / "chain.cs").write_text(self.script, encoding="utf-8")
        return folder / "chain.cs"


def _equation(at: int) -> str:
    before, own = f"X{at - 1}", f"X{at}"
    return (
        f"  {own}[t,i,j] = case\n"
        f"    {{| t>0 && i>0 && j>0}} : {before}[t,i,j] + {own}[t-1,i,j] + {own}[t,i-1,j-1];\n"
        f"    {{| t==0}} : {before}[t,i,j];\n"
        f"    {{| t>0 && i==0}} : {before}[t,i,j];\n"
        f"    {{| t>0 && i>0 && j==0}} : {before}[t,i,j];\n"
        "  esac;"
    )
