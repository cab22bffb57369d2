"""The page of the studio in a browser: verdicts, fixes, figures, links, keys; no error, no request elsewhere; axe."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from alphaz.ide.studio.links import fragment_of
from alphaz.ide.studio.server import Studio, StudioSettings
from alphaz.usage import Limits
from tests.figures.report.browser import browser, needs_browser
from tests.ide.studio.studio_client import studio
from tests.thinning import thinned

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_browser]

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def made() -> Iterator[Studio]:
    with studio(StudioSettings(limits=Limits(20.0, 2_000_000_000)), works=True) as page:
        yield page


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    with browser() as page:
        yield page


@contextmanager
def _opened(started: Any, made: Studio, **options: Any) -> Iterator[Any]:
    """The page, with its first sample judged. An error of the page, or a request elsewhere, is one of the test."""
    context = started.new_context(**options)
    page, wrong = context.new_page(), list[str]()
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    own = (made.url, "data:", "blob:")
    page.on("request", lambda asked: None if asked.url.startswith(own) else wrong.append(asked.url))
    page.goto(made.url)
    page.wait_for_selector(".fix button", timeout=60_000)
    yield page
    assert not wrong
    context.close()


def _until(page: Any, condition: str) -> None:
    """Waits for a condition; the policy of the page forbids that it does so itself."""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


def _write(page: Any, text: str) -> None:
    page.evaluate("text => view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}})", text)


def test_a_user_fixes_a_mapping_looks_at_it_and_shares_it(started: Any, made: Studio) -> None:
    with _opened(started, made) as page:
        assert "refuted" in page.inner_text("#verdict")
        page.keyboard.press("Control+z")  # nothing to undo
        page.click("#tab-panel-figures")
        assert "finds nothing" in page.inner_text("#says")
        page.focus("#slider")
        page.keyboard.press("Home")
        assert page.inner_text("#when") == "before the first operation"
        page.select_option("#kind", "lifetimes")
        page.wait_for_selector("#figure img")
        assert page.evaluate("document.querySelector('#figure img').naturalWidth") > 300
        page.click("#tab-panel-findings")
        page.click(".finding h2 button")
        page.wait_for_selector("#rule h2")
        assert page.inner_text("#rule h1") == "AZ502 causality"
        page.click("#tab-panel-findings")
        page.click(".fix button")
        page.wait_for_selector("#verdict .word.proved")
        page.click("#tab-panel-code")
        page.wait_for_selector("#code .cm-line")
        assert set(page.locator("#code-file option").all_inner_texts()) == {"prefix_sum.c", "prefix_sum.h"}
        page.click("#code-edit")
        _until(page, "document.querySelector('#verdict').textContent.includes('computes prefix_sum: proved')")
        page.click("#share-button")
        _until(page, "document.querySelector('#share-link').value")
        link = page.input_value("#share-link")
        assert made.token not in link
        page.click("#share-dialog form button")
        with page.expect_download() as download:
            page.click("#share-button")
            page.click("#export-folder")
        assert download.value.suggested_filename == "prefix_sum.zip"
        page.fill("#share-open", link.split("#")[0] + "#t=AAAA")
        page.click("#share-go")
        _until(page, "document.querySelector('#share-said').textContent.startsWith('Not opened')")
        page.fill("#share-open", link)
        page.click("#share-go")
        page.wait_for_selector("#share-dialog", state="hidden")
        assert "setDimensionType" in page.evaluate("textOf('wrong-parallel.cs')")


def test_typing_gives_completions_findings_and_help(started: Any, made: Studio) -> None:
    with _opened(started, made) as page:
        _write(page, 'prog = ReadAlphabets("prefix-sum.ab");\n')
        _until(page, "!document.querySelector('.finding')")
        page.hover("#editor .cm-line:first-child span:has-text('ReadAlphabets')")
        page.wait_for_selector(".document.hover")
        page.mouse.move(1000, 700)
        page.wait_for_selector(".document.hover", state="hidden")
        page.click("#editor .cm-content")
        page.keyboard.press("Control+End")
        page.keyboard.type("setSp")
        page.wait_for_selector(".cm-tooltip-autocomplete li")
        assert "setSpaceTimeMap(" in page.inner_text(".cm-tooltip-autocomplete")
        page.wait_for_timeout(150)
        page.keyboard.press("Enter")
        _until(page, "textOf(state.file).endsWith('setSpaceTimeMap(')")
        _until(page, "document.querySelector('#status').textContent.includes('program, system')")
        page.wait_for_selector("#tab-editor-wrong-parallel\\.cs .badge")
        # The editor is left by the keyboard.
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        assert not page.evaluate("document.activeElement.classList.contains('cm-content')")


def test_a_mapping_is_judged_while_its_program_changes(started: Any, made: Studio) -> None:
    with _opened(started, made) as page:
        page.click("#tab-editor-prefix-sum\\.ab")
        before = page.url
        _write(page, page.evaluate("textOf(state.file)").replace("y[i-1] + x[i]", "x[i]"))
        page.wait_for_selector("#verdict .word.proved")
        _until(page, f"location.href !== '{before}'")
        page.reload()
        page.wait_for_selector("#verdict .word.proved")
        assert page.evaluate("state.file") == "prefix-sum.ab"


def test_back_restores_the_texts_and_lessons_have_figures(started: Any, made: Studio) -> None:
    with _opened(started, made) as page:
        before = page.evaluate("texts()")
        page.click("#open-button")
        page.fill("#open-filter", "cells")
        page.wait_for_selector("#open-list li:not(.hidden)")
        assert page.locator("#open-list li:not(.hidden)").count() == 1
        page.click("#open-list li:not(.hidden) button")
        page.wait_for_selector("#lesson img")
        assert page.evaluate("state.file") == "mine.cs"
        page.go_back()
        _until(page, "state.file === 'wrong-parallel.cs'")
        assert page.evaluate("texts()") == before


def test_a_finding_is_fixed_by_the_keyboard(started: Any, made: Studio) -> None:
    with _opened(started, made) as page:
        page.click("#tab-panel-figures")
        page.click("#editor .cm-content")
        page.keyboard.press("F8")
        assert page.inner_text("#notice").startswith("AZ502: ")
        page.keyboard.press("Control+.")
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.classList.contains('cm-content')")
        page.keyboard.press("Control+.")
        page.keyboard.press("Enter")
        page.wait_for_selector("#verdict .word.proved")
        assert page.evaluate("document.activeElement.classList.contains('cm-content')")


def test_a_damaged_link_is_reported(started: Any, made: Studio) -> None:
    link = fragment_of({"x.ab": "// mine"})
    with _opened(started, made) as page:
        for damaged in (link[:-6], "#t", f"{link[:-3]}AAA"):
            page.goto("about:blank")
            page.goto(made.url + damaged)
            _until(page, "document.querySelector('#notice').textContent.startsWith('The link was not opened')")
            assert page.evaluate("state.files.has('wrong-parallel.cs')")
        page.evaluate(f"location.hash = '{link[:-6]}'")
        _until(page, "document.querySelector('#notice').textContent.includes('damaged')")


def test_hostile_texts_are_texts(started: Any, made: Studio) -> None:
    with _opened(started, made) as page:
        _write(page, f'prog = ReadAlphabets("{HOSTILE}");\n')
        _until(page, "document.querySelector('#findings').textContent.includes('onerror')")
        fragment = fragment_of({"x.cs": f"# {HOSTILE}", "y.ab": HOSTILE})
        page.goto(made.url + fragment)
        _until(page, "state.files.has('y.ab')")
        page.click("#tab-editor-y\\.ab")
        _until(page, "document.querySelector('#findings').textContent.includes('AZ')")
        assert page.locator("img").count() == 0


def test_files_of_other_kinds_are_refused(started: Any, made: Studio) -> None:
    with _opened(started, made) as page:
        page.set_input_files("#open-files", {"name": "k.m", "mimeType": "text/plain", "buffer": b"x"})
        _until(page, "document.querySelector('#notice').textContent.startsWith('Not opened: k.m (`alphaz matrix')")


def test_files_among_others_that_are_not_opened_are_named(started: Any, made: Studio) -> None:
    """Also of files that are dropped on the page."""
    with _opened(started, made) as page:
        page.evaluate(
            """() => {
              const files = new DataTransfer();
              for (const [name, text] of [["my.ab", "// mine"], ["notes.txt", "x"], ["old.alpha", "x"]])
                files.items.add(new File([text], name));
              document.querySelector("#editor").dispatchEvent(
                new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
            }"""
        )
        _until(page, "state.files.has('my.ab') && state.files.size === 1")
        notice = page.text_content("#notice")
        assert "notes.txt (programs end in .ab" in notice
        assert "old.alpha (`alphaz show` writes it" in notice
        assert page.evaluate("textOf('my.ab')") == "// mine"


def test_enter_adds_a_text(started: Any, made: Studio) -> None:
    with _opened(started, made) as page:
        page.click("#texts-button")
        page.fill("#text-name", "new.ab")
        page.keyboard.press("Enter")
        _until(page, "state.files.has('new.ab') && !document.querySelector('#texts-dialog').open")


def test_an_assumption_wraps_and_is_not_shown_as_proved(started: Any, made: Studio) -> None:
    long = "a long name of an assumption, " * 3 + "x" * 80
    with _opened(started, made, viewport={"width": 390, "height": 844}) as page:
        page.evaluate(
            "word => verdict([{ system: 's', word, line: 's: ' + word, obligations: [] }], '')",
            f"proved under the assumption `{long}`",
        )
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.get_attribute("#verdict .word", "class") == "word undecided"


@pytest.mark.parametrize(("width", "scheme"), thinned([(390, "dark"), (1280, "light")]))
def test_the_page_is_accessible_at_every_width(started: Any, made: Studio, width: int, scheme: str) -> None:
    """axe finds nothing, and nothing is wider than the window."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    options: dict[str, Any] = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme, "bypass_csp": True}
    with _opened(started, made, **options) as page:

        def check() -> None:
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            violations = axe.Axe().run(page).response["violations"]
            assert not violations, [
                (violation["id"], [node["html"] for node in violation["nodes"]][:2]) for violation in violations
            ]

        page.click("summary")
        check()
        page.click("#tab-panel-figures")
        check()
        page.click("#open-button")
        page.wait_for_selector("#open-list li")
        check()
        page.click("text=5. Cells")
        page.wait_for_selector("#lesson img")
        check()
