"""The settings of the stack-LSTM."""

from __future__ import annotations

from dataclasses import dataclass

from gardenpath.core.settings import setting
from gardenpath.parsing.scorers import ScorerSettings

ENCODERS = ("incremental", "bilstm")


@dataclass(frozen=True)
class StackLSTMSettings(ScorerSettings):
    """The settings of the stack-LSTM and of its training with Adam."""

    encoder: str = setting(
        ENCODERS[0], "Encoder of the words: incremental sees three words of the buffer, bilstm the whole sentence.",
        choices=ENCODERS,
    )
    batch_size: int = setting(32, "Number of sentences in a batch.", least=1, most=100_000, old_name="batch")
    learning_rate: float = setting(0.001, "Highest learning rate.", least=0, most=1)
    learning_rate_decay: float = setting(
        0.08, "Decay d of the learning rate: epoch t divides the initial rate by 1 + d(t - 1).",
        least=0, most=1, old_name="decay",
    )
    dropout: float = setting(0.33, "Dropout probability.", least=0, below=1)
    ema_decay: float = setting(
        0.0, "Decay of the exponential moving average of the parameters; 0 is no average.",
        least=0, below=1, old_name="averaging",
    )
