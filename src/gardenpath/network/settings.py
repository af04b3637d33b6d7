"""The settings of the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gardenpath.core.settings import setting
from gardenpath.errors import UsageError
from gardenpath.parsing.scorers import ScorerSettings
from gardenpath.parsing.settings import ParserSettings

if TYPE_CHECKING:
    from gardenpath.systems.base import TransitionSystem

MAX_NETWORKS = 16            # of an ensemble
EXPLORE = 0.9                # the default of the setting `explore`
EXPLORE_REORDERING = 0.3     # the same where wrong swaps can follow each other for long


@dataclass(frozen=True)
class NetworkSettings(ScorerSettings):
    """The settings of the network and of its training with Adam. The defaults suit treebanks of all sizes."""

    vectors: str | None = setting(
        None, "File of pretrained word vectors: GloVe, word2vec or fastText, text or binary.", kind=str, is_file=True,
    )
    max_vectors: int = setting(
        100_000, "Number of words of that file, from its start, whose vectors the model keeps.",
        least=0, most=10_000_000,
    )
    networks: int = setting(
        1, "Number of networks whose scores are averaged: an ensemble is more accurate and slower.", least=1,
        most=MAX_NETWORKS,
    )
    layers: int = setting(2, "Number of layers of the sentence encoder.", least=1, most=8)
    hidden_size: int = setting(
        256, "Size of the LSTM states of the sentence encoder in each direction, a multiple of 16.",
        least=16, most=4096,
    )
    dropout: float = setting(0.33, "Dropout probability.", least=0, below=1)
    input_dropout: float = setting(
        0.2, "Probability that the form of a word is left out of its input; the same for its spelling.",
        least=0, below=1,
    )
    replace_words: float | None = setting(
        None, "Probability that training replaces a content word by another one with the same tag.", kind=float,
        least=0, most=1, default_text="0.2 for small treebanks of inflected languages",
    )
    batch_words: int = setting(
        0, "Number of words in a batch; 0 means that it depends on the treebank.", least=0, most=1_000_000,
    )
    learning_rate: float = setting(0.004, "Highest learning rate.", least=0, most=1)
    explore: float | None = setting(
        None, "Probability of following a wrong prediction in training.", kind=float, least=0, most=1,
        default_text="0.9, or 0.3 for systems that reorder words",
    )
    ema_decay: float = setting(
        0.999, "Decay of the exponential moving average of the parameters; 0 is no average.", least=0, below=1,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hidden_size % 16:
            raise UsageError(f"hidden_size must be a multiple of 16, not {self.hidden_size}")

    def exploration(self, system: TransitionSystem) -> float:
        """The probability of following a wrong prediction."""
        if self.explore is not None:
            return self.explore
        return EXPLORE_REORDERING if system.reorders else EXPLORE

    def ineffective(self, parser: ParserSettings) -> dict[str, str]:
        """The settings that have no effect with this parser, each with the reason."""
        found = {} if parser.explores else {"explore": f"the {parser.oracle} oracle cannot continue after an error"}
        return found if self.vectors else found | {"max_vectors": "there is no file of vectors"}
