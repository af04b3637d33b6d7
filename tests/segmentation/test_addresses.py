"""Web and e-mail addresses are one token, unless the treebank divides them."""

from __future__ import annotations

from functools import cache

import pytest
from test_segmenter import tokens_of, treebank

import gardenpath as gp
from gardenpath.segmentation.segmenter import Segmenter
from gardenpath.segmentation.segmenter_training import train_segmenter
from sample import TRAIN


@cache
def trained() -> Segmenter:
    """A segmenter whose treebank has no addresses."""
    return train_segmenter(gp.read_conllu(TRAIN), passes=2)


@cache
def without_addresses() -> Segmenter:
    """The same segmenter as in models of earlier versions, which knew no addresses."""
    record = trained().record()
    del record["whole_addresses"]
    return Segmenter.build(record, trained().arrays())


def tokens(text: str, segmenter: Segmenter | None = None) -> list[str]:
    draft = (segmenter or trained()).segment_text(text)
    return [token for sentence in tokens_of(draft) for token in sentence]


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org", "http://a/", "ftp://127.0.0.1:21/x_y", "HTTP://Example.ORG/A%20b?c=d&e=f+g#h:i,j;k",
        "https://en.wikipedia.org/wiki/Tree_(graph_theory)", "https://müller.de/größe", "www.example.org",
        "WWW.example.org/a-b~c/x@y", "anna.smith+x@mail.example.co.uk", "a_b%c@x-y.de",
        "mailto:anna@example.org", "someone...@example.org",
    ],
)
def test_an_address_is_one_token_and_nothing_else_belongs_to_it(address):
    assert address in tokens(address)
    for before, after in (("(", ")"), ("<", ">"), ("“", "”."), ('"', '",'), ("see:", "!?"), ("[", "]...")):
        found = tokens(f"Look {before}{address}{after} now.")
        assert address in found, found


@pytest.mark.parametrize(
    "text",
    ["a@b", "@example.org", "x://", "://x.de", "awww.de", "www.", "a@b.1", "a@.de", "a@b..de", "http:/x.de", "@"],
)
def test_what_is_not_an_address_is_decided_by_the_weights(text):
    assert tokens(f"{text} {text}") == tokens(f"{text} {text}", without_addresses())


def test_addresses_without_space_between_them():
    assert tokens("a@b.de,c@d.org;www.x.org") == ["a@b.de", ",", "c@d.org", ";", "www.x.org"]
    assert tokens("请看https://a.org/b吧")[-2] == "https://a.org/b"
    assert "www.x.org" in tokens("www.x.org's")


def test_treebanks_that_divide_addresses_keep_their_tokens():
    divided = ["See", "www", ".", "example", ".", "org", "now", "."]
    for sentence in (sentences := treebank([divided] * 30)):
        for word in sentence.words[1:5]:
            word.misc = "SpaceAfter=No"
    segmenter = train_segmenter(sentences, passes=4)
    assert not segmenter.record()["whole_addresses"]
    assert tokens_of(segmenter.segment_text("See www.example.org now ."))[0] == divided
    assert trained().record()["whole_addresses"]
    assert not without_addresses().record()["whole_addresses"]


@pytest.mark.parametrize("piece", ["@", "a@", "a.", "www.", "a://", "(http://x", "a@b.c", ":/", "w"])
def test_long_chunks_are_read_once(piece):
    text = piece * 20_000
    assert "".join(tokens(text)) == text
