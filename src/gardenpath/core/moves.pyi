NAMES: tuple[str, ...]
MOVE_OF: dict[str, int]
