import numpy as np

SETS: tuple[str, ...]

def available() -> list[str]: ...
def use(name: str) -> None: ...
def run(
    sizes: np.ndarray, backwards: bool, weights: np.ndarray, gates: np.ndarray, cells: np.ndarray,
    squashed: np.ndarray, states: np.ndarray,
) -> None: ...
def run_back(
    sizes: np.ndarray, backwards: bool, weights: np.ndarray, gates: np.ndarray, cells: np.ndarray,
    squashed: np.ndarray, from_states: np.ndarray,
) -> None: ...
