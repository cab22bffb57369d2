"""`scripts/fuzz-verifier --executed N [--sanitized] [--jobs J] [--seconds T]`: portions of samples, several at a time,
each in a process of its own with limits of time and memory.
"""

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alphaz.codegen.scheduled.pipeline import PLAIN
from tests.differential.drawing import Tally
from tests.differential.openmp.machine import Look, Machine, NotBuilt
from tests.differential.portion import SAMPLES, Told, Way, complaint, told
from tests.differential.proved_mappings import proved
from tests.strategies.dressing import HEADER
from tests.strategies.mapped_programs import Sample

# What the process of a portion may take, in seconds of processor and megabytes of memory.
PROCESSOR, MEGABYTES = 600, 8000
# So many samples of a portion are made smaller, and so many seconds may that take for each.
SHRUNK, SHRINKING = 2, 60

Line = dict[str, Any]
Shrink = Callable[[Sample, Callable[[Sample], object]], Sample]


@dataclass(frozen=True)
class Asked:
    """What is to be done: so many samples of a seed (or those of the portion `only`), for so many seconds at most."""

    seed: int
    samples: int
    way: Way
    output: Path
    jobs: int = 1
    seconds: float | None = None
    log: Path | None = None
    shrink: Shrink | None = None
    only: int | None = None

    def portions(self) -> Iterator[tuple[int, int]]:
        """The numbers of the portions, and how many samples are wanted of each."""
        if self.only is not None:
            yield self.only, min(self.samples, SAMPLES)
            return
        for at in range(0, self.samples, SAMPLES):
            yield at // SAMPLES, min(SAMPLES, self.samples - at)


@dataclass
class Summary:
    """What all portions came to."""

    samples: int = 0
    parallel: int = 0
    disagreements: int = 0
    tally: Tally = field(default_factory=Tally)
    features: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)

    def add(self, line: Mapping[str, Any]) -> None:
        if "tally" in line:
            for name, count in line["tally"].items():
                setattr(self.tally, name, getattr(self.tally, name) + count)
            return
        self.samples += 1
        self.parallel += line["is_parallel"]
        self.disagreements += bool(line["said"])
        self.features.update(line["features"])
        self.words.update([line["word"]] if line.get("word") else [])

    def text(self, seconds: float) -> str:
        t = self.tally
        words = "".join(f"; C {word}: {count}" for word, count in sorted(self.words.items()))
        return (
            f"{self.samples} samples executed ({self.parallel} in parallel), {self.disagreements} disagreements; "
            f"{t.proved} mappings proved, {t.refused} refused, {t.undecided} undecided, {t.invalid} not valid"
            f"{words}; {seconds:.0f} s"
        )


def execute(asked: Asked) -> int:
    """0; 1 where something disagrees; 2 where nothing can be executed."""
    begin, summary = time.monotonic(), Summary()
    with TemporaryDirectory(prefix="alphaz-fuzz-") as name:
        try:
            drivers = _drivers(Path(name), asked.way)
        except NotBuilt as problem:
            _say(f"gcc cannot build what is needed here{', with sanitizers' * asked.way.is_sanitized}:", str(problem))
            return 2
        for done, lines in enumerate(_done(asked, drivers, Path(name), begin), 1):
            for line in lines:
                summary.add(line)
                if line.get("said"):
                    _say(line["told"])
            _logged(asked.log, lines)
            if done % 10 == 0:
                _say(summary.text(time.monotonic() - begin))
    _say(*(f"{feature:>32} {count:7d}" for feature, count in sorted(summary.features.items())))
    _say(summary.text(time.monotonic() - begin))
    return 1 if summary.disagreements else 0


def _drivers(folder: Path, way: Way) -> dict[Look, Path]:
    machine = Machine(folder)
    for look in Look if way.is_sanitized else (Look.VALUES,):
        machine.driver(look)
    return machine.drivers


def _logged(log: Path | None, lines: Sequence[Line]) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(line)}\n" for line in lines)


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


# --- portions in processes of their own ---------------------------------------------------------------------------


def _done(asked: Asked, drivers: dict[Look, Path], folder: Path, begin: float) -> Iterator[list[Line]]:
    """The lines of the portions, as they end."""
    running: dict[int, tuple[int, Path]] = {}
    waiting = asked.portions()
    while True:
        is_late = asked.seconds is not None and time.monotonic() - begin > asked.seconds
        following = next(waiting, None) if len(running) < asked.jobs and not is_late else None
        if following is not None:
            portion, samples = following
            path = folder / f"portion-{portion}.jsonl"
            running[_started(asked, portion, samples, drivers, path)] = (portion, path)
        elif running:
            process, how = os.wait()
            portion, path = running.pop(process)
            yield list(_lines(asked, portion, path, how))
            path.unlink(missing_ok=True)
        else:
            return


