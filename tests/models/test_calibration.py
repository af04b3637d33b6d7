"""Confidence: fitting, calibration error, and the ways to read it."""

import json
import math
from copy import deepcopy
from io import BytesIO

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.core.calibration import MARGIN_NAMES, Calibration, features
from gardenpath.core.draft import Draft
from gardenpath.core.stored import BadModelError
from gardenpath.formats.confidence import Confidence, with_confidence
from gardenpath.formats.text import TextPiece
from gardenpath.models.calibration import calibration_error, fit
from sample import DEV, TEST, TRAIN, trained

TEXT = "The dog saw the cat. It didn't bark.\n\nThe cat ran."
SCALES = dict.fromkeys(MARGIN_NAMES, 2.0)
RECORD = {
    "words": 100, "scales": SCALES, "ece": {"head": 0.01, "label": 0.01, "arc": 0.01},
    "weights": {
        "upos": [1.0, 2.0, 3.0], "tag": [0.0, 2.0, 1.0], "head": [0.5, 1, 2, 3, 4, 5, 6, -7], "label": [0, 1, 2],
    },
}


@pytest.fixture(scope="module")
def model():
    return trained(tags="predicted")


def confidences(sentences):
    return [[word.confidence for word in sentence] for sentence in sentences]


def test_the_fit_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(1)
    design = np.column_stack([np.ones(40_000), rng.normal(size=(40_000, 2))])
    true = np.array([1.0, 2.0, -0.5])
    right = (rng.random(40_000) < 1 / (1 + np.exp(-design @ true))).astype(float)
    assert fit(design, right) == pytest.approx(true, abs=0.1)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_the_fit_is_finite_if_all_decisions_are_alike(value):
    design = np.column_stack([np.ones(50), np.arange(50) / 50, np.zeros(50)])
    weights = fit(design, np.full(50, value))
    probability = 1 / (1 + np.exp(-design[0] @ weights))
    assert abs(value - probability) == pytest.approx(1 / 52, abs=0.01)


def test_calibration_error():
    predicted, right = np.repeat([0.5, 1.0], 50), np.array([0, 1] * 25 + [1] * 50)
    assert calibration_error(predicted, right.astype(float)) == pytest.approx(0)
    assert calibration_error(predicted - 0.1, right.astype(float)) == pytest.approx(0.1)
    # One bin of ten has the confidence 0.9, and none of its decisions is right.
    assert calibration_error(np.repeat([0.1, 0.9], [90, 10]), np.repeat([0.1, 0.0], [90, 10])) == pytest.approx(0.09)


def test_probabilities_are_logistic_functions_of_the_margins():
    row = (4.0, -2.0, 6.0, math.inf, 2.0, math.inf, 5)
    x = features("head", SCALES, [row])[0]
    assert x == [1, 0.75, 0, 0.5, 0, 0, 1, 0.5]
    assert features("label", SCALES, [row]) == [[1, 0, 1]]
    assert features("tag", SCALES, [row]) == [[1, -0.5, 0]]
    found = Calibration(RECORD)(row)
    z = sum(a * b for a, b in zip(x, RECORD["weights"]["head"], strict=True))
    assert found.head == round(1 / (1 + math.exp(-z)), 4)
    assert found.label == round(1 / (1 + math.exp(-2)), 4)
    assert found.arc == pytest.approx(found.head * found.label)


def test_a_tag_is_at_most_as_certain_as_its_upos():
    record = RECORD | {"weights": RECORD["weights"] | {"upos": [-3.0, 0, 0]}}
    found = Calibration(record)((1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1))
    assert found.upos == found.tag > 0.5


def test_unknown_margins_give_unknown_probabilities_and_nothing_is_certain():
    nan = math.nan
    assert Calibration(RECORD)((nan, nan, 1.0, 1.0, nan, 1.0, 1)) == (None, None, None, pytest.approx(0.6, abs=0.2))
    record = RECORD | {"weights": {"head": [1000] + [0] * 7, "label": [-1000, 0, 0]}}
    assert Calibration(record)((nan, nan, 1.0, 1.0, 1.0, 1.0, 1)) == (None, None, 0.9999, 0.0001)


@pytest.mark.parametrize("change", [
    {"scales": {}}, {"scales": SCALES | {"head": 0.0}}, {"scales": SCALES | {"focus": 10**400}},
    {"weights": {"head": [1.0] * 8}}, {"weights": {"head": [1.0] * 7, "label": [1.0] * 3}},
    {"weights": {"head": [math.nan] * 8, "label": [1.0] * 3}}, {"weights": RECORD["weights"] | {"upos": "abc"}},
    {"ece": None}, {"words": "many"},
])
def test_records_are_checked(change):
    with pytest.raises(BadModelError):
        Calibration(RECORD | change)


def test_calibration_does_not_change_parses_and_survives_the_file(model, tmp_path):
    calibrated = model.calibrated(gp.read_conllu(TEST))
    assert calibrated.is_calibrated
    assert calibrated(TEXT).to_conllu() == model(TEXT).to_conllu()
    calibrated.save(tmp_path / "model.gp")
    loaded = gp.load(tmp_path / "model.gp")
    assert loaded.about.calibration == calibrated.about.calibration
    assert confidences(loaded(TEXT)) == confidences(calibrated(TEXT))
    assert all(0 < value < 1 for words in confidences(loaded(TEXT)) for word in words for value in word)


