"""The available tokenizers: the segmenter of this package and UDPipe's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gardenpath.core.stored import require
from gardenpath.segmentation.segmenter import Segmenter
from gardenpath.segmentation.tokenizer import Tokenizer
from gardenpath.segmentation.usual_spaces import with_usual_spaces

if TYPE_CHECKING:
    from gardenpath.core.storage import Arrays
    from gardenpath.formats.document import Sentence
    from gardenpath.segmentation.settings import TokenizerSettings


def train(
    sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, settings: TokenizerSettings, seed: int,
) -> Tokenizer | None:
    """Train the tokenizer that the settings name on a treebank."""
    if settings.tokenizer == "none":
        return None
    sentences = with_usual_spaces(sentences)
    if settings.tokenizer == "udpipe":
        from gardenpath.segmentation.udpipe import UdpipeTokenizer

        return UdpipeTokenizer.train(sentences, dev)
    from gardenpath.segmentation.segmenter_training import train_segmenter

    return train_segmenter(sentences, seed=seed)


def build(record: dict[str, Any], arrays: Arrays) -> Tokenizer:
    """Build a tokenizer from the contents of a model file."""
    require(record, {"kind": str}, "the tokenizer")
    if record["kind"] == "udpipe":
        from gardenpath.segmentation.udpipe import UdpipeTokenizer

        return UdpipeTokenizer.build(record, arrays)
    return Segmenter.build(record, arrays)
