"""Ensembles of networks: the equations, training, and model files."""

from __future__ import annotations

from functools import cache
from itertools import islice

import numpy as np
import pytest
from slow_encoder import SlowEnsemble
from tiny import bytes_of, randomised, sentences, settings, tiny, trained_on

import gardenpath as gp
from gardenpath.core import storage
from gardenpath.errors import InputError, UsageError
from gardenpath.models.training import best_of, training
from gardenpath.network.ensemble import ensemble
from gardenpath.parsing.guides import by_moves
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.trace import trace_parser
from gardenpath.trees import find_problems
from sample import DEV, TEST


@cache
def trained(networks=2, seed=5):
    return tiny("arc-eager", seed=seed, networks=networks)


def arrays_of(model):
    return {name: np.asarray(array) for name, array in model.parser.scorer.arrays().items()}


@pytest.mark.parametrize("networks", [2, 3])
@pytest.mark.parametrize("exact", [True, False])
def test_equations_of_tags_and_vectors(networks, exact):
    """The scores of tags and lemma rules are means. The vector of a word has a part of each network."""
    models = [tiny("arc-eager", seed=seed) for seed in range(5, 5 + networks)]
    slow = SlowEnsemble([arrays_of(model) for model in models], exact)
    given = [[word.form for word in sentence] for sentence in sentences(12, TEST)]
    joined = ensemble([model.parser.scorer for model in models])
    tags, probabilities, rules, vectors, scales = joined.encoder.encode(given)
    tolerance = 2e-3 if exact else 0.1                    # the mean of two 8-bit matrices is rounded again
    for i, (p, scores, v) in enumerate(each for forms in given for each in slow.encode(forms)):
        assert p[tags[i]] >= p.max() - tolerance
        assert probabilities[i] == pytest.approx(p.max(), abs=tolerance)
        np.testing.assert_allclose(rules[i], scores, atol=20 * tolerance)
        np.testing.assert_allclose(vectors[i] * scales[i], v, atol=5 * tolerance + 0.51 * scales[i])
    assert len(set(tags)) > 1


def test_scores_of_transitions_are_means():
    """Networks with the same encoder and different random weights above it, and one class per transition."""
    few = sentences(20)
    for word in (word for sentence in few for word in sentence):
        word.deprel = "dep"
    model = trained_on(few, nonprojective="lift")
    parsers = [randomised(model, seed) for seed in (2, 4, 6)]
    joined = Parser(ensemble([parser.scorer for parser in parsers]))
    compared = 0
    for sentence in sentences(5, TEST):
        steps = list(trace_parser(joined, sentence.words))
        moves = [step.move for step in steps]
        others = [list(trace_parser(parser, sentence.words, guide=by_moves(moves))) for parser in parsers]
        for step, *alone in zip(steps, *others, strict=True):
            if step.score is None:
                continue
            means = {move: np.mean([other.scores[move] for other in alone]) for move in step.scores}
            total = np.logaddexp.reduce(list(means.values()))
            for move, score in step.scores.items():
                assert score == pytest.approx(means[move] - total, rel=1e-3, abs=1e-2)
                compared += abs(score - alone[0].scores[move]) > 1
    assert compared > 50


def test_an_ensemble_of_equal_networks_is_that_network():
    model = tiny("arc-eager", seed=5)
    joined = Parser(ensemble([model.parser.scorer] * 3), nonprojective=model.parser.nonprojective)
    given = [sentence.words for sentence in sentences(30, TEST)]
    heads = [[word.head for word in words] for words in joined.parse(given)]
    assert heads == [[word.head for word in words] for words in model.parser.with_beam(1).parse(given)]


def test_networks_of_different_treebanks_are_refused():
    other = trained_on(sentences(20, DEV), system="arc-eager")
    with pytest.raises(UsageError, match="different symbols or sizes"):
        ensemble([tiny("arc-eager", seed=5).parser.scorer, other.parser.scorer])
    larger = tiny("arc-eager", seed=6, hidden_size=32)
    with pytest.raises(UsageError, match="different symbols or sizes"):
        ensemble([tiny("arc-eager", seed=5).parser.scorer, larger.parser.scorer])


