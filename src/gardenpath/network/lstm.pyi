from gardenpath.network.arrays import NetworkArrays
from gardenpath.network.kernels import Matrix

class Lstm:
    hidden: int
    input: Matrix
    recurrent: Matrix
    back: bool
    def __init__(self, arrays: NetworkArrays, name: str, back: bool, inputs: int | None = None) -> None: ...

class Layer:
    size: int
    ahead: Lstm
    back: Lstm
    above: Layer | None
    top: Layer
    def __init__(self, arrays: NetworkArrays, number: int, inputs: int) -> None: ...
