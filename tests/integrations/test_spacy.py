"""gardenpath for spaCy: the component, the tokenizer, the complete pipeline."""

import json
import pickle
import subprocess
import sys
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.errors import UsageError
from gardenpath.segmentation.raw import raw_text
from gardenpath.trees import find_problems
from sample import DEV, TEST, trained

spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'gardenpath[spacy]'")

from spacy.tokens import Doc  # noqa: E402
from spacy.training import Example  # noqa: E402

from gardenpath.integrations.spacy import Component, SpacyTokenizer, load  # noqa: E402

TEXT = "The old man the boat.  I don't think so.\n\nI saw Jack and Jill fall."


@cache
def english():
    return load("en")


@pytest.fixture(scope="module")
def whole():
    return english()


@pytest.fixture(scope="module")
def plain():
    return gp.load("en")


@pytest.fixture(scope="module")
def sample_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("spacy") / "sample.gp"
    trained(tags="predicted").save(path)
    return path


def triples(doc):
    """Return form, head (0 for a root) and label of all tokens except white space, as one list per sentence."""
    sentences = []
    for span in doc.sents:
        tokens = [token for token in span if not token.is_space]
        numbers = {token.i: number for number, token in enumerate(tokens, 1)}
        sentences.append(
            [
                (t.text, 0 if t.head is t or t.head == t else numbers[t.head.i], "root" if t.dep_ == "ROOT" else t.dep_)
                for t in tokens
            ]
        )
    return [sentence for sentence in sentences if sentence]


def expected(document):
    return [[(word.form, word.head, word.deprel) for word in sentence] for sentence in document]