def _started(asked: Asked, portion: int, samples: int, drivers: dict[Look, Path], path: Path) -> int:
    """A process that does the portion, and writes line by line what comes of it."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR + 5))
        with path.open("w", encoding="utf-8") as log:
            for line in _portion(asked, portion, samples, drivers):
                log.write(f"{json.dumps(line)}\n")
                log.flush()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        # Nothing of the parent's is done twice.
        os._exit(code)


def _lines(asked: Asked, portion: int, path: Path, how: int) -> Iterator[Line]:
    """What a portion wrote; a process that died is a finding."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    yield from (json.loads(line) for line in text.splitlines() if line.endswith("}"))
    code = os.waitstatus_to_exitcode(how)
    if code:
        ended = f"was ended by {signal.Signals(-code).name}" if code < 0 else "failed"
        said = f"the process that draws and proves its samples {ended}"
        told = f"portion {portion}: {said}\n  {_again(asked, portion)}"
        yield _line(asked, portion, -1) | {"said": said, "told": told}


# --- one portion --------------------------------------------------------------------------------------------------


def _portion(asked: Asked, portion: int, samples: int, drivers: dict[Look, Path]) -> Iterator[Line]:
    tally, shrunk = Tally(), 0
    for each in told(asked.seed, portion, samples, asked.way, tally, drivers):
        line = _line(asked, portion, each.number) | {
            "passes": each.passes,
            "is_parallel": each.is_parallel,
            "features": sorted(each.features),
            "word": each.word.said if each.word is not None else "",
            "reason": each.word.reason if each.word is not None else "",
        }
        if each.said:
            small = each.sample
            if asked.shrink is not None and shrunk < SHRUNK:
                shrunk += 1
                small = _small(each, asked, asked.shrink, drivers)
            line |= _wrong(each, small, asked, portion)
        yield line
    yield {"seed": asked.seed, "portion": portion, "tally": vars(tally)}


def _line(asked: Asked, portion: int, sample: int) -> Line:
    about = {"seed": asked.seed, "portion": portion, "sample": sample, "said": ""}
    return about | {"passes": "", "is_parallel": False, "features": []}


def _wrong(each: Told, small: Sample, asked: Asked, portion: int) -> Line:
    """Files that show it, and what is said of it."""
    stem = f"executed-{asked.seed}-{portion}-{each.number}"
    script = pair(small, stem, asked.output)
    texts = {"program": small.program, "script": small.script(f"{stem}.ab"), "drawn": each.sample.script(f"{stem}.ab")}
    plain = " --plain" if each.pipeline == PLAIN else ""
    passes = f" ({each.passes})" * bool(each.passes)
    said = [
        f"portion {portion}, sample {each.number}{passes}: {each.said}",
        *small.program.splitlines(),
        *texts["script"].splitlines(),
        f"alphaz test{plain} --seed {asked.seed} {script}",
        _again(asked, portion),
    ]
    return {"said": each.said, "told": "\n  ".join(said), **texts}


def _again(asked: Asked, portion: int) -> str:
    way = asked.way
    asked_for = {"sanitized": way.is_sanitized, "strict": way.strict, "prove": way.proves, "every-pass": way.every_pass}
    flags = "".join(f" --{name}" for name, is_there in asked_for.items() if is_there)
    return f"scripts/fuzz-verifier --executed {asked.samples} --seed {asked.seed}{flags} --only {portion}"


def _small(each: Told, asked: Asked, shrink: Shrink, drivers: dict[Look, Path]) -> Sample:
    """The same with less in it, as far as that is found in time."""
    until = time.monotonic() + SHRINKING

    def still_wrong(candidate: Sample) -> bool:
        if time.monotonic() > until:
            return False
        try:
            case = proved(candidate, each.pipeline)
        except Exception:
            return True
        return case is not None and complaint(case, asked.way, asked.seed, drivers) != ""

    return shrink(each.sample, still_wrong)


def pair(found: Sample, stem: str, folder: Path) -> Path:
    """A program and its script, as files; the path of the script."""
    folder.mkdir(parents=True, exist_ok=True)
    program, script = (folder / f"{stem}.{end}" for end in ("ab", "cs"))
    program.write_text(found.program, encoding="utf-8")
    script.write_text(found.script(program.name), encoding="utf-8")
    if "//@ identity" in found.program:
        (folder / "external_functions.h").write_text(HEADER, encoding="utf-8")
    return script
