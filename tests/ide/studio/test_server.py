"""The server of the studio: who may ask, what a request may be, and the files of the page. No text is analysed here."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from alphaz.ide.studio.links import fragment_of, texts_of
from alphaz.ide.studio.request import MOST, BadRequest, is_name, request_of
from alphaz.ide.studio.server import Studio, StudioSettings
from alphaz.resources import resource_folder
from tests.ide.studio.studio_client import send, studio


@pytest.fixture(scope="module")
def made() -> Iterator[Studio]:
    with studio(StudioSettings({"mine.ab": "affine"}, hosts=frozenset({"studio.example"}))) as page:
        yield page


def test_the_page_has_a_policy_and_refers_to_files_that_exist(made: Studio) -> None:
    status, headers, content = send(made, "GET", "")
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    [nonce] = re.findall(r"'nonce-([^']+)'", policy)
    assert f'data-nonce="{nonce}"' in content.decode()
    files = re.findall(r'(?:src|href)="([^"#]+\.\w+)"', content.decode())
    assert len(files) > 5
    for file in files:
        assert send(made, "GET", file)[0] == 200, file
    assert nonce not in send(made, "GET", "")[2].decode()
    assert not re.search(rb"""(?:src|href)=["']?(?:https?:)?//""", content)


def test_only_the_word_opens_the_page(made: Studio) -> None:
    word = urlsplit(made.url).path
    other = f"/{'x' * len(made.token)}/"
    for path in ("/", "/start", other, f"{other}start", word[:-1], "/../" + word[1:], f"/x{word}start"):
        status, _, content = send(made, "GET", path)
        assert status == 403, path
        assert made.token.encode() not in content
    assert send(made, "POST", other + "ask", b'{"task":"hover"}')[0] == 403
    assert send(made, "GET", "start")[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost.", "[::2]:1"]
)
def test_another_name_of_this_machine_is_refused(made: Studio, host: str) -> None:
    assert send(made, "GET", "", headers={"Host": host})[0] == 403


@pytest.mark.parametrize(
    "host", ["127.0.0.1:1", "localhost", "LocalHost:99", "[::1]:9", "studio.example", "studio.example:443"]
)
def test_names_of_this_server_are_accepted(made: Studio, host: str) -> None:
    assert send(made, "GET", "start", headers={"Host": host})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_another_page_may_not_ask(made: Studio, headers: dict[str, str]) -> None:
    assert send(made, "POST", "ask", b'{"task":"hover"}', headers)[0] == 403


def test_requests_are_json_of_bounded_length(made: Studio) -> None:
    assert send(made, "POST", "ask", b"{}", {"Content-Type": "text/plain"})[0] == 404
    assert send(made, "POST", "other", b"{}")[0] == 404
    assert send(made, "POST", "ask", b"{}", {"Content-Length": "99999999999"})[0] == 413
    assert send(made, "PUT", "ask", b"{}")[0] == 501
    for name in (
        "../pages/report.js",
        "studio/../../LICENSE",
        "%2e%2e/LICENSE",
        "rules/../../x",
        "rules/AZ000",
        "samples/x",
    ):
        assert send(made, "GET", name)[0] == 404, name


@pytest.mark.parametrize(
    "value",
    [
        [], "x", {}, {"task": "delete"}, {"task": 1}, {"task": "hover", "more": 1}, {"task": "hover", "files": []},
        {"task": "hover", "files": {"../x.ab": ""}}, {"task": "hover", "files": {"x.py": ""}},
        {"task": "hover", "files": {"x.ab": 1}}, {"task": "hover", "file": "x.ab"}, {"task": "hover", "offset": "1"},
        {"task": "hover"}, {"task": "hover", "offset": True}, {"task": "analyse", "executes": 1},
        {"task": "hover", "files": {"x.ab": "x" * (MOST + 1)}},
        {"task": "hover", "files": {f"x{n}.ab": "" for n in range(21)}},
    ],
)  # fmt: skip
def test_other_requests_are_refused(made: Studio, value: object) -> None:
    data = json.dumps(value).encode()
    with pytest.raises(BadRequest):
        request_of(data)
    assert send(made, "POST", "ask", data)[0] == 400


def test_names_of_texts_are_no_paths() -> None:
    assert all(map(is_name, ("mcm.ab", "2mm.cs", "gemm-peer.c", "größe.ab", "a b.cu", "x.y.h")))
    assert not any(
        map(is_name, ("a/b.ab", "..ab", ".ab", "a\\b.ab", "a\n.ab", "a.ab\n", "-x.ab", "a.html", "a:b.ab", ""))
    )


def test_the_menu_rules_and_the_first_texts(made: Studio) -> None:
    start = json.loads(send(made, "GET", "start")[2])
    assert start["files"] == {"mine.ab": "affine"}
    assert "reduce" in start["keywords"]
    menu = json.loads(send(made, "GET", "menu")[2])
    assert len(menu["lessons"]) == 14
    rule = json.loads(send(made, "GET", "rules/az502")[2])
    assert "<h1>AZ502 causality</h1>" in rule["html"]
    shown = json.loads(send(made, "GET", "samples/prefix-sum/wrong-parallel")[2])
    assert list(shown["files"]) == ["prefix-sum.ab", "wrong-parallel.cs"]
    lesson = json.loads(send(made, "GET", "lessons/05-cells")[2])
    assert lesson["figures"][0]["kind"] == "lifetimes"


def test_links_hold_the_texts() -> None:
    texts = {"größe.ab": "a + b\n" * 1000, "x.cs": "\U0001f600 é </script>"}
    link = f"http://127.0.0.1:1/{fragment_of(texts)}"
    assert texts_of(link) == texts
    assert len(link) < 300
    for wrong in (
        "#t=",
        "#t=AAAA",
        link[:-9],
        link[:-1],
        f"{link[:-40]}{chr(ord(link[-40]) ^ 1)}{link[-39:]}",
        f"{link}AAAA",
        "#t=!",
        fragment_of({"../x.ab": ""}),
        fragment_of({"x.ab": "x" * (MOST + 1)}),
    ):
        with pytest.raises(BadRequest):
            texts_of(wrong)


def test_the_bundle_is_that_of_the_lock_file() -> None:
    """The head of the bundle names the versions of the lock file."""
    pages = resource_folder("pages")
    root = Path(__file__).parents[3]
    lock = (root / "editors" / "studio" / "package-lock.json").read_text(encoding="utf-8")
    head = (pages / "studio" / "codemirror.js").read_text(encoding="utf-8").partition("*/")[0]
    for name, version in re.findall(r"(\S+) (\d+\.\d+\.\d+)[,;]", head):
        assert re.search(rf'"node_modules/{re.escape(name)}": {{\s+"version": "{re.escape(version)}"', lock), name
