"""Training: for every system and unusual treebanks, reproducible, and it can be interrupted."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest
import torch
from tiny import bytes_of, odd_sentences, randomised, sentences, settings, tiny, trained_on, words_of

import gardenpath as gp
from gardenpath import oracles, systems
from gardenpath.errors import InputError, UsageError
from gardenpath.models.settings import Settings
from gardenpath.models.training import best_of, training
from gardenpath.network import training as network_training
from gardenpath.parsing.given import HeadPolicy
from gardenpath.trees import problems
from given import check_kept, give_heads
from sample import DEV, TRAIN

SYSTEMS = systems.names()


def check(parser, parsed, single_root=True):
    """Check that each sentence has a tree with known labels."""
    for words in parsed:
        assert not list(problems([word.head for word in words], single_root=single_root)), words
        assert all(word.deprel in parser.classes.labels for word in words)


def check_odd(model):
    parsed = model.parse([gp.Sentence(words) for words in odd_sentences()])
    check(model.parser, [sentence.words for sentence in parsed])
    tags = {tuple(tag) for tag in model.parser.scorer.tags}
    for sentence in parsed:
        assert all((word.upos, word.xpos, word.feats) in tags for word in sentence)


def test_there_are_thirteen_systems():
    assert len(SYSTEMS) == 13


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_ends_in_trees(system):
    check_odd(tiny(system))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("beam", [1, 4])
def test_random_weights_give_trees(system, beam):
    rng = random.Random(beam)
    known = [word.form for sentence in sentences(40) for word in sentence.words]
    given = [[rng.choice(known) for _ in range(rng.randint(1, 25))] for _ in range(40)]
    for seed in range(2):
        parser = randomised(tiny(system), seed).with_beam(beam)
        parsed = parser.parse([words_of(forms) for forms in given])
        check(parser, parsed)
        heads = [[word.head for word in words] for words in parsed]
        assert len({tuple(head) for head in heads}) > 20


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("beam", [1, 4])
def test_given_heads_stay_with_random_weights(system, beam):
    rng = random.Random(beam)
    for seed in range(2):
        parser = randomised(tiny(system), seed).with_beam(beam)
        parsed = [gp.Sentence(words_of(["a"] * rng.randint(1, 15))) for _ in range(20)]
        for sentence in parsed:
            give_heads(rng, parser, sentence.words)
        given = [[(word.head, word.deprel) for word in sentence] for sentence in parsed]
        parser.parse([sentence.words for sentence in parsed], HeadPolicy(keep=True).arcs(parser, parsed))
        for sentence, kept in zip(parsed, given, strict=True):
            check_kept(parser, sentence.words, kept)


@pytest.mark.parametrize("name", ["arc-eager", "covington-nm", "swap"])
def test_random_weights_give_trees_with_several_roots(name):
    model = tiny(name, single_root=False)
    for seed in range(2):
        parser = randomised(model, seed, single_root=False)
        check(parser, parser.parse([words_of(["a", "b", "c", "d", "e", "f"])] * 5), single_root=False)


@pytest.mark.parametrize(
    "system, oracle",
    [(name, kind) for name in ("arc-eager", "arc-standard", "lr-spine", "covington", "swap", "stay-eager", "attardi")
     for kind in oracles.kinds(name) if kind != "exact"],
)
def test_all_oracles(system, oracle):
    model = trained_on(sentences(12), system=system, oracle=oracle)
    assert model.about.settings.parser.oracle == oracle
    check(model.parser, [model.parse([gp.Sentence(words_of(["a", "b", "c", "the", "dog"]))])[0].words])


# ---- reproducibility -------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    a, b, c = (
        bytes_of(trained_on(sentences(20), epochs=2, seed=seed), tmp_path / "model") for seed in (1, 1, 2)
    )
    assert a == b
    assert a != c


def test_one_thread_or_two_for_the_two_directions_give_the_same_bytes(tmp_path, monkeypatch):
    found = [bytes_of(trained_on(sentences(20)), tmp_path / "model")]
    monkeypatch.setattr(network_training.bilstm, "is_sequential", False)
    monkeypatch.setattr(network_training, "MAX_THREADS", 1)
    found.append(bytes_of(trained_on(sentences(20)), tmp_path / "model"))
    assert found[0] == found[1]


def test_several_threads_are_reproducible(tmp_path, monkeypatch):
    threads = torch.get_num_threads()
    monkeypatch.setattr(network_training.bilstm, "is_sequential", False)
    monkeypatch.setattr(network_training, "available_cores", lambda: 2)
    found = {bytes_of(trained_on(sentences(40), batch_words=250), tmp_path / "model") for _ in range(3)}
    torch.set_num_threads(threads)
    assert len(found) == 1


def test_training_leaves_no_settings_of_torch():
    before = torch.are_deterministic_algorithms_enabled(), torch.utils.deterministic.fill_uninitialized_memory
    trained_on(sentences(4))
    next(iter(training(sentences(4), None, settings())))
    assert before == (
        torch.are_deterministic_algorithms_enabled(), torch.utils.deterministic.fill_uninitialized_memory
    )


class StopTrainingError(Exception):
    pass


@pytest.mark.parametrize("with_dev, ema_decay", [(False, 0.0), (True, 0.999)])
def test_a_resumed_run_is_the_run_that_never_stopped(tmp_path, monkeypatch, with_dev, ema_decay):
    """It stops after an epoch, or in the middle of one."""
    monkeypatch.setattr(network_training, "REPORT_SECONDS", 0)
    few, dev, path = sentences(8), sentences(6, DEV) if with_dev else None, tmp_path / "model"
    chosen = settings(epochs=3, batch_words=25, ema_decay=ema_decay)
    straight = list(training(few, dev, chosen, checkpoint=tmp_path / "a"))
    ends = [i for i, step in enumerate(straight, 1) if step.ended]
    assert ends[0] > 3
    wanted = bytes_of(best_of(iter(straight)), path)
    for stop in (ends[0], ends[0] + 2, ends[1] + 1):
        checkpoint = tmp_path / f"stop{stop}"
        before = list(islice(training(few, dev, chosen, checkpoint=checkpoint), stop))
        after = list(training(few, dev, chosen, checkpoint=checkpoint, resume=True))
        assert after[0].ended
        assert after[0].is_best
        assert [(step.number, step.las, step.is_best) for step in before + after[1:] if step.ended] == [
            (step.number, step.las, step.is_best) for step in straight if step.ended
        ]
        assert bytes_of(best_of(iter(after)), path) == wanted
        assert checkpoint.read_bytes() == (tmp_path / "a").read_bytes()


def test_few_epochs_of_the_first_half_are_evaluated():
    """The best epoch is one that was evaluated. Without a dev set, it is the last one."""
    steps = [step for step in training(sentences(8), sentences(6, DEV), settings(epochs=12)) if step.ended]
    assert [step.number for step in steps if step.las is not None] == [1, 6, 7, 8, 9, 10, 11, 12]
    best = [step for step in steps if step.is_best]
    assert best[-1].las == max(step.las for step in steps if step.las is not None)
    assert all(step.is_best for step in training(sentences(8), None, settings(epochs=3)) if step.ended)


def test_a_run_that_was_killed_can_be_resumed(tmp_path):
    """An error in the middle of an epoch leaves the checkpoint of the last one."""
    few, seen = sentences(20), 0
    chosen = settings(epochs=2)

    def watch(c, heads):
        nonlocal seen
        seen += 1
        if seen == 900:
            raise StopTrainingError

    with pytest.raises(StopTrainingError):
        list(training(few, None, chosen, watch=watch, checkpoint=tmp_path / "c"))
    resumed = best_of(training(few, None, chosen, checkpoint=tmp_path / "c", resume=True))
    assert bytes_of(resumed, tmp_path / "m") == bytes_of(trained_on(few, epochs=2), tmp_path / "n")


def test_the_checkpoint_of_another_run_is_refused(tmp_path):
    few, path = sentences(8), tmp_path / "c"
    list(training(few, None, settings(), checkpoint=path))
    other = sentences(8)
    other[0].words[0].lemma = "other"
    for train, dev, changes, named in (
        (few, None, {"hidden_size": 32}, "hidden_size=16, not 32"),
        (few, None, {"epochs": 2}, "passes=1, not 2"),
        (few[1:], None, {}, "other training data"),
        (few, few, {}, "other dev data"),
        (other, None, {}, "other training lemma data"),
    ):
        with pytest.raises(InputError, match=named):
            list(training(train, dev, settings(**changes), checkpoint=path, resume=True))
    (step,) = training(few, None, settings(), checkpoint=path, resume=True)
    assert step.is_best


# ---- learning --------------------------------------------------------------------------------------------------------


def test_a_few_sentences_are_learnt_by_heart():
    few = sentences(6)
    chosen = settings(system="swap", epochs=30, dropout=0.0, learning_rate=0.01, batch_words=30, ema_decay=0.0)
    steps = [step for step in training(few, few, chosen) if step.ended]
    assert max(step.las or 0 for step in steps) > 97
    parsed = steps[-1].model.parse([gp.Sentence(words_of([word.form for word in sentence])) for sentence in few])
    pairs = [pair for both in zip(few, parsed, strict=True) for pair in zip(*both, strict=True)]
    for column, share in (("upos", 0.97), ("feats", 0.97), ("lemma", 0.8)):       # rare lemma rules are not learnt
        assert sum(getattr(a, column) == getattr(b, column) for a, b in pairs) > share * len(pairs), column


def test_averages_are_not_the_parameters(tmp_path):
    plain, averaged = (
        bytes_of(trained_on(sentences(10), ema_decay=decay), tmp_path / "m") for decay in (0.0, 0.999)
    )
    assert plain != averaged


def test_training_that_diverges_does_not_crash():
    model = trained_on(sentences(12), learning_rate=1.0, epochs=2)
    check(model.parser, [model.parse([gp.Sentence(words_of("abcdef"))])[0].words])


# ---- unusual treebanks -----------------------------------------------------------------------------------------------


def changed(number, **columns):
    """Return the first sentences of the sample with other values in some columns of all words."""
    found = sentences(number)
    for sentence in found:
        for word in sentence.words:
            for name, value in columns.items():
                setattr(word, name, value)
    return found


def test_without_lemmas(tmp_path):
    model = trained_on(changed(12, lemma="_"))
    assert model.parser.scorer.record()["rules"] == []
    model.save(tmp_path / "m")
    parsed = gp.load(tmp_path / "m").parse([gp.Sentence(words_of(["the", "dog"]))])[0]
    assert [word.lemma for word in parsed] == ["_", "_"]
    check_odd(model)


def test_without_xpos_and_features():
    model = trained_on(changed(12, xpos="_", feats="_"))
    assert {word.xpos for word in model.parse([gp.Sentence(words_of(["the", "dog"]))])[0]} == {"_"}
    check_odd(model)


def test_with_a_single_tag(tmp_path):
    model = trained_on(changed(12, upos="X", xpos="_", feats="_"))
    model.save(tmp_path / "m")
    assert {word.upos for word in gp.load(tmp_path / "m").parse([gp.Sentence(words_of(["the", "dog"]))])[0]} == {"X"}
    check_odd(model)


def hand_made(*forms, lemma="_"):
    words = words_of(forms)
    for word in words:
        word.head, word.deprel, word.upos, word.lemma = word.id - 1, "dep" if word.id > 1 else "root", "X", lemma
    return gp.Sentence(words)


@pytest.mark.parametrize(
    "system, train",
    [
        *((name, [["a"]]) for name in SYSTEMS), ("swap", [["_"]]), ("arc-eager", [["abc", "d"]]),
        ("lr-spine", [["a"], ["b"], ["cd"]]), ("covington", [["x", "y", "z"]]),
    ],
    ids=str,
)
def test_tiny_treebanks(tmp_path, system, train):
    """One sentence, sentences of one word, no form and no character that occurs twice."""
    model = trained_on([hand_made(*forms) for forms in train], system=system, epochs=2)
    model.save(tmp_path / "m")
    loaded = gp.load(tmp_path / "m")
    check(loaded.parser, [loaded.parse([gp.Sentence(words_of(["a", "new", "one"]))])[0].words])


@pytest.mark.parametrize("system", ["arc-eager", "lr-spine", "covington"])
def test_a_long_sentence(system):
    forms = [word.form for sentence in sentences(60) for word in sentence.words][:300]
    model = trained_on([hand_made(*forms), hand_made("a", "b"), hand_made("a")], system=system)
    check_odd(model)


@pytest.mark.parametrize(
    "system, encoding", [("arc-eager", "head"), ("arc-standard", "path"), ("lr-spine", "head+path")]
)
def test_pseudo_projective_parsing(tmp_path, system, encoding):
    """Lifted arcs are encoded in the labels, and no parse shows them."""
    tree = hand_made("a", "b", "c", "d", "e")
    for word, head in zip(tree.words, [2, 0, 1, 2, 1], strict=True):
        word.head, word.deprel = head, f"dep{word.id}" if head else "root"
    model = trained_on([*sentences(6), *[tree] * 3], system=system, nonprojective=encoding, epochs=2)
    assert model.parser.nonprojective == encoding
    model.save(tmp_path / "m")
    for sentence in gp.load(tmp_path / "m").parse([gp.Sentence(words) for words in odd_sentences()]):
        assert not list(problems(sentence.heads, single_root=True))
        assert not any("↑" in word.deprel or "↓" in word.deprel for word in sentence)


def test_trees_that_cannot_be_built_are_skipped_or_lifted():
    tree = hand_made("a", "b", "c", "d")
    for word, head in zip(tree.words, [3, 0, 2, 1], strict=True):
        word.head, word.deprel = head, "dep" if head else "root"
    for treatment, skipped in (("lift", 0), ("skip", 1)):
        model = trained_on([*sentences(4), tree], nonprojective=treatment)
        assert model.description["skipped"] == skipped


# ---- vectors ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def vector_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "vectors.txt"
    generator = np.random.default_rng(1)
    forms = sorted({word.form for sentence in sentences(20) for word in sentence.words})[::2]
    lines = [" ".join([form, *map(str, generator.normal(0, 1, 5).round(3))]) for form in [*forms, "unseen", "Capital"]]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_vectors_are_used_and_stored(tmp_path, vector_file):
    model = trained_on(sentences(20), vectors=str(vector_file))
    path = tmp_path / "m"
    model.save(path)
    loaded = gp.load(path)
    arrays = loaded.parser.scorer.arrays()
    rows = np.asarray(arrays["network.vectors.rows"])
    assert rows.shape[1] == 5
    assert not rows[0].any()
    assert any("5 dimensions" in value for name, value in loaded.parser.scorer.summary(None, None) if name == "vectors")
    changed = dict(arrays) | {"network.vectors.rows": np.roll(rows, 1, axis=1)}
    record = loaded.parser.scorer.record()
    other = type(loaded.parser.scorer)(
        loaded.parser.system, loaded.parser.classes, [tuple(tag) for tag in record["tags"]], record["rules"], changed,
    )
    known = loaded.parser.scorer.encoder.encode([["unseen"], ["unheard"]])
    moved = other.encoder.encode([["unseen"], ["unheard"]])
    assert not np.array_equal(known[4][0] * known[3][0], moved[4][0] * moved[3][0])
    assert np.array_equal(known[3][1], moved[3][1])
    assert bytes_of(trained_on(sentences(20)), path) != bytes_of(model, path)
    check_odd(loaded)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_vectors_of_the_treebank_are_kept_in_any_case(vector_file, limit):
    model = trained_on(sentences(20), vectors=str(vector_file), max_vectors=limit)
    rows = np.asarray(model.parser.scorer.arrays()["network.vectors.rows"])
    words = len(vector_file.read_text().splitlines())
    assert words // 2 < len(rows) < words + 1


def test_a_file_without_the_words_of_the_treebank(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("nothing 1 2 3\nof 0 0 0\n")
    check_odd(trained_on(sentences(8), vectors=str(path)))
    with pytest.raises(InputError, match="no word of the treebank has a vector"):
        trained_on(sentences(8), vectors=str(path), max_vectors=0)


def test_files_of_vectors_that_cannot_be_read(tmp_path):
    path = tmp_path / "vectors.txt"
    with pytest.raises((InputError, OSError)):
        trained_on(sentences(4), vectors=str(path))
    path.write_text("a 1 2\nb 1\n")
    with pytest.raises(InputError, match=r"vectors\.txt"):
        trained_on(sentences(4), vectors=str(path))


def test_other_vectors_are_another_run(tmp_path):
    path, few = tmp_path / "vectors.txt", sentences(8)
    path.write_text("the 1 2 3\n")
    chosen = settings(vectors=str(path))
    list(training(few, None, chosen, checkpoint=tmp_path / "c"))
    path.write_text("the 3 2 1\n")
    with pytest.raises(InputError, match="other vector data"):
        list(training(few, None, chosen, checkpoint=tmp_path / "c", resume=True))


# ---- settings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given, message",
    [
        ({"tags": "gold"}, "the network predicts tags itself; train it with tags=predicted"),
        ({"tags": "jackknife"}, "the network predicts tags itself; train it with tags=predicted"),
        ({"hidden_size": 20}, "hidden_size must be a multiple of 16, not 20"),
        ({"max_vectors": 5}, "the setting max_vectors has no effect, because there is no file of vectors"),
        ({"oracle": "static", "explore": 0.5}, "the setting explore has no effect, because the static oracle"),
        ({"clusters": "x"}, "no features of word clusters"),
        ({"margin": 3}, "margin is a setting of the perceptron, not of the network"),
        ({"encoder": "bilstm"}, "encoder is a setting of the stack-LSTM, not of the network"),
        ({"layers": 0}, "layers must be between 1 and 8"),
        ({"dropout": 1.0}, "dropout must be"),
        ({"folds": 3}, "the setting folds has no effect"),
    ],
    ids=str,
)
def test_settings_that_are_wrong(given, message):
    with pytest.raises(UsageError, match=message):
        Settings.of(**{"scorer": "network"} | given)


def test_default_settings():
    found = Settings.of(scorer="network")
    assert found.tagger.tags == "predicted"
    assert found.epochs is None
    epochs = [found.for_treebank(words).epochs for words in (1, 20_000, 200_000, 10**7)]
    assert epochs == sorted(epochs, reverse=True)
    assert epochs[0] > epochs[-1] > 1
    assert Settings.of(scorer="network", epochs=3).for_treebank(10).epochs == 3


# ---- without PyTorch -------------------------------------------------------------------------------------------------

WITHOUT_TORCH = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch",):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
import importlib.util

find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "torch" else find_spec(name, *rest)
import gardenpath as gp

model = gp.load(sys.argv[1])
print(model("the dog barked").sentences[0].heads)
print(model.parse(list(gp.read_conllu(sys.argv[2])))[0].heads)
try:
    gp.train(sys.argv[2], scorer="network", epochs=1)
except gp.UsageError as error:
    print(error)
assert "torch" not in sys.modules
"""


def test_parsing_needs_no_torch(tmp_path):
    model = gp.train(TRAIN, scorer="network", epochs=1, layers=1, hidden_size=16)
    model.save(tmp_path / "m")
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, tmp_path / "m", DEV], capture_output=True, text=True, check=False,
    )
    assert result.returncode == 0, result.stderr
    text, parsed, error = result.stdout.splitlines()
    assert text == str(model("the dog barked").sentences[0].heads)
    assert parsed == str(model.parse(sentences(1, DEV))[0].heads)
    assert error == "the network needs PyTorch to train; install it with: pip install 'gardenpath[neural]'"
