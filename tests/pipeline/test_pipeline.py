"""A model for raw text: everything from characters to trees, by all ways in and out."""

import io
import pickle
from copy import deepcopy
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.formats import text as plain_text
from gardenpath.formats.text import read_pieces
from gardenpath.segmentation import udpipe
from gardenpath.segmentation.raw import raw_text
from gardenpath.trees import find_problems
from sample import DEV, TEST, TRAIN, small, trained

TEXT = raw_text(gp.read_conllu(TEST))
ODD = {
    "nothing": "",
    "spaces": " \t\n \u00a0\n\n ",
    "emoji": "The 👩‍👩‍👧 saw 🇫🇷 the dog 👍🏽.",
    "combining": "The cafe\u0301 and the nai\u0308ve dog.",
    "zero width": "The\u200b dog\u200d saw\ufeff it.",
    "right to left": "הכלב ראה את החתול. الكلب رأى القطة.",
    "long": "x" * 100_000,
    "long words": "word " * 20_000,
    "nul": "The\x00dog \x00 saw.",
    "windows": "The dog.\r\n\r\nThe cat\r\nsaw.\r\n",
    "controls": "a\x01\x0b\x0c\x85b\u2028c",
    "han": "狗看见猫。",
    "astral": "𝒯𝒽𝑒 𐍈 dog",
}


@pytest.fixture(scope="module")
def nlp():
    return trained(tags="predicted")


def check(document, text):
    """Every sentence is a tree; all but the spaces of the text is there, each token where it says."""
    for sentence in document:
        assert not find_problems(sentence.heads)
        assert all(word.upos != "_" and word.deprel != "_" for word in sentence)
        for token in sentence.tokens:
            assert "".join(text[token.start : token.end].split()) == "".join(token.form.split()) != ""
    tokens = [token for sentence in document for token in sentence.tokens]
    assert "".join("".join(token.form.split()) for token in tokens) == "".join(text.split())
    assert all(one.end <= two.start for one, two in pairwise(tokens))
    read = list(gp.read_conllu(io.BytesIO(document.to_conllu().encode())))
    assert [sentence.words for sentence in read] == [sentence.words for sentence in document]


def test_a_text_becomes_a_document(nlp):
    document = nlp(TEXT)
    check(document, TEXT)
    assert document.sentences[0].comments[:3] == ["# newdoc", "# newpar", "# sent_id = 1"]
    scores = gp.evaluate(TEST, document)
    assert scores.scores["Tokens"].f1 > 99
    assert scores.upos > 90
    assert scores.las > 70


@pytest.mark.parametrize("name", ODD)
def test_odd_text_comes_through_whole(nlp, name):
    check(nlp(ODD[name]), ODD[name])
    for kind in ("lines", "tokens"):
        document = nlp(ODD[name], input=kind)
        assert "".join(word.form for sentence in document for word in sentence.tokens) == "".join(ODD[name].split())


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_comes_through_whole(text):
    check(trained(tags="predicted")(text), text)


def test_half_a_surrogate_pair_is_refused(nlp):
    with pytest.raises(gp.InputError, match=r"character 3 of the text is half of a surrogate pair \(U\+D83D\)"):
        nlp("ab\ud83d")


def test_the_boundaries_of_lines_stay(nlp):
    text = "The dog saw the cat. The cat\nsaw the dog\n\nIt barked. It ran.\n"
    assert [sentence.text for sentence in nlp(text, input="lines")] == [
        "The dog saw the cat. The cat",
        "saw the dog",
        "It barked. It ran.",
    ]
    given_tokens = nlp("The dog's cat.\nIt ran .", input="tokens")
    assert [[word.form for word in sentence] for sentence in given_tokens] == [
        ["The", "dog's", "cat."],
        ["It", "ran", "."],
    ]


@pytest.mark.parametrize("threads", [1, 3])
def test_many_texts(nlp, threads):
    texts = [*ODD.values(), TEXT, "", "The dog barked."] * 3
    documents = list(nlp.pipe(iter(texts), threads=threads))
    assert [document.to_conllu() for document in documents] == [nlp(text).to_conllu() for text in texts]


def test_pieces_give_what_the_whole_gives(nlp, monkeypatch):
    whole = nlp(TEXT).to_conllu()
    monkeypatch.setattr(plain_text, "PIECE", 500)
    for threads in (1, 2):
        parts = list(nlp.to_conllu(read_pieces(io.BytesIO(TEXT.encode())), threads))
        assert b"".join(parts).decode() == whole
    assert len(parts) > 1


