"""A number that was measured, and the number that a clause asks for, each with its unit."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Comparison = Literal["at-least", "at-most", "equal", "none"]


class Measured(BaseModel):
    """A measured value with the interval (95 %) that its uncertainty leaves."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    value: float
    unit: str
    low: float | None = None
    high: float | None = None


class Required(BaseModel):
    """What a clause asks for, with the arithmetic written out for a person to check."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    value: float
    unit: str
    comparison: Comparison = "at-least"
    formula: str = Field(description="The arithmetic, e.g. 'ceil(2,400 persons / 4) = 600 stalls'")
