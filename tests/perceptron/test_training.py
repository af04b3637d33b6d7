"""The training loop: what it yields, what settings change, what it refuses; and that it learns."""

import gc
import hashlib
import os
import threading

import pytest

import gardenpath as gp
from gardenpath.errors import InputError, UsageError
from gardenpath.features.templates import read_templates
from gardenpath.models.settings import Settings
from gardenpath.models.training import best_of, train_steps
from gardenpath.trees import find_problems
from sample import DEV, TRAIN, small, trained

ONE_WORD = "1\tHello\thello\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
CROSSING = (
    "".join(
        f"{i}\tw{i}\t_\tX\tY{i % 2}\t_\t{head}\t{'root' if head == 0 else 'dep'}\t_\t_\n"
        for i, head in enumerate([3, 4, 0, 3], 1)
    )
    + "\n"
)


def weights(model):
    return model.parser.scorer.weights.slots_array.tobytes(), model.parser.scorer.weights.rows_array.tobytes()


def train(path, **settings):
    return gp.train(path, **{"epochs": 2} | settings)


@pytest.mark.parametrize("system", gp.systems.names())
def test_it_learns(system):
    record = trained(system).description
    assert record["dev_las"] > 85
    assert record["dev_uas"] >= record["dev_las"]
    assert record["settings"]["system"] == system


@pytest.mark.parametrize("settings", [{}, {"beam": 2, "prefer": "any"}], ids=str)
def test_labels_of_wrong_arcs(settings, tmp_path):
    path = small(tmp_path)
    any_label, gold, default = (
        weights(train(path, **settings, **given))
        for given in ({"wrong_arc_labels": "any"}, {"wrong_arc_labels": "gold"}, {})
    )
    assert any_label == default != gold


@pytest.mark.parametrize("oracle", ["static", "nondet", "dynamic"])
@pytest.mark.parametrize("system", gp.systems.names())
def test_every_oracle_trains(system, oracle, tmp_path):
    model = train(small(tmp_path, 60), dev=DEV, system=system, oracle=oracle, epochs=3)
    assert model.description["dev_las"] > 50


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(tmp_path):
    path = small(tmp_path)
    for explore in (1.0, 0.5):
        assert (
            weights(train(path, seed=1, explore=explore))
            == weights(train(path, seed=1, explore=explore))
            != weights(train(path, seed=2, explore=explore))
        )


def test_exploration(tmp_path):
    """With explore=0 training follows gold transitions. The probability does not matter before epoch `explore_from`."""
    path = small(tmp_path)
    models = [weights(train(path, explore=explore)) for explore in (0.0, 0.5, 1.0)]
    assert len(set(models)) == 3
    assert weights(train(path, explore_from=3)) == models[0]
    assert weights(train(path, explore_from=2)) not in models


@pytest.mark.parametrize(
    "chosen",
    [
        {"margin": 0},
        {"min_updates": 1},
        {"prefer": "any"},
        {"tag": "upos"},
        {"features": "zhang-nivre"},
        {"separate_unshift": True},
        {"nonprojective": "skip"},
        {"system": "arc-eager"},
        {"oracle": "static"},
        {"epochs": 3},
    ],
    ids=str,
)
def test_settings_matter_and_are_recorded(chosen, tmp_path):
    path = small(tmp_path)
    model = train(path, **chosen)
    assert weights(model) != weights(train(path))
    recorded = Settings.from_dict(model.description["settings"])
    assert recorded.changed(**chosen) == recorded


@pytest.mark.parametrize(
    "system, name",
    [
        ("arc-eager", "rich"),
        ("arc-standard", "arc-standard"),
        ("lr-spine", "lr-spine"),
        ("attardi", "attardi"),
        ("covington-nm", "covington"),
    ],
)
def test_a_system_has_its_own_templates(system, name, tmp_path):
    path = small(tmp_path, 10)
    auto = train(path, system=system)
    assert (auto.description["settings"]["features"], auto.description["templates"]) == ("auto", read_templates(name))
    assert weights(auto) == weights(train(path, system=system, features=name))


