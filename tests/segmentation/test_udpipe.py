"""UDPipe's tokenizer behind the same interface."""

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.core.stored import BadModelError
from gardenpath.pipeline.writer import Writer
from gardenpath.segmentation import udpipe_check
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


@pytest.mark.parametrize("space", "\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029")
def test_odd_white_space_makes_no_words(tokenizer, space):
    text = "_ The cat_slept. _\n\n_\n\nIt __ slept._".replace("_", space)
    draft = tokenizer.segment_text(text)
    forms = [form for sentence in draft.forms for form in sentence]
    assert all(draft.forms)
    assert "".join(forms).replace(" ", "") == "Thecatslept.Itslept."
    assert Writer([], []).conllu(draft).decode().count("\t_\t_\t_\t_\t") == len(forms)


def test_damaged_models_never_crash(tokenizer):
    """A damaged model can end the process that loads it, so another process tries it first."""
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(10):
        array = tokenizer.model_array.copy()
        places = rng.integers(0, len(array), 20)
        array[places] = rng.integers(0, 256, 20)
        try:
            UdpipeTokenizer.build({}, {"tokenizer.udpipe": array})
        except BadModelError:
            refused += 1
    assert refused


def test_a_trial_that_cannot_begin_is_no_fault_of_the_model(tokenizer, monkeypatch):
    monkeypatch.setattr(udpipe_check, "CODE", "raise SystemExit('no such library')")
    with pytest.raises(RuntimeError, match="cannot try a UDPipe tokenizer in another process: no such library"):
        UdpipeTokenizer.build({}, tokenizer.arrays())


def test_a_huge_model_raises_an_error():
    with pytest.raises(ValueError, match="larger than 67,108,864 bytes"):
        UdpipeTokenizer.build({}, {"tokenizer.udpipe": np.zeros((1 << 26) + 1, dtype=np.uint8)})


def test_a_treebank_with_a_carriage_return_is_refused():
    with pytest.raises(gp.InputError, match="a line has a carriage return"):
        UdpipeTokenizer.train([gp.Sentence([gp.Word(1, "a\rb", head=0)])], options="epochs=1")
