"""What is no calibration is refused where it is written, and few rows are never certain."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import cast

import pytest

from scorewright import DefinitionError, Scale, create_scorer, ok
from scorewright.calibration import Calibration, LabelledRow, calibrate_sync, calibration
from scorewright.reports import calibration_text
from scorewright.reports.calibrated import cut_told
from scorewright.reports.html.calibrating import calibration_fragment, calibration_page
from scorewright.statistics import Interval, Undefined, wilson


def labelled(*rows: tuple[float, object]) -> list[LabelledRow]:
    return [LabelledRow(f"r{at}", score, (said,)) for at, (score, said) in enumerate(rows)]


TOLD = labelled(*((n / 20, n > 9) for n in range(20)))
REFUSED: dict[str, tuple[str, Callable[[], Calibration]]] = {
    "score nan": ("nan is no score", lambda: calibration(labelled((nan, True)))),
    "score inf": ("inf is no score", lambda: calibration(labelled((inf, True)), scale=Scale(0, inf))),
    "beyond": ("'r0': the score 5 lies outside the scale, 0 to 1", lambda: calibration(labelled((5, True)))),
    "unlabelled": ("outside the scale", lambda: calibration([LabelledRow("a", -1.0)])),
    "label": ("and nan, inf does not", lambda: calibration(labelled((0.5, "nan"), (0.5, "NaN"), (0.5, "inf")))),
    "threshold": ("a threshold is a number", lambda: calibration(TOLD, threshold=nan)),
    "threshold inf": ("a threshold is a number", lambda: calibration(TOLD, threshold=-inf)),
    "cost": ("numbers of 0 or more", lambda: calibration(TOLD, criterion="cost", costs=(nan, 1))),
    "costs": ("numbers of 0 or more", lambda: calibration(TOLD, criterion="cost", costs=(1, inf))),
    "no level": ("two or more levels", lambda: calibration(TOLD, levels={})),
    "one level": ("two or more levels", lambda: calibration(TOLD, levels={"good": 1.0})),
    "place": (
        "'good' lies at 'top'",
        lambda: calibration(TOLD, levels=cast("dict[object, float]", {"bad": 0.0, "good": "top"})),  # as a file may say
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_calibration_is_refused(name: str) -> None:
    """Numbers that are none, scores beyond the scale, levels without a place: each says how to mend it."""
    said, mistake = REFUSED[name]
    with pytest.raises(DefinitionError) as raised:
        mistake()
    assert said in str(raised.value)


def test_full_agreement_on_few_rows_is_not_certain() -> None:
    """Whichever row is left out, the others agree: that is no interval from 1 to 1, but none, and it says so."""
    found = calibration(labelled((0.9, True), (0.1, False), (0.8, True)), threshold=0.5)
    percent, kappa, alpha, _ = found.agreement
    assert (percent.value, percent.interval) == (1.0, wilson(3, 3))
    for each in (kappa, alpha):
        why = "no row that is left out changes it: no spread was seen"
        assert (each.value, each.interval) == (1.0, Undefined(why))


def test_scores_that_do_not_vary_say_so() -> None:
    """A scorer that always says the same is no better than a coin, and its area is not one of full separation."""
    area = calibration(labelled(*((0.5, n % 2 == 0) for n in range(20)))).agreement[-1]
    assert (area.value, area.interval) == (0.5, Undefined("the scores do not vary: no spread was seen"))
    upside_down = calibration(labelled(*((n / 20, n < 10) for n in range(20)))).agreement[-1]
    assert upside_down.interval == Undefined("every pass lies below every failure: no spread was seen")


def test_a_threshold_that_does_not_move_has_all_that_are_as_good_for_a_range() -> None:
    """Between two scores no threshold is better than another, on these rows and on any that are drawn of them."""
    said = calibration(labelled(*((0.9 if n % 2 else 0.1, n % 2 == 1) for n in range(40)))).cut
    assert not isinstance(said, Undefined)
    assert cut_told(said, "higher") == (
        "A row passes with a score >= 0.5, between 0.1 and 0.9: the best balanced accuracy."
    )


@pytest.mark.parametrize("n", [3, 12])
def test_means_stay_on_the_scale(n: int) -> None:
    """No interval reaches to where no mean can be; people's pass rate has Wilson's, whose width is not 0."""
    found = calibration(labelled(*((float(at % 2), True) for at in range(n))))
    assert found.people.interval == wilson(n, n)
    assert found.judged.interval == wilson(n // 2, n)
    spread = calibration(labelled(*((0.05 + at % 2 * 0.9, 0.9) for at in range(n))))
    for each, (low, high) in ((spread.judged, (0, 1)), (spread.bias, (-1, 1))):
        assert not isinstance(each, Undefined)
        assert isinstance(each.interval, Interval)
        assert low <= each.interval.low < each.interval.high <= high


def test_long_texts_do_not_swell_a_page() -> None:
    """What a judge says may be a megabyte, in rows that were scored and in such as failed."""
    long = "because " * 100_000
    wordy = create_scorer("wordy", input=str, output=str).generate_score(lambda s: ok(float(s.run.output)))
    reasoned = wordy.generate_reason(lambda _: ok(long))
    rows = [{"id": long if not n else f"r{n}", "input": long, "output": str(n % 2), "human": n > 3} for n in range(9)]
    assert len(calibration_text(calibrate_sync(reasoned, rows))) < 2_000_000
    direct = [LabelledRow(f"{n}{long}", n % 2, (n > 3,), told=long, input=long, output=long) for n in range(9)]
    failed = LabelledRow(long, None, (True,), "failed", told=long)
    page = calibration_page(calibration([*direct, failed]))
    assert len(page) < 500_000
    assert len(calibration_fragment(calibration([*direct, failed]))) < 500_000