# ---- training --------------------------------------------------------------------------------------------------------


def test_each_network_is_that_of_a_training_with_its_seed():
    found = arrays_of(trained(networks=3))
    for number in range(3):
        alone = arrays_of(tiny("arc-eager", seed=5 + number))
        prefix = f"network.{number + 1}." if number else "network."
        for name in ("layer1.ahead.in", "layer1.back.back.scale", "form_vectors", "spelling.ahead.bias", "spelt"):
            assert np.array_equal(found[prefix + name], alone[f"network.{name}"])


def test_a_resumed_run_is_the_run_that_never_stopped(tmp_path):
    few, dev, path = sentences(8), sentences(6, DEV), tmp_path / "model"
    chosen = settings(epochs=3, networks=2)
    straight = list(training(few, dev, chosen, checkpoint=tmp_path / "a"))
    wanted = bytes_of(best_of(iter(straight)), path)
    first = next(i for i, step in enumerate(straight, 1) if step.ended)
    list(islice(training(few, dev, chosen, checkpoint=tmp_path / "b"), first))
    after = list(training(few, dev, chosen, checkpoint=tmp_path / "b", resume=True))
    assert bytes_of(best_of(iter(after)), path) == wanted
    assert (tmp_path / "b").read_bytes() == (tmp_path / "a").read_bytes()


def test_progress_counts_the_sentences_of_all_networks():
    steps = list(training(sentences(8), None, settings(epochs=2, networks=3)))
    assert [(step.number, step.sentences, step.total) for step in steps if step.ended] == [(1, 24, 24), (2, 24, 24)]
    assert all(step.sentences <= step.total for step in steps)


# ---- model files -----------------------------------------------------------------------------------------------------


def test_a_file_gives_the_same_model(tmp_path):
    model = trained()
    first = bytes_of(model, tmp_path / "a")
    loaded = gp.load(tmp_path / "a")
    assert bytes_of(loaded, tmp_path / "b") == first
    given = [gp.Sentence([gp.Word(word.id, word.form) for word in each]) for each in sentences(20, TEST)]
    parsed = [[(word.head, word.deprel, word.upos) for word in each] for each in model.parse(given)]
    assert [[(word.head, word.deprel, word.upos) for word in each] for each in loaded.parse(given, threads=2)] == parsed
    assert all(not list(find_problems([word[0] for word in each], single_root=True)) for each in parsed)
    assert "ensemble of 2 networks" in dict(loaded.parser.scorer.summary(None, None))["scorer"]


def changed(arrays, record):
    """Yield changes of the file of an ensemble that give no model."""
    second = [name for name in arrays if name.startswith("network.2.")]
    yield {name: array for name, array in arrays.items() if name not in second}, record
    yield arrays | {name.replace("network.2.", "network.3."): arrays[name] for name in second}, record
    yield {name.replace("network.2.", "network.4."): array for name, array in arrays.items()}, record
    for networks in (1, 3, 0, "2", None):
        yield arrays, record | {"settings": record["settings"] | {"networks": networks}}
    for name in second:
        yield {key: array for key, array in arrays.items() if key != name}, record
        yield arrays | {name: arrays[name][:-1]}, record
        yield arrays | {name: arrays[name].astype(np.float64)}, record


def test_files_that_were_tampered_with_are_refused(tmp_path):
    trained().save(tmp_path / "model")
    stored, record = storage.load(tmp_path / "model")
    arrays = {name: np.array(array) for name, array in stored.items() if not name.endswith(".gap")}
    tried = 0
    for others, description in changed(arrays, record):
        storage.save(tmp_path / "other", others, description)
        with pytest.raises(InputError):
            gp.load(tmp_path / "other")
        tried += 1
    assert tried > 60
