from collections.abc import Callable, Iterable

def induce(
    sentences: Iterable[Iterable[str]], clusters: int = 320, min_count: int = 1,
    watch: Callable[[int, int], None] | None = None,
) -> list[tuple[str, str, int]]: ...
