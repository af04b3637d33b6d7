from collections.abc import Iterable

class Window:
    templates: list[str]
    def __init__(self, templates: Iterable[str]) -> None: ...