def test_a_labelled_reduce_has_classes_of_its_own(tmp_path):
    path = small(tmp_path)
    plain, labelled = (
        train(path, system="arc-eager-nmd", labelled_reduce=labelled).parser.classes for labelled in (False, True)
    )
    assert labelled.size == plain.size + len(plain.inventories["right"])


def test_steps_say_what_happened(monkeypatch):
    monkeypatch.setattr("gardenpath.perceptron.training.REPORT_EVERY", 150)
    steps = list(train_steps(TRAIN, dev=DEV, epochs=3))
    assert [(step.number, step.sentences, step.total, step.ended) for step in steps] == [
        (number, sentences, 400, ended)
        for number in (1, 2, 3)
        for sentences, ended in ((150, False), (300, False), (400, False), (400, True))
    ]
    for step in steps:
        assert (step.model is not None) is (step.uas is not None) is (step.las is not None) is step.ended
        assert 0 < step.accuracy < 100
        assert step.words_per_second > 0
    ends = [step for step in steps if step.ended]
    best = -1.0
    for step in ends:
        assert step.is_best is (step.las > best)
        best = max(best, step.las)
        assert (step.model.description["pass"], step.model.description["dev_las"]) == (step.number, round(step.las, 4))
    assert not any(step.is_best for step in steps if not step.ended)


def test_a_model_keeps_its_weights_while_training_goes_on(tmp_path):
    first, second = [step.model for step in train_steps(small(tmp_path), epochs=2) if step.ended]
    assert weights(first) == weights(train(tmp_path / "small.conllu", epochs=1)) != weights(second)


def test_dev_scores_are_those_of_the_evaluation(tmp_path):
    model = train(small(tmp_path), dev=DEV)
    gp.write_conllu(model.parse(gp.read_conllu(DEV), retag=True), tmp_path / "parsed.conllu")
    result = gp.evaluate(DEV, tmp_path / "parsed.conllu")
    assert (model.description["dev_uas"], model.description["dev_las"]) == (
        pytest.approx(result.uas, abs=1e-3),
        pytest.approx(result.las, abs=1e-3),
    )


def test_without_a_dev_set_every_epoch_is_the_best_so_far(tmp_path):
    steps = list(train_steps(small(tmp_path), epochs=3))
    assert [step.is_best for step in steps if step.ended] == [True] * 3
    assert all(step.las is None for step in steps)
    assert best_of(iter(steps)).description["pass"] == 3


def test_an_interruption_keeps_the_best_model():
    steps = list(train_steps(TRAIN, dev=DEV, epochs=4))

    def interrupted(after):
        yield from steps[:after]
        raise KeyboardInterrupt

    for after in range(2, len(steps) + 1):
        assert best_of(interrupted(after)) is [step.model for step in steps[:after] if step.is_best][-1]
    with pytest.raises(KeyboardInterrupt):
        best_of(interrupted(1))


def test_nonprojective_sentences_are_lifted_or_skipped(tmp_path):
    path = tmp_path / "some.conllu"
    path.write_text(CROSSING + ONE_WORD)
    lifted, skipped = (train(path, nonprojective=way).description for way in ("lift", "skip"))
    assert (lifted["sentences"], lifted["words"], lifted["lifted"], lifted["skipped"]) == (2, 5, 1, 0)
    assert (skipped["sentences"], skipped["words"], skipped["lifted"], skipped["skipped"]) == (1, 1, 0, 1)
    path.write_text(CROSSING)
    with pytest.raises(
        InputError,
        match="arc-eager-unshift cannot build any of the trees, and such sentences are skipped; "
        "train with nonprojective=lift",
    ):
        train(path, nonprojective="skip")


