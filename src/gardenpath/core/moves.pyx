"""The names of the moves, as people write them."""

NAMES = ("shift", "reduce", "left-arc", "right-arc", "unshift")
MOVE_OF = {name: move for move, name in enumerate(NAMES)}
