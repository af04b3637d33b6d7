"""The tagger: compared with a slow implementation, on the sample, saved, in threads, jackknifed, with unusual words."""

import copy
import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from slow_tagger import SlowTagger, tag_of

import gardenpath as gp
from gardenpath.clusters.brown import induce
from gardenpath.core.draft import Draft
from gardenpath.core.random import shuffled
from gardenpath.errors import InputError, UsageError
from gardenpath.features.clusters import Clusters
from gardenpath.formats.document import Word
from gardenpath.pipeline.writer import Writer
from gardenpath.tagging.tag_trainer import TagTrainer, jackknifed, train_tagger
from gardenpath.tagging.tagger import Tagger
from gardenpath.tagging.tagset import MOST_TAGS, Tagset
from gardenpath.tagging.window import Window
from sample import DEV, TRAIN


@cache
def words_of(path):
    return [sentence.words for sentence in gp.read_conllu(path)]


@cache
def sample_tagger():
    return train_tagger(words_of(TRAIN))


def sentence(*words):
    """Make a sentence from words given as `form/UPOS`."""
    return [Word(number, *word.split("/")[:1], upos=word.split("/")[1]) for number, word in enumerate(words, 1)]


def tagged(tagger, sentences):
    """Return copies of the words, tagged by the tagger."""
    forms = [[word if isinstance(word, str) else word.form for word in words] for words in sentences]
    draft = Draft.of(forms)
    tagger.tag(draft)
    result = [[Word(number, form) for number, form in enumerate(words, 1)] for words in forms]
    Writer(tagger.tags, ()).fill(draft, result)
    return result


def accuracy(tagger, gold, column):
    sentences = zip(tagged(tagger, gold), gold, strict=True)
    pairs = [pair for predicted, expected in sentences for pair in zip(predicted, expected, strict=True)]
    return 100 * sum(getattr(a, column) == getattr(b, column) for a, b in pairs) / len(pairs)


@pytest.mark.parametrize(("margin", "min_updates"), [(0, 1), (20, 1), (20, 4)])
def test_training_and_tagging_match_the_slow_implementation(margin, min_updates):
    sentences = words_of(TRAIN)[:25]
    twin = SlowTagger(sentences, margin, min_updates)
    trainer = TagTrainer(sentences, margin=margin, min_updates=min_updates)
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


def test_the_tagger_learns_the_sample():
    assert accuracy(sample_tagger(), words_of(DEV), "upos") > 98
    assert accuracy(sample_tagger(), words_of(DEV), "xpos") > 96
    assert accuracy(sample_tagger(), words_of(DEV), "feats") > 95
    assert accuracy(sample_tagger(), words_of(DEV), "lemma") > 97


def test_the_score_of_a_tag_is_the_sum_of_its_parts():
    """No part except the whole tag is unique to it; the sums of the others distinguish the tags."""
    forms = ("abcd", "abce", "abfd", "gbfe", "gbcd", "abcd") * 5
    sentences = [[Word(1, form, upos=form[0], xpos=form[1], feats=f"A={form[2]}|B={form[3]}")] for form in forms]
    tagger = train_tagger(sentences)
    assert [tag_of(words[0]) for words in tagged(tagger, sentences)] == [tag_of(words[0]) for words in sentences]


def test_saving_and_loading():
    tagger = sample_tagger()
    arrays = {name: memoryview(np.array(array)) for name, array in tagger.arrays().items()}
    loaded = Tagger.build(json.loads(json.dumps(tagger.record())), arrays)
    assert tagged(loaded, words_of(DEV)) == tagged(tagger, words_of(DEV))
    assert loaded.record() == tagger.record()
    assert all(name.startswith("tagger.") for name in arrays)


@pytest.mark.parametrize(
    "name", ["tagger.entries", "tagger.values", "tagger.slots", "tagger.lemmas.values", "tagger.lemmas.slots"]
)
def test_indices_out_of_range_raise_errors(name):
    tagger = sample_tagger()
    arrays = {key: np.array(array) for key, array in tagger.arrays().items()}
    arrays[name][arrays[name] != 0] = 2**31 - 5
    with pytest.raises(ValueError, match=r"entries|tables|rules"):
        Tagger.build(tagger.record(), arrays)


@pytest.mark.parametrize("name", ["tagger.keys", "tagger.lemmas.keys"])
def test_a_lexicon_without_empty_slots_raises_an_error(name):
    arrays = {key: np.array(array) for key, array in sample_tagger().arrays().items()}
    arrays[name][:] = 1
    with pytest.raises(ValueError, match="searched"):
        Tagger.build(sample_tagger().record(), arrays)


@pytest.mark.parametrize("change", [{"tags": []}, {"tags": [["NOUN"]]}, {"tags": [["NOUN", "NN", "_"]]}])
def test_invalid_tags_raise_errors(change):
    with pytest.raises(ValueError, match=r"tags|entries|tables"):
        Tagger.build(sample_tagger().record() | change, sample_tagger().arrays())