@pytest.mark.parametrize("xpos, tag", [("Y{}", "xpos"), ("_", "upos"), ("Y", "upos")])
def test_the_tag_is_xpos_where_it_says_something(xpos, tag, tmp_path):
    path = tmp_path / "tagged.conllu"
    path.write_text("".join(ONE_WORD.replace("UH", xpos.format(i)) for i in range(20)))
    assert train(path).description["tag"] == tag


def test_a_large_xpos_column_holds_no_tags(tmp_path):
    path = tmp_path / "tagged.conllu"
    path.write_text("".join(ONE_WORD.replace("UH", f"Y{i}") for i in range(500)))
    assert train(path).description["tag"] == "upos"


SEVERAL_ROOTS = CROSSING.replace("3\tdep", "0\troot", 1)


def test_several_roots_on_request(tmp_path):
    path = tmp_path / "several.conllu"
    path.write_text(SEVERAL_ROOTS)
    for system in ("arc-eager", "arc-standard", "lr-spine", "attardi", "covington", "covington-nm"):
        with pytest.raises(InputError, match="several roots: words 1 and 3"):
            train(path, system=system)
        for oracle in ("static", "nondet", "dynamic"):
            [parsed] = train(path, system=system, oracle=oracle, single_root=False, epochs=10, min_updates=1).parse(
                gp.read_conllu(path)
            )
            # The arc from 4 crosses that from the root.
            assert parsed.heads == [0, 4 if system in ("attardi", "covington", "covington-nm") else 3, 0, 3]
            assert [word.deprel for word in parsed] == ["root", "dep", "root", "dep"]
    with pytest.raises(UsageError, match="arc-eager-tree always ends with one root word"):
        train(path, system="arc-eager-tree", single_root=False)


def test_every_system_has_its_oracles():
    bounds = {"covington-nm": ["lower", "pc-upper", "upper", "lower-strict"]}
    fixed = {"swap": ["lazy", "eager"], "stay-eager": ["non-static"]}
    for system in gp.systems.names():
        kinds = ["static", *fixed.get(system, []), "nondet", "dynamic", *bounds.get(system, [])]
        assert gp.oracles.kinds(system) == [*kinds, "exact"]
        assert gp.oracles.bounds(system) == bounds.get(system, [])
        for kind in kinds:
            assert Settings.of(system=system, oracle=kind).parser.explores is (
                kind == "dynamic" or kind in bounds.get(system, [])
            )
        assert [kind for kind in kinds if gp.oracles.is_fixed(kind)] == ["static", *fixed.get(system, [])]
        for kind in {
            "lower",
            "pc-upper",
            "upper",
            "lower-strict",
            "lazy",
            "eager",
            "non-static",
            "exact",
            "nonsense",
        } - set(kinds):
            with pytest.raises(UsageError, match=f"^oracle must be one of {', '.join(kinds)}, not '{kind}'$"):
                Settings.of(system=system, oracle=kind)


@pytest.mark.parametrize(
    "chosen",
    [
        {"oracle": "lower"},
        {"oracle": "upper"},
        {"oracle": "lower-strict"},
        {"oracle": "pc-upper", "lookahead": 1},
        {"prefer": "shift-first"},
    ],
    ids=str,
)
def test_the_bounds_train_each_in_its_own_way(chosen):
    model = train(TRAIN, system="covington-nm", epochs=1, **chosen)
    assert weights(model) != weights(train(TRAIN, system="covington-nm", epochs=1))
    assert model.description["settings"].items() >= chosen.items()


def test_the_dynamic_oracle_of_covington_nm_is_one_of_the_bounds(tmp_path):
    path = small(tmp_path)
    dynamic, bound = (
        train(path, system="covington-nm", oracle=oracle, explore=0.5) for oracle in ("dynamic", "pc-upper")
    )
    assert (
        weights(dynamic)
        == weights(bound)
        == weights(train(path, system="covington-nm", oracle="pc-upper", explore=0.5, lookahead=0))
    )


