"""The tagger: its twin, the sample treebank, files, threads, jackknifing, odd words."""

import copy
import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from slow_tagger import SlowTagger, tag_of

import gardenpath as gp
from gardenpath.core.random import shuffled
from gardenpath.formats.document import Word
from gardenpath.errors import InputError, UsageError
from gardenpath.clusters.brown import induce
from gardenpath.features.clusters import Clusters
from gardenpath.pipeline.draft import Draft
from gardenpath.tagging.tag_trainer import TagTrainer, jackknifed, train_tagger
from gardenpath.tagging.tagger import Tagger
from gardenpath.tagging.tagset import MOST_TAGS, Tagset
from gardenpath.tagging.window import Window
from gardenpath.pipeline.writer import Writer
from sample import DEV, TRAIN


@cache
def words_of(path):
    return [sentence.words for sentence in gp.read_conllu(path)]


@cache
def sample_tagger():
    return train_tagger(words_of(TRAIN))


def sentence(*words):
    """A sentence of words given as `form/UPOS`."""
    return [Word(number, *word.split("/")[:1], upos=word.split("/")[1]) for number, word in enumerate(words, 1)]


def tagged(tagger, sentences):
    """The words once more, as the tagger sees them."""
    draft = Draft.of([[word if isinstance(word, str) else word.form for word in words] for words in sentences])
    tagger.tag(draft)
    result = [[Word(number, word if isinstance(word, str) else word.form) for number, word in enumerate(words, 1)] for words in sentences]
    Writer(tagger.tags, ()).fill(draft, result)
    return result


def accuracy(tagger, gold, column):
    pairs = [(getattr(a, column), getattr(b, column)) for x, y in zip(tagged(tagger, gold), gold, strict=True) for a, b in zip(x, y, strict=True)]
    return 100 * sum(a == b for a, b in pairs) / len(pairs)


@pytest.mark.parametrize(("margin", "min_updates"), [(0, 1), (20, 1), (20, 4)])
def test_training_and_tagging_are_those_of_the_twin(margin, min_updates):
    sentences = words_of(TRAIN)[:25]
    twin, trainer = SlowTagger(sentences, margin, min_updates), TagTrainer(sentences, margin=margin, min_updates=min_updates)
    assert trainer.tags == twin.tags
    for number in range(2):
        order = shuffled(len(sentences), 1, number)
        trainer.train(order)
        for i, predicted in twin.train(order).items():
            first = trainer.first_word[i]
            assert list(trainer.predicted[first : first + len(sentences[i])]) == predicted
    assert (trainer.steps, trainer.mistakes) == (twin.steps, twin.mistakes)
    averages = twin.averages()
    dev = words_of(DEV)[:12]
    expected = [[twin.tags[tag] for tag in twin.tag([word.form for word in words], averages)] for words in dev]
    assert [[tag_of(word) for word in words] for words in tagged(trainer.freeze(), dev)] == expected


def test_the_sample_is_learnt():
    assert accuracy(sample_tagger(), words_of(DEV), "upos") > 98
    assert accuracy(sample_tagger(), words_of(DEV), "xpos") > 96
    assert accuracy(sample_tagger(), words_of(DEV), "feats") > 95
    assert accuracy(sample_tagger(), words_of(DEV), "lemma") > 97


def test_a_tag_is_known_by_its_parts():
    """No part of a tag is its own but the whole; sums of the others tell them apart."""
    sentences = [[Word(1, form, upos=form[0], xpos=form[1], feats=f"A={form[2]}|B={form[3]}")] for form in ("abcd", "abce", "abfd", "gbfe", "gbcd", "abcd") * 5]
    tagger = train_tagger(sentences)
    assert [tag_of(words[0]) for words in tagged(tagger, sentences)] == [tag_of(words[0]) for words in sentences]


def test_saving_and_loading():
    tagger = sample_tagger()
    arrays = {name: memoryview(np.array(array)) for name, array in tagger.arrays().items()}
    loaded = Tagger.build(json.loads(json.dumps(tagger.record())), arrays)
    assert tagged(loaded, words_of(DEV)) == tagged(tagger, words_of(DEV))
    assert loaded.record() == tagger.record()
    assert all(name.startswith("tagger.") for name in arrays)


@pytest.mark.parametrize("name", ["tagger.entries", "tagger.values", "tagger.slots", "tagger.lemmas.values", "tagger.lemmas.slots"])
def test_numbers_that_lead_astray_are_found(name):
    tagger = sample_tagger()
    arrays = {key: np.array(array) for key, array in tagger.arrays().items()}
    arrays[name][arrays[name] != 0] = 2**31 - 5
    with pytest.raises(ValueError, match=r"entries|tables|rules"):
        Tagger.build(tagger.record(), arrays)


@pytest.mark.parametrize("name", ["tagger.keys", "tagger.lemmas.keys"])
def test_a_search_that_would_not_end_is_found(name):
    arrays = {key: np.array(array) for key, array in sample_tagger().arrays().items()}
    arrays[name][:] = 1
    with pytest.raises(ValueError, match="searched"):
        Tagger.build(sample_tagger().record(), arrays)


@pytest.mark.parametrize("change", [{"tags": []}, {"tags": [["NOUN"]]}, {"tags": [["NOUN", "NN", "_"]]}])
def test_tags_that_do_not_fit_are_found(change):
    with pytest.raises(ValueError, match=r"tags|entries|tables"):
        Tagger.build(sample_tagger().record() | change, sample_tagger().arrays())


def test_same_seed_same_bytes():
    taggers = [train_tagger(words_of(TRAIN)[:80], passes=2, seed=seed) for seed in (1, 1, 2)]
    first, second, other = ({name: bytes(array) for name, array in tagger.arrays().items()} for tagger in taggers)
    assert first == second
    assert first != other
    assert taggers[0].record() == taggers[1].record()


