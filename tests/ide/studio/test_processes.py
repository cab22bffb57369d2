"""The processes of the studio: answers over the server, limits, and the end of outdated work."""

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest

from alphaz.ide.studio.server import Studio, StudioSettings
from alphaz.usage import Limits, descendants
from tests.ide.studio.studio_client import ask, sample, studio

pytestmark = pytest.mark.slow

FILES = sample("prefix-sum/prefix-sum.ab", "prefix-sum/prefix-sum.cs")
# This takes minutes.
ENDLESS = 'prog = ReadAlphabets("adi.ab");\n' + "Normalize(prog);\n" * 20_000


@pytest.fixture(scope="module")
def made() -> Iterator[Studio]:
    with studio(StudioSettings(limits=Limits(1.0, 2_000_000_000)), works=True) as page:
        yield page
    assert not page.folder.exists()
    assert _until(lambda: not _idle(page) & set(descendants(os.getpid())))


def test_a_script_is_judged_in_a_process(made: Studio) -> None:
    outcome = ask(made, "analyse", files=FILES, file="prefix-sum.cs")
    assert [answer["event"] for answer in outcome][-1] == "end"
    [verdicts] = [answer for answer in outcome if answer["event"] == "verdicts"]
    assert '"proved"' in json.dumps(verdicts)
    assert str(made.folder) not in json.dumps(outcome)


def test_texts_reach_no_other_file(made: Studio) -> None:
    there = made.folder.with_name(f"{made.folder.name}-outside.ab")
    script = f'prog = ReadAlphabets("prefix-sum.ab");\nASave(prog, "{there}");\nother = ReadAlphabets("/etc/passwd");\n'
    result = json.dumps(ask(made, "analyse", files={**FILES, "x.cs": script}, file="x.cs"))
    assert "lies outside of the folder of the studio" in result
    assert "root:" not in result
    assert not there.exists()


def test_numbers_that_are_none_are_texts(made: Studio) -> None:
    program = FILES["prefix-sum.ab"].replace(": x[i]", ": x[i] / (x[i] - x[i])")
    script = FILES["prefix-sum.cs"] + 'setMemoryMap(prog, "prefix_sum", "y", "(i -> 0)");\n'
    outcome = ask(made, "analyse", files={"prefix-sum.ab": program, "x.cs": script}, file="x.cs")
    assert '"inf"' in json.dumps(outcome) or '"nan"' in json.dumps(outcome)


def test_work_ends_when_the_page_does_not_wait_for_it(made: Studio) -> None:
    assert _until(lambda: len(made.processes._idle) == 1)
    before = _idle(made)
    fields = {"task": "analyse", "files": _endless(), "file": "endless.cs"}
    body = json.dumps(fields).encode()
    address = urlsplit(made.url)
    with socket.create_connection((str(address.hostname), address.port or 0)) as client:
        head = f"POST {address.path}ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        client.sendall(head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert _until(lambda: len(_idle(made)) < len(before))
        assert not _idle(made)
    assert _until(lambda: bool(_idle(made)))
    assert ask(made, "analyse", files=FILES, file="prefix-sum.cs")[-1] == {"event": "end"}


def test_limits_end_the_work(made: Studio) -> None:
    outcome = ask(made, "analyse", files=_endless(), file="endless.cs")
    assert outcome[-1]["event"] == "limit"
    assert "1 s" in str(outcome[-1]["reason"])


def _endless() -> dict[str, str]:
    return {**sample("kernels/adi/adi.ab"), "endless.cs": ENDLESS}


def _idle(made: Studio) -> set[int]:
    """The processes that wait for work."""
    return {worker.process.number for worker in made.processes._idle}


def _until(is_so: Callable[[], bool]) -> bool:
    for _ in range(200):
        if is_so():
            return True
        time.sleep(0.05)
    return False
