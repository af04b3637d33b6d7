"""Place labels without overlaps."""

from __future__ import annotations

from collections.abc import Sequence

LINE = 15            # the height of a line of text
AROUND = 7           # half the size of a marker, with a margin
FARTHEST = 130       # largest distance between a point and its label

Point = tuple[float, float]
Box = tuple[float, float, float, float]       # left, top, right, bottom


def apart(places: Sequence[float], low: float, high: float) -> list[float]:
    """Move positions until they are at least a line apart, within two ends if there is room.

    Positions that would overlap form a block around their middle.
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    blocks: list[tuple[float, int]] = []      # the first position of each block, and its size
    for i in order:
        start, count = places[i], 1
        while blocks and start < blocks[-1][0] + blocks[-1][1] * LINE:
            before, number = blocks.pop()
            middle = (_middle(before, number) * number + _middle(start, count) * count) / (number + count)
            count += number
            start = middle - (count - 1) * LINE / 2
        blocks.append((max(low, min(start, high - (count - 1) * LINE)), count))
    moved = [start + k * LINE for start, count in blocks for k in range(count)]
    return [place for _, place in sorted(zip(order, moved, strict=True))]


def _middle(start: float, count: int) -> float:
    return start + (count - 1) * LINE / 2


def beside(points: Sequence[Point], widths: Sequence[float], area: Box) -> list[Point]:
    """Return where labels begin (left end, middle of the line).

    Each label is as close as possible to its point without covering a point or an earlier label.
    """
    taken = [(x - AROUND, y - AROUND, x + AROUND, y + AROUND) for x, y in points]
    found = []
    for (x, y), width in zip(points, widths, strict=True):
        places = [(x + dx, y + dy) for distance in range(10, FARTHEST, 8) for dx, dy in _around(distance, width)]
        inside = [place for place in places if _is_within(_box(place, width), area)]
        free = [place for place in inside if not any(_overlap(_box(place, width), other) for other in taken)]
        best = (free or inside or places)[0]
        taken.append(_box(best, width))
        found.append(best)
    return found


def _around(distance: float, width: float) -> list[Point]:
    """Return offsets to the right, left, above, below and at the corners."""
    right, left = distance, -distance - width
    straight = [(right, 0), (left, 0), (-width / 2, -distance - 6), (-width / 2, distance + 6)]
    return [*straight, *((across, down) for across in (right, left) for down in (-distance, distance))]


def _box(place: Point, width: float) -> Box:
    return place[0] - 2, place[1] - LINE / 2, place[0] + width + 2, place[1] + LINE / 2


def _is_within(box: Box, area: Box) -> bool:
    return area[0] <= box[0] and area[1] <= box[1] and box[2] <= area[2] and box[3] <= area[3]


def _overlap(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
