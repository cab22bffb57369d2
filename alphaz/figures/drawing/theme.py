"""Colours of figures: by meaning, for light and dark pages, distinguishable for colour-blind readers and in grey print.

Blue and orange are those of Okabe and Ito (Color Universal Design, 2008); steps have cividis (Nunez, Anderton, Renslow,
PLoS ONE 13(7), 2018), whose lightness grows evenly."""

from collections.abc import Mapping

Attributes = Mapping[str, str]

# By role: the style on a light page, and the changes on a dark page.
ROLES: Mapping[str, tuple[Attributes, Attributes]] = {
    "paper": ({"fill": "#ffffff"}, {"fill": "#0d1117"}),
    "behind": ({"fill": "#ffffff", "fill-opacity": "0.85"}, {"fill": "#0d1117"}),
    "ink": ({"fill": "#1b1f24"}, {"fill": "#e6edf3"}),
    "title": ({"fill": "#1b1f24", "font-size": "14", "font-weight": "600"}, {"fill": "#e6edf3"}),
    "axis": ({"fill": "#1b1f24", "font-size": "13", "font-style": "italic"}, {"fill": "#e6edf3"}),
    "soft": ({"fill": "#57606a", "font-size": "11"}, {"fill": "#9aa4af"}),
    "code": ({"fill": "#1b1f24", "font-family": "ui-monospace, monospace", "font-size": "11"}, {"fill": "#e6edf3"}),
    "badtext": ({"fill": "#a03f00", "font-weight": "600"}, {"fill": "#ff9a57"}),
    "arrow": ({"stroke": "#8b949e", "stroke-width": "1", "fill": "none"}, {"stroke": "#7d8590"}),
    "arrowhead": ({"fill": "#8b949e"}, {"fill": "#7d8590"}),
    "bad": ({"stroke": "#d55e00", "stroke-width": "2.5", "fill": "none"}, {"stroke": "#ff8c42"}),
    "badhead": ({"fill": "#d55e00"}, {"fill": "#ff8c42"}),
    "badfill": ({"fill": "#d55e00", "fill-opacity": "0.28"}, {"fill": "#ff8c42"}),
    "point": ({"fill": "#cfe3f3", "stroke": "#0072b2"}, {"fill": "#17395a", "stroke": "#56b4e9"}),
    "step": ({"stroke": "#8b949e", "stroke-width": "1"}, {"stroke": "#9aa4af"}),
    "ramp": ({}, {}),
    "number": ({"font-family": "ui-monospace, monospace", "font-size": "10"}, {}),
    "hollow": ({"fill": "none", "stroke": "#8b949e", "stroke-dasharray": "2 2"}, {"stroke": "#9aa4af"}),
    "line": ({"stroke": "#d0d7de", "stroke-width": "1", "fill": "none"}, {"stroke": "#30363d"}),
    "tile": ({"stroke": "#0072b2", "stroke-width": "1.8", "fill": "none"}, {"stroke": "#56b4e9"}),
    "even": ({"fill": "#e3eff8"}, {"fill": "#12283b"}),
    "odd": ({"fill": "#f5f9fc"}, {"fill": "#0f1b27"}),
    "bar": ({"fill": "#e3eff8", "stroke": "#0072b2", "stroke-width": "1.2"}, {"fill": "#12304a", "stroke": "#56b4e9"}),
    "node": ({"fill": "#f6f8fa", "stroke": "#57606a"}, {"fill": "#161b22", "stroke": "#9aa4af"}),
}

_CIVIDIS = ("#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#fee838")


def step_colour(share: float) -> str:
    """Returns the colour of a step: from 0, the first step, to 1, the last."""
    place = min(max(share, 0.0), 1.0) * (len(_CIVIDIS) - 1)
    at = min(int(place), len(_CIVIDIS) - 2)
    pairs = zip(_channels(_CIVIDIS[at]), _channels(_CIVIDIS[at + 1]), strict=True)
    return "#" + "".join(f"{round(low + (high - low) * (place - at)):02x}" for low, high in pairs)


def ink_on(colour: str) -> str:
    """Returns black or white, by contrast with the colour (WCAG 2.2, relative luminance)."""
    parts = (_linear(channel / 255) for channel in _channels(colour))
    light = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return "#000000" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "#ffffff"


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
