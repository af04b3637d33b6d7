class Encoding:
    words: int
    stride: int
