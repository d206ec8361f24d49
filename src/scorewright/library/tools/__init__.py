"""Scorers of tool calls: the right ones, in their order, with the right arguments, and appropriate ones."""

from scorewright.library.tools.accuracy import tool_call_accuracy
from scorewright.library.tools.appropriateness import tool_call_appropriateness
from scorewright.library.tools.f1 import tool_call_f1

__all__ = ["tool_call_accuracy", "tool_call_appropriateness", "tool_call_f1"]
