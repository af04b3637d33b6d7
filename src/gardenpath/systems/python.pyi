from collections.abc import Iterable

from gardenpath.systems.base import Configuration, TransitionSystem

class PythonSystem(TransitionSystem):
    transitions: dict[str, tuple[str, str] | None]
    def configuration(self, n: int, stack: Iterable[int] = (), buffer: Iterable[int] = ()) -> Configuration: ...
