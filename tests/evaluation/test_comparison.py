"""The comparison of two parsers: scores equal those of `evaluate`, counts equal those of a loop over words."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from copy import deepcopy

import numpy as np
import pytest
from random_text import random_conllu
from redivide import redivide

import gardenpath as gp
from gardenpath import InputError, Sentence, UsageError, Word
from gardenpath.evaluation import compare_runs, holm
from gardenpath.evaluation.agreement import WordArc
from gardenpath.evaluation.significance import f1_randomisation

CONDITIONS = [{}, {"punctuation": False}, {"subtypes": True}, {"nonprojective_only": True}]
BREAKDOWNS = ("by_length", "by_crossing", "by_sentence_length", "by_projectivity")


def gold_text(seed: int = 1) -> list[Sentence]:
    rng = random.Random(seed)
    text = random_conllu(rng, "".join(rng.choices("abcd", k=600)), multiword=0.1)
    return list(gp.read_conllu(io.BytesIO(text.encode())))


def parsed(seed: int, errors: float, gold: list[Sentence] | None = None) -> list[Sentence]:
    """Return the gold sentences with random errors: other labels, and the root word as head."""
    rng = random.Random(seed)
    system = deepcopy(gold or gold_text())
    for sentence in system:
        root = next(word for word in sentence if word.head == 0)
        for word in sentence:
            if rng.random() < errors:
                word.deprel = rng.choice(["nsubj", "nsubj:pass", "obj", "punct"])
            if word is not root and rng.random() < errors:
                word.head = root.id
    return system


def labelled(word: Word) -> tuple[int | None, str]:
    return word.head, word.deprel.split(":")[0]


@pytest.mark.parametrize("conditions", CONDITIONS, ids=str)
def test_scores_equal_those_of_evaluate(conditions):
    gold, first, second = gold_text(), parsed(1, 0.2), parsed(2, 0.3)
    result = gp.compare(gold, first, second, rounds=200, **conditions)
    sides = gp.evaluate(gold, first, **conditions), gp.evaluate(gold, second, **conditions)
    for name, score in result.scores.items():
        assert (score.first, score.second) == tuple(getattr(side.attachment, name) for side in sides)
        assert score.difference == score.second - score.first
        assert score.first_interval[0] <= score.first <= score.first_interval[1]
        assert score.interval[0] <= score.difference <= score.interval[1]
        assert score.p == compare_runs(sides[0].attachment, sides[1].attachment, metric=name, rounds=200).p
    assert list(result.scores) == ["uas", "las", "label_accuracy", "exact_labelled"]
    assert [score.holm_p for score in result.scores.values()] == holm([score.p for score in result.scores.values()])
    for name in BREAKDOWNS:
        of_sentences = name in ("by_sentence_length", "by_projectivity")
        found = getattr(result, name)
        assert list(found) == list(getattr(sides[0], name))
        for kind, contrast in found.items():
            for rate in ("uas", "las", "exact_labelled") if of_sentences else ("precision", "recall"):
                values = getattr(contrast, rate)
                assert (values.first, values.second) == tuple(
                    getattr(getattr(side, name)[kind], rate) for side in sides
                )
    assert {name: (label.f1.first, label.f1.second) for name, label in result.by_label.items()} == {
        name: tuple(side.by_label[name].f1 if name in side.by_label else 0 for side in sides)
        for name in sides[0].by_label | sides[1].by_label
    }


def test_frequent_labels_are_tested():
    result = gp.compare(gold_text(), parsed(1, 0.2), parsed(2, 0.3), rounds=200)
    tested = [label for label in result.by_label.values() if label.gold >= 20]
    assert 1 < len(tested) < len(result.by_label)
    assert [label.holm_p for label in tested] == holm([label.p for label in tested])
    assert all(label.p is label.holm_p is None for label in result.by_label.values() if label.gold < 20)
    assert [label.gold for label in result.by_label.values()] == sorted(
        (label.gold for label in result.by_label.values()), reverse=True,
    )


@pytest.mark.parametrize("punctuation", [True, False])
def test_p_of_labels_is_computed_from_counts_per_sentence(punctuation):
    gold, first, second = gold_text(), parsed(1, 0.1), parsed(2, 0.2)
    result = gp.compare(gold, first, second, punctuation=punctuation, rounds=200)
    tested = {name: label for name, label in result.by_label.items() if label.gold >= 20}
    number = {name: i for i, name in enumerate(tested)}
    counts = np.zeros((2, len(gold), len(tested), 2), int)
    for side, system in enumerate((first, second)):
        for sentence, (g, s) in enumerate(zip(gold, system, strict=True)):
            for x, y in zip(g, s, strict=True):
                label = labelled(y)[1]
                if label in number and (punctuation or x.upos != "PUNCT"):
                    counts[side, sentence, number[label]] += (labelled(x) == labelled(y), 1)
    ps = f1_randomisation(np.array([label.gold for label in tested.values()]), *counts, rounds=200)
    assert [label.p for label in tested.values()] == ps
    assert len(set(ps)) > 2


def test_a_label_that_one_system_never_predicts():
    gold = [Sentence([Word(1, "a", head=0, deprel="root"), Word(2, "b", head=1, deprel="obj")]) for _ in range(25)]
    second = deepcopy(gold)
    for sentence in second:
        sentence.words[1].deprel = "nsubj"
    labels = gp.compare(gold, deepcopy(gold), second, rounds=999).by_label
    assert (labels["obj"].f1.first, labels["obj"].f1.second, labels["obj"].p, labels["obj"].holm_p) == (
        100, 0, 0.001, 0.002,
    )
    assert (labels["root"].f1.difference, labels["root"].p) == (0, 1)
    assert (labels["nsubj"].gold, labels["nsubj"].p) == (0, None)


def test_a_system_does_not_differ_from_itself():
    gold, system = gold_text(), parsed(1, 0.2)
    result = gp.compare(gold, system, deepcopy(system), rounds=200)
    for score in result.scores.values():
        assert (score.p, score.holm_p, score.difference, score.interval) == (1, 1, 0, (0, 0))
    assert all(label.f1.difference == 0 and label.p in (1, None) for label in result.by_label.values())
    agreement = result.agreement["las"]
    assert (agreement.only_first, agreement.only_second, agreement.equal) == (0, 0, len(gold))
    assert result.most_different() == []


def test_the_better_system_is_found():
    result = gp.compare(gold_text(), parsed(1, 0.4), parsed(2, 0.1), rounds=999)
    assert result.scores["las"].p == 0.001
    assert result.scores["las"].interval[0] > 0
    assert result.agreement["las"].second_better > result.agreement["las"].first_better


@pytest.mark.parametrize("punctuation", [True, False])
def test_counts_of_words_and_sentences(punctuation):
    gold, first, second = gold_text(), parsed(1, 0.2), parsed(2, 0.3)
    words, sentences, leads = Counter(), Counter(), []
    for g, a, b in zip(gold, first, second, strict=True):
        scored = [
            (labelled(x) == labelled(y), labelled(x) == labelled(z))
            for x, y, z in zip(g, a, b, strict=True) if punctuation or x.upos != "PUNCT"
        ]
        words.update(scored)
        lead = sum(right for _, right in scored) - sum(right for right, _ in scored)
        leads.append(abs(lead))
        sentences.update([(lead > 0) - (lead < 0)] if scored else [])
    result = gp.compare(gold, first, second, punctuation=punctuation, rounds=10)
    found = result.agreement["las"]
    assert (found.both, found.only_first, found.only_second, found.neither) == tuple(
        words[pair] for pair in ((1, 1), (1, 0), (0, 1), (0, 0))
    )
    assert (found.first_better, found.second_better, found.equal) == (sentences[-1], sentences[1], sentences[0])
    assert result.agreement["uas"].both > found.both
    shown = result.most_different(1000)
    assert [abs(sentence.second - sentence.first) for sentence in shown] == sorted(filter(None, leads), reverse=True)
    assert [sentence.number for sentence in shown] == sorted(
        (i for i, lead in enumerate(leads, 1) if lead), key=lambda i: -leads[i - 1],
    )
    assert result.most_different() == shown[:10]
    assert [sentence.words for sentence in shown] == [
        sum(punctuation or word.upos != "PUNCT" for word in gold[sentence.number - 1]) for sentence in shown
    ]


def test_the_words_of_the_sentences_that_differ_most():
    words = [
        Word(1, "the", head=2, deprel="det"), Word(2, "dog", head=3, deprel="nsubj"),
        Word(3, "ran", head=0, deprel="root"),
    ]
    gold = [Sentence(deepcopy(words)), Sentence(deepcopy(words), comments=["# sent_id = two", "# text = the dog  ran"])]
    first, second = deepcopy(gold), deepcopy(gold)
    second[0].words[0].head = 3
    second[1].words[1].deprel = "obj"
    second[1].words[0].head = 3
    most, less = gp.compare(gold, first, second, rounds=10).most_different()
    assert (most.number, most.sent_id, most.place, most.text, most.words) == (
        2, "two", "sent_id=two", "the dog  ran", 3,
    )
    assert (most.first, most.second) == (3, 1)
    assert [(word.id, word.form) for word in most.differing] == [(1, "the"), (2, "dog")]
    assert (most.differing[0].gold, most.differing[0].first, most.differing[0].second) == (
        WordArc(2, "dog", "det"), [WordArc(2, "dog", "det")], [WordArc(3, "ran", "det")],
    )
    assert most.differing[1].second == [WordArc(3, "ran", "obj")]
    assert (less.place, less.text, less.first, less.second) == ("gold sentence 1", "the dog ran", 3, 2)


def test_several_runs_are_averaged():
    gold, first, second = gold_text(), [parsed(seed, 0.2) for seed in (1, 2)], [parsed(seed, 0.3) for seed in (3, 4, 5)]
    result = gp.compare(gold, first, second, rounds=200)
    alone = [[gp.evaluate(gold, run) for run in side] for side in (first, second)]
    assert result.scores["las"].first == pytest.approx(sum(run.las for run in alone[0]) / 2)
    assert result.scores["las"].second == pytest.approx(sum(run.las for run in alone[1]) / 3)
    assert result.by_projectivity["projective"].las.second == pytest.approx(
        sum(run.by_projectivity["projective"].las for run in alone[1]) / 3
    )
    pairs = [gp.compare(gold, deepcopy(a), deepcopy(b), rounds=1).agreement["las"] for a in first for b in second]
    assert result.agreement["las"].only_first == pytest.approx(sum(pair.only_first for pair in pairs) / 6)
    assert result.agreement["las"].neither == pytest.approx(sum(pair.neither for pair in pairs) / 6)
    assert "A is the mean of 2 runs; B is the mean of 3 runs" in result.conditions
    top = result.most_different(1)[0]
    assert (len(top.differing[0].first), len(top.differing[0].second)) == (2, 3)


def test_copies_of_a_run_change_nothing():
    gold, first, second = gold_text(), parsed(1, 0.2), parsed(2, 0.25)
    one = gp.compare(gold, first, second, rounds=200).to_dict()
    many = gp.compare(
        gold, [deepcopy(first) for _ in range(3)], [deepcopy(second) for _ in range(2)], rounds=200,
    ).to_dict()
    for name in ("scores", "agreement", "by_label", *BREAKDOWNS):
        assert flat(many[name]) == pytest.approx(flat(one[name]))
    numbers = ("number", "words", "first", "second")
    assert [[sentence[name] for name in numbers] for sentence in many["sentences"]] == [
        [sentence[name] for name in numbers] for sentence in one["sentences"]
    ]
    assert [len(sentence["differing"]) for sentence in many["sentences"]] == [
        len(sentence["differing"]) for sentence in one["sentences"]
    ]


def flat(values, path=()):
    """Flatten nested plain values to one dictionary, without None."""
    if values is None:
        return {}
    if not isinstance(values, (dict, list)):
        return {path: values}
    items = values.items() if isinstance(values, dict) else enumerate(values)
    return {key: value for name, item in items for key, value in flat(item, (*path, name)).items()}


def test_tokens_may_differ():
    gold, first = gold_text(), parsed(1, 0.2)
    second = redivide(parsed(2, 0.2), random.Random(1), 0.2)
    result = gp.compare(gold, first, second, rounds=100)
    assert result.conditions.startswith(
        "A: gold tokens, gold sentences, gold tags; B: tokens differ from gold, words aligned by characters, sentence "
    )
    assert "a gold word with no aligned word counts as wrong" in result.conditions
    assert result.scores["las"].second == gp.evaluate(gold, second).scores["LAS"].recall
    found = result.agreement["las"]
    assert found.both + found.only_first + found.only_second + found.neither == sum(map(len, gold))
    missing = [word for sentence in result.most_different(1000) for word in sentence.differing if word.second == [None]]
    assert missing
    assert all(
        word.first == [word.gold] or word.first[0].label.split(":")[0] == word.gold.label.split(":")[0]
        for word in missing
    )


def test_to_dict_gives_json():
    result = gp.compare(gold_text(), parsed(1, 0.2), parsed(2, 0.3), rounds=100, seed=5)
    values = json.loads(json.dumps(result.to_dict(sentences=3)))
    assert values["conditions"] == result.conditions
    assert values["conditions"].endswith("100 rounds, seed 5.")
    assert (values["rounds"], values["seed"], len(values["sentences"])) == (100, 5, 3)
    assert values["scores"]["las"]["difference"] == values["scores"]["las"]["second"] - values["scores"]["las"]["first"]
    assert set(values["sentences"][0]["differing"][0]) == {"id", "form", "gold", "first", "second"}
    assert set(BREAKDOWNS) < set(values)
    assert repr(result).startswith("Comparison(las=")


def test_the_same_seed_gives_the_same_result():
    every = [
        gp.compare(gold_text(), parsed(1, 0.2), parsed(2, 0.21), rounds=100, seed=seed).to_dict() for seed in (3, 3, 4)
    ]
    assert every[0] == every[1]
    assert every[0]["scores"] != every[2]["scores"]


@pytest.mark.parametrize("call, message", [
    (lambda gold: gp.compare("-", "-", parsed(1, 0.1)), "only one of gold, A and B can be `-`"),
    (lambda gold: gp.compare(gold, [], parsed(1, 0.1)), "A has no runs"),
    (
        lambda gold: gp.compare(gold, parsed(1, 0.1), gold),
        "gold and B are the same sentences; parsing changes sentences in place, so read gold again",
    ),
    (lambda gold: gp.compare(gold, (same := parsed(1, 0.1)), same), "A and B are the same sentences"),
    (lambda gold: gp.compare(gold, parsed(1, 0.1), iter(["words"])), "B must be a file"),
    (
        lambda gold: gp.compare(gold, parsed(1, 0.1), parsed(2, 0.1), rounds=0).scores,
        "rounds must be at least 1, not 0",
    ),
])
def test_bad_calls_raise_an_error(call, message):
    with pytest.raises(UsageError, match=message):
        call(gold_text())


def test_texts_must_be_the_same():
    with pytest.raises(InputError, match=r"the texts differ: .*gold has .* but .*B has"):
        gp.compare(gold_text(), parsed(1, 0.1), gold_text(2))
