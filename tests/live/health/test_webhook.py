"""Webhooks on the loopback: what is sent, what is tried again, and that none of it harms the host."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import threading

import pytest
from live.health.hooks import hooked
from live.health.stream import Hands, seen, tell

from scorewright.faults import DefinitionError
from scorewright.live.health import MEAN, Event, Health, Monitor, Webhook, WebhookFailed, Window
from scorewright.live.health.notifying import Notify

PATIENCE = 20.0
LOW = Monitor("low", scorer="polite", measure=MEAN, below=0.5, window=Window(count=5), least=5)


def alerted(*notify: Notify) -> Health:
    """A health that has just alerted."""
    clock = Hands()
    health = Health(LOW, every=None, clock=clock, notify=notify)
    for at in range(5):
        health.observe(seen(0.0, float(at), run=f"r{at}"))
    health.check()
    return health


def test_an_alert_and_its_end_are_posted_as_json() -> None:
    """With ids, numbers and no text of a run."""
    clock = Hands()
    with hooked() as hook:
        health = Health(LOW, every=None, clock=clock, notify=Webhook(hook.url + "/hook", headers={"x-team": "a"}))
        tell(health, clock, *[0.0] * 5)
        health.check()
        tell(health, clock, *[1.0] * 5)
        health.check()
        assert health.close(PATIENCE)
    first, second = (json.loads(each.body) for each in hook.requests)
    assert (first["type"], second["type"]) == ("alert", "resolved")
    assert first["monitor"]["name"] == "low"
    assert (first["monitor"]["value"], first["monitor"]["scored"]) == (0.0, 5)
    assert hook.requests[0].path == "/hook"
    assert hook.requests[0].headers["x-team"] == "a"
    assert hook.requests[0].headers["content-type"] == "application/json"
    assert hook.requests[0].headers["webhook-id"] == first["id"]
    assert "webhook-signature" not in hook.requests[0].headers
    assert (health.notices().told, health.notices().failed) == (2, 0)


@pytest.mark.parametrize(
    ("secret", "key"), [("plain words", b"plain words"), ("whsec_" + base64.b64encode(b"k" * 24).decode(), b"k" * 24)]
)
def test_what_is_posted_is_signed_as_standard_webhooks_are(secret: str, key: bytes) -> None:
    """The receiver computes the same over what it got."""
    with hooked() as hook:
        assert alerted(Webhook(hook.url, secret=secret)).close(PATIENCE)
    (request,) = hook.requests
    signed = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode() + request.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert request.headers["webhook-signature"] == f"v1,{expected}"


def test_what_may_pass_is_tried_again_under_the_same_id() -> None:
    """Errors of the server, too many requests, and a connection that breaks."""
    with hooked(503, 429, 0, 200) as hook:
        health = alerted(Webhook(hook.url, wait=0.01))
        assert health.close(PATIENCE)
    assert len({each.headers["webhook-id"] for each in hook.requests}) == 1
    assert len(hook.requests) == 4
    assert (health.notices().told, health.notices().failed) == (1, 0)


@pytest.mark.parametrize(("status", "tries"), [(500, 3), (404, 1), (302, 1)])
def test_what_is_refused_is_counted_and_never_raised(status: int, tries: int, caplog: pytest.LogCaptureFixture) -> None:
    """With its status, and without the address, whose path may be a secret."""
    with hooked(status) as hook, caplog.at_level(logging.WARNING, "scorewright.live"):
        health = alerted(Webhook(hook.url + "/s3cret?token=s3cret", secret="s3cret", wait=0.01, attempts=3))
        assert health.close(PATIENCE)
    assert len(hook.requests) == tries
    assert dict(health.notices().reasons) == {f"Webhook raised WebhookFailed: HTTP {status}": 1}
    assert "was not told" in caplog.text
    assert "s3cret" not in caplog.text
    assert "s3cret" not in repr(Webhook(hook.url + "/s3cret?token=s3cret", secret="s3cret"))


def test_one_that_does_not_answer_is_given_up_in_its_time() -> None:
    """And the check that told it did not wait."""
    with hooked() as hook:
        hook.gate.clear()
        health = alerted(Webhook(hook.url, timeout=0.05, attempts=2, wait=0.01))
        assert health.close(PATIENCE)
        assert dict(health.notices().reasons) == {"Webhook raised WebhookFailed: no answer within 0.05 s": 1}
        assert len(hook.requests) == 2


def test_nobody_listens() -> None:
    """That is counted too."""
    with hooked() as hook:
        url = hook.url
    health = alerted(Webhook(url, attempts=1))
    assert health.close(PATIENCE)
    assert health.notices().failed == 1


@pytest.mark.parametrize("crash", [ValueError, SystemExit, KeyboardInterrupt])
def test_a_function_that_raises_does_not_keep_others_from_being_told(crash: type[BaseException]) -> None:
    """Nor later events; what it said is not repeated, since it may quote what is secret."""
    told = list[Event]()

    def broken(_: Event) -> None:
        raise crash("s3cret")

    health = alerted(broken, told.append)
    assert health.close(PATIENCE)
    assert [event.kind for event in told] == ["alert"]
    assert dict(health.notices().reasons) == {f"broken raised {crash.__name__}": 1}


def test_closing_does_not_wait_longer_than_it_may() -> None:
    """It says that something is left."""
    gate = threading.Event()
    health = alerted(lambda _: gate.wait(PATIENCE))
    assert not health.close(0.01)
    gate.set()
    assert health.close(PATIENCE)


def test_too_many_events_are_lost_and_counted() -> None:
    """The queue is bounded."""
    gate, begun = threading.Event(), threading.Event()

    def slow(_: Event) -> None:
        begun.set()
        gate.wait(PATIENCE)

    clock = Hands()
    monitors = [
        Monitor(f"m{at}", scorer="polite", measure=MEAN, below=0.5, least=1, window=Window(count=5))
        for at in range(1100)
    ]
    health = Health(*monitors, every=None, clock=clock, notify=slow)
    tell(health, clock, 0.0)
    assert len(health.check()) == 1100
    assert begun.wait(PATIENCE)
    lost = health.notices().lost
    assert 99 <= lost <= 100  # one is under way, perhaps, and a thousand wait
    gate.set()
    assert health.close(PATIENCE)
    assert health.notices().told == 1100 - lost


def test_what_a_webhook_raises_says_neither_where_nor_with_what() -> None:
    """Called by hand."""
    with hooked(400) as hook:
        (event,) = _events()
        with pytest.raises(WebhookFailed, match=r"^HTTP 400$"):
            Webhook(hook.url, secret="s3cret")(event)


def _events() -> tuple[Event, ...]:
    health = Health(LOW, every=None, clock=Hands())
    for at in range(5):
        health.observe(seen(0.0, float(at)))
    return health.check()


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Webhook("example.com"), "begins with https://"),
        (lambda: Webhook("ftp://example.com"), "begins with https://"),
        (lambda: Webhook("http://[bad"), "begins with https://"),
        (lambda: Webhook(7), "takes an address"),  # type: ignore[arg-type]  # what is tested
        (lambda: Webhook("http://localhost", secret=""), "not empty"),
        (lambda: Webhook("http://localhost", secret="whsec_?"), "base64"),
        (lambda: Webhook("http://localhost", attempts=0), "whole number"),
        (lambda: Webhook("http://localhost", timeout=0), "above 0"),
        (lambda: Webhook("http://localhost", wait=-1), "above 0"),
    ],
)
def test_a_mistake_in_a_webhook_is_told_where_it_is_made(made: object, said: str) -> None:
    """Without the secret."""
    assert callable(made)
    with pytest.raises(DefinitionError, match=said):
        made()