def test_a_broken_calibration_in_a_file_is_an_error(model, tmp_path):
    calibrated = model.calibrated(gp.read_conllu(TEST))
    record = json.loads(json.dumps(calibrated.about.calibration))
    record["weights"]["head"].pop()
    object.__setattr__(calibrated, "about", calibrated.about.with_parts(calibration=record))
    calibrated.save(tmp_path / "broken.gp")
    with pytest.raises(gp.InputError, match="the weights 'head'"):
        gp.load(tmp_path / "broken.gp")
    for error in (None, "x", []):
        with pytest.raises(BadModelError, match="the calibration error"):
            Calibration({**calibrated.about.calibration, "ece": {**record["ece"], "tag": error}})


def test_training_calibrates_on_the_dev_set_if_there_is_one(model):
    assert model.about.calibration["words"] == sum(map(len, gp.read_conllu(DEV)))
    assert set(model.about.calibration["ece"]) == {"upos", "tag", "head", "label", "arc"}
    alone = gp.train(TRAIN, epochs=1)
    assert not alone.is_calibrated
    assert {word.confidence for sentence in alone(TEXT) for word in sentence} == {None}
    with pytest.raises(gp.UsageError, match="no calibration"):
        alone.to_conllu([TextPiece(TEXT, 0, False)], confidence=True)


def test_a_model_without_a_tagger_knows_nothing_of_tags():
    parsed = trained(tags="gold").parse(gp.read_conllu(TEST))
    assert {word.confidence[:2] for sentence in parsed for word in sentence} == {(None, None)}
    assert all(word.confidence.arc for sentence in parsed for word in sentence)


def test_drafts_and_sentences_have_the_same_confidence(model):
    document = model(TEXT)
    expected = confidences(document)
    again = deepcopy(document)
    for sentence in again:
        for word in sentence:
            word.confidence = None
    assert confidences(model.parse(again, retag=True)) == expected
    # Given tags have no confidence of their own, unless it is known from before.
    for sentence in again:
        for word in sentence:
            word.confidence = None
    assert {word.confidence.upos for sentence in model.parse(again) for word in sentence} == {None}
    assert confidences(model.parse(document)) == expected


def test_old_confidence_does_not_survive_another_parse(model):
    document = model(TEXT)
    gp.train(TRAIN, epochs=1).parse(document)
    assert {word.confidence for sentence in document for word in sentence} == {None}


def test_words_of_drafts_have_no_margins_before_they_are_parsed():
    assert all(math.isnan(margin) for margin in Draft.of([["It", "barked"]]).margins[1])


def test_conllu_is_the_same_from_drafts_and_from_documents(model):
    native = b"".join(model.to_conllu([TextPiece(TEXT, 0, False)], confidence=True, ranges=True)).decode()
    document = gp.Document.of(model.to_sentences([TextPiece(TEXT, 0, False)], ranges=True))
    assert native == document.to_conllu(confidence=True) != document.to_conllu()
    in_misc = gp.Document.of(model.to_sentences([TextPiece(TEXT, 0, False)], ranges=True, confidence=True))
    assert in_misc.to_conllu() == native == in_misc.to_conllu(confidence=True)
    head = document.sentences[0].words[0].confidence.head
    assert f"ConfHead={head:.4f}|" in native
    assert [sentence.to_conllu() for sentence in gp.read_conllu(BytesIO(native.encode()))]


def test_items_of_misc():
    assert with_confidence("_", Confidence(head=0.5)) == "ConfHead=0.5000"
    assert with_confidence("A=1|ConfHead=0.1|B", Confidence(head=0.5, label=0.25)) == (
        "A=1|B|ConfHead=0.5000|ConfLabel=0.2500"
    )
    assert with_confidence("ConfHead=0.1", Confidence()) == "_"
    assert with_confidence("ConfHead=0.1", None) == "ConfHead=0.1"


def test_json_and_tables_keep_confidence(model):
    document = model(TEXT)
    document.sentences[0].words[0].confidence = Confidence(head=0.5)
    document.sentences[0].words[1].confidence = None
    expected = confidences(document)
    assert confidences(gp.Document.from_json(document.to_json())) == expected
    assert "confidence" not in document.to_dict()["sentences"][0]["words"][1]
    assert confidences(gp.Document.from_dataframe(document.to_dataframe())) == expected
    for nested in (False, True):
        assert confidences(gp.Document.from_arrow(document.to_arrow(nested=nested))) == expected
    frame = document.to_dataframe()
    assert list(frame["conf_head"].dropna()) == [
        word.head for sentence in expected for word in sentence if word is not None
    ]


@pytest.mark.parametrize("value", [1, {"head": 2}, {"head": "high"}, {"other": 0.5}])
def test_wrong_confidence_in_json_is_an_error(value):
    words = [{"id": 1, "form": "Yes", "confidence": value}]
    with pytest.raises(gp.InputError, match="word 1: `confidence` should be an object with"):
        gp.Document.from_json(json.dumps({"sentences": [{"words": words}]}))


def test_calibration_needs_trees_and_enough_of_them(model):
    sentences = list(gp.read_conllu(TEST))
    with pytest.raises(gp.UsageError, match="at least 20 sentences"):
        model.calibrated(sentences[:19])
    sentences[3].words[0].head = None
    with pytest.raises(gp.InputError, match="has no HEAD"):
        model.calibrated(sentences)


def test_k_best_parses_have_no_confidence(model):
    sentence = model(TEXT).sentences[0]
    with pytest.warns(gp.GardenpathWarning):
        parses = model.kbest(sentence, 2, beam=4)
    assert {word.confidence for _, parse in parses for word in parse} == {None}
    assert None not in {word.confidence for word in sentence}
