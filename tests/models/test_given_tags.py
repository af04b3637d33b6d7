"""Given tags and lemmas: they stay, the others agree with them, and they change the tree of a network as well."""

import random
from copy import deepcopy
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.formats.document import Word
from gardenpath.pipeline.given import TagAgreement
from sample import TEST

FIRST = Path(__file__).parents[2] / "data" / "first-sentences" / "first-sentences.conllu"
COLUMNS = ("lemma", "upos", "xpos", "raw_feats")
TAGS = [
    ("NOUN", "NN", "Number=Sing"), ("VERB", "VB", "VerbForm=Inf"), ("VERB", "VBP", "VerbForm=Fin"), ("X", "_", "_"),
    ("NOUN", "NNS", "_"),
]


@pytest.fixture(scope="module", params=["en", "en-fast"])
def nlp(request):
    return gp.load(request.param)


@pytest.fixture(scope="module")
def network():
    return gp.load("en")


def removed(seed):
    """Return sentences without heads, in which words have lost some of their columns; some have lost none."""
    rng = random.Random(seed)
    sentences = rng.sample([*gp.read_conllu(FIRST), *gp.read_conllu(TEST)], 40)
    for sentence in sentences:
        share = rng.choice((0, 0.2, 0.5, 0.9, 1))
        for word in sentence:
            word.head, word.deprel = None, "_"
            for column in COLUMNS:
                if rng.random() < share:
                    setattr(word, column, "_")
    return sentences


def columns(sentences):
    return [tuple(getattr(word, column) for column in COLUMNS) for sentence in sentences for word in sentence]


def restored(sentences, before):
    """Return copies of sentences with the tags and lemmas of others."""
    copies = deepcopy(sentences)
    for sentence, other in zip(copies, before, strict=True):
        for word, old in zip(sentence, other, strict=True):
            for column in COLUMNS:
                setattr(word, column, getattr(old, column))
    return copies


def old_man(**man):
    return gp.Sentence.from_words(["The", "old", {"form": "man", **man}, "the", "boat"])


@pytest.mark.parametrize("given, numbers", [
    (("VERB", None, None), (1, 2)), ((None, "NNS", None), (4,)), ((None, None, "VerbForm=Fin"), (2,)),
    (("VERB", None, "VerbForm=Fin"), (2,)), (("NOUN", None, "_"), (4,)), (("X", "_", "_"), (3,)),
    (("VERB", "VB", "VerbForm=Fin"), (1,)),          # FEATS are ignored before XPOS
    (("VERB", "VVFIN", "VerbForm=Fin"), (2,)),       # XPOS of another tag set
    (("VERB", "NN", "Number=Sing"), (1, 2)),         # UPOS before everything else
    (("V", "NN", None), (0,)), (("V", "VVFIN", "VerbForm=Fin"), None), ((None, "VVFIN", None), None),
    ((None, None, "Case=Nom"), None), ((None, None, None), None),
])
def test_tags_that_agree(given, numbers):
    assert TagAgreement(TAGS).agreeing(given) == numbers


def test_given_columns():
    agreement = TagAgreement(TAGS)
    sentence = gp.Sentence([
        Word(1, "a", upos="NOUN"), Word(2, "b", xpos="NN"), Word(3, "c"), Word(4, "d", upos="X"), Word(5, "e", "e"),
    ])
    pairs = [("NOUN", None), (None, "NN"), (None, None), ("X", "_"), (None, None)]
    assert agreement.columns_of(sentence) == [(*pair, None) for pair in pairs]
    sentence[2].feats = "A=b"
    assert agreement.columns_of(sentence) == [
        ("NOUN", None, "_"), (None, "NN", "_"), (None, None, "A=b"), ("X", "_", "_"), (None, None, None),
    ]


@pytest.mark.parametrize("words, by_xpos, by_upos", [
    (["NOUN/NN", "VERB/VB"], True, True), (["NOUN/_", "VERB/_"], False, True), (["NOUN/NN", "VERB/_"], False, True),
    (["NOUN/NN", "_/VB"], False, False), (["NOUN/NN", "X/_"], True, True), (["NOUN/NN", "_/_"], False, False),
])
def test_sentences_with_tags(words, by_xpos, by_upos):
    tags = [word.split("/") for word in words]
    sentence = gp.Sentence([Word(i, "a", upos=upos, xpos=xpos) for i, (upos, xpos) in enumerate(tags, 1)])
    agreement = TagAgreement(TAGS)
    assert (agreement.is_tagged(sentence, "xpos"), agreement.is_tagged(sentence, "upos")) == (by_xpos, by_upos)