def test_two_documents_are_told_apart(nlp):
    pieces = [
        piece for text in ("The dog barked.", "", "It ran. It ran.") for piece in read_pieces(io.BytesIO(text.encode()))
    ]
    output = b"".join(nlp.to_conllu(pieces)).decode()
    assert output.count("# newdoc") == 2
    assert [line for line in output.splitlines() if "sent_id" in line] == [
        "# sent_id = 1",
        "# sent_id = 2",
        "# sent_id = 3",
    ]


def test_ranges(nlp):
    (part,) = nlp.to_conllu(read_pieces(io.BytesIO(b"\n The dog.")), ranges=True)
    told = [line.split("\t")[9] for line in part.decode().splitlines() if line[:1].isdigit()]
    assert told == ["TokenRange=2:5", "SpaceAfter=No|TokenRange=6:9", "TokenRange=9:10"]


def test_sentences_without_tags_are_tagged(nlp):
    gold = list(gp.read_conllu(DEV))
    bare = deepcopy(gold)
    for sentence in bare:
        for word in sentence:
            word.lemma = word.upos = word.xpos = word.feats = "_"
    parsed = nlp.parse(deepcopy(bare), threads=2)
    assert all(word.upos != "_" and word.lemma != "_" for sentence in parsed for word in sentence)
    assert parsed == nlp.parse(nlp.tag(deepcopy(bare))) == nlp.parse(deepcopy(gold), retag=True)
    assert [step.move for step in nlp.trace(bare[0])] == [step.move for step in nlp.trace(parsed[0])]
    assert bare[0].words[0].upos == "_"


def test_tags_that_are_there_stay(nlp):
    gold = list(gp.read_conllu(DEV))
    gold[0].words[0].upos = "X"
    parsed = nlp.parse(deepcopy(gold))
    assert [[(word.upos, word.xpos, word.feats, word.lemma) for word in sentence] for sentence in parsed] == \
        [[(word.upos, word.xpos, word.feats, word.lemma) for word in sentence] for sentence in gold]


def test_a_file_and_a_pickle_hold_everything(nlp, tmp_path):
    nlp.save(tmp_path / "model.gp")
    expected = nlp(TEXT).to_conllu()
    assert gp.load(tmp_path / "model.gp")(TEXT).to_conllu() == expected
    assert pickle.loads(pickle.dumps(nlp))(TEXT).to_conllu() == expected


def test_the_same_training_gives_the_same_bytes(tmp_path):
    for name in ("one.gp", "two.gp"):
        gp.train(TRAIN, epochs=1, seed=3).save(tmp_path / name)
    assert (tmp_path / "one.gp").read_bytes() == (tmp_path / "two.gp").read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        {"tags": "jackknife", "folds": 3},
        {"system": "swap", "tags": "jackknife", "folds": 2, "beam": 2},
        {"system": "arc-standard", "nonprojective": "head"},
    ],
)
def test_other_ways_to_train(options):
    nlp = gp.train(TRAIN, dev=DEV, epochs=2, **options)
    check(nlp(TEXT), TEXT)
    assert gp.evaluate(TEST, nlp(TEXT)).las > 50


def test_a_network_takes_text_too(tmp_path):
    pytest.importorskip("torch", reason="the stack-LSTM needs torch (pip install 'gardenpath[neural]')")
    nlp = gp.train(small(tmp_path, 12), epochs=1, scorer="stack-lstm", folds=2)
    text = TEXT[:300]
    check(nlp(text), text)
    assert b"".join(nlp.to_conllu(read_pieces(io.BytesIO(text.encode())))).decode() == nlp(text).to_conllu()


def test_udpipes_tokenizer(tmp_path, monkeypatch):
    monkeypatch.setattr(udpipe, "OPTIONS", "epochs=1;batch_size=1;segment_size=10;dimension=16")
    nlp = gp.train(small(tmp_path, 10), epochs=1, tokenizer="udpipe")
    check(nlp(TEXT), TEXT)
    nlp.save(tmp_path / "model.gp")
    assert gp.load(tmp_path / "model.gp")(TEXT).to_conllu() == nlp(TEXT).to_conllu()


def test_a_model_without_tagger_says_so():
    nlp = gp.train(TRAIN, epochs=1, tags="gold")
    for call in (
        lambda: nlp("text"),
        lambda: next(nlp.pipe(["text"])),
        lambda: nlp.tag([]),
        lambda: nlp.parse([], retag=True),
    ):
        with pytest.raises(gp.UsageError, match="has no tokenizer and no tagger"):
            call()


