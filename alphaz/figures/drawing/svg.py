"""SVG as text: a canvas, and the figure made of it.

Styles are plain attributes, which every converter supports; a style sheet only changes them on dark pages. Names of
classes and identifiers begin with a digest of the figure, so that one page can have several figures."""

import hashlib
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from alphaz.figures.drawing.theme import ROLES

# Placeholder of the digest; no text of a user contains it, since it is not a character.
_PREFIX = "\ufdd0"
# Approximate widths in pixels; the font is unknown before rendering.
_WIDTH = 6.9


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as SVG. `title` and `description` are its text alternative."""

    svg: str
    title: str
    description: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Figure({self.title!r}, {len(self.svg)} bytes)"


def text_width(text: str, size: float = 12) -> float:
    """Returns the approximate width of the text."""
    return len(text) * _WIDTH * size / 12


def wrap_text(text: str, width: float, size: float = 12) -> list[str]:
    """Returns lines of at most `width` pixels: SVG does not wrap text."""
    return textwrap.wrap(text, max(20, int(width * 12 / size / _WIDTH)), break_long_words=True)


@dataclass(slots=True)
class Canvas:
    """The drawn elements, from back to front."""

    _parts: list[str] = field(default_factory=list)
    _used: set[str] = field(default_factory=set)
    _right: float = 0
    _bottom: float = 0

    def text(self, x: float, y: float, text: str, role: str = "ink", anchor: str = "start", **more: object) -> None:
        """Draws a text. `anchor` is start, middle or end."""
        if anchor == "start":
            size = float(ROLES[role][0].get("font-size", "12"))
            self._grow(x + text_width(text, size * (1.08 if role in ("title", "badtext") else 1)), y + 4)
        place = {"x": x, "y": y, **({} if anchor == "start" else {"text-anchor": anchor}), **more}
        self._parts.append(f"<text{self._look(role, place)}>{escape(_clean(text))}</text>")

    def rect(self, x: float, y: float, width: float, height: float, role: str, tip: str = "", **more: object) -> None:
        """Draws a rectangle; `tip` is its tooltip."""
        self._grow(x + width, y + height)
        self._shape("rect", role, tip, {"x": x, "y": y, "width": width, "height": height, **more})

    def circle(self, x: float, y: float, radius: float, role: str, tip: str = "", **more: object) -> None:
        """Draws a circle."""
        self._grow(x + radius, y + radius)
        self._shape("circle", role, tip, {"cx": x, "cy": y, "r": radius, **more})

    def path(self, steps: str, role: str, **more: object) -> None:
        """Draws a path, in SVG's own notation."""
        self._shape("path", role, "", {"d": steps, **more})

    def arrow(
        self, start: tuple[float, float], end: tuple[float, float], gap: float, role: str = "arrow", bend: float = 0
    ) -> None:
        """Draws an arrow between two points, at a distance of `gap` from both. `bend`: the distance in pixels of its
        middle to the right of the straight line."""
        (x0, y0), (x1, y1) = start, end
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        if length <= 2 * gap:
            return
        u, v = (x1 - x0) / length, (y1 - y0) / length
        by = (x0 + x1) / 2 - 2 * bend * v, (y0 + y1) / 2 + 2 * bend * u
        size = 4.5 if role == "arrow" else 7.0
        (a, b), foot, tip = _towards(start, by, gap), _towards(end, by, gap + 1 + size), _towards(end, by, gap + 1)
        way = f"Q{_n(by[0])} {_n(by[1])} " if bend else "L"
        self.path(f"M{_n(a)} {_n(b)}{way}{_n(foot[0])} {_n(foot[1])}", role)
        self.head(foot, tip, role)

    def head(self, foot: tuple[float, float], tip: tuple[float, float], role: str = "arrow") -> None:
        """Draws the head of an arrow, from the middle of its base to its tip."""
        (x0, y0), (x1, y1) = foot, tip
        v, w = (x1 - x0) * 0.45, (y1 - y0) * 0.45
        corners = f"M{_n(x1)} {_n(y1)}L{_n(x0 - w)} {_n(y0 + v)}L{_n(x0 + w)} {_n(y0 - v)}z"
        self.path(corners, "badhead" if role == "bad" else "arrowhead")

    def reach(self, x: float, y: float) -> None:
        """Makes the figure at least as large."""
        self._grow(x, y)

    @property
    def bottom(self) -> float:
        """Returns the lowest position of any element."""
        return self._bottom

    @property
    def right(self) -> float:
        """Returns the rightmost position of any element."""
        return self._right

    def figure(self, title: str, description: str) -> Figure:
        """Returns the figure of all elements, on a background."""
        width, height = round(self._right + 16), round(self._bottom + 14)
        body = "\n".join(self._parts)
        names = f'aria-labelledby="{_PREFIX}t {_PREFIX}d"'
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        )
        heading = f'<title id="{_PREFIX}t">{escape(_clean(title))}</title>\n'
        heading += f'<desc id="{_PREFIX}d">{escape(_clean(description))}</desc>'
        paper = f"<rect{self._look('paper', {'width': width, 'height': height})}/>"
        dark = "".join(f".{_PREFIX}{role}{{{_declarations(role)}}}" for role in sorted(self._used))
        text = f"""{head} role="img" {names} font-family="system-ui, sans-serif" font-size="12">
{heading}
<style>@media (prefers-color-scheme: dark){{{dark}}}</style>
{paper}
{body}
</svg>
"""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return Figure(text.replace(_PREFIX, f"a{digest}-"), title, description)

    def _shape(self, name: str, role: str, tip: str, attributes: dict[str, object]) -> None:
        look = self._look(role, attributes)
        inside = f"<title>{escape(_clean(tip))}</title>" if tip else ""
        self._parts.append(f"<{name}{look}>{inside}</{name}>" if tip else f"<{name}{look}/>")

    def _look(self, role: str, attributes: dict[str, object]) -> str:
        self._used.add(role)
        light, dark = ROLES[role]
        shown = {**({"class": f"{_PREFIX}{role}"} if dark else {}), **attributes}
        shown |= {name: value for name, value in light.items() if name not in _keys(attributes)}
        return "".join(f" {name.replace('_', '-')}={quoteattr(_value(value))}" for name, value in shown.items())

    def _grow(self, x: float, y: float) -> None:
        self._right, self._bottom = max(self._right, x), max(self._bottom, y)


def _towards(start: tuple[float, float], end: tuple[float, float], far: float) -> tuple[float, float]:
    """The point at this distance from the start towards the end."""
    (x0, y0), (x1, y1) = start, end
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1.0)
    return x0 + (x1 - x0) * far / length, y0 + (y1 - y0) * far / length


def _keys(attributes: dict[str, object]) -> Iterator[str]:
    return (name.replace("_", "-") for name in attributes)


def _declarations(role: str) -> str:
    return ";".join(f"{name}:{value}" for name, value in ROLES[role][1].items())


def _value(value: object) -> str:
    return _n(value) if isinstance(value, float) else str(value)


def _n(value: float) -> str:
    """A number with few digits."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _clean(text: str) -> str:
    """The text without characters that are invalid in XML."""
    return "".join(
        c
        if c in "\t\n" or (c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufdd0\ufffe\uffff")
        else "\ufffd"
        for c in text
    )
