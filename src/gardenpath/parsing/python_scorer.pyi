from collections.abc import Sequence

from gardenpath.formats.document import Word
from gardenpath.parsing.scorer import Scorer
from gardenpath.systems import Configuration

class PythonScorer(Scorer):
    def score(
        self, words: Sequence[Word], configuration: Configuration, transitions: list[tuple[str, str | None]],
    ) -> Sequence[float]: ...
