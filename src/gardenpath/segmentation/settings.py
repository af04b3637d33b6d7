"""The settings of the tokenizer."""

from __future__ import annotations

from dataclasses import dataclass

from gardenpath.core.settings import SettingsPart, setting
from gardenpath.features.templates import AUTO

TOKENIZERS = ("gardenpath", "udpipe", "none")


@dataclass(frozen=True)
class TokenizerSettings(SettingsPart):
    """The settings of the tokenizer."""

    tokenizer: str = setting(
        AUTO, "Tokenizer and sentence splitter; auto is gardenpath if the model has a tagger, else none.",
        choices=(AUTO, *TOKENIZERS),
    )
