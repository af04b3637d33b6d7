from collections.abc import Iterable

class GivenTags:
    words: int
    tag_count: int
    def __init__(self, choices: Iterable[tuple[int, ...] | None], tags: int) -> None: ...
