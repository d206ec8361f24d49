"""The store of evaluations: nothing that was paid for is paid for again."""

from scorewright.suites.journal.records import Experiment, Finished, State, StoredItem, StoredScore, StoreError
from scorewright.suites.journal.store import Store, open_store

__all__ = ["Experiment", "Finished", "State", "Store", "StoreError", "StoredItem", "StoredScore", "open_store"]
