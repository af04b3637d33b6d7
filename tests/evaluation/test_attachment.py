"""The attachment scores compared with a slow, simple implementation."""

from __future__ import annotations

import io
import random
from collections import Counter
from copy import deepcopy

import pytest
from random_text import random_conllu
from redivide import redivide

from gardenpath import InputError, Sentence, Word, evaluate, read_conllu
from gardenpath.trees import is_projective, nonprojective_arcs

CONDITIONS = [
    (punctuation, subtypes, only)
    for punctuation in (True, False) for subtypes in (True, False) for only in (True, False)
]


def pair(seed: int) -> tuple[list[Sentence], list[Sentence]]:
    """Return random gold sentences, and a copy with random errors."""
    rng = random.Random(seed)
    text = random_conllu(rng, "".join(rng.choices("abcd", k=150)), multiword=0.1)
    gold = list(read_conllu(io.BytesIO(text.encode())))
    system = deepcopy(gold)
    for sentence in system:
        for word in sentence:
            if rng.random() < 0.3:
                word.deprel = rng.choice(["nsubj", "nsubj:pass", "obj", "punct"])
        if rng.random() < 0.7:
            # The tree stays a tree if the head of a word becomes the root word.
            root = next(word for word in sentence if word.head == 0)
            for word in sentence:
                if word is not root and rng.random() < 0.4:
                    word.head = root.id
    return gold, system


def slow_counts(gold, system, punctuation, subtypes, only):
    """Count words, correct heads, correct labels and both for each sentence, and arcs by label and by length."""
    rows, labels, lengths = [], Counter(), Counter()
    for g, s in zip(gold, system, strict=True):
        if only and is_projective(g.heads):
            continue
        row = [0, 0, 0, 0]
        for a, b in zip(g, s, strict=True):
            if a.upos == "PUNCT" and not punctuation:
                continue
            mine, theirs = (w.deprel if subtypes else w.deprel.split(":")[0] for w in (a, b))
            right = a.head == b.head and mine == theirs
            row = [row[0] + 1, row[1] + (a.head == b.head), row[2] + (mine == theirs), row[3] + right]
            for name, word, kind in ((mine, a, "gold"), (theirs, b, "system")):
                labels[name, kind] += 1
                lengths[length(word), kind] += 1
                labels[name, kind + " correct"] += right
                lengths[length(word), kind + " correct"] += right
        if row[0]:
            rows.append((len(g), *row))
    return rows, labels, lengths


def counts_of(scores):
    columns = scores.lengths, scores.counted, scores.right_heads, scores.right_labels, scores.right_both
    return list(zip(*columns, strict=True))


def length(word: Word) -> str:
    distance = abs(word.head - word.id)
    if word.head == 0:
        return "root"
    return str(distance) if distance < 3 else "3-6" if distance < 7 else "7" if distance == 7 else "8-"


@pytest.mark.parametrize("punctuation, subtypes, only", CONDITIONS)
@pytest.mark.parametrize("seed", range(5))
def test_scores_equal_those_of_the_slow_implementation(seed, punctuation, subtypes, only):
    gold, system = pair(seed)
    rows, labels, lengths = slow_counts(gold, system, punctuation, subtypes, only)
    result = evaluate(gold, system, punctuation=punctuation, subtypes=subtypes, nonprojective_only=only)
    scores = result.attachment
    words = sum(row[1] for row in rows)
    assert (scores.sentences, scores.words) == (len(rows), words)
    assert counts_of(scores) == rows
    assert scores.uas == result.uas == pytest.approx(100 * sum(row[2] for row in rows) / words)
    assert scores.label_accuracy == pytest.approx(100 * sum(row[3] for row in rows) / words)
    assert scores.las == result.las == pytest.approx(100 * sum(row[4] for row in rows) / words)
    assert scores.exact_unlabelled == pytest.approx(100 * sum(row[2] == row[1] for row in rows) / len(rows))
    assert scores.exact_labelled == pytest.approx(100 * sum(row[4] == row[1] for row in rows) / len(rows))
    for name, score in result.by_label.items():
        assert (score.gold, score.system, score.correct) == (
            labels[name, "gold"], labels[name, "system"], labels[name, "gold correct"],
        )
    for name, score in result.by_length.items():
        assert (score.gold, score.gold_correct) == (lengths[name, "gold"], lengths[name, "gold correct"])
        assert (score.system, score.system_correct) == (lengths[name, "system"], lengths[name, "system correct"])


