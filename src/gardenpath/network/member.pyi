from gardenpath.network.arrays import NetworkArrays
from gardenpath.network.lstm import Layer
from gardenpath.network.spelling import FormEncoder

class Member:
    forms: FormEncoder
    layers: Layer
    other: Member | None
    def __init__(self, arrays: NetworkArrays, number: int, cached_forms: int) -> None: ...
