"""Numbers in a text, with their units."""

from __future__ import annotations

import re
import unicodedata
from math import isfinite
from typing import Literal, TypeAlias

import attrs

Decimal: TypeAlias = Literal[".", ","]

# what one of each is of the first in its row; a unit that is in no row is compared by its name
_TABLE: dict[str, dict[str, float]] = {
    "length": {"m": 1, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344},
    "mass": {"g": 1, "mg": 1e-3, "kg": 1e3, "t": 1e6, "oz": 28.349523125, "lb": 453.59237},
    "time": {"s": 1, "ms": 1e-3, "min": 60, "h": 3600, "d": 86400},
    "volume": {"l": 1, "ml": 1e-3, "cl": 1e-2, "dl": 0.1},
    "bytes": {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30},
    "power": {"W": 1, "kW": 1e3, "MW": 1e6},
    "energy": {"J": 1, "kJ": 1e3, "Wh": 3600, "kWh": 3.6e6},
    "share": {"": 1, "%": 0.01, "\u2030": 0.001},
}
_NAMES = {
    "meter": "m", "metre": "m", "kilometer": "km", "kilometre": "km", "centimeter": "cm", "centimetre": "cm",
    "millimeter": "mm", "millimetre": "mm", "inch": "in", "inche": "in", "foot": "ft", "feet": "ft", "yard": "yd",
    "mile": "mi", "gram": "g", "milligram": "mg", "kilogram": "kg", "kilo": "kg", "tonne": "t", "ounce": "oz",
    "pound": "lb", "second": "s", "sec": "s", "millisecond": "ms", "minute": "min", "hour": "h", "hr": "h", "day": "d",
    "liter": "l", "litre": "l", "L": "l", "mL": "ml", "byte": "B", "watt": "W", "joule": "J", "percent": "%",
    "\u20ac": "EUR", "euro": "EUR", "$": "USD", "dollar": "USD", "\u00a3": "GBP",
}  # fmt: skip
_UNITS = {unit: (kind, factor) for kind, row in _TABLE.items() for unit, factor in row.items()}

_DIGITS = {
    ".": r"(?:\d{1,3}(?:[,'\u2019]\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+",
    ",": r"(?:\d{1,3}(?:[.'\u2019]\d{3})+(?!\d)|\d+)(?:,\d+)?|,\d+",
}
_UNIT = r"[ ]?(?P<unit>%|\u2030|\u00b0[CF]|[\u20ac$\u00a3]|[^\W\d_]+)?"


@attrs.frozen
class Quantity:
    """A number and its unit, which is empty where none stands with it."""

    number: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.number:g} {self.unit}".strip()


def quantities(text: str, decimal: Decimal = ".", /) -> list[Quantity]:
    """The numbers of a text, in order, each with the unit before ($5) or after it (5 km).

    Thousands may be set apart by commas, apostrophes or narrow blanks (no others); with `decimal=","` by dots. A number
    too large for a float is left out.

    >>> quantities("about 1,234.5 km, or $7")
    [Quantity(number=1234.5, unit='km'), Quantity(number=7.0, unit='USD')]
    """
    plain = unicodedata.normalize("NFKC", text.replace("\u2009", "'").replace("\u202f", "'")).replace("\u2212", "-")
    pattern = re.compile(
        rf"(?P<before>[\u20ac$\u00a3])?[ ]?(?P<sign>(?<![\w.,])[-+])?(?<![\w.])(?P<digits>{_DIGITS[decimal]})"
        rf"(?P<power>[eE][-+]?\d+)?{_UNIT}"
    )
    found: list[Quantity] = []
    for match in pattern.finditer(plain):
        digits = re.sub(r"[ '\u2019]" + ("|," if decimal == "." else r"|\."), "", match["digits"]).replace(",", ".")
        number = float(f"{match['sign'] or ''}{digits}{match['power'] or ''}")
        if isfinite(number):
            found.append(Quantity(number, spelled_unit(match["before"] or match["unit"] or "")))
    return found


def spelled_unit(unit: str, /) -> str:
    """The unit by its symbol, where it is known; a word that is no unit is none."""
    known = _NAMES.get(unit, unit)
    if known in _UNITS or known in _NAMES.values() or unit.startswith("\u00b0"):
        return known
    name = unit.lower()
    singular = _NAMES.get(name) or _NAMES.get(name.removesuffix("s"))
    return singular or (unit if len(unit) == 3 and unit.isupper() else "")  # noqa: PLR2004 - a currency such as CHF


def readings(found: Quantity, due: Quantity, /) -> tuple[float, ...]:
    """The number in the unit that is due, each way it may be meant; none where the units are of different kinds.

    A number without unit is of the unit of the other. "50 %" against a bare number may mean 50 or 0.5.
    """
    if found.unit == due.unit or not found.unit:
        return (found.number,)
    here, there = _UNITS.get(found.unit), _UNITS.get(due.unit)
    converted = (found.number * here[1] / there[1],) if here and there and here[0] == there[0] else ()
    return converted if due.unit else (found.number, *converted)
