"""Trees that a system cannot build are lifted, skipped, or lifted with marks in the labels and lowered again."""

import copy
import pickle
import random

import pytest

import gardenpath as gp
from brute import random_tree
from gardenpath.errors import InputError
from gardenpath.parsing.trace import LOWER
from gardenpath.pseudo import ENCODINGS, any_decorated, is_decorated
from gardenpath.trees import is_projective, is_tree, projectivise
from sample import DEV, TEST, TRAIN

SYSTEMS = ["arc-eager", "arc-eager-unshift", "arc-standard", "lr-spine", "attardi"]
# Non-projective trees with their labels: Attardi's parser can build the first two, the others no system can.
BUILT_BY_ATTARDI = [
    ([2, 4, 4, 0, 7, 7, 2, 4], "det nsubj:pass aux:pass root case det nmod obl"),
    ([3, 4, 0, 3], "a b root d"),
]
BUILT_BY_NONE = [([2, 3, 0, 1], "a b root d"), ([3, 1, 0, 2], "b a root c")]
PROJECTIVE = [([2, 0, 2], "a root d")]
TEMPLATES = (
    "S0w N0w\nS0w S1w N0w\nS0w S1w S2w\nS0w vl vr N0w\nS1w S0w vl vr\nS0l N0w\n"  # enough to know a few trees by heart
)

each_system = pytest.mark.parametrize("system", SYSTEMS)
each_encoding = pytest.mark.parametrize("encoding", ENCODINGS)


def by_heart(path, **settings):
    """A parser that has learnt a treebank by heart."""
    templates = path.with_name("templates.txt")
    templates.write_text(TEMPLATES)
    return gp.train(path, tags="gold", features=templates, min_updates=1, epochs=20, **settings)


def treebank(path, trees):
    """A treebank in which no two words are alike."""
    sentences = []
    for number, (heads, labels) in enumerate(trees):
        arcs = enumerate(zip(heads, labels.split(), strict=True), 1)
        sentences.append(
            gp.Sentence(
                [
                    gp.Word(i, f"w{number}.{i}", upos="X", xpos=f"T{number}.{i}", head=head, deprel=label)
                    for i, (head, label) in arcs
                ]
            )
        )
    gp.write_conllu(sentences, path / "some.conllu")
    return path / "some.conllu"


def trees(sentences):
    return [(sentence.heads, [word.deprel for word in sentence]) for sentence in sentences]


@pytest.fixture(scope="module")
def wild(tmp_path_factory):
    """Sentences of the sample with random trees, hardly one of which any system can build."""
    path, rng = tmp_path_factory.mktemp("wild") / "wild.conllu", random.Random(1)
    sentences = list(gp.read_conllu(TRAIN))[:40]
    for sentence in sentences:
        for word, head in zip(sentence, random_tree(rng, len(sentence)), strict=True):
            word.head, word.deprel = head, rng.choice(["a", "b", "a:x"]) if head else "root"
    gp.write_conllu(sentences, path)
    return path


@each_encoding
@each_system
def test_parses_are_trees_without_marks(system, encoding, wild):
    model = gp.train(wild, tags="gold", dev=wild, system=system, nonprojective=encoding, epochs=2)
    assert model.description["lifted"] > 20
    assert any_decorated(model.parser.classes.labels)
    parsed = trees(model.parse(gp.read_conllu(TEST)))
    assert trees(model.parse(gp.read_conllu(TEST), threads=2)) == parsed
    assert not all(is_projective(heads) for heads, _ in parsed)
    for heads, labels in parsed:
        assert is_tree(heads)
        assert set(labels) <= {"a", "b", "a:x", "root"}


@each_encoding
@each_system
def test_dev_scores_are_those_of_the_parses(system, encoding, wild, tmp_path):
    model = gp.train(wild, tags="gold", dev=DEV, system=system, nonprojective=encoding, epochs=1)
    gp.write_conllu(model.parse(gp.read_conllu(DEV)), tmp_path / "parsed.conllu")
    result = gp.evaluate(DEV, tmp_path / "parsed.conllu")
    assert (model.description["dev_uas"], model.description["dev_las"]) == (
        pytest.approx(result.uas, abs=1e-3),
        pytest.approx(result.las, abs=1e-3),
    )


@each_system
def test_an_encoding_brings_back_what_lifting_loses(system, tmp_path):
    path = treebank(tmp_path, BUILT_BY_ATTARDI + BUILT_BY_NONE + PROJECTIVE)
    gold = trees(gp.read_conllu(path))
    for encoding in ENCODINGS:
        assert trees(by_heart(path, system=system, nonprojective=encoding).parse(gp.read_conllu(path))) == gold
    built = 2 if system == "attardi" else 0
    lifted = [*gold[:built], *((projectivise(heads), labels) for heads, labels in gold[built:])]
    assert trees(by_heart(path, system=system).parse(gp.read_conllu(path))) == lifted