@pytest.mark.parametrize(
    "chosen, message",
    [
        ({"system": "nonsense"}, "no system is called 'nonsense'"),
        ({"system": "arc-eager", "oracle": "lower"}, "oracle must be one of static, nondet, dynamic, not 'lower'"),
        ({"system": "covington", "oracle": "upper"}, "oracle must be one of static, nondet, dynamic, not 'upper'"),
        (
            {"system": "covington-nm", "oracle": "exact"},
            "oracle must be one of static, nondet, dynamic, lower, pc-upper, upper, lower-strict, not 'exact'",
        ),
        (
            {"system": "covington-nm", "oracle": "lower", "lookahead": 1},
            "lookahead must be 0, because the lower oracle of covington-nm does not use it",
        ),
        (
            {"system": "covington-nm", "oracle": "static", "lookahead": 1},
            "lookahead must be 0, because the static oracle of covington-nm does not use it",
        ),
        (
            {"system": "covington-nm", "lookahead": 1},
            "lookahead must be 0, because the dynamic oracle of covington-nm does not use it",
        ),
        (
            {"system": "covington", "lookahead": 1},
            "lookahead must be 0, because the dynamic oracle of covington does not use it",
        ),
        (
            {"system": "arc-eager", "oracle": "static", "lookahead": 2},
            "lookahead must be 0, because the static oracle of arc-eager does not use it",
        ),
        ({"system": "covington-nm", "oracle": "pc-upper", "lookahead": 9}, "lookahead must be between 0 and 8, not 9"),
        (
            {"system": "covington-nm", "oracle": "pc-upper", "lookahead": -1},
            "lookahead must be between 0 and 8, not -1",
        ),
        (
            {"system": "covington-nm", "oracle": "pc-upper", "lookahead": "1"},
            "lookahead must be a whole number, not '1'",
        ),
        ({"oracle": "exact"}, "oracle must be one of static, nondet, dynamic, not 'exact'"),
        ({"prefer": "all"}, "prefer must be one of auto, repair-last, .*, not 'all'"),
        ({"explore": "0.5"}, "explore must be a number, not '0.5'"),
        ({"single_root": "False"}, "single_root must be True or False, not 'False'"),
        ({"tag": "pos"}, "tag must be one of auto, xpos, upos, not 'pos'"),
        ({"nonprojective": "keep"}, r"must be one of auto, lift, skip, head, path, head\+path, not 'keep'"),
        ({"epochs": 0}, "epochs must be between 1 and 1000000, not 0"),
        ({"seed": -1}, f"seed must be between 0 and {2**64 - 1}, not -1"),
        ({"seed": 2**64}, "seed must be between 0"),
        ({"explore": 1.5}, "explore must be between 0 and 1, not 1.5"),
        ({"explore": float("nan")}, "explore must be between 0 and 1, not nan"),
        (
            {"system": "arc-eager", "labelled_reduce": True},
            "labelled_reduce needs a Reduce that can build an arc: arc-eager-nmd or arc-eager-nmld, not arc-eager",
        ),
        ({"features": "nonsense"}, "no template set 'nonsense'"),
        ({"tags": "silver"}, "tags must be one of auto, predicted, jackknife, gold"),
        ({"colour": "red"}, "there is no setting 'colour'; the settings are system, oracle, "),
        ({"epochs": "many"}, "epochs must be a whole number, not 'many'"),
        ({"margin": 10**12}, "margin must be between 0 and"),
        ({"min_updates": 256}, "min_updates must be between 1 and 255, not 256"),
    ],
)
def test_settings_that_make_no_sense(chosen, message):
    with pytest.raises(UsageError, match=message):
        train(TRAIN, **chosen)


def test_the_largest_seed(tmp_path):
    assert train(small(tmp_path, 3), seed=2**64 - 1, explore=0.5).description["settings"]["seed"] == 2**64 - 1


