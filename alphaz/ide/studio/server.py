"""The server of the page: on this machine only, with a random word in the address of everything.

The word keeps other users and other pages of the browser out. The names in `Host` and `Origin` are checked as well: a
page elsewhere whose name is made to lead here (DNS rebinding) has another one. Nothing is cached, and the policy of the
page allows requests to this server only."""

import hmac
import json
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from alphaz.diagnostics.rules import document
from alphaz.ide.studio.examples import lesson, lessons, sample, samples
from alphaz.ide.studio.markdown import html_of
from alphaz.ide.studio.request import BadRequest, request_of
from alphaz.ide.studio.worker_processes import ProofProcesses
from alphaz.lazy import lazy_import
from alphaz.resources import resource_folder
from alphaz.syntax.words import KEYWORDS
from alphaz.usage import Limits

LOOPBACK = "127.0.0.1"
# Most bytes of a request.
_MOST_BYTES = 2_000_000
_NAMES_HERE = frozenset({"127.0.0.1", "localhost", "[::1]"})
_KINDS = {".js": "text/javascript", ".css": "text/css", ".txt": "text/plain", ".svg": "image/svg+xml"}
_FILES = (
    "studio/studio.js", "studio/editor.js", "studio/results.js", "studio/studio.css", "studio/codemirror.js",
    "studio/codemirror.LICENSES.txt", "player.js", "report.css",
)  # fmt: skip
_OUTSIDE = """This is alphaz studio. Its page has a longer address, which `alphaz studio` has printed.
A link with texts is opened in the page: Share, then Open a link; or by `alphaz studio LINK`.
"""


@dataclass(frozen=True, slots=True)
class StudioSettings:
    """`files` are the first texts. `hosts` are further names of this server, for a server behind another one, and
    `address` is the one to listen at: of a container all, else this machine's own."""

    files: Mapping[str, str] = field(default_factory=dict)
    port: int = 0
    address: str = LOOPBACK
    hosts: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)


