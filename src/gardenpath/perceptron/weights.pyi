class Weights:
    classes: int
