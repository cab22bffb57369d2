"""The report in a real browser: no error, no request, the keyboard, the counterexample, hostile names, contrasts."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import ask
from tests.figures.report.browser import browser, needs_browser
from tests.thinning import thinned

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_browser]

SAMPLES = Path(__file__).parents[3] / "samples"
SCRIPTS = ("prefix-sum", "matrix-chain", "forward-substitution", "subsystems", "matrix-product")
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    folders = [str(SAMPLES / name) for name in SCRIPTS]
    answer = ask("verify", "--no-hints", "--report", f"html={path}", *folders)
    assert answer.code == 1, answer.err
    return path


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    with browser() as page:
        yield page


@pytest.fixture
def page(started: Any, report: Path) -> Iterator[Any]:
    """The report, opened. Whatever it complains of or asks the network for is an error of the test."""
    context = started.new_context()
    yield from _opened(context, report)
    context.close()


def _opened(context: Any, report: Path) -> Iterator[Any]:
    page, wrong = context.new_page(), list[str]()
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else wrong.append(asked.url))
    page.goto(report.as_uri())
    yield page
    assert not wrong


def _open(page: Any, script: str) -> None:
    page.evaluate("go(-1, 0)")
    page.locator("#rows tr", has_text=script).first.locator("a").click()


def _wrong_cells(page: Any) -> int:
    return int(page.locator(".cell.lost, .cell.wrong").count())


@pytest.mark.long
def test_every_counterexample_is_one_key_away(page: Any) -> None:
    """`w` leads to a step in which it is said what goes wrong; where a value is lost, a cell shows it."""
    rows = page.locator("#rows tr[data-verdict='refuted']")
    assert rows.count() > 8
    for at in range(rows.count()):
        page.evaluate("go(-1, 0)")
        rows.nth(at).locator("a").click()
        page.keyboard.press("w")
        lost = page.evaluate("DATA.mappings[mapping].trace.reads.some((read) => read.lost)")
        assert "s=" in page.url
        assert "bad" in (page.locator("#says").get_attribute("class") or ""), page.url
        if lost:
            assert _wrong_cells(page) or "finds" in page.inner_text("#says"), page.url


def test_a_proved_mapping_never_shows_a_lost_cell(page: Any) -> None:
    rows = page.locator("#rows tr[data-verdict='proved']")
    for at in range(min(rows.count(), 12)):
        page.evaluate("go(-1, 0)")
        rows.nth(at).locator("a").click()
        bad = page.evaluate(
            """() => { let bad = 0; const trace = DATA.mappings[mapping].trace;
               for (let now = 0; now <= trace.steps; now += 1) { go(mapping, now);
                 bad += document.querySelectorAll('.cell.lost, .cell.wrong, #says .bad').length; }
               return bad; }"""
        )
        assert bad == 0, page.url


def test_what_is_read_and_what_is_found(page: Any) -> None:
    _open(page, "matrix-chain/wrong-sharing.cs")
    page.keyboard.press("w")
    assert "SR_M[1,2,1] overwrites M[1,1] in M[1], which SR_M[1,3,1] still needs." in page.inner_text("#says")
    page.keyboard.press("ArrowRight")
    text = page.inner_text("#says")
    assert re.search(r"SR_M\[1,3,1\] reads M\[1,1\] in M\[1\], and finds SR_M\[1,2,1\] \(expected 0, found \d+\)", text)
    assert "of this lost" not in text


def test_the_slider_and_the_address(page: Any, report: Path) -> None:
    _open(page, "prefix-sum/prefix-sum.cs")
    page.focus("#slider")
    page.keyboard.press("End")
    assert page.inner_text("#when") == "after the last operation"
    page.keyboard.press("Home")
    assert page.inner_text("#when") == "before the first operation"
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**&s=1")
    address = page.url
    page.goto(report.as_uri())
    page.goto(address)
    assert page.inner_text("#when").startswith("step 1 of 3")
    page.keyboard.press("Escape")
    assert page.locator("#summary").is_visible()


@pytest.mark.long
def test_what_is_done_now_is_in_view_on_a_narrow_page(started: Any, report: Path) -> None:
    """The picture is wider than the window: it follows the steps, and stays where it was while it need not move."""
    context = started.new_context(viewport={"width": 390, "height": 844})
    for page in _opened(context, report):
        _open(page, "matrix-chain/mcm.cs")
        seen = page.evaluate(
            """() => { const seen = []; const trace = DATA.mappings[mapping].trace;
               for (let now = 1; now < trace.steps; now += 1) { go(mapping, now);
                 const view = operations.getBoundingClientRect();
                 const doing = [...operations.querySelectorAll('.doing')].map((each) => each.getBoundingClientRect());
                 seen.push(doing.some((each) => each.left >= view.left && each.right <= view.right)); }
               return [operations.scrollWidth > operations.clientWidth, ...seen]; }"""
        )
        assert len(seen) > 4
        assert all(seen)
    context.close()


def test_an_operation_leads_to_its_step(page: Any) -> None:
    _open(page, "prefix-sum/prefix-sum.cs")
    page.locator("#operations .op").nth(2).click()
    assert page.url.endswith("&s=3")
    assert page.locator("#operations .op.doing").count() == 1


def test_what_is_asked_for_is_shown(page: Any) -> None:
    page.fill("#filter", "wrong-parallel.cs")
    shown = page.locator("#rows tr:not(.hidden)")
    assert shown.count() == 2
    page.select_option("#verdicts", "proved")
    assert shown.count() == 0


def test_findings_have_figures_and_marks(page: Any) -> None:
    _open(page, "matrix-chain/wrong-sharing.cs")
    assert page.locator(".finding img").count() == 1
    assert page.evaluate("document.querySelector('.finding img').naturalWidth") > 300
    assert page.locator("mark.first").count() >= 1
    assert page.locator("#obligations .word.refuted").count() == 6


@pytest.mark.parametrize(("width", "scheme"), thinned([(390, "dark"), (390, "light"), (1280, "light"), (1280, "dark")]))
def test_the_report_is_accessible_at_every_width(started: Any, report: Path, width: int, scheme: str) -> None:
    """axe finds nothing serious, and nothing is wider than the window."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    # The policy of the page keeps axe out too.
    context = started.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(report.as_uri())
    for script in ("", "matrix-chain/wrong-sharing.cs"):
        if script:
            _open(page, script)
            page.keyboard.press("w")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        violations = axe.Axe().run(page).response["violations"]
        serious = [violation["id"] for violation in violations if violation["impact"] in ("serious", "critical")]
        assert not serious, [
            (violation["id"], [node["html"] for node in violation["nodes"]][:2]) for violation in violations
        ]
    context.close()


def test_hostile_names_and_texts_are_texts(started: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = HOSTILE.replace("/", "") + ".cs"
    source = (SAMPLES / "prefix-sum" / "wrong-parallel.cs").read_text(encoding="utf-8")
    (tmp_path / name).write_text(f"# {HOSTILE} \u2028 <!--\n{source}", encoding="utf-8")
    shutil.copy(SAMPLES / "prefix-sum" / "prefix-sum.ab", tmp_path)
    assert ask("verify", "--report", "html=report.html", name).code == 1
    context = started.new_context()
    for page in _opened(context, tmp_path / "report.html"):
        page.locator("#rows a").first.click()
        page.keyboard.press("w")
        assert page.locator("script").count() == 2
        assert page.locator("img:not(.finding img)").count() == 0
        assert name in page.inner_text("#name")
        assert HOSTILE in page.inner_text("#sources")
    context.close()


@pytest.mark.long
def test_without_a_script_the_verdicts_stay(started: Any, report: Path) -> None:
    context = started.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator("#rows tr").count() > 20
    assert "AZ601" in page.inner_text("#rows")
    context.close()
