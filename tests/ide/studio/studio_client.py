"""A studio in this process, and a client of it."""

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from alphaz.ide.studio.server import Studio, StudioSettings

SAMPLES = Path(__file__).parents[3] / "samples"


@contextmanager
def studio(settings: StudioSettings, *, works: bool = False) -> Iterator[Studio]:
    """A studio that answers; without its processes, unless it `works`."""
    made = Studio(settings)
    # Loading is most of the time of these tests.
    made.processes.kept = 1
    if works:
        made.processes.start()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield made
    finally:
        made.server.shutdown()
        thread.join()
        made.close()


def send(
    made: Studio, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """The status, the headers and the content of an answer; the path is that after the word."""
    address = urlsplit(made.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
    try:
        target = path if path.startswith("/") else address.path + path
        connection.request(method, target, body, {"Content-Type": "application/json", **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def ask(made: Studio, task: str, **fields: object) -> list[dict[str, object]]:
    """The answers to a request."""
    status, _, content = send(made, "POST", "ask", json.dumps({"task": task, **fields}).encode())
    assert status == 200, content
    return [json.loads(line) for line in content.splitlines()]


def sample(*names: str) -> dict[str, str]:
    """The texts of samples, by their names."""
    return {Path(name).name: (SAMPLES / name).read_text(encoding="utf-8") for name in names}
