from gardenpath.neural.records import Records
from gardenpath.neural.rules import Rules

class Board:
    rules: Rules
    compositions: Records
    pushes: Records
    histories: Records
    lengths: list[int]
    def __init__(self, rules: Rules, lengths: list[int], width: int = 1) -> None: ...
