"""The columns of spaCy's `Doc` as arrays: its words and sentences, and the annotation that the component sets.

A `Doc` is filled in with one call of `from_array`, because setting attributes token by token takes longer than parsing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import DEP, HEAD, IDX, IS_SPACE, LEMMA, LENGTH, MORPH, ORTH, POS, SENT_START, SPACY, TAG
from spacy.parts_of_speech import IDS
from spacy.tokens import Doc
from spacy.vocab import Vocab

from gardenpath.core.draft import Draft
from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.pipeline.pipeline import Pipeline

ROOT = "ROOT"              # spaCy's name for the label `root`
SPACE = "dep"              # the label of white space tokens
SPACE_TAG = ("SPACE", "_SP", EMPTY)          # as in spaCy's pipelines
TAG_ATTRIBUTES = (POS, TAG, MORPH)
HAS_ZONES = hasattr(Vocab, "memory_zone")            # spaCy 3.8 or later

Numbers = NDArray[np.int64]
Hashes = NDArray[np.uint64]


class DocWords:
    """The tokens of a document that are words, and the sentences that they form. White space is not parsed."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        table = doc.to_array([ORTH, IS_SPACE, SENT_START, IDX, LENGTH, SPACY])
        self.orths = table[:, 0]
        self.places = np.flatnonzero(table[:, 1] == 0)
        self.has_space = len(self.places) < len(doc)
        self._given = table[:, 2].astype(np.int64)       # 1 if the token is set to start a sentence, -1 if not to
        self._ends = table[:, 3] + table[:, 4]
        self._followed = table[:, 5]                     # whether a space follows the token
        strings, orths = doc.vocab.strings, self.orths.tolist()
        known = {orth: strings[orth] for orth in set(orths)}
        self._texts = [known[orth] for orth in orths]

    @property
    def text(self) -> str:
        """The text of the document. `Doc.text` makes an object for each token and takes longer."""
        followed = self._followed.tolist()
        return "".join([text + " " if space else text for text, space in zip(self._texts, followed, strict=True)])

    def divide(self, characters: Sequence[int] = ()) -> None:
        """Divide the words into sentences, at the given sentence starts and at the tokens with these characters.

        A token that is set not to start a sentence does not start one.
        """
        is_start = self._given > 0
        found = np.searchsorted(self._ends, np.asarray(characters, np.uint64), side="right")
        found = found[found < len(is_start)]
        is_start[found[(self._given[found] >= 0) | (found == 0)]] = True
        words = np.searchsorted(self.places, is_start.nonzero()[0]).tolist()
        bounds = sorted({0, *words, len(self.places)})
        self.bounds = list(pairwise(bounds))             # the first word of each sentence and the one after its last

    def forms(self) -> list[list[str]]:
        """Return the forms: a list for each sentence."""
        forms = [self._texts[place] for place in self.places.tolist()] if self.has_space else self._texts
        return [forms[first:end] for first, end in self.bounds]

    def sentences(self) -> list[Sentence]:
        """Return the sentences with the tags of the document."""
        found = [Sentence([Word(i, form) for i, form in enumerate(forms, 1)]) for forms in self.forms()]
        words = (word for sentence in found for word in sentence)
        for word, place in zip(words, self.places.tolist(), strict=True):
            token = self.doc[place]
            word.upos, word.xpos = token.pos_ or EMPTY, token.tag_ or EMPTY
            word.feats = str(token.morph) or EMPTY
        return found

    def heads(self, heads: Numbers) -> Numbers:
        """Return the heads of all tokens, given those of the words within their sentences (0 for a root).

        A root is its own head. White space has the word before it as its head, or else the first word.
        """
        numbers = np.arange(len(self.doc))
        if not len(self.places):
            return numbers
        firsts = np.repeat([first for first, _ in self.bounds], [end - first for first, end in self.bounds])
        words = np.where(heads > 0, firsts + heads - 1, np.arange(len(heads)))
        if not self.has_space:
            return words
        found = self.places[np.maximum(np.searchsorted(self.places, numbers, side="right") - 1, 0)]
        found[self.places] = self.places[words]
        return found

    def spread(self, words: Hashes, spaces: Hashes | int) -> Hashes:
        """Return the values of all tokens, given those of the words and those of all tokens or of white space."""
        if not self.has_space:
            return words
        found = np.full(len(self.doc), spaces, np.uint64) if isinstance(spaces, int) else spaces.copy()
        found[self.places] = words
        return found


