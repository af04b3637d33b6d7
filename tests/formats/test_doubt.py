"""Confidence in pictures."""

from xml.etree import ElementTree

import pytest

from gardenpath.formats.confidence import Confidence
from gardenpath.formats.document import Document, Sentence, Word

SVG = "{http://www.w3.org/2000/svg}"


def sentence(*confidences):
    words = [Word(1, "Dogs", upos="NOUN", head=2, deprel="nsubj"), Word(2, "bark", upos="VERB", head=0, deprel="root")]
    for word, confidence in zip(words, confidences, strict=False):
        word.confidence = confidence
    return Sentence(words)


def elements(picture, name):
    found = ElementTree.fromstring(picture.encode()).iter()
    return [element for element in found if name in element.get("class", "").split()]


def doubts(picture, name):
    """Return the levels of doubt of the elements with a class."""
    classes = [element.get("class").split() for element in elements(picture, name)]
    return [next((int(each[-1]) for each in names if each.startswith("gp-doubt-")), 0) for names in classes]


def title(picture, name):
    """Return the tooltip of the first element with a class."""
    return elements(picture, name)[0].find(f"{SVG}title").text


@pytest.mark.parametrize(("probability", "level"), [(0.95, 0), (0.94, 1), (0.8, 1), (0.79, 2), (0.5, 2), (0.49, 3)])
def test_levels(probability, level):
    picture = sentence(Confidence(head=probability)).to_svg(confidence=True)
    assert doubts(picture, "gp-arc") == [level, 0]


def test_each_annotation_has_its_own_level():
    picture = sentence(Confidence(upos=0.4, tag=0.1, head=0.7, label=0.9)).to_svg(confidence=True)
    assert doubts(picture, "gp-arc") == [2, 0]
    assert doubts(picture, "gp-label-group") == [1, 0]
    assert doubts(picture, "gp-tag") == [3, 0]
    assert title(picture, "gp-arc") == "head 70 %"
    assert title(picture, "gp-label-group") == "label 90 %"
    assert title(picture, "gp-word") == "1 Dogs _ NOUN _ _ upos 40 %"


def test_without_the_option_nothing_changes():
    doubtful = sentence(Confidence(upos=0.4, tag=0.1, head=0.7, label=0.9))
    assert doubtful.to_svg() == sentence().to_svg()
    assert "doubt" not in doubtful.to_svg()


def test_unknown_confidence():
    assert doubts(sentence().to_svg(confidence=True), "gp-arc") == [0, 0]
    assert doubts(Document([sentence(Confidence(head=0.1))]).to_svg(confidence=True), "gp-arc") == [3, 0]
