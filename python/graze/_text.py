"""Results as lines that read well."""

import math


def triple(values) -> str:
    return "(" + ", ".join(f"{value:.6g}" for value in values) + ")"


def bracket(verdict, reason, toi, toi_upper) -> str:
    """Of a verdict and its times: "hit in [0.4999, 0.5]", "hit at 0.5", "hit at 0.5, not proven", "clear", "unresolved after
    0.3 (checks)"."""
    if verdict == "hit" and math.isinf(toi_upper):
        return f"hit at {toi:.9g}, not proven"
    if verdict == "hit":
        return f"hit in [{toi:.9g}, {toi_upper:.9g}]" if f"{toi:.9g}" != f"{toi_upper:.9g}" else f"hit at {toi:.9g}"
    return "clear" if verdict == "clear" else f"unresolved after {toi:.9g} ({reason})"


def line(name, *parts) -> str:
    return f"<graze.{name}: {', '.join(part for part in parts if part)}>"