def test_a_broken_treebank_is_refused_before_training(tmp_path):
    path = tmp_path / "broken.conllu"
    path.write_text(ONE_WORD + "# sent_id = two\n" + CROSSING.replace("\t0\troot", "\t1\tdep"))
    with pytest.raises(
        InputError, match=f"^{path}:4: sent_id=two: words 1 and 3 form a cycle; change the HEAD of one of them"
    ):
        next(train_steps(path))
    with pytest.raises(InputError, match=f"^{path}:"):
        next(train_steps(TRAIN, dev=path))
    path.write_text("")
    with pytest.raises(InputError, match=f"^{path}: no sentences"):
        next(train_steps(path))
    with pytest.raises(FileNotFoundError):
        next(train_steps(tmp_path / "missing.conllu"))


def test_the_record_says_where_the_model_comes_from(tmp_path):
    path = small(tmp_path)
    record = train(path, licence="CC0", citation="Nobody 2001").description
    assert (record["treebank"], record["licence"], record["citation"]) == ("small", "CC0", "Nobody 2001")
    assert record["treebank_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert record["gardenpath"] == gp.__version__
    assert train(path, name="Other").description["treebank"] == "Other"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_treebank_may_come_through_a_pipe(tmp_path):
    content = small(tmp_path).read_bytes()
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(content,))
    writer.start()
    model = train(tmp_path / "pipe")
    writer.join()
    assert model.description["treebank_sha256"] == hashlib.sha256(content).hexdigest()
    assert weights(model) == weights(train(tmp_path / "small.conllu"))


def test_training_given_up_is_cleaned_up(tmp_path):
    """The garbage collector frees a trainer in a cycle of references, whatever was cleared before it."""
    from gardenpath import oracles, systems
    from gardenpath.perceptron.extractor import Extractor
    from gardenpath.perceptron.growing import GrowingWeights
    from gardenpath.perceptron.scorer import Perceptron
    from gardenpath.perceptron.trainer import PerceptronTrainer
    from gardenpath.systems.classes import Classes

    sentences = [sentence for sentence in gp.read_conllu(TRAIN) if gp.trees.is_projective(sentence.heads)]
    trees = [(sentence.heads, [word.deprel for word in sentence]) for sentence in sentences]
    system = systems.get("arc-eager")
    for _ in range(5):
        classes = Classes.of_trees(system, trees)
        scorer = Perceptron(system, classes, Extractor(system, ["S0w"]), GrowingWeights(classes.size))
        cycle = [
            PerceptronTrainer(scorer, oracles.of(system), [sentence.words for sentence in sentences], trees, seed=1)
        ]
        cycle[0].train(range(10), 1.0)
        cycle.append(cycle)
        del cycle, scorer
        assert gc.collect() > 0


def test_numbers_and_paths_of_any_kind_are_settings(tmp_path):
    """What is like a number or a path is stored as one, so that the model can be saved."""
    import numpy as np

    (tmp_path / "own.txt").write_text("S0w\nN0w\nS0p N0p\n")
    model = gp.train(TRAIN, epochs=np.int64(1), seed=np.int64(2), features=tmp_path / "own.txt")
    model.save(tmp_path / "model.gp")
    assert gp.load(tmp_path / "model.gp").description["settings"]["seed"] == 2


def test_seeds_of_all_sizes_differ():
    from gardenpath.core.random import shuffled

    orders = [tuple(shuffled(50, seed, 1)) for seed in (0, 1, 2**32, 2**32 + 1, 2**63, 2**64 - 1)]
    assert len(set(orders)) == len(orders)


def test_pruning_leaves_out_the_smallest_weights(tmp_path):
    models = {prune: train(small(tmp_path), tags="gold", prune=prune) for prune in (0.0, 0.5, 0.9)}
    weights = {prune: model.parser.scorer.weights for prune, model in models.items()}
    sizes = [(len(weight.slots_array), len(weight.rows_array)) for weight in weights.values()]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3
    assert sizes[2][1] < sizes[0][1] / 3
    assert all(weight.is_sound() for weight in weights.values())
    assert not find_problems(models[0.9].parse(list(gp.read_conllu(DEV))[:1])[0].heads)
