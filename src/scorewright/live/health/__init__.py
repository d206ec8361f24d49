"""How scorers do on a running program: windows, drift, monitors, and who is told.

It needs numpy and scipy: pip install 'scorewright[statistics]'.
"""

from scorewright.live.health.drift import Baseline, Detector, Drift
from scorewright.live.health.events import Event, Status
from scorewright.live.health.following import FromLines, FromStore, Source
from scorewright.live.health.health import Health
from scorewright.live.health.monitors import Monitor
from scorewright.live.health.notifying import Notices
from scorewright.live.health.reading import (
    COVERAGE,
    FAILURE_RATE,
    MEAN,
    Measure,
    Reading,
    pass_rate_at,
    percentile,
)
from scorewright.live.health.webhook import Webhook, WebhookFailed
from scorewright.live.health.windows import Held, Observation, Window

__all__ = [
    "COVERAGE",
    "FAILURE_RATE",
    "MEAN",
    "Baseline",
    "Detector",
    "Drift",
    "Event",
    "FromLines",
    "FromStore",
    "Health",
    "Held",
    "Measure",
    "Monitor",
    "Notices",
    "Observation",
    "Reading",
    "Source",
    "Status",
    "Webhook",
    "WebhookFailed",
    "Window",
    "pass_rate_at",
    "percentile",
]
