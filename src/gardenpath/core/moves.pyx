"""The names of the moves, as people write them."""

NAMES = (
    "shift", "reduce", "left-arc", "right-arc", "unshift", "left-arc:2", "right-arc:2", "no-arc", "swap", "stay-left", "stay-right", "right-root",
)