class SpacyAnnotation:
    """Heads, labels, tags and lemmas of the words of a document, with spaCy's numbers for strings."""

    def __init__(self, heads: Numbers, labels: Hashes, tags: Hashes, lemmas: Hashes) -> None:
        self.heads, self.labels = heads, labels
        self.tags = tags                 # three columns: POS, TAG and MORPH
        self.lemmas = lemmas

    def set(self, words: DocWords, vocab: Vocab, tags: bool, lemmas: bool) -> None:
        """Set the annotation of a document: the trees and, if they are wanted, tags and lemmas."""
        doc, strings = words.doc, vocab.strings
        if not len(doc):
            return
        root, space = strings.add(ROOT), strings.add(SPACE)
        heads, numbers = words.heads(self.heads), np.arange(len(doc))
        label_of_space = np.where(heads == numbers, root, space).astype(np.uint64) if words.has_space else space
        columns = {
            HEAD: (heads - numbers).view(np.uint64),
            DEP: words.spread(np.where(self.heads > 0, self.labels, np.uint64(root)), label_of_space),
        }
        if tags:
            spaces = tag_hashes([SPACE_TAG], vocab)[0].tolist() if words.has_space else (0, 0, 0)
            for place, attribute in enumerate(TAG_ATTRIBUTES):
                columns[attribute] = words.spread(self.tags[:, place], spaces[place])
        if lemmas:
            columns[LEMMA] = words.spread(self.lemmas, words.orths)      # white space is its own lemma
        doc.from_array(list(columns), np.array(list(columns.values()), np.uint64).T)


class SpacyNumbers:
    """spaCy's numbers for the tags and labels of a pipeline. They are not pickled, but become None."""

    def __init__(self, pipeline: Pipeline, vocab: Vocab) -> None:
        self.pipeline = pipeline
        self._vocab = vocab
        self._tags = tag_hashes(pipeline.tags, vocab)
        self._names = pipeline.labels            # the parser can add labels to this list
        self._labels = self._label_hashes()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()

    def of_draft(self, draft: Draft) -> SpacyAnnotation:
        """Return the annotation of the words of a parsed draft."""
        if len(self._names) != len(self._labels):
            self._labels = self._label_hashes()
        tags, heads, labels = (np.frombuffer(column, np.int32) for column in draft.columns())
        lemmas = string_hashes(draft.lemmas, self._vocab)
        return SpacyAnnotation(heads.astype(np.int64), self._labels[labels], self._tags[tags], lemmas)

    def _label_hashes(self) -> Hashes:
        return np.array([add_for_good(name, self._vocab) for name in self._names], np.uint64)


def of_sentences(sentences: Iterable[Sentence], vocab: Vocab) -> SpacyAnnotation:
    """Return the annotation of the words of parsed sentences."""
    words = [word for sentence in sentences for word in sentence]
    return SpacyAnnotation(
        np.array([word.head for word in words], np.int64), string_hashes([word.deprel for word in words], vocab),
        tag_hashes([(word.upos, word.xpos, word.raw_feats) for word in words], vocab),
        string_hashes([word.lemma for word in words], vocab),
    )


def string_hashes(texts: Sequence[str], vocab: Vocab) -> Hashes:
    """Return spaCy's numbers for strings; `_` is the empty string."""
    add = vocab.strings.add
    known = {text: add("" if text == EMPTY else text) for text in set(texts)}
    return np.fromiter(map(known.__getitem__, texts), np.uint64, len(texts))


def add_for_good(text: str, vocab: Vocab) -> int:
    """Return spaCy's number for a string that is needed after the memory zone in which it is added, if any."""
    options = {"allow_transient": False} if HAS_ZONES else {}
    return int(vocab.strings.add("" if text == EMPTY else text, **options))


def tag_hashes(tags: Iterable[Sequence[str]], vocab: Vocab) -> Hashes:
    """Return spaCy's numbers for tags, as three columns: POS, TAG and MORPH. An unknown UPOS is left empty."""
    found = [
        (IDS.get(upos, 0), add_for_good(xpos, vocab), vocab.morphology.add("" if feats == EMPTY else feats))
        for upos, xpos, feats in tags
    ]
    return np.array(found, np.uint64).reshape(-1, len(TAG_ATTRIBUTES))
