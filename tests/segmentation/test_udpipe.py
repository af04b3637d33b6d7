"""UDPipe's tokenizer behind the same interface."""

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.segmentation.udpipe import UdpipeTokenizer
from sample import TRAIN

pytest.importorskip("ufal.udpipe")


@pytest.fixture(scope="module")
def tokenizer():
    options = "epochs=1;batch_size=1;segment_size=10;dimension=16"
    return UdpipeTokenizer.train(list(gp.read_conllu(TRAIN))[:30], options=options)


def test_token_positions(tokenizer):
    draft = tokenizer.segment_text("The \U0001f600 cat\0 slept.\n\nA doctor didn't  swim.")
    found = [draft.text[start:end] for sentence in draft.spans for start, end, _ in sentence]
    assert "".join(found) == "".join(draft.text.split())
    assert len(draft) >= 2


def test_by_line_makes_each_line_a_sentence(tokenizer):
    assert len(tokenizer.segment_text("One. Two\nthree\n\n\nfour", by_line=True)) == 3


def test_build_restores_a_tokenizer(tokenizer):
    again = UdpipeTokenizer.build(tokenizer.record(), tokenizer.arrays())
    text = "The tall soldier was tired. Every artist didn't chase Tom."
    assert again.segment_text(text).spans == tokenizer.segment_text(text).spans
    assert again.segment_text(text).forms == tokenizer.segment_text(text).forms


def test_an_invalid_model_raises_an_error():
    with pytest.raises(ValueError, match="UDPipe cannot load"):
        UdpipeTokenizer.build({}, {"tokenizer.udpipe": np.zeros(10, dtype=np.uint8)})
