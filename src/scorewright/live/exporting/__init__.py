"""Scores exported to other systems: OpenTelemetry, Langfuse, Phoenix, MLflow."""

from scorewright.live.exporting.events import OtelEvents
from scorewright.live.exporting.exporting import export_scores, export_scores_sync
from scorewright.live.exporting.langfuse import Langfuse
from scorewright.live.exporting.ledger import Sent
from scorewright.live.exporting.line import Patience
from scorewright.live.exporting.mlflow import Mlflow
from scorewright.live.exporting.mlflow_runs import ExportedMetrics, export_metrics, export_metrics_sync
from scorewright.live.exporting.phoenix import Phoenix
from scorewright.live.exporting.reading import item_scores, live_score, stored_scores
from scorewright.live.exporting.scores import Exported, Left, Score
from scorewright.live.exporting.sink import ExportTo, Unexported
from scorewright.live.exporting.target import Delivery, Target

__all__ = [
    "Delivery",
    "ExportTo",
    "Exported",
    "ExportedMetrics",
    "Langfuse",
    "Left",
    "Mlflow",
    "OtelEvents",
    "Patience",
    "Phoenix",
    "Score",
    "Sent",
    "Target",
    "Unexported",
    "export_metrics",
    "export_metrics_sync",
    "export_scores",
    "export_scores_sync",
    "item_scores",
    "live_score",
    "stored_scores",
]