@pytest.mark.parametrize("punctuation, subtypes, only", CONDITIONS)
def test_scores_by_projectivity_of_the_sentence(punctuation, subtypes, only):
    gold, system = pair(3)
    rows = slow_counts(gold, system, punctuation, subtypes, only)[0]
    result = evaluate(gold, system, punctuation=punctuation, subtypes=subtypes, nonprojective_only=only)
    kinds = {}
    for name in ("projective", "non-projective"):
        some = [(a, b) for a, b in zip(gold, system, strict=True) if is_projective(a.heads) == (name == "projective")]
        kinds[name] = slow_counts(*zip(*some, strict=True), punctuation, subtypes, only)[0]
    assert sum(map(len, kinds.values())) == len(rows)
    assert list(result.by_projectivity) == [name for name in kinds if kinds[name]]
    for name, scores in result.by_projectivity.items():
        assert counts_of(scores) == kinds[name]


def test_scores_by_projectivity_of_the_arc():
    gold, system = pair(4)
    counts = Counter()
    for a, b in zip(gold, system, strict=True):
        for mine, theirs in zip(a, b, strict=True):
            right = (mine.head, mine.deprel.split(":")[0]) == (theirs.head, theirs.deprel.split(":")[0])
            for side, sentence, word in (("gold", a, mine), ("system", b, theirs)):
                crossing = (word.head, word.id) in nonprojective_arcs(sentence.heads)
                name = "non-projective arcs" if crossing else "projective arcs"
                counts[name, side] += 1
                counts[name, side + " correct"] += right
    scores = evaluate(gold, system).by_crossing
    assert list(scores) == ["projective arcs", "non-projective arcs"]
    for name, score in scores.items():
        assert (score.gold, score.gold_correct) == (counts[name, "gold"], counts[name, "gold correct"])
        assert (score.system, score.system_correct) == (counts[name, "system"], counts[name, "system correct"])
        assert 0 < score.gold_correct < score.gold


def test_bins_are_a_partition():
    result = evaluate(*pair(1))
    assert sum(score.gold for score in result.by_label.values()) == result.attachment.words
    assert sum(score.gold for score in result.by_length.values()) == result.attachment.words
    assert sum(score.words for score in result.by_sentence_length.values()) == result.attachment.words
    assert list(result.by_length) == ["root", "1", "2", "3-6", "7", "8-"]
    assert all(low == "1-10" or int(low.split("-")[0]) % 10 == 1 for low in result.by_sentence_length)


@pytest.mark.parametrize("punctuation, subtypes, only", CONDITIONS)
def test_with_other_tokens_the_scores_are_the_official_recall(punctuation, subtypes, only):
    gold, system = pair(2)
    result = evaluate(
        gold, redivide(system, random.Random(1), 0.2), punctuation=punctuation, subtypes=subtypes,
        nonprojective_only=only,
    )
    assert not result.same_tokens
    assert result.scores["Words"].recall < 100
    assert result.attachment.las == result.scores["LAS"].recall
    assert result.attachment.uas == result.scores["UAS"].recall
    assert sum(score.system for score in result.by_length.values()) == result.scores["LAS"].system
    assert sum(score.system_correct for score in result.by_length.values()) == result.scores["LAS"].correct


def test_no_non_projective_sentence_raises_an_error():
    flat = Sentence([Word(1, "a", head=0, deprel="root"), Word(2, "b", head=1, deprel="dep")])
    message = "gold sentence 1: no sentence of gold is non-projective; score all sentences instead"
    with pytest.raises(InputError, match=message):
        evaluate([flat], [deepcopy(flat)], nonprojective_only=True)


def test_only_punctuation_raises_an_error():
    stop = Sentence([Word(1, ".", upos="PUNCT", head=0, deprel="root")])
    with pytest.raises(InputError, match="nothing but punctuation"):
        evaluate([stop], [deepcopy(stop)], punctuation=False)
