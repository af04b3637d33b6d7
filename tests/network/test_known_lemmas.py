"""Lemmas of the treebank: the set of them in a model, and what it does to the choice of lemma rules."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from tiny import sentences, tiny

import gardenpath as gp
from gardenpath.core import storage
from gardenpath.core.membership import BloomFilter
from gardenpath.core.stored import BadModelError
from gardenpath.tagging.edits import Edits

BONUS = np.float32(2)
WHOLE_LEMMA = 3          # the kind of a rule that contains the whole lemma


def test_a_set_contains_what_was_added_and_little_else():
    added = [f"word{i}" for i in range(2000)]
    known = BloomFilter.of(added)
    assert all(word in known for word in added)
    assert 0 < sum(f"other{i}" in known for i in range(10_000)) < 400
    assert "x" not in BloomFilter.of([])


def test_a_set_without_bits_is_an_error():
    with pytest.raises(BadModelError, match="has no bits"):
        BloomFilter(memoryview(array("Q")))


def test_a_network_knows_the_lemmas_of_its_treebank():
    known = BloomFilter(tiny().parser.scorer.arrays()["network.lemmas.known"])
    lemmas = {word.lemma for sentence in sentences(20) for word in sentence}
    assert len(lemmas) > 20
    assert all(lemma in known for lemma in lemmas)


def with_known_lemmas(lemmas, path) -> gp.Model:
    """Return a tiny model with these known lemmas."""
    tiny().save(path)
    arrays, record = storage.load(path)
    arrays = {name: np.array(each) for name, each in arrays.items()}
    storage.save(path, arrays | {"network.lemmas.known": np.asarray(BloomFilter.of(lemmas).words_array)}, record)
    return gp.load(path)


def lemmas_by(model: gp.Model, forms: list[str]) -> list[str]:
    return [sentence[0].lemma for sentence in model.tag([gp.Sentence.from_words([form]) for form in forms])]


def lemma_by_definition(form: str, scores: np.ndarray, edits: Edits, known: BloomFilter) -> str:
    """Return the lemma by the rule with the best sum of score and bonus. Ties go to the rule with the best score."""
    best = None
    for rule in sorted(range(len(scores)), key=lambda rule: (-scores[rule], rule)):
        lemma = edits.lemma(rule, form)
        if lemma is not None:
            is_known = edits.rules[rule][0] != WHOLE_LEMMA and lemma in known
            total = scores[rule] + (BONUS if is_known else np.float32(0))
            if best is None or total > best[0]:
                best = total, lemma
    assert best is not None
    return best[1]


def test_rules_that_give_known_lemmas_are_preferred(tmp_path):
    forms = [f"{word.form}{end}" for sentence in sentences(60)[20:] for word in sentence for end in ("s", "ed", "er")]
    plain = with_known_lemmas([], tmp_path / "plain.gp")
    edits = Edits(plain.parser.scorer.record()["rules"])
    lemmas = {lemma for form in forms[::2] for rule in range(len(edits.rules)) if (lemma := edits.lemma(rule, form))}
    model = with_known_lemmas(lemmas - set(forms), tmp_path / "known.gp")
    known = BloomFilter.of(lemmas - set(forms))
    found = lemmas_by(model, forms)
    for form, lemma in zip(forms, found, strict=True):
        scores = model.parser.scorer.encoder.encode([[form]])[2][0]
        assert lemma == lemma_by_definition(form, scores, edits, known)
    assert sum(a != b for a, b in zip(found, lemmas_by(plain, forms), strict=True)) > 20