def test_threads_share_a_tagger():
    expected = tagged(sample_tagger(), words_of(DEV))
    with ThreadPoolExecutor(4) as pool:
        assert all(result == expected for result in pool.map(lambda _: tagged(sample_tagger(), words_of(DEV)), range(8)))


def test_odd_words():
    forms = [[], ["🐈"], ["a" * 10_000, "The"], ["\u0301", "\u200d", "--", "１２", "ÇA", "x" * 63 + "ß"], [""]]
    for words, result in zip(forms, tagged(sample_tagger(), forms), strict=True):
        assert len(result) == len(words)
        assert all(word.upos != "_" and word.lemma for word in result)


def test_pruned_taggers_are_smaller_and_nearly_as_good():
    trainer = TagTrainer(words_of(TRAIN))
    for number in range(4):
        trainer.train(shuffled(len(words_of(TRAIN)), 1, number))
    whole, pruned = trainer.freeze(), trainer.freeze(0.75)
    assert len(pruned.arrays()["tagger.rows"]) < len(whole.arrays()["tagger.rows"]) / 2
    assert accuracy(pruned, words_of(DEV), "upos") > accuracy(whole, words_of(DEV), "upos") - 1


def test_clusters_tell_of_unknown_words():
    """Which of two tags an unknown word has, only its cluster says."""
    words = {"ab": "0", "cd": "1"}
    forms = [("".join(pair), upos) for letters, upos in (("pqr", "NOUN"), ("stu", "VERB")) for pair in zip(letters, letters[::-1], strict=True)]
    clusters = Clusters.of({form: "00" if upos == "NOUN" else "11" for form, upos in forms} | {word: bits * 2 for word, bits in words.items()})
    sentences = [[Word(1, form, upos=upos)] for form, upos in forms] * 2
    tagger = train_tagger(sentences, clusters=clusters)
    assert [result[0].upos for result in tagged(tagger, [["ab"], ["cd"]])] == ["NOUN", "VERB"]
    again = Tagger.build(tagger.record(), tagger.arrays(), clusters)
    assert [result[0].upos for result in tagged(again, [["ab"], ["cd"]])] == ["NOUN", "VERB"]


def test_clusters_of_the_treebank_do_no_harm():
    paths = induce(([word.form for word in words] for words in words_of(TRAIN)), clusters=20)
    tagger = train_tagger(words_of(TRAIN), clusters=Clusters.of({word: path for path, word, _ in paths}))
    assert accuracy(tagger, words_of(DEV), "upos") > 98


def test_jackknifing_does_not_know_the_sentence_itself():
    """Each sentence has a word whose tag no other tells: predicted without the sentence it must be wrong, with it right."""
    sentences = [sentence("the/DET", f"{'xyz'[i % 3] * 4}/T{i}") for i in range(12)]
    predicted = jackknifed(sentences, 3)
    tags = Tagset.of(sentences).tags
    odd = [tags[predicted[2 * i + 1]][0] for i in range(12)]
    assert all(tag != f"T{i}" for i, tag in enumerate(odd))
    assert [tags[predicted[2 * i]][0] for i in range(12)] == ["DET"] * 12


def test_jackknifed_tags_are_about_as_good_as_those_of_new_text():
    sentences = words_of(TRAIN)[:300]
    tags, gold = Tagset.of(sentences).tags, [tag_of(word) for words in sentences for word in words]
    right = np.mean([tags[number] == tag for number, tag in zip(jackknifed(sentences, 4, passes=3), gold, strict=True)])
    assert 0.8 < right < 0.99


def test_the_trainer_records_what_it_predicted_before_learning():
    sentences = words_of(TRAIN)[:20]
    trainer = TagTrainer(sentences)
    trainer.train([3, 5])
    seen = [i for i in range(20) if trainer.predicted[trainer.first_word[i]] >= 0]
    assert seen == [3, 5]
    assert trainer.mistakes > 0
    for _ in range(10):
        trainer.train(range(20))
    assert [trainer.tags[number] for number in trainer.predicted] == [tag_of(word) for words in sentences for word in words]


def test_words_of_the_treebank_stay_as_they_are():
    sentences = copy.deepcopy(words_of(TRAIN)[:10])
    train_tagger(sentences, passes=1)
    assert sentences == words_of(TRAIN)[:10]


def test_what_cannot_be_learnt_from_is_said():
    with pytest.raises(InputError, match="nothing to learn tags from"):
        train_tagger([])
    with pytest.raises(InputError, match="no word has UPOS, XPOS or FEATS"):
        train_tagger([[Word(1, "a")]])
    with pytest.raises(InputError, match="different tags, more than"):
        Tagset((str(number), "_", "_") for number in range(MOST_TAGS + 1))
    with pytest.raises(UsageError, match="from 2 to 3"):
        jackknifed(words_of(TRAIN)[:3], 4)
    with pytest.raises(UsageError, match="numbered from 0 to 2"):
        TagTrainer(words_of(TRAIN)[:3]).train([3])
    for template in ("colour[0]", "lower[4]", "lower", "lower[0]tag[0]"):
        with pytest.raises(UsageError, match="no property with a place"):
            Window([template])


def test_more_parts_than_classes():
    """Rare tags beyond the last class are still tags."""
    sentences = [[Word(1, f"w{number}", upos="X", feats=f"A={number}")] for number in range(3000)]
    assert Tagset.of(sentences).classes == 4096
    assert tagged(train_tagger(sentences, passes=1), [["w1"]])[0][0].upos == "X"
