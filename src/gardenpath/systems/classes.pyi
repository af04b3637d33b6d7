from collections.abc import Iterable

from gardenpath.systems.base import TransitionSystem

class Classes:
    labels: list[str]
    size: int
    inventories: dict[str, list[str]]
    shared_unshift: bool
    labelled_reduce: bool
    root_label: int
    def __init__(
        self, system: TransitionSystem, inventories: dict[str, list[str]], shared_unshift: bool = True,
        labelled_reduce: bool = False,
    ) -> None: ...
    @staticmethod
    def of_trees(
        system: TransitionSystem, trees: Iterable[tuple[list[int], list[str]]], *, shared_unshift: bool = True,
        labelled_reduce: bool = False,
    ) -> Classes: ...