@pytest.mark.parametrize("seed", range(3))
def test_given_values_stay_and_the_others_agree(nlp, seed):
    before, known = removed(seed), set(map(tuple, nlp.tagger.tags))
    agreement, tag = TagAgreement(known), nlp.about.tag
    completed = 0
    for sentence, old in zip(nlp.parse(deepcopy(before)), before, strict=True):
        assert gp.trees.is_tree(sentence.heads)
        if agreement.is_tagged(old, tag):
            assert columns([sentence]) == columns([old])
            continue
        completed += 1
        for word, given, kept in zip(sentence, agreement.columns_of(old), columns([old]), strict=True):
            for value, own in zip(columns([[word]])[0], kept, strict=True):
                assert own in ("_", value)
            assert "_" not in (word.lemma, word.upos, word.xpos)
            if any(all(own in (None, value) for own, value in zip(given, tag, strict=True)) for tag in known):
                assert (word.upos, word.xpos, word.raw_feats) in known
    assert 10 < completed < 40


def test_batches_and_threads_make_no_difference(nlp):
    before = removed(4)
    together = nlp.parse(deepcopy(before))
    assert [nlp.parse([sentence])[0] for sentence in deepcopy(before)] == together
    assert nlp.parse(deepcopy(before)[::-1], threads=2)[::-1] == together
    assert columns(nlp.tagged(deepcopy(before))) == columns(together)
    for sentence, parsed in zip(before[:10], together, strict=False):
        untouched = deepcopy(sentence)
        *_, last = nlp.trace(sentence)
        best = nlp.kbest(sentence, 1)[0][1]
        assert sentence == untouched
        assert (best.heads, columns([best])) == (parsed.heads, columns([parsed]))
        assert last.arc is None or last.arc in list(zip(parsed.heads, range(1, 99), strict=False))


def test_sentences_with_all_tags_stay(nlp):
    gold = list(gp.read_conllu(FIRST))
    for sentence in gold:
        for word in sentence:
            word.lemma, word.feats = "_", "_"
    assert columns(nlp.parse(deepcopy(gold))) == columns(gold)


@pytest.mark.parametrize("upos, lemma", [("NOUN", "saw"), ("VERB", "see")])
def test_lemmas_agree_with_given_tags(nlp, upos, lemma):
    sentence = gp.Sentence.from_words(["The", {"form": "saw", "upos": upos}, "."])
    assert nlp.parse([sentence])[0][1].lemma == lemma


def test_given_tags_change_the_tree(nlp):
    """The boat is what they man."""
    assert nlp.parse([old_man()])[0][4].deprel != "obj"
    for man in ({"upos": "VERB"}, {"xpos": "VBP"}, {"upos": "VERB", "xpos": "VVFIN"}):
        sentence = nlp.parse([old_man(**man)])[0]
        assert (sentence[2].head, sentence[4].head, sentence[4].deprel) == (0, 3, "obj")
        assert nlp.parse([sentence], retag=True) == nlp.parse([old_man()])


def test_given_tags_of_other_words_are_features_of_the_perceptron():
    fast = gp.load("en-fast")
    free, bound = (gp.Sentence.from_words([word, "plan", "."]) for word in ("to", {"form": "to", "upos": "DET"}))
    assert fast.parse([free])[0][1].upos == "VERB"
    assert fast.parse([bound])[0][1].upos == "NOUN"


def test_values_that_the_model_does_not_know_are_kept_and_ignored(network):
    strange = {"upos": "Q", "feats": "Foo=Bar"}
    parsed, other = network.parse([old_man(**strange)])[0], network.parse([old_man()])[0]
    assert (parsed[2].upos, parsed[2].feats) == ("Q", "Foo=Bar")
    assert (parsed.heads, parsed[2].xpos, parsed[2].lemma) == (other.heads, other[2].xpos, other[2].lemma)


def test_parsing_predicted_tags_again_gives_the_same_trees(network):
    document = network(" ".join(sentence.text for sentence in gp.read_conllu(FIRST)))
    assert network.parse(deepcopy(document.sentences)) == document.sentences
    for sentence in document.sentences[:10]:
        assert network.kbest(sentence, 1)[0][1].heads == sentence.heads


def test_the_parser_alone_ignores_tags(network):
    """Training evaluates on the dev set with predicted tags only, and so does calibration."""
    tagged, plain = old_man(upos="VERB"), old_man()
    network.parser.parse([tagged.words])
    network.parser.parse([plain.words])
    assert tagged.heads == plain.heads
    assert network.parser.margins([tagged.words]) == network.parser.margins([plain.words])


def test_the_confidence_of_given_tags_is_unknown(nlp):
    sentence = nlp.parse([old_man(upos="VERB")])[0]
    assert sentence[2].confidence[:2] == (None, None)
    assert None not in (*sentence[1].confidence, sentence[2].confidence.head)
    sentence = nlp.parse([old_man(xpos="VBP")])[0]
    assert sentence[2].confidence.upos is not None
    assert sentence[2].confidence.tag is None


def test_tags_of_another_tag_set(network):
    sentence = gp.Sentence([Word(1, "Hunde", upos="N"), Word(2, "bellen", upos="V"), Word(3, ".", upos="PUNCT")])
    with pytest.warns(gp.GardenpathWarning, match=r"2 of the first 3 words have an UPOS .* never seen, such as N, V"):
        network.parse([sentence])