def test_the_same_seed_gives_the_same_bytes():
    taggers = [train_tagger(words_of(TRAIN)[:80], passes=2, seed=seed) for seed in (1, 1, 2)]
    first, second, other = ({name: bytes(array) for name, array in tagger.arrays().items()} for tagger in taggers)
    assert first == second
    assert first != other
    assert taggers[0].record() == taggers[1].record()


def test_threads_share_a_tagger():
    expected = tagged(sample_tagger(), words_of(DEV))
    with ThreadPoolExecutor(4) as pool:
        results = pool.map(lambda _: tagged(sample_tagger(), words_of(DEV)), range(8))
        assert all(result == expected for result in results)


def test_unusual_words():
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


def test_clusters_help_with_unknown_words():
    """Only the cluster of an unknown word shows which of two tags it has."""
    kinds = {"pqr": "NOUN", "stu": "VERB"}
    forms = [(a + b, upos) for letters, upos in kinds.items() for a, b in zip(letters, letters[::-1], strict=True)]
    known = {form: "00" if upos == "NOUN" else "11" for form, upos in forms}
    clusters = Clusters.of(known | {"ab": "00", "cd": "11"})
    sentences = [[Word(1, form, upos=upos)] for form, upos in forms] * 2
    tagger = train_tagger(sentences, clusters=clusters)
    assert [result[0].upos for result in tagged(tagger, [["ab"], ["cd"]])] == ["NOUN", "VERB"]
    again = Tagger.build(tagger.record(), tagger.arrays(), clusters)
    assert [result[0].upos for result in tagged(again, [["ab"], ["cd"]])] == ["NOUN", "VERB"]


def test_clusters_induced_from_the_treebank():
    paths = induce(([word.form for word in words] for words in words_of(TRAIN)), clusters=20)
    tagger = train_tagger(words_of(TRAIN), clusters=Clusters.of({word: path for path, word, _ in paths}))
    assert accuracy(tagger, words_of(DEV), "upos") > 98


def test_jackknifing_excludes_the_sentence_itself():
    """Each sentence has a word with a unique tag, which a tagger trained on the other folds cannot predict."""
    sentences = [sentence("the/DET", f"{'xyz'[i % 3] * 4}/T{i}") for i in range(12)]
    predicted = jackknifed(sentences, 3)
    tags = Tagset.of(sentences).tags
    odd = [tags[predicted[2 * i + 1]][0] for i in range(12)]
    assert all(tag != f"T{i}" for i, tag in enumerate(odd))
    assert [tags[predicted[2 * i]][0] for i in range(12)] == ["DET"] * 12


def test_accuracy_of_jackknifed_tags():
    sentences = words_of(TRAIN)[:300]
    tags, gold = Tagset.of(sentences).tags, [tag_of(word) for words in sentences for word in words]
    predicted = [tags[number] for number in jackknifed(sentences, 4, passes=3)]
    assert 0.8 < np.mean([a == b for a, b in zip(predicted, gold, strict=True)]) < 0.99


def test_the_trainer_records_its_predictions():
    sentences = words_of(TRAIN)[:20]
    trainer = TagTrainer(sentences)
    trainer.train([3, 5])
    seen = [i for i in range(20) if trainer.predicted[trainer.first_word[i]] >= 0]
    assert seen == [3, 5]
    assert trainer.mistakes > 0
    for _ in range(10):
        trainer.train(range(20))
    gold = [tag_of(word) for words in sentences for word in words]
    assert [trainer.tags[number] for number in trainer.predicted] == gold


def test_training_does_not_change_the_treebank():
    sentences = copy.deepcopy(words_of(TRAIN)[:10])
    train_tagger(sentences, passes=1)
    assert sentences == words_of(TRAIN)[:10]


def test_errors():
    with pytest.raises(InputError, match="no tagger can be trained"):
        train_tagger([])
    with pytest.raises(InputError, match="no word has UPOS, XPOS or FEATS"):
        train_tagger([[Word(1, "a")]])
    with pytest.raises(InputError, match="different tags, and the limit is"):
        Tagset((str(number), "_", "_") for number in range(MOST_TAGS + 1))
    with pytest.raises(UsageError, match="from 2 to 3"):
        jackknifed(words_of(TRAIN)[:3], 4)
    with pytest.raises(UsageError, match="between 0 and 2"):
        TagTrainer(words_of(TRAIN)[:3]).train([3])
    for template in ("colour[0]", "lower[4]", "lower", "lower[0]tag[0]"):
        with pytest.raises(UsageError, match="not a property with an offset"):
            Window([template])


def test_more_parts_than_classes():
    """Rare tags whose parts have no class are still possible tags."""
    sentences = [[Word(1, f"w{number}", upos="X", feats=f"A={number}")] for number in range(3000)]
    assert Tagset.of(sentences).classes == 4096
    assert tagged(train_tagger(sentences, passes=1), [["w1"]])[0][0].upos == "X"