def test_a_model_without_tokenizer_takes_tokens():
    nlp = gp.train(TRAIN, epochs=1, tokenizer="none")
    assert len(nlp("The dog barked .", input="tokens").sentences[0]) == 4
    with pytest.raises(gp.UsageError, match="no tokenizer"):
        nlp("The dog barked.")


@pytest.mark.parametrize("call", [
    lambda nlp: nlp(["a", "b"]), lambda nlp: nlp.pipe("a text"), lambda nlp: nlp("a", input="words"),
    lambda nlp: list(nlp.pipe(["a"], threads=0)), lambda nlp: nlp("a", beam=0),
])
def test_calls_that_make_no_sense(nlp, call):
    with pytest.raises(gp.UsageError):
        call(nlp)


def test_settings_that_do_not_fit():
    for options in (
        {"tags": "gold", "tokenizer": "gardenpath"},
        {"tags": "silver"},
        {"tokenizer": "spaces"},
        {"folds": 1},
        {"prune": 1.0},
        {"scorer": "stack-lstm", "tags": "predicted"},
    ):
        with pytest.raises(gp.UsageError):
            gp.models.settings.Settings.of(**options)


def test_only_what_is_not_given_is_completed(nlp):
    sentence = gp.Sentence([gp.Word(1, "Dogs", lemma="hound", upos="X"), gp.Word(2, "bark")])
    nlp.parse([sentence])
    assert (sentence[0].lemma, sentence[0].upos) == ("hound", "X")
    assert all("_" not in (word.lemma, word.upos, word.xpos) for word in sentence)
    nlp.parse([sentence], retag=True)
    assert all("_" not in (word.lemma, word.upos) and word.upos != "X" for word in sentence)


@pytest.mark.parametrize("threads", [1, 3])
def test_what_comes_before_a_bad_text_is_parsed(nlp, threads):
    documents = nlp.pipe(["The dog barked.", "It ran.", "ab\ud83d", "never"], threads=threads)
    assert [next(documents).sentences[0].text for _ in range(2)] == ["The dog barked.", "It ran."]
    with pytest.raises(gp.InputError, match="text 3: character 3 of the text is half of a surrogate pair"):
        next(documents)


def columns(document, *names):
    return [tuple(getattr(word, name) for name in names) for sentence in document for word in sentence]


@pytest.mark.parametrize("beam", [None, 2])
def test_steps_that_are_not_asked_for_leave_their_columns_empty(nlp, beam):
    pipeline = nlp.pipeline(beam)
    whole = pipeline.output().document(pipeline.run(TEXT))
    for tag in (False, True):
        for parse in (False, True):
            drafts = [pipeline.divide(TEXT), pipeline.divide("")]
            pipeline.analyse(drafts, tag=tag, parse=parse)
            part = pipeline.output().document(drafts[0])
            assert pipeline.output().conllu(drafts[0]).decode() == part.to_conllu()
            assert pipeline.output().conllu(drafts[1]) == b""
            assert columns(part, "form", "misc") == columns(whole, "form", "misc")
            tags, arcs = columns(part, "lemma", "upos", "xpos", "feats"), columns(part, "head", "deprel")
            assert tags == (columns(whole, "lemma", "upos", "xpos", "feats") if tag else [("_",) * 4] * len(tags))
            assert arcs == (columns(whole, "head", "deprel") if parse else [(None, "_")] * len(arcs))


def test_a_draft_knows_its_longest_sentence(nlp):
    assert nlp.pipeline().divide("The dog saw the cat.\n\nIt fell.", "lines").longest == 6
    assert nlp.pipeline().divide("").longest == 0


@pytest.mark.parametrize("input", ["lines", "tokens"])
@pytest.mark.parametrize(
    "content",
    ["a b\nc d e f\n\ng\nh i j\n", "a\n\n\nb c\n \nd\r\n\r\ne f g\nh", "\n\na b c d\n\n", "one two three\n" * 5],
)
def test_lines_in_pieces_have_the_paragraphs_of_the_whole(nlp, monkeypatch, input, content):
    whole = b"".join(nlp.to_conllu(read_pieces(io.BytesIO(content.encode()), by_line=True), input=input))
    for size in range(1, 12):
        monkeypatch.setattr(plain_text, "PIECE", size)
        monkeypatch.setattr(plain_text, "_READ", 3)
        assert b"".join(nlp.to_conllu(read_pieces(io.BytesIO(content.encode()), by_line=True), input=input)) == whole
