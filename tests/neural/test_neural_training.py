"""Training: it learns, and it can be interrupted."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.core import storage
from gardenpath.models.settings import Settings
from gardenpath.models.training import training
from sample import DEV, TRAIN


def sentences(path, number):
    return list(islice(gp.read_conllu(path), number))


def settings(**changes):
    chosen = {"system": "stay-eager", "oracle": "non-static", "scorer": "stack-lstm", "tags": "gold"}
    return Settings.of(**chosen | {"epochs": 3, "batch_size": 4} | changes)


def ends(steps):
    return [step for step in steps if step.ended]


def bytes_of(steps):
    return [{name: array.tobytes() for name, array in step.model.parser.arrays().items()} for step in steps]


@pytest.mark.parametrize(
    "system, oracle, encoder",
    [
        ("swap", "lazy", "incremental"),
        ("stay-eager", "non-static", "incremental"),
        ("arc-eager-unshift", "static", "bilstm"),
    ],
)
def test_a_few_sentences_are_learnt_by_heart(system, oracle, encoder):
    few = sentences(TRAIN, 6)
    steps = ends(
        training(
            few,
            few,
            settings(
                system=system,
                oracle=oracle,
                encoder=encoder,
                epochs=15,
                batch_size=2,
                dropout=0.0,
                learning_rate=0.005,
                learning_rate_decay=0.0,
            ),
        )
    )
    assert steps[0].las < 60
    assert max(step.las for step in steps) > 97


def test_steps_tell_what_happened():
    steps = list(training(sentences(TRAIN, 12), sentences(DEV, 4), settings(epochs=2), {"treebank": "sample"}))
    last = [step for step in steps if step.ended]
    assert [step.number for step in last] == [1, 2]
    assert last[0].is_best
    assert last[1].is_best == (last[1].las > last[0].las)
    assert last[1].model.description["treebank"] == "sample"
    assert all(step.model is None for step in steps if not step.ended)


def test_the_same_seed_gives_the_same_model():
    few = sentences(TRAIN, 12)
    assert bytes_of(ends(training(few, few, settings(epochs=2)))) == bytes_of(
        ends(training(few, few, settings(epochs=2)))
    )


@pytest.mark.parametrize("chosen", [{}, {"beam": 2}, {"ema_decay": 0.9, "encoder": "bilstm"}], ids=str)
def test_a_resumed_run_is_the_run_that_never_stopped(tmp_path, chosen):
    few, dev, whole = sentences(TRAIN, 12), sentences(DEV, 4), settings(**chosen)
    straight = ends(training(few, dev, whole, checkpoint=tmp_path / "a"))
    first = list(islice((step for step in training(few, dev, whole, checkpoint=tmp_path / "b") if step.ended), 2))
    best, *rest = ends(training(few, dev, whole, checkpoint=tmp_path / "b", resume=True))
    assert best.is_best
    assert best.las == max(step.las for step in first)
    assert bytes_of([best]) == bytes_of([step for step in first if step.is_best][-1:])
    assert bytes_of(first + rest) == bytes_of(straight)
    assert [(step.number, step.las, step.is_best) for step in first + rest] == [
        (step.number, step.las, step.is_best) for step in straight
    ]
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_averages_are_not_the_parameters():
    few = sentences(TRAIN, 8)
    plain, averaged = (ends(training(few, None, settings(epochs=2, ema_decay=decay))) for decay in (0.0, 0.9))
    assert bytes_of(plain) != bytes_of(averaged)
    # Without learning the averages equal the parameters.
    slow, slowly = (
        ends(training(few, None, settings(epochs=1, learning_rate=0.0, ema_decay=decay)))[-1] for decay in (0.0, 0.999)
    )
    for name, array in slow.model.parser.arrays().items():
        np.testing.assert_allclose(array, slowly.model.parser.arrays()[name], rtol=1e-6)


def test_without_a_checkpoint_resuming_is_starting(tmp_path):
    few = sentences(TRAIN, 8)
    assert [
        step.number for step in ends(training(few, None, settings(epochs=2), checkpoint=tmp_path / "c", resume=True))
    ] == [1, 2]


def test_a_finished_run_still_has_its_best_model(tmp_path):
    few = sentences(TRAIN, 8)
    list(training(few, few, settings(epochs=1), checkpoint=tmp_path / "c"))
    (step,) = training(few, few, settings(epochs=1), checkpoint=tmp_path / "c", resume=True)
    assert step.is_best


def test_the_checkpoint_of_another_run_is_refused(tmp_path):
    few, path = sentences(TRAIN, 8), tmp_path / "c"
    list(training(few, None, settings(epochs=1), checkpoint=path))
    for train, dev, changes, named in (
        (few, None, {"batch_size": 8}, "batch=4, not 8"),
        (few[1:], None, {}, "other training data"),
        (few, few, {}, "other dev data"),
    ):
        with pytest.raises(gp.InputError, match=named):
            next(iter(training(train, dev, settings(epochs=2, **changes), checkpoint=path, resume=True)))


def test_a_damaged_checkpoint_is_refused(tmp_path):
    few, path = sentences(TRAIN, 8), tmp_path / "c"
    list(training(few, None, settings(epochs=1), checkpoint=path))
    arrays, record = storage.load(path)
    for broken, told in (
        ({name: array for name, array in arrays.items() if name != "exp_avg.stack.bias"}, record),
        (arrays, {"settings": {}}),
    ):
        storage.save(tmp_path / "d", broken, told)
        with pytest.raises(gp.InputError, match="checkpoint"):
            list(training(few, None, settings(epochs=2), checkpoint=tmp_path / "d", resume=True))
    path.write_bytes(path.read_bytes()[:-70])
    with pytest.raises(gp.InputError, match="cut short"):
        list(training(few, None, settings(epochs=2), checkpoint=path, resume=True))
