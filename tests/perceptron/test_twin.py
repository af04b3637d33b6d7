"""Training and parsing against a slow twin: the same decisions, the same mistakes, the same scores at every step.

The twin reads features from plain lists of heads, so dependents, valencies and label sets must be correct after
every repair.
"""

from pathlib import Path

import pytest
from slow_trainer import SlowTrainer

import gardenpath as gp
from gardenpath.models.settings import Settings
from gardenpath.models.training import training
from gardenpath.parsing.trace import trace_parser
from gardenpath.trees import projectivise

SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "sample-train.conllu"
TEMPLATES = """
S0wp  # every address, every property
S0p N0p
N0w
N1p S1u
S2p N2x
S0p N0p d
S0p vl vr
N0p vl
S0sl sr
S1sl sr N0sl
S0hp S0p
S0h2p
S0hl
S0l
S1l S2l
S0lp S0l2p
S0ll S0l2l
S0rp S0r2p
S0rl S0r2l
N0ll N0l2p
N0rl
S0lhp vr
S0i2 N0e3
S1e2
S0m N0m
S0m[Number] N0m[Number]
N0m[PronType]
A0w
A1p A0p
A0p S1p S0p
A0l vr
A0rp A0sl
S1p S0p
S1wp
S1lp S0p
S1rl S0ll
S1p vl vr
S1sr S0sl
S1l S0l
S1w d
S2w S3p
S2rl S2lp
S0l'p S0r'w
S0r'l N0l'l
S1r'hp S0l'vr
CLw
CRp CLp d
CLl CRhp
CRl'w CLr'l2p
S0p N0p CRu
"""


@pytest.fixture(scope="module", params=[24, pytest.param(36, marks=pytest.mark.long)])
def sentences(request):
    """Sentences whose letters take one to four bytes."""
    sentences = list(gp.read_conllu(SAMPLE))[:request.param]
    for sentence in sentences:
        for word in sentence:
            word.form = word.form.replace("e", "é").replace("o", "語").replace("t", "🌱")
    return sentences


def compare(tmp_path, sentences, tag="xpos", **chosen):
    (tmp_path / "templates.txt").write_text(TEMPLATES)
    settings = Settings.of(features=str(tmp_path / "templates.txt"), tag=tag, tags="gold", **chosen)
    learnt = sentences[:2 * len(sentences) // 3]
    *_, last = training(learnt, None, settings)
    model = last.model
    derives = gp.oracles.of(model.parser.system).derives
    trees = [
        (
            sentence.heads if derives(sentence.heads) else projectivise(sentence.heads),
            [word.deprel for word in sentence],
        )
        for sentence in learnt
    ]
    twin = SlowTrainer(
        [sentence.words for sentence in learnt], trees, settings, model.description["templates"], tag
    ).train()
    assert (model.description["decisions"], model.description["mistakes"]) == (twin.decisions, twin.mistakes)
    twin.freeze()
    compared = deep = 0
    for sentence in sentences[len(sentences) // 2:]:
        for step in trace_parser(model.parser, sentence.words):
            if step.scores:
                compared += 1
                deep += any(twin.depth(move) > 2 for move in step.scores)
                totals = twin.score(twin.seen(step.configuration, sentence.words))
                expected = {}
                for move, scored in twin.choices(step.configuration):
                    expected[move] = max(totals[move][scored], expected.get(move, totals[move][scored]))
                assert step.scores == expected
                assert step.score == max(step.scores.values())
    assert compared > 100
    assert deep > 5 or twin.name != "lr-spine"


@pytest.mark.parametrize("system", gp.systems.names())
def test_exploring(system, sentences, tmp_path):
    compare(tmp_path, sentences, system=system, epochs=2)


@pytest.mark.parametrize("oracle", ["static", "nondet"])
@pytest.mark.parametrize(
    "system", ["arc-eager", "arc-eager-nmd", "arc-eager-unshift", "arc-standard", "lr-spine", "attardi"]
)
def test_following_gold(system, oracle, sentences, tmp_path):
    compare(tmp_path, sentences, system=system, oracle=oracle, epochs=2)


@pytest.mark.parametrize("chosen", [
    {"system": "arc-eager-nmd", "labelled_reduce": True},
    {"system": "arc-eager-nmld", "labelled_reduce": True, "prefer": "any"},
    {"system": "arc-eager-nmld", "prefer": "monotonic-only"},
    {"system": "arc-eager-unshift", "separate_unshift": True},
    {"system": "arc-eager-unshift", "tag": "upos", "prefer": "any"},
    {"system": "arc-eager-unshift", "explore_from": 3, "seed": 7},
    {"system": "arc-eager-unshift", "explore": 0.0},
    {"system": "arc-eager-unshift", "margin": 0, "min_updates": 1},
    {"system": "arc-eager-nmld", "margin": 3, "min_updates": 2},
    {"system": "lr-spine", "margin": 3, "min_updates": 2, "tag": "upos"},
    {"system": "lr-spine", "margin": 0, "min_updates": 1, "single_root": False},
    {"system": "arc-standard", "margin": 3, "single_root": False},
    {"system": "attardi", "margin": 0, "min_updates": 1, "single_root": False},
], ids=str)
def test_other_settings(chosen, sentences, tmp_path):
    compare(tmp_path, sentences, epochs=3, **chosen)