class _Server(ThreadingHTTPServer):
    """A server that a page may leave at any time."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Studio:
    """A running studio: the server, its word, and its processes. To be closed."""

    def __init__(self, settings: StudioSettings) -> None:
        self.settings = settings
        self.token = secrets.token_urlsafe(24)
        self.folder = Path(tempfile.mkdtemp(prefix="alphaz-studio-"))
        self.processes = ProofProcesses(self.folder, settings.limits)
        studio = self

        class Handler(_Handler):
            """The answers of this studio."""

            def __init__(self, *arguments: object) -> None:
                self.studio = studio
                super().__init__(*arguments)  # type: ignore[arg-type]

        try:
            self.server = _Server((settings.address, settings.port), Handler)
        except OSError:
            self.close()
            raise

    @property
    def url(self) -> str:
        """Returns the address of the page."""
        return f"http://{LOOPBACK}:{self.server.server_address[1]}/{self.token}/"

    def serve(self) -> None:
        """Answers requests until it is interrupted."""
        self.processes.start()
        self.server.serve_forever()

    def close(self) -> None:
        """Ends the server and its processes, and removes the temporary folder."""
        if hasattr(self, "server"):
            self.server.server_close()
        self.processes.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def is_here(self, host: str) -> bool:
        """Returns True if a name of a server, with or without a port, is one of this server."""
        name = host.rpartition(":")[0] if ":" in host.rpartition("]")[2] else host
        return name.lower() in _NAMES_HERE | self.settings.hosts


class _Handler(BaseHTTPRequestHandler):
    """The answers to one connection."""

    studio: Studio
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "alphaz-studio", ""
    timeout = 60

    def do_GET(self) -> None:
        path = self._path()
        if path is None:
            return
        room, _, name = path.partition("/")
        if path == "":
            self._page()
        elif path in _FILES:
            file = resource_folder("pages") / path
            self._send(_KINDS[file.suffix], file.read_bytes())
        elif room in _PLACES and not name:
            self._send_value(_PLACES[room][0](self.studio))
        elif room in _PLACES:
            self._send_named(_PLACES[room][1], name)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def _send_named(self, find: Callable[[str], object], name: str) -> None:
        try:
            self._send_value(find(name))
        except KeyError:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no text of this name")

    def do_POST(self) -> None:
        path = self._path()
        if path is None:
            return
        if path != "ask" or self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.NOT_FOUND, "questions are JSON, and go to `ask`")
            return
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdecimal() or int(length) > _MOST_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the texts are too long")
            return
        data = self.rfile.read(int(length))
        try:
            request_of(data)
        except BadRequest as reason:
            self._refuse(HTTPStatus.BAD_REQUEST, str(reason))
            return
        self._stream(data)

    def _stream(self, data: bytes) -> None:
        """Sends the answers as they come, a line each; the connection closes after the last one."""
        self._head(HTTPStatus.OK, "application/x-ndjson", None)
        # The page may have gone.
        with suppress(ConnectionError, TimeoutError):
            for message in self.studio.processes.ask(data, self.connection):
                self.wfile.write(message + b"\n")
                self.wfile.flush()

    # --- who asks -----------------------------------------------------------------------------------------------------

    def _path(self) -> str | None:
        """The path after the word; None, after a refusal, without the word or from elsewhere."""
        if not self.studio.is_here(self.headers.get("Host", "")) or not self._is_own_origin():
            self._refuse(HTTPStatus.FORBIDDEN, "this request comes from another page")
            return None
        token, slash, path = unquote(urlsplit(self.path).path).removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(token.encode(), self.studio.token.encode()):
            self._refuse(HTTPStatus.FORBIDDEN, _OUTSIDE)
            return None
        return path

    def _is_own_origin(self) -> bool:
        origin = self.headers.get("Origin")
        if self.headers.get("Sec-Fetch-Site", "none") == "cross-site" and self.command == "POST":
            return False
        if origin is None:
            return True
        place = urlsplit(origin)
        return place.netloc == self.headers.get("Host") or place.hostname in self.studio.settings.hosts

    # --- answers ------------------------------------------------------------------------------------------------------

    def _page(self) -> None:
        nonce = secrets.token_urlsafe(16)
        page = (resource_folder("pages") / "studio" / "studio.html").read_text(encoding="utf-8")
        policy = (
            f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src data:; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        self._send("text/html", page.replace("NONCE", nonce).encode(), policy)

    def _send_value(self, value: object) -> None:
        self._send("application/json", json.dumps(value).encode())

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        # The rest of the request is not read.
        self.close_connection = True
        self._send("text/plain", f"{text}\n".encode(), status=status)

    def _send(
        self, kind: str, data: bytes, policy: str = "default-src 'none'", status: HTTPStatus = HTTPStatus.OK
    ) -> None:
        self._head(status, kind, len(data), policy)
        if self.command != "HEAD":
            self.wfile.write(data)

    def _head(self, status: HTTPStatus, kind: str, length: int | None, policy: str = "default-src 'none'") -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Security-Policy", policy)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if length is None or self.close_connection:
            self.close_connection = True
            self.send_header("Connection", "close")
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name of the library
        """Logs nothing: addresses have the word."""


_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def _nothing(name: str) -> object:
    raise KeyError(name)


def _start(studio: Studio) -> object:
    """The first texts, and the words that the editor colours."""
    return {
        "files": dict(studio.settings.files),
        "keywords": sorted(KEYWORDS),
        "commands": sorted(lazy_import("alphaz.scripting.commands.catalogue").names()),
        "seconds": studio.settings.limits.seconds,
    }


def _menu(_: Studio) -> object:
    return {"samples": list(samples()), "lessons": lessons()}


def _rule(code: str) -> object:
    return {"title": code, "html": html_of(document(code))}


_PLACES: Mapping[str, tuple[Callable[[Studio], object], Callable[[str], object]]] = {
    "start": (_start, _nothing),
    "menu": (_menu, _nothing),
    "rules": (lambda _: [], _rule),
    "samples": (lambda _: list(samples()), lambda name: asdict(sample(name))),
    "lessons": (lambda _: lessons(), lambda name: asdict(lesson(name))),
}
