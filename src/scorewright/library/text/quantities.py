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
    "area": {"m\u00b2": 1, "mm\u00b2": 1e-6, "cm\u00b2": 1e-4, "km\u00b2": 1e6, "ft\u00b2": 0.09290304},
    "speed": {"m/s": 1, "km/h": 1 / 3.6, "mi/h": 0.44704, "ft/s": 0.3048},
    "mass": {"g": 1, "\u03bcg": 1e-6, "mg": 1e-3, "kg": 1e3, "t": 1e6, "oz": 28.349523125, "lb": 453.59237},
    "time": {"s": 1, "ms": 1e-3, "min": 60, "h": 3600, "d": 86400},
    "volume": {"l": 1, "ml": 1e-3, "cl": 1e-2, "dl": 0.1, "m\u00b3": 1e3, "cm\u00b3": 1e-3, "mm\u00b3": 1e-6},
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
    "\u00a5": "JPY", "yen": "JPY", "mph": "mi/h", "kmh": "km/h", "kph": "km/h",
}  # fmt: skip
_UNITS = {unit: (kind, factor) for kind, row in _TABLE.items() for unit, factor in row.items()}
_CAPITALS = {unit.lower(): unit for unit in ("mm", "cm", "km", "mg", "kg", "ml", "kB", "MB", "GB", "TB", "kW", "kWh")}

_DIGITS = {
    ".": r"(?:\d{1,3}(?:[,'\u2019]\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+",
    ",": r"(?:\d{1,3}(?:[.'\u2019]\d{3})+(?!\d)|\d+)(?:,\d+)?|,\d+",
}
_MONEY = r"[$\u00a3\u00a5\u20a0-\u20cf]"
_LATIN = r"(?:(?![\u0590-\U0010ffff])[^\W\d_])+"  # in "5km的" the unit ends where the other script begins
_LETTERS = rf"(?:{_LATIN}|[^\W\d_]+)"
_UNIT = (
    rf"[ ]?(?P<unit>%|\u2030|\u00b0[CF]|{_MONEY}|{_LETTERS})?(?(unit)(?P<raised>\^?[23](?!\w))?)"
    rf"(?:[ ]?(?:/|per\b)[ ]?(?P<per>{_LETTERS})(?P<per_raised>\^?[23](?!\w))?)?"
)
_RAISED_AS = {"2": "\u00b2", "3": "\u00b3"}
_LATIN_ONE = r"[A-Za-z_\u00aa-\u058f]"
_FREE = rf"(?<![\d.])(?<!{_LATIN_ONE})(?<!{_LATIN_ONE}\^)"  # a number may follow a letter of a script without blanks
_SIGN = rf"{_FREE}(?<!,)(?<!\d[^\x00-\u058f])[-+]"  # but not the hyphen of a span, as in "5個-6個"
_RAISED = re.compile(r"[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
_TIMES_TEN = re.compile(r"(?<=\d)[ ]?[\u00d7\u00b7x*][ ]?10\^([-+]?\d+)")


@attrs.frozen
class Quantity:
    """A number and its unit, which is empty where none stands with it."""

    number: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.number:g} {self.unit}".strip()


def quantities(text: str, decimal: Decimal = ".", /) -> list[Quantity]:
    """The numbers of a text, in order, each with the unit before ($5) or after it (5 km, 5 m², 5 km/h, 5 km per hour).

    Thousands may be set apart by commas, apostrophes or narrow blanks (no others); with `decimal=","` by dots. A number
    too large for a float is left out.

    >>> quantities("about 1,234.5 km, or $7")
    [Quantity(number=1234.5, unit='km'), Quantity(number=7.0, unit='USD')]
    """
    raised = _RAISED.sub(lambda found: f"^{found[0]}", text.replace("\u2009", "'").replace("\u202f", "'"))
    plain = _TIMES_TEN.sub(r"e\1", unicodedata.normalize("NFKC", raised).replace("\u2212", "-"))
    pattern = re.compile(
        rf"(?:(?P<debt>{_SIGN})(?={_MONEY}))?(?P<before>{_MONEY})?[ ]?"
        rf"(?P<sign>{_SIGN})?{_FREE}(?P<digits>{_DIGITS[decimal]})"
        rf"(?P<power>[eE][-+]?\d+)?{_UNIT}"
    )
    found: list[Quantity] = []
    for match in pattern.finditer(plain):
        digits = re.sub(r"[ '\u2019]" + ("|," if decimal == "." else r"|\."), "", match["digits"]).replace(",", ".")
        number = float(f"{match['sign'] or match['debt'] or ''}{digits}{match['power'] or ''}")
        if isfinite(number):
            found.append(Quantity(number, _unit_of(match)))
    return found


def _unit_of(match: re.Match[str]) -> str:
    """The unit of a number: raised to a power, or by another one where both are known."""
    unit, per = spelled_unit(match["before"] or match["unit"] or ""), spelled_unit(match["per"] or "")
    if not unit:
        return ""
    above, below = (_RAISED_AS.get((match[name] or "").lstrip("^"), "") for name in ("raised", "per_raised"))
    return f"{unit}{above}/{per}{below}" if per else f"{unit}{above}"


def spelled_unit(unit: str, /) -> str:
    """The unit by its symbol, where it is known; a word that is no unit is none."""
    known = _NAMES.get(unit, unit)
    if known in _UNITS or known in _NAMES.values() or re.fullmatch(rf"\u00b0.|{_MONEY}", unit):
        return known
    name = unit.lower()
    singular = _NAMES.get(name) or _NAMES.get(name.removesuffix("s")) or _CAPITALS.get(name, "")
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
