"""The page in a real browser: it unpacks, sorts, finds and opens rows, and nothing hostile runs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest
from reports.samples import hostile, number, reported, rows, waste
from reports.test_calibrations import EVERY
from reports.test_comparison_page import compared
from reports.test_hostile import Seen

from scorewright.reports import calibration_page, comparison_page, page
from scorewright.suites import Suite

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium"),
]

CLOSED = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-sync", "--disable-component-update", "--disable-quic", "--disable-extensions",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--virtual-time-budget=6000", "--window-size=1280,900", "--dump-dom",
)  # fmt: skip

# Uses the page as somebody would, and leaves what was seen in it.
USING = """
<script>
const seen = {};
const by = (id) => document.getElementById(id);
const later = (ms) => new Promise((done) => setTimeout(done, ms));
const ids = () => [...document.querySelectorAll("#table tbody th")].map((each) => each.textContent);
const using = async () => {
  while (by("table").hidden) await later(10);
  seen.drawn = ids().length;
  seen.pages = [by("where").textContent, by("before").disabled];
  by("after").click();
  seen.next = [by("where").textContent, ids()[0]];
  const head = (n) => document.querySelectorAll("#table thead button")[n];
  head(1).click();
  seen.ascending = [ids().slice(0, 2), head(1).parentNode.getAttribute("aria-sort"), by("where").textContent];
  head(1).click();
  seen.descending = [ids()[0], head(1).parentNode.getAttribute("aria-sort")];
  by("only").value = "failed";
  by("only").dispatchEvent(new Event("change"));
  seen.failed = [ids(), by("count").textContent];
  by("only").value = "";
  by("find").value = "QUESTION 17";
  by("find").dispatchEvent(new Event("input"));
  await later(300);
  seen.found = ids().sort();
  const open = document.querySelector("#table tbody button");
  open.click();
  seen.opened = [open.getAttribute("aria-expanded"), document.querySelector("#table .open").textContent];
  open.click();
  seen.closed = [open.getAttribute("aria-expanded"), document.querySelectorAll("#table .open").length];
  const light = getComputedStyle(document.body).backgroundColor;
  by("theme").click();
  seen.theme = light !== getComputedStyle(document.body).backgroundColor;
  seen.focus = [...document.querySelectorAll("a, button, input, select, summary, [tabindex]")]
    .filter((each) => each.checkVisibility() && !each.disabled)
    .filter((each) => { each.focus(); return document.activeElement !== each; }).length;
  seen.nameless = [...document.querySelectorAll("button, a, summary, input, select, [role=img], [role=region]")]
    .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label") || each.labels?.length)).length;
  seen.requests = performance.getEntriesByType("resource").length;
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
};
using();
</script>
"""


# Turns the colours, goes through what takes the focus, and opens every item.
TURNING = """
<script>
const seen = {};
const light = getComputedStyle(document.body).backgroundColor;
document.getElementById("theme").click();
seen.theme = light !== getComputedStyle(document.body).backgroundColor;
for (const each of document.querySelectorAll("details")) each.open = true;
seen.focus = [...document.querySelectorAll("a, button, summary, [tabindex]")]
  .filter((each) => { each.focus(); return document.activeElement !== each; }).length;
seen.nameless = [...document.querySelectorAll("button, a, summary, [role=img], [role=region]")]
  .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label"))).length;
seen.wide = [...document.querySelectorAll(".wide")].filter((each) => each.scrollWidth > each.clientWidth + 1).length;
seen.beyond = document.documentElement.scrollWidth > document.documentElement.clientWidth;
seen.requests = performance.getEntriesByType("resource").length;
const out = document.createElement("pre");
out.id = "seen";
out.textContent = JSON.stringify(seen);
document.body.append(out);
</script>
"""


def opened(html: str, folder: Path) -> str:
    """The page as the browser made it, after its scripts ran."""
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8")
    call = [str(CHROMIUM), *CLOSED, f"--user-data-dir={folder / 'profile'}", path.as_uri()]
    return subprocess.run(call, capture_output=True, text=True, check=True, timeout=240, encoding="utf-8").stdout


def test_rows_can_be_sorted_found_opened_and_turned(tmp_path: Path) -> None:
    """With buttons and fields that have names and take the focus; the page fetches nothing."""
    outputs = ["fail: no", "none", *(f"0.{at:03}" for at in range(1, 248))]
    html = page(reported(Suite(number, waste), rows(*outputs)))
    unlocked = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html).replace(
        "</body>", f"{USING}</body>"
    )
    found = re.search(r'<pre id="seen">(.*?)</pre>', opened(unlocked, tmp_path))
    assert found
    seen = json.loads(unescape(found[1]))
    assert (seen["drawn"], seen["pages"]) == (100, ["1 to 100", True])
    assert seen["next"] == ["101 to 200", "r100"]
    assert seen["ascending"] == [["r2", "r3"], "ascending", "1 to 100"]
    assert seen["descending"] == ["r248", "descending"]
    assert seen["failed"] == [["r0"], "1 of 249 rows"]
    assert seen["found"] == sorted(["r17", *(f"r{at}" for at in range(170, 180))])
    assert seen["opened"][0] == "true"
    assert "it says 0.178" in seen["opened"][1]
    assert seen["closed"] == ["false", 0]
    assert seen["theme"] is True
    assert (seen["focus"], seen["nameless"], seen["requests"]) == (0, 0, 0)


@pytest.mark.parametrize("name", ["passes", "levels", "numbers", "comparison"])
def test_pages_of_calibrations_and_comparisons_can_be_read(name: str, tmp_path: Path) -> None:
    """All fits into a usual window, opens, takes the focus, has a name and a dark side; nothing is fetched."""
    html = comparison_page(compared()) if name == "comparison" else calibration_page(EVERY[name](), "rows.jsonl")
    unlocked = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    found = re.search(r'<pre id="seen">(.*?)</pre>', opened(unlocked.replace("</body>", f"{TURNING}</body>"), tmp_path))
    assert found
    assert json.loads(unescape(found[1])) == {
        "theme": True, "focus": 0, "nameless": 0, "wide": 0, "beyond": False, "requests": 0,
    }  # fmt: skip


def test_under_their_own_policy_the_button_works(tmp_path: Path) -> None:
    """The script that the policy names is the one that is there."""
    for html in (comparison_page(compared()), calibration_page(EVERY["passes"]())):
        shown = opened(html, tmp_path)
        assert re.search(r'<button[^>]*id="theme"[^>]*aria-label="Switch to dark colours"[^>]*>Dark<', shown)


def test_nothing_hostile_runs(tmp_path: Path) -> None:
    """`Yamato-Security/senrigan#48`: under its own policy the page draws every row, and no row becomes an element."""
    report = hostile()
    seen = Seen(opened(page(report), tmp_path))
    assert seen.elements.count("script") == 2
    assert not {"img", "s", "iframe", "pre"} & set(seen.elements)
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    told = "".join(seen.texts)
    assert "<img src=x onerror=alert(1)>" in told
    assert told.count("</script><script>alert(2)</script>") >= 3
    drawn = [value for name, value in seen.attributes if name == "aria-expanded"]
    assert len(drawn) == report.n_items
