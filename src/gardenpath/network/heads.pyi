from gardenpath.network.arrays import NetworkArrays

class Heads:
    rules: int
    size: int
    tags: int
    def __init__(self, arrays: NetworkArrays, states: int, words: int) -> None: ...
