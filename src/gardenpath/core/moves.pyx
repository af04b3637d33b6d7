"""The names of the kinds of transitions, by number."""

NAMES = (
    "shift", "reduce", "left-arc", "right-arc", "unshift", "left-arc:2", "right-arc:2", "no-arc", "swap",
    "stay-left", "stay-right", "right-root",
)
