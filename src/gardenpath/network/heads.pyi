from gardenpath.network.arrays import NetworkArrays

class Heads:
    outputs: int
    rules: int
    size: int
    tags: int
    def __init__(self, arrays: NetworkArrays) -> None: ...
