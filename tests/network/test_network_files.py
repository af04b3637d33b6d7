"""Model files of networks: what is in them, damaged ones, and results that depend on nothing else."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from tiny import bytes_of, odd_sentences, sentences, settings, trained_on

import gardenpath as gp
from gardenpath.formats.text import read_pieces
from gardenpath.models.training import best_of, train_steps
from gardenpath.network import training as network_training
from sample import DEV, TEST, TRAIN

SIZES = ("CHARACTER_DIM", "CHARACTER_HIDDEN_SIZE", "WORD_DIM", "PARSER_DIM", "SLOT_DIM")


@pytest.fixture(scope="module")
def model():
    """A model with a tokenizer."""
    return best_of(train_steps(TRAIN, config=settings(tokenizer="gardenpath", explore=0.5)))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The file of a model with small arrays of all kinds."""
    path = tmp_path_factory.mktemp("small")
    (path / "vectors.txt").write_text("the 1 2 3\nof 0 0 0\nold 3 4 4\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in SIZES:
            patch.setattr(network_training, name, 16)
        trained_on(sentences(12), vectors=str(path / "vectors.txt"), layers=2).save(path / "small.gp")
    return path / "small.gp"


def test_files_that_were_tampered_with(small, tmp_path):
    program = Path(__file__).with_name("tamper_files.py")
    result = subprocess.run([sys.executable, program, small, tmp_path], capture_output=True, text=True, check=False)
    last = (result.stdout.splitlines() or [""])[-1]
    assert result.returncode == 0, f"{last}\n{result.stderr[-3000:]}"
    tried, refused = (int(word) for word in last.replace(",", "").split() if word.isdigit())
    assert tried > 900
    assert refused > 600


def parsed(model, given):
    return [[(word.head, word.deprel, word.upos, word.lemma) for word in each] for each in model.parse(given)]


def untagged(path=TEST, number=30):
    return [gp.Sentence([gp.Word(word.id, word.form) for word in each]) for each in sentences(number, path)]


def test_what_is_saved_is_what_is_loaded(model, tmp_path):
    first = bytes_of(model, tmp_path / "a")
    loaded = gp.load(tmp_path / "a")
    assert bytes_of(loaded, tmp_path / "b") == first
    assert loaded.description == model.description
    assert parsed(loaded, untagged()) == parsed(model, untagged())


def test_a_model_can_be_pickled(model, tmp_path):
    model.save(tmp_path / "m")
    for each in (model, gp.load(tmp_path / "m")):
        again = pickle.loads(pickle.dumps(each))
        assert parsed(again, untagged()) == parsed(model, untagged())
        assert bytes_of(again, tmp_path / "n") == (tmp_path / "m").read_bytes()


def test_a_model_describes_itself(model):
    rows = dict(model.parser.scorer.summary(model.about.settings.scorer, model.about))
    assert "parameters" in rows["scorer"]
    assert "vectors" not in rows


def texts():
    return [sentence.text for path in (TEST, DEV) for sentence in sentences(60, path)]


@pytest.mark.parametrize("beam", [None, 3])
def test_threads_and_batches_do_not_change_results(model, tmp_path, beam):
    model.save(tmp_path / "m")
    given = texts()
    alone = [model(text, beam=beam).to_conllu() for text in given]
    for threads in (1, 2):
        for fresh in (True, False):
            nlp = gp.load(tmp_path / "m") if fresh else model        # with an empty cache of forms, or a full one
            assert [doc.to_conllu() for doc in nlp.pipe(given, threads=threads, beam=beam)] == alone
    whole = "\n\n".join(given).encode()
    written = [
        b"".join(model.to_conllu(read_pieces(io.BytesIO(whole)), threads, beam=beam)) for threads in (1, 2)
    ]
    assert written[0] == written[1]


@pytest.mark.parametrize("beam", [1, 3])
def test_the_order_of_sentences_does_not_change_results(model, tmp_path, beam):
    model.save(tmp_path / "m")
    fresh = gp.load(tmp_path / "m")

    def given():
        return [*untagged(), *(gp.Sentence(words) for words in odd_sentences())]

    alone = [parsed(model, [sentence])[0] for sentence in given()]
    for nlp in (fresh, model):
        parser = nlp.parser.with_beam(beam)
        forwards = parser.parse([sentence.words for sentence in given()])
        backwards = parser.parse([sentence.words for sentence in given()[::-1]])[::-1]
        assert [[word.head for word in words] for words in forwards] == [
            [word.head for word in words] for words in backwards
        ]
    for threads in (1, 2):
        assert [
            [(word.head, word.deprel, word.upos, word.lemma) for word in each]
            for each in fresh.parse(given(), threads)
        ] == alone


def test_tags_that_are_replaced_do_not_change_trees(model):
    trees = [each.heads for each in model.parse(untagged(number=20))]
    for given in (sentences(20, TEST), untagged(number=20)):
        assert [each.heads for each in model.parse(given, retag=True)] == trees


def test_given_tags_stay(model):
    gold, tagged = sentences(20, TEST), model.parse(sentences(20, TEST))
    assert [word.columns()[:6] for each in tagged for word in each] == [
        word.columns()[:6] for each in gold for word in each
    ]


def test_text_and_sentences_give_the_same_trees(model):
    for text in texts()[:30]:
        document = model(text)
        again = [gp.Sentence([gp.Word(word.id, word.form) for word in sentence]) for sentence in document]
        assert [each.heads for each in model.parse(again)] == [each.heads for each in document]


def test_traces_and_kbest(model):
    sentence = sentences(3, TEST)[2]
    steps = list(model.trace(sentence))
    heads = {step.arc[1]: step.arc[0] for step in steps if step.arc}
    (tree,) = model.parse([sentences(3, TEST)[2]])
    assert [heads.get(word.id, 0) for word in tree] == tree.heads
    (_, best), *rest = model.kbest(sentence, 3, beam=4)
    (beam,) = model.parse([sentences(3, TEST)[2]], beam=4)
    assert best.heads == beam.heads
    assert len(rest) <= 2


def test_empty_input(model):
    assert model.parse([]) == []
    assert list(model.pipe([])) == []
    assert len(model("").sentences) == 0
    assert len(model("\n\n \n").sentences) == 0
    assert model.parse([gp.Sentence([])])[0].words == []