def test_the_component_needs_no_import():
    code = (
        "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('gardenpath', config={'model': 'en'});"
        "print([t.dep_ for t in nlp('I fell.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['nsubj', 'ROOT', 'punct']\n"


def test_a_complete_pipeline_equals_the_plain_api(whole, plain):
    doc = whole(TEXT)
    assert doc.text == TEXT
    assert triples(doc) == expected(plain(TEXT))
    words = [word for sentence in plain(TEXT) for word in sentence]
    tokens = [token for token in doc if not token.is_space]
    assert [(t.tag_, t.pos_, t.lemma_, str(t.morph) or "_") for t in tokens] == [
        (w.xpos, w.upos, w.lemma, w.feats) for w in words
    ]
    assert [(t.pos_, t.tag_, t.dep_) for t in doc if t.is_space] == [("SPACE", "_SP", "dep")] * 2


def test_batches_give_the_same_result_as_single_documents(whole):
    texts = [raw_text([sentence]).strip() for sentence in gp.read_conllu(DEV)] + ["", " ", "\n\n"]
    together = [doc.to_bytes() for doc in whole.pipe(texts, batch_size=7)]
    assert together == [whole(text).to_bytes() for text in texts]


def test_spacys_own_tokens_are_parsed_as_words(plain):
    nlp = spacy.blank("en")
    nlp.add_pipe("gardenpath")
    doc = nlp("Hewlett-Packard's co-founder fell. He cried.")
    words = [[token.text for token in span] for span in doc.sents]
    sentences = plain.parse([gp.Sentence([gp.Word(i, form) for i, form in enumerate(forms, 1)]) for forms in words])
    assert triples(doc) == expected(sentences)
    assert [span.text for span in doc.sents] == ["Hewlett-Packard's co-founder fell.", "He cried."]
    assert [(token.pos_, token.tag_, token.lemma_, str(token.morph) or "_") for token in doc] == [
        (word.upos, word.xpos, word.lemma, word.feats) for sentence in sentences for word in sentence
    ]


def test_tags_and_lemmas_can_be_left_out():
    nlp = spacy.blank("en")
    nlp.add_pipe("gardenpath", config={"tags": False, "lemmas": False})
    doc = nlp("He cried.  ")
    assert not any(token.tag_ or token.pos_ or token.lemma_ or str(token.morph) for token in doc)
    assert doc[0].dep_ == "nsubj"


@pytest.mark.parametrize("text, chunks", [
    ("He gave his brother a book about birds.", ["He", "his brother", "a book", "birds"]),
    ("The two small children and their mother live in New York.", [
        "The two small children", "their mother", "New York",
    ]),
    ("My father is a doctor.", ["My father", "a doctor"]),
    ("Mary's brother likes the big red car that he bought.", ["Mary's brother", "the big red car", "that", "he"]),
])
def test_noun_chunks(text, chunks):
    nlp = spacy.blank("en")
    nlp.add_pipe("gardenpath")
    doc = nlp(text)
    assert [chunk.text for chunk in doc.noun_chunks] == chunks
    assert [chunk.text for chunk in doc[:].noun_chunks] == chunks
    back = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert [chunk.text for chunk in back.noun_chunks] == chunks


def test_threads_give_the_same_result():
    texts = [raw_text([sentence]).strip() for sentence in gp.read_conllu(DEV)] * 3 + ["", " \n "]
    one, two = (load("en-fast", threads=threads) for threads in (1, 2))
    assert one.lang == "en"
    assert [doc.to_bytes() for doc in one.pipe(texts)] == [doc.to_bytes() for doc in two.pipe(texts)]


def test_a_component_can_be_pickled(sample_file):
    nlp = load(sample_file)
    before = triples(nlp("The dog saw the cat."))
    component = pickle.loads(pickle.dumps(nlp.get_pipe("gardenpath")))
    words = [token.text for token in nlp.make_doc("The dog saw the cat.")]
    assert triples(component(Doc(component.vocab, words=words))) == before


@pytest.mark.skipif(not hasattr(spacy.vocab.Vocab, "memory_zone"), reason="spaCy 3.7 has no memory zones")
def test_labels_and_tags_outlive_a_memory_zone(sample_file):
    """The component keeps their numbers from its first document on."""
    nlp = spacy.blank("en")
    nlp.add_pipe("gardenpath", config={"model": str(sample_file)})
    text = "The doctor saw the old captain."
    with nlp.memory_zone():
        inside = [(token.dep_, token.tag_, token.pos_, str(token.morph), token.lemma_) for token in nlp(text)]
    assert [
        (token.dep_, token.tag_, token.pos_, str(token.morph), token.lemma_) for token in nlp(text)
    ] == inside


def test_an_unknown_upos_is_left_empty():
    """Models of treebanks with other tags work, too."""
    from gardenpath.integrations.spacy_arrays import tag_hashes

    vocab = spacy.blank("en").vocab
    [[pos, tag, morph]] = tag_hashes([("N", "_", "A=b")], vocab).tolist()
    assert (pos, vocab.strings[tag], vocab.strings[morph]) == (0, "", "A=b")


def test_existing_sentence_starts_are_kept():
    nlp = spacy.blank("en")
    nlp.add_pipe("gardenpath")
    words = ["I", "fell", ".", "He", "cried", "."]
    for starts in (
        [True, False, False, False, False, False], [True, False, True, False, True, False],
        [True, None, None, False, None, None],
    ):
        doc = nlp(Doc(nlp.vocab, words=words, sent_starts=starts))
        kept = [token.is_sent_start for token in doc]
        assert all(one == two for one, two in zip(kept, starts, strict=True) if two is not None)
        assert all(find_problems([head for _, head, _ in sentence]) == [] for sentence in triples(doc))
    assert sum(kept) == 1            # the segmenter would split before `He`, but its sentence start is set to False


def test_keep_tags_uses_the_tags_of_the_document(plain):
    nlp = spacy.blank("en")
    nlp.add_pipe("gardenpath", config={"keep_tags": True})
    sentence = plain("The old man the boat.").sentences[0]
    for xpos, upos in (("VBP", "VERB"), ("NN", "NOUN")):
        tags = [(word.xpos, word.upos) for word in sentence]
        tags[2] = xpos, upos
        columns = {
            "tags": [tag for tag, _ in tags], "pos": [pos for _, pos in tags],
            "morphs": [word.feats.replace("_", "") for word in sentence],
        }
        doc = Doc(nlp.vocab, words=[word.form for word in sentence], **columns)
        given = gp.Sentence(
            [
                gp.Word(w.id, w.form, upos=upos, xpos=xpos, feats=w.feats)
                for w, (xpos, upos) in zip(sentence, tags, strict=True)
            ]
        )
        assert triples(nlp(doc)) == expected(plain.parse([given]))


def test_a_saved_pipeline_gives_the_same_result_in_a_new_process(whole, tmp_path):
    texts = [raw_text([sentence]).strip() for sentence in gp.read_conllu(TEST)][:40]
    whole.to_disk(tmp_path / "pipeline")
    code = (
        "import spacy, sys, json; nlp = spacy.load(sys.argv[1]);"
        "docs = nlp.pipe(json.load(sys.stdin));"
        "rows = [[(t.text, t.head.i, t.dep_, t.tag_, t.lemma_, t.is_sent_start) for t in doc] for doc in docs];"
        "print(json.dumps(rows))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "pipeline"], input=json.dumps(texts), capture_output=True, text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [
        [[t.text, t.head.i, t.dep_, t.tag_, t.lemma_, t.is_sent_start] for t in doc] for doc in whole.pipe(texts)
    ]


def test_a_saved_pipeline_contains_its_model(sample_file, tmp_path):
    """The original model file may be deleted."""
    moved = tmp_path / "moved.gp"
    moved.write_bytes(sample_file.read_bytes())
    nlp = load(moved, threads=2)
    before = triples(nlp("The dog saw the cat."))
    nlp.to_disk(tmp_path / "pipeline")
    content = nlp.to_bytes()
    moved.unlink()
    assert triples(spacy.load(tmp_path / "pipeline")("The dog saw the cat.")) == before
    assert triples(load("en").from_bytes(content)("The dog saw the cat.")) == before


def test_spacys_scores_equal_ours(plain):
    """UAS and LAS with punctuation and full labels, on the test sentences with gold tokens and sentence boundaries."""
    gold = list(gp.read_conllu(TEST))
    nlp = spacy.blank("en")
    nlp.add_pipe("gardenpath", config={"score_punctuation": True})
    examples = []
    for sentence in gold:
        words = [word.form for word in sentence]
        heads = [word.id - 1 if not word.head else word.head - 1 for word in sentence]
        deps = ["ROOT" if not word.head else word.deprel for word in sentence]
        starts = [True] + [False] * (len(words) - 1)
        examples.append(
            Example(
                Doc(nlp.vocab, words=words, sent_starts=starts), Doc(nlp.vocab, words=words, heads=heads, deps=deps)
            )
        )
    scores = nlp.evaluate(examples)
    bare = [gp.Sentence([gp.Word(w.id, w.form) for w in sentence], sentence.comments) for sentence in gold]
    ours = gp.evaluate(gp.Document(gold), gp.Document(plain.parse(bare)), subtypes=True)
    assert 100 * scores["dep_las"] == pytest.approx(ours.las)
    assert 100 * scores["dep_uas"] == pytest.approx(ours.uas)
    assert scores["sents_f"] == 1
    without = nlp.get_pipe("gardenpath")
    without.score_punctuation = False
    assert nlp.evaluate(examples)["dep_las"] != scores["dep_las"]


def test_an_error_in_one_document_does_not_stop_the_others(monkeypatch):
    nlp = spacy.blank("en")
    component = nlp.add_pipe("gardenpath")
    failed = []
    component.set_error_handler(
        lambda name, _, docs, error: failed.append((name, [doc.text for doc in docs], str(error)))
    )
    annotate = component._annotate

    def choosy(docs):
        if any(doc.text == "poison" for doc in docs):
            raise ValueError("bad document")
        annotate(docs)

    monkeypatch.setattr(component, "_annotate", choosy)
    assert [doc.text for doc in component.pipe(map(nlp.make_doc, ["I fell.", "poison", "He cried."]))] == [
        "I fell.",
        "He cried.",
    ]
    assert failed == [("gardenpath", ["poison"], "bad document")]


def test_a_model_without_a_segmenter_needs_sentence_starts(tmp_path):
    trained().save(tmp_path / "gold.gp")
    nlp = spacy.blank("en")
    nlp.add_pipe("gardenpath", config={"model": str(tmp_path / "gold.gp"), "keep_tags": True})
    with pytest.raises(
        UsageError,
        match="no segmenter; add a component that sets sentence starts before it, such as spaCy's `sentencizer`",
    ):
        nlp("I fell.")


def test_a_multi_word_token_that_is_not_the_sum_of_its_words_stays_one_token(tmp_path):
    """A small treebank with French contractions."""
    lines = [
        "1\tje\t_\tPRON\t_\t_\t2\tnsubj", "2\tviens\t_\tVERB\t_\t_\t0\troot", "3-4\tdu\t_\t_\t_\t_\t_\t_",
        "3\tde\t_\tADP\t_\t_\t5\tcase", "4\tle\t_\tDET\t_\t_\t5\tdet", "5\tchat\t_\tNOUN\t_\t_\t2\tobl",
        "6\t.\t_\tPUNCT\t_\t_\t2\tpunct",
    ]
    block = (
        "# text = je viens du chat.\n"
        + "".join(f"{line}\t_\t{'SpaceAfter=No' if 'chat' in line else '_'}\n" for line in lines)
        + "\n"
    )
    (tmp_path / "french.conllu").write_text(block * 30, encoding="utf-8")
    doc = SpacyTokenizer(spacy.blank("fr").vocab, gp.train(tmp_path / "french.conllu", epochs=3))("je viens du chat.")
    assert [token.text for token in doc] == ["je", "viens", "du", "chat", "."]


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80) | st.text(" \n\t.ab", max_size=30))
def test_any_text_is_kept(text):
    doc = english()(text)
    assert doc.text == text
    for sentence in triples(doc):
        assert not find_problems([head for _, head, _ in sentence])


def test_a_component_can_be_created_directly(plain):
    nlp = spacy.blank("en")
    doc = Component(nlp.vocab, plain)(nlp("I fell."))
    assert [token.dep_ for token in doc] == ["nsubj", "ROOT", "punct"]


def test_the_old_name_of_the_tokenizer_is_deprecated():
    from gardenpath.integrations import spacy as module

    with pytest.warns(DeprecationWarning, match="Tokenizer is now called SpacyTokenizer"):
        assert module.Tokenizer is SpacyTokenizer