@each_system
def test_non_projective_sentences_of_the_sample(system):
    """With an encoding, or by Attardi's parser without one, some come out right."""
    gold = [sentence for sentence in gp.read_conllu(TEST) if not is_projective(sentence.heads)]
    parsed = gp.train(TRAIN, tags="gold", system=system, nonprojective="head", epochs=3).parse(copy.deepcopy(gold))
    assert sum(ours.heads == theirs.heads for ours, theirs in zip(parsed, gold, strict=True)) > 2


@pytest.mark.parametrize("nonprojective", ["lift", *ENCODINGS])
def test_only_what_a_system_cannot_build_is_lifted(nonprojective, tmp_path):
    path = treebank(tmp_path, BUILT_BY_ATTARDI + BUILT_BY_NONE + PROJECTIVE)
    for system, lifted in (("arc-standard", 4), ("attardi", 2)):
        record = gp.train(path, tags="gold", system=system, nonprojective=nonprojective, epochs=1).description
        assert (record["sentences"], record["words"], record["lifted"], record["skipped"]) == (5, 23, lifted, 0)


def test_only_what_a_system_cannot_build_is_skipped(tmp_path):
    path = treebank(tmp_path, BUILT_BY_ATTARDI + BUILT_BY_NONE + PROJECTIVE)
    for system, skipped in (("arc-standard", 4), ("attardi", 2)):
        record = gp.train(path, tags="gold", system=system, nonprojective="skip", epochs=1).description
        assert (record["sentences"], record["lifted"], record["skipped"]) == (5 - skipped, 0, skipped)
    model = by_heart(path, system="attardi", nonprojective="skip")
    assert trees(model.parse(gp.read_conllu(path)))[:2] == trees(gp.read_conllu(path))[:2]
    with pytest.raises(
        InputError,
        match="attardi cannot build any of the trees, and such sentences are skipped; train with nonprojective=lift",
    ):
        gp.train(treebank(tmp_path, BUILT_BY_NONE), tags="gold", system="attardi", nonprojective="skip")


@each_encoding
def test_what_a_system_can_build_is_not_marked(encoding, tmp_path):
    path = treebank(tmp_path, BUILT_BY_ATTARDI)
    assert not any_decorated(
        gp.train(path, tags="gold", system="attardi", nonprojective=encoding, epochs=1).parser.classes.labels
    )
    assert any_decorated(
        gp.train(path, tags="gold", system="lr-spine", nonprojective=encoding, epochs=1).parser.classes.labels
    )


@each_encoding
@pytest.mark.parametrize("system", ["arc-eager", "lr-spine", "attardi"])
def test_a_model_keeps_its_encoding(system, encoding, wild, tmp_path):
    model = gp.train(wild, tags="gold", system=system, nonprojective=encoding, epochs=1)
    model.save(tmp_path / "model.gp")
    expected = trees(model.parse(gp.read_conllu(TEST)))
    for other in (gp.load(tmp_path / "model.gp"), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.description["settings"]["nonprojective"] == other.parser.nonprojective == encoding
        assert trees(other.parse(gp.read_conllu(TEST))) == expected


@each_encoding
@each_system
def test_a_trace_lowers_in_its_last_steps(system, encoding, wild):
    model = gp.train(wild, tags="gold", system=system, nonprojective=encoding, epochs=1)
    lowered = 0
    for sentence in gp.read_conllu(TEST):
        steps = list(model.trace(sentence))
        last = [step for step in steps if step.move == LOWER]
        assert steps[len(steps) - len(last) :] == last
        assert not any(is_decorated(step.label) or step.scores or step.repair for step in last)
        lowered += len(last)
        arcs = {child: (head, step.label) for step in steps if step.arc for head, child in [step.arc]}
        for word in model.parse([sentence])[0]:
            head, label = arcs.get(word.id, (0, "root"))
            assert (word.head, word.deprel) == (head, label.partition("↑")[0].partition("↓")[0])
        assert all(step.text == f"LOWER({step.label})" for step in last)
    assert lowered > 5


@each_encoding
def test_a_treebank_with_marks_of_its_own(encoding, tmp_path):
    path = treebank(tmp_path, [*PROJECTIVE, ([0, 1], "root a↑d")])
    with pytest.raises(
        InputError,
        match=rf"^{path}:5: word 2 has DEPREL 'a↑d', but ↑ and ↓ are for lifted arcs; "
        "rename it or train without an encoding",
    ):
        gp.train(path, tags="gold", nonprojective=encoding)
    for nonprojective in ("lift", "skip"):
        model = by_heart(path, nonprojective=nonprojective)
        assert trees(model.parse(gp.read_conllu(path))) == trees(gp.read_conllu(path))


@each_encoding
@pytest.mark.parametrize("system", ["arc-eager", "arc-standard", "lr-spine"])
def test_what_was_lifted_to_the_root_stays_there(system, encoding, tmp_path):
    path = treebank(tmp_path, [([0, 4, 0, 1], "root a root d"), ([3, 4, 0, 0], "a b root root"), *BUILT_BY_NONE])
    first, second, *others = trees(gp.read_conllu(path))
    parsed = trees(by_heart(path, system=system, nonprojective=encoding, single_root=False).parse(gp.read_conllu(path)))
    assert parsed == [*((projectivise(heads), labels) for heads, labels in (first, second)), *others]
