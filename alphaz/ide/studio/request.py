"""A request of the page: its texts, and the task."""

import json
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

# Most characters of all texts, and most texts.
MOST, MOST_FILES = 400_000, 20
TASKS = frozenset({"analyse", "hover", "complete", "signature", "define", "format", "picture", "report", "folder"})
READY, LAST = b"ready", b""
"""The first message of a process, and the one that follows its answers."""

CANCEL = getattr(signal, "SIGUSR1", None)
"""The signal that an answer is not wanted any more, where the system has one."""

_NAME = re.compile(r"\w[\w .+=@()-]{0,60}\.(ab|cs|c|cu|h)")


class BadRequest(ValueError):
    """The reason why a request cannot be answered."""


@dataclass(frozen=True, slots=True)
class StudioRequest:
    """A task on the texts. `file` is the text with the cursor, `offset` the cursor in units of UTF-16, `parameters` and
    `options` as users type them; `executes`: the user allows that the C is compiled and run."""

    task: str
    files: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    offset: int = 0
    system: str = ""
    kind: str = ""
    parameters: str = ""
    options: str = ""
    executes: bool = False


_TYPES: Mapping[str, type] = {
    "task": str, "files": dict, **{part.name: type(part.default) for part in fields(StudioRequest)[2:]}
}  # fmt: skip


def request_of(data: bytes) -> StudioRequest:
    """Returns the request of a JSON document. Raises BadRequest."""
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        raise BadRequest("the request is no JSON") from None
    if not isinstance(value, dict) or not set(value) <= set(_TYPES) or "task" not in value:
        raise BadRequest("the request has unknown fields, or no task")
    for name, content in value.items():
        if type(content) is not _TYPES[name]:
            raise BadRequest(f"the field {name} has a value of another kind")
    if value["task"] not in TASKS:
        raise BadRequest("there is no such task")
    texts = checked_texts(value.get("files", {}))
    if value.get("file") not in texts:
        raise BadRequest("the request is about no text, or about one that it does not have")
    return StudioRequest(**{**value, "files": texts})


def checked_texts(value: object) -> dict[str, str]:
    """Returns the texts by their names. Raises BadRequest for names of other folders, and for too many texts."""
    if not isinstance(value, dict) or len(value) > MOST_FILES:
        raise BadRequest(f"there may be {MOST_FILES} texts")
    for name, text in value.items():
        if not isinstance(text, str) or not is_name(name):
            raise BadRequest("a text has a name that it cannot have here")
    if sum(map(len, value.values())) > MOST:
        raise BadRequest(f"the texts have more than {MOST} characters")
    return value


def is_name(name: str) -> bool:
    """Returns True for a name of a program, a script or C, without a folder."""
    return _NAME.fullmatch(name) is not None
