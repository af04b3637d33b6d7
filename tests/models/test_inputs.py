"""The input of models from Python: token lists, pairs, sentences to train on, and the usual mistakes."""

import copy
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath import GardenpathWarning, InputError, Sentence, UsageError
from sample import DEV, small, trained

FORMS = [["The", "dog", "saw", "the", "cat", "."], ["It", "ran", "away"]]


@pytest.fixture(scope="module")
def nlp():
    return trained(tags="predicted")


def columns(document):
    return [[word.columns()[1:8] for word in sentence] for sentence in document]


def test_lists_of_tokens(nlp):
    document = nlp(FORMS, input="tokens")
    assert columns(document) == columns(nlp("\n".join(map(" ".join, FORMS)), input="tokens"))
    assert columns(nlp(FORMS[1], input="tokens")) == columns(document)[1:]
    assert [sentence.text for sentence in document] == [" ".join(forms) for forms in FORMS]
    assert document.text == "The dog saw the cat . It ran away"
    assert document[0][0].start is None
    assert columns([nlp.parse([Sentence.from_words(FORMS[0])])[0]])[0] == columns(document)[0]
    assert nlp(["New York", "ran"], input="tokens")[0][0].form == "New York"


class Text(str):
    """A subclass of strings, as NumPy and libraries for HTML have."""


def test_subclasses_of_strings(nlp):
    assert nlp(Text("The dog ran.")).to_conllu() == nlp("The dog ran.").to_conllu()
    assert [each.text for each in nlp.pipe([Text("The dog ran.")])] == ["The dog ran."]
    forms = [Text(form) for form in FORMS[1]]
    assert columns(nlp(forms, input="tokens")) == columns(nlp(FORMS[1], input="tokens"))
    (parsed,) = nlp.parse([Sentence.from_words(forms)])
    assert type(parsed[0].form) is str


@pytest.mark.parametrize("threads", [1, 2])
def test_many_lists_of_tokens(nlp, threads):
    found = list(nlp.pipe([FORMS, FORMS[1], "It ran"], threads, input="tokens"))
    assert [columns(document) for document in found] == [
        columns(nlp(each, input="tokens")) for each in (FORMS, FORMS[1], "It ran")
    ]


@pytest.mark.parametrize("threads", [1, 2])
def test_pairs(nlp, threads):
    texts = [("The dog ran.", {"id": 1}), ("", 2), ("It ran. It ran.", "three")] * 3
    found = list(nlp.pipe(iter(texts), threads, as_tuples=True))
    assert [context for _, context in found] == [context for _, context in texts]
    assert [document.to_conllu() for document, _ in found] == [nlp(text).to_conllu() for text, _ in texts]
    assert found[0][1] is texts[0][1]


def test_the_text_of_a_parsed_document(nlp):
    text = " The dog  ran.\n\nIt didn't."
    document = nlp(text)
    assert document.text == text
    for sentence in document:
        for word in sentence:
            span = word.subtree
            for piece in span.pieces:
                assert document.text[piece.start : piece.end].split() == piece.text.split() or word.token
        assert text[sentence[:].start : sentence[:].end].split() == sentence.text.split()


@pytest.mark.parametrize("call, problem", [
    (lambda nlp: nlp(["a", "b"]), "for a list of tokens add input='tokens', for many texts use `pipe`"),
    (lambda nlp: nlp(b"a"), "not bytes; decode it first"), (lambda nlp: nlp(None), "not NoneType"),
    (lambda nlp: nlp(Path("a.txt")), "not a path; read the file first"),
    (lambda nlp: nlp(Sentence.from_words(["a"])), "this is a Sentence, not a text; for sentences use `parse`"),
    (lambda nlp: nlp([], input="tokens"), "at least one token, but the list is empty"),
    (lambda nlp: nlp([["a"], []], input="tokens"), "sentence 2 is empty"),
    (lambda nlp: nlp([["a"], "b c"], input="tokens"), "not a string; split 'b c' into tokens first"),
    (lambda nlp: nlp(["a", "b\n"], input="tokens"), "token 2 of sentence 1"),
    (lambda nlp: nlp.pipe(None), "`pipe` takes many texts"), (lambda nlp: nlp.pipe(b"a"), "`pipe` takes many texts"),
    (lambda nlp: list(nlp.pipe(["a", None])), "text 2: the text must be a string"),
    (lambda nlp: list(nlp.pipe([("a", 1)])), "text 1: .*for pairs .text, context. add as_tuples=True"),
    (lambda nlp: list(nlp.pipe(["a"], as_tuples=True)), "text 1 is not a pair"),
    (lambda nlp: nlp.parse([["a"]]), "item 1 is not a sentence but list"), (lambda nlp: nlp.parse(None), "takes sent"),
    (lambda nlp: gp.train(None), "a treebank is the path of a CoNLL-U file, or a list of sentences, not NoneType"),
    (lambda nlp: gp.train(["a.conllu"]), "item 1 of the treebank is not a sentence but str"),
    (lambda nlp: list(gp.read_conllu("1\ta\n\n")), "the content of a file, not its name"),
    (lambda nlp: list(gp.read_conllu(b"a.conllu")), "bytes is not a path"),
])
def test_mistakes(nlp, call, problem):
    with pytest.raises(UsageError, match=problem):
        call(nlp)


def test_the_name_of_a_file_is_a_strange_text(nlp, tmp_path, monkeypatch):
    (tmp_path / "notes.txt").write_text("It ran.")
    monkeypatch.chdir(tmp_path)
    with pytest.warns(GardenpathWarning, match="the text 'notes.txt' is the name of a file; to parse its content"):
        assert nlp("notes.txt").text == "notes.txt"


def test_sentences_in_memory_train_the_same_model_as_a_file(tmp_path):
    path = small(tmp_path)
    sentences, dev = list(gp.read_conllu(path)), list(gp.read_conllu(DEV))[:40]
    before = copy.deepcopy(sentences), copy.deepcopy(dev)
    gp.write_conllu(dev, tmp_path / "dev.conllu")
    models = gp.train(path, dev=tmp_path / "dev.conllu", epochs=2), gp.train(
        gp.Document(sentences), dev=iter(dev), epochs=2, name="small",
    )
    for model, name in zip(models, ("file", "memory"), strict=True):
        model.save(tmp_path / name)
    assert (tmp_path / "file").read_bytes() == (tmp_path / "memory").read_bytes()
    assert (sentences, dev) == before


def test_a_treebank_in_memory_is_checked():
    good = Sentence.from_words([{"form": "a", "head": 0, "deprel": "root"}])
    for bad, problem in (
        (Sentence.from_words(["a"]), "sentence 2 of the treebank: word 1 has no head"),
        (Sentence.from_words([{"form": "a", "head": 0}], sent_id="x"), "sent_id=x: word 1 has a head but no DEP"),
        (Sentence(), "sentence 2 of the treebank has no words"),
    ):
        with pytest.raises(InputError, match=problem):
            gp.train([good, bad])
    with pytest.raises(InputError, match="the treebank has no sentences"):
        gp.train([])
