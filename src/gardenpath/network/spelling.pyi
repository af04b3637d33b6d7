from gardenpath.network.arrays import NetworkArrays
from gardenpath.network.kernels import Matrix
from gardenpath.network.lstm import Lstm

def form_key(form: str) -> int: ...

class FormEncoder:
    size: int
    ahead: Lstm
    back: Lstm
    spelt: Matrix
    pretrained_weight: Matrix | None
    def __init__(self, arrays: NetworkArrays) -> None: ...
