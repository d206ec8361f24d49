"""What a type looks like on the wire: its closed JSON Schema, and strict reading of JSON values and of replies."""

from __future__ import annotations

from scorewright.faults import Misfit
from scorewright.shapes.converter import structure
from scorewright.shapes.shape import Shape, json_shape, shape_of
from scorewright.shapes.wire import unstructure

__all__ = ["Misfit", "Shape", "json_shape", "shape_of", "structure", "unstructure"]
