"""Given heads stay, with any weights and in every system."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest
from random_weights import random_parser, random_sentence

import gardenpath as gp
from gardenpath.errors import GardenpathWarning, InputError
from gardenpath.formats.document import Sentence
from gardenpath.parsing.derivation import Course, derive
from gardenpath.parsing.given import HeadPolicy
from given import check_kept, give_heads
from sample import DEV, trained

SYSTEMS = gp.systems.names()


def tree_of(sentence):
    return [(word.head, word.deprel) for word in sentence]


def sentence_with(heads, labels=None) -> Sentence:
    sentence = random_sentence(random.Random(1), len(heads))
    for word, head, label in zip(sentence, heads, labels or ["_"] * len(heads), strict=True):
        word.head, word.deprel = head, label
    return sentence


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("system", SYSTEMS)
def test_given_heads_stay_with_random_weights(system, beam, single_root):
    rng = random.Random(f"{system} {beam} {single_root}")
    for seed in range(4):
        model = random_parser(system, seed, single_root)
        labels = [label for label in model.parser.classes.labels if label != "root"] + ["unknown-label"]
        sentences = [random_sentence(rng, rng.randint(1, 20)) for _ in range(40)]
        for sentence in sentences:
            give_heads(rng, model.parser, sentence.words, labels)
        given = [tree_of(sentence) for sentence in sentences]
        model.parse(sentences, beam=beam, keep_heads=True)
        for sentence, kept in zip(sentences, given, strict=True):
            check_kept(model.parser, sentence.words, kept)


@pytest.mark.parametrize("system", ["arc-standard", "lr-spine", "attardi"])
def test_heads_that_the_parser_finds_itself_change_nothing(system):
    """They exclude only transitions that greedy search does not make. Systems with repairs may find other ways."""
    model, rng = random_parser(system, 1), random.Random(4)
    for sentence in model.parse([random_sentence(rng, rng.randint(2, 20)) for _ in range(50)]):
        partial = deepcopy(sentence)
        for word in partial:
            word.head, word.deprel = rng.choice([None, word.head]), "_"
        model.parse([partial])
        assert tree_of(partial) == tree_of(sentence)


@pytest.mark.parametrize("system", SYSTEMS)
def test_given_gold_heads_help_the_other_words(system):
    model, rng = random_parser(system, 0), random.Random(2)
    gold = list(gp.read_conllu(DEV))
    plain, partial = deepcopy(gold), deepcopy(gold)
    for sentence in partial:
        for word in sentence:
            if rng.random() < 0.5:
                word.head, word.deprel = None, "_"
    free = [[word.head is None for word in sentence] for sentence in partial]
    model.parse(plain)
    model.parse(partial, drop_conflicts=True)

    def right(parsed):
        return sum(
            word.head == other.head
            for each in zip(parsed, gold, free, strict=True)
            for word, other, is_free in zip(*each, strict=True) if is_free
        )

    assert right(partial) > right(plain)


def test_a_whole_tree_is_parsed_anew_unless_heads_are_kept():
    model = trained()
    gold = next(iter(gp.read_conllu(DEV)))
    wrong = [0, *[1] * (len(gold) - 1)]
    sentences = [deepcopy(gold) for _ in range(3)]
    for sentence in sentences:
        for word, head in zip(sentence, wrong, strict=True):
            word.head, word.deprel = head, "dep" if head else "root"
    model.parse(sentences[:1])
    model.parse(sentences[1:2], keep_heads=True)
    model.parse(sentences[2:], keep_heads=False)
    assert sentences[1].heads == wrong
    assert {word.deprel for word in sentences[1]} == {"root", "dep"}
    assert sentences[0].heads == sentences[2].heads != wrong


def test_partly_given_heads_stay_unless_the_sentence_is_parsed_anew():
    model = trained()
    gold = next(iter(gp.read_conllu(DEV)))
    [plain] = model.parse([deepcopy(gold)])
    other = next(word for word in range(1, len(gold)) if plain.heads[-1] != word)
    for keep_heads, expected in ((None, other), (True, other), (False, plain.heads[-1])):
        sentence = deepcopy(gold)
        for word in sentence:
            word.head, word.deprel = None, "_"
        sentence[-1].head = other
        tags = [(word.upos, word.xpos, word.feats, word.lemma) for word in sentence]
        model.parse([sentence], keep_heads=keep_heads)
        assert sentence.heads[-1] == expected
        assert [(word.upos, word.xpos, word.feats, word.lemma) for word in sentence] == tags


def test_a_label_is_predicted_where_only_the_head_is_given():
    sentence = sentence_with([None, 1, None], ["_", "_", "_"])
    [parsed] = trained().parse([sentence])
    assert parsed.heads[1] == 1
    assert parsed[1].deprel in trained().parser.classes.labels


def test_a_label_without_a_head_is_replaced():
    plain, labelled = (sentence_with([None, 1, None], ["_", "_", label]) for label in ("_", "punct"))
    trained().parse([plain, labelled])
    assert tree_of(plain) == tree_of(labelled)
    assert plain[2].deprel != "punct"


@pytest.mark.parametrize(
    ("system", "heads", "message"),
    [
        ("swap", [2, 1, None], r"words 1 and 2 form a cycle; change the HEAD of one of them"),
        ("swap", [0, 0, None], r"several roots: words 1 and 2; keep HEAD 0 for one of them only"),
        ("swap", [7, None, None], r"word 1 has head 7, but the last word is 3; use a HEAD from 0 to 3"),
        ("swap", [1, None, None], r"word 1 is its own head"),
        ("arc-eager", [3, 4, None, None], r"the arc from 4 to word 2 crosses other given arcs, and arc-eager cannot"),
        ("attardi", [None] * 3 + [0, 1, 2, 3], r"the arc from 2 to word 6 does not fit other given arcs"),
    ],
)
def test_a_contradiction_is_an_error_or_dropped(system, heads, message):
    model = trained(system)
    with pytest.raises(InputError, match=rf"sent_id=s1: {message}.*--drop-conflicts.*--reparse"):
        model.parse([_named(sentence_with(heads))])
    sentence = _named(sentence_with(heads))
    with pytest.warns(GardenpathWarning, match="sent_id=s1: the given heads of these words are ignored: "):
        model.parse([sentence], drop_conflicts=True)
    check_kept(model.parser, sentence.words, [(None, "_")] * len(heads))
    kept = sum(head == found for head, found in zip(heads, sentence.heads, strict=True))
    assert kept >= 1 or max(head or 0 for head in heads) > len(heads) or heads[0] == 1


def _named(sentence):
    sentence.comments = ["# sent_id = s1"]
    return sentence


def test_crossing_heads_of_a_whole_tree_are_kept_in_a_projective_system():
    sentence = sentence_with([3, 4, 0, 3], ["a", "b", "root", "c"])
    [parsed] = trained("arc-eager").parse([sentence], keep_heads=True)
    assert tree_of(parsed) == [(3, "a"), (4, "b"), (0, "root"), (3, "c")]


def test_a_whole_tree_with_a_cycle_is_an_error():
    sentence = sentence_with([2, 1, 0], ["a", "b", "root"])
    with pytest.raises(InputError, match="words 1 and 2 form a cycle"):
        trained().parse([sentence], keep_heads=True)


def test_the_best_parses_have_the_given_heads():
    model, rng = random_parser("arc-eager", 1), random.Random(5)
    for _ in range(20):
        sentence = random_sentence(rng, rng.randint(3, 12))
        give_heads(rng, model.parser, sentence.words, ["obj"])
        given = tree_of(sentence)
        for _, parse in model.kbest(sentence, 4, beam=8, keep_heads=True):
            check_kept(model.parser, parse.words, given)


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_trace_ends_in_the_tree_of_the_parser(system, beam):
    model, rng = random_parser(system, 2), random.Random(f"{system} {beam}")
    model = gp.Model(model.parser.with_beam(beam), model.about)
    for _ in range(30):
        sentence = random_sentence(rng, rng.randint(2, 12))
        give_heads(rng, model.parser, sentence.words, ["obj", "unknown-label"])
        derivation = derive(sentence, Course(model, heads=HeadPolicy(keep=True)))
        assert tree_of(derivation.parse()) == tree_of(model.parse([deepcopy(sentence)], keep_heads=True)[0])
        assert all(step.move in step.valid for step in derivation.steps if step.valid)


def test_a_trace_lowers_no_given_words():
    gold = list(gp.read_conllu(DEV))
    model = gp.train(gold, system="arc-eager", nonprojective="head", epochs=1, tags="gold")
    rng = random.Random(4)
    for sentence in gold[:60]:
        give_heads(rng, model.parser, sentence.words)
        derivation = derive(sentence, Course(model, heads=HeadPolicy(keep=True)))
        assert tree_of(derivation.parse()) == tree_of(model.parse([sentence], keep_heads=True)[0])


def test_a_trace_takes_no_transition_that_contradicts_given_heads():
    model = trained("arc-eager")
    sentence = sentence_with([None, 1, None], ["_", "unknown-label", "_"])
    steps = derive(sentence, Course(model)).steps
    assert steps[1].valid == ["right-arc"]
    assert steps[1].text == "RIGHT-ARC(unknown-label)"
    again = derive(sentence, Course(model, given=[(step.move, step.label) for step in steps[:2]])).steps
    assert [step.text for step in again] == [step.text for step in steps]
    for move, message in (
        (("left-arc", None), "left-arc contradicts the given heads; choose another transition"),
        (("right-arc", "obj"), "the label of word 2 is given: unknown-label, not obj"),
    ):
        with pytest.raises(gp.UsageError, match=message):
            derive(sentence, Course(model, given=[("shift", None), move]))


def test_a_trace_takes_transitions_that_the_parser_does_not_prefer():
    """They agree with the given heads, and the rest of the derivation does too."""
    heads = [2, None, None, 2]
    moves = [(move, None) for move in ["shift", "shift", "swap", "shift", "shift", "shift", "swap", "swap", "shift"]]
    for seed in range(20):
        model = random_parser("swap", seed)
        derivation = derive(sentence_with(heads), Course(model, given=moves))
        assert derivation.steps[8].move == "shift"
        assert derivation.steps[8].valid == ["right-arc", "swap"]
        assert [word.head for word in derivation.parse()][0::3] == heads[0::3]


def test_given_words_are_not_lowered():
    """A parser that marks lifted arcs moves only the words whose heads are not given."""
    gold = list(gp.read_conllu(DEV))
    model = gp.train(gold, system="arc-eager", nonprojective="head", epochs=1, tags="gold")
    rng = random.Random(3)
    for sentence in gold[:60]:
        give_heads(rng, model.parser, sentence.words)
        given = tree_of(sentence)
        model.parse([sentence], keep_heads=True)
        check_kept(model.parser, sentence.words, given)


def test_the_confidence_of_a_given_head_is_unknown():
    model = trained().calibrated(gp.read_conllu(DEV))
    sentence = sentence_with([None, 1, None], ["_", "det", "_"])
    model.parse([sentence])
    assert sentence[1].confidence.head is None
    assert sentence[1].confidence.label is None
    assert sentence[0].confidence.head is not None


def test_threads_make_no_difference():
    model, rng = trained("stay-eager"), random.Random(8)
    sentences = [random_sentence(rng, rng.randint(2, 15)) for _ in range(100)]
    for sentence in sentences:
        give_heads(rng, model.parser, sentence.words)
    one, two = (model.parse(deepcopy(sentences), threads=threads, keep_heads=True) for threads in (1, 2))
    assert [tree_of(sentence) for sentence in one] == [tree_of(sentence) for sentence in two]
