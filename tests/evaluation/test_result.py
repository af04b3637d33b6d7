from __future__ import annotations

import io
import json

import pytest

import gardenpath as gp
from gardenpath.evaluation import evaluate

GOLD = """\
# sent_id = one
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\thorse\thorse\tNOUN\tNN\tNumber=Sing\t3\tnsubj:pass\t_\t_
3\tfell\tfall\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
CONDITIONS = (
    "Gold tokens; gold sentences; gold tags; punctuation counted; label subtypes ignored; all trees; "
    "1 sentence and 4 words of gold."
)


@pytest.fixture
def files(tmp_path):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(GOLD)
    system.write_text(GOLD.replace("nsubj:pass", "nsubj").replace("3\tpunct", "2\tpunct"))
    return gold, system


def test_scores_in_per_cent_under_the_official_conditions(files):
    result = gp.evaluate(*map(str, files))
    assert (result.uas, result.las) == (75, 75)
    assert (result.clas, result.mlas, result.blex) == (100, 100, 100)
    assert (result.upos, result.xpos, result.ufeats, result.alltags, result.lemmas) == (100, 100, 100, 100, 100)
    assert result.conditions == CONDITIONS


def test_other_conditions_are_stated(files):
    result = gp.evaluate(*files, punctuation=False, subtypes=True)
    assert result.las == pytest.approx(200 / 3)
    assert "punctuation (gold UPOS PUNCT) left out; label subtypes compared" in result.conditions
    assert "3 words of gold" in result.conditions
    assert "3 words of gold" in repr(result)


def test_differing_tags_and_tokens_are_stated(files):
    system = GOLD.replace("\tDET", "\tX").replace("fell", "fe ll")
    result = gp.evaluate(files[0], io.BytesIO(system.encode()))
    assert "Gold tokens; gold sentences; tags differ from gold" in result.conditions
    merged = "1\tThehorse\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tfell.\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    result = gp.evaluate(files[0], io.BytesIO(merged.encode()))
    assert result.conditions.startswith("Tokens differ from gold, words aligned by characters; ")
    assert result.las == 0


def test_documents_sentences_and_streams_are_accepted(files):
    gold = list(gp.read_conllu(files[0]))
    for source in (gold, iter(gold), gp.Document(gold), gold[0], io.BytesIO(GOLD.encode()), files[0]):
        assert evaluate(files[0], source).las == 100


def test_the_number_of_sentences_may_differ():
    first = gp.Sentence([gp.Word(1, "The", head=2, deprel="det"), gp.Word(2, "horse", head=0, deprel="root")])
    second = gp.Sentence([gp.Word(1, "fell", head=0, deprel="root"), gp.Word(2, ".", head=1, deprel="punct")])
    result = evaluate(io.BytesIO(GOLD.encode()), [first, second])
    assert result.scores["Sentences"].f1 == 0
    assert result.scores["Words"].f1 == 100
    assert result.uas == 75
    assert result.conditions.startswith("Gold tokens; sentence boundaries differ from gold; ")


def test_to_dict_gives_json(files):
    values = json.loads(json.dumps(gp.evaluate(*files).to_dict()))
    assert values["scores"]["LAS"]["f1"] == 75
    assert values["attachment"]["exact_labelled"] == 0
    assert list(values["by_length"]) == ["root", "1", "2", "3-6", "7", "8-"]
    assert values["by_projectivity"]["projective"]["las"] == 75
    assert "non-projective" not in values["by_projectivity"]
    crossing = values["by_crossing"]["non-projective arcs"]
    assert (crossing["gold"], crossing["system"]) == (0, 1)


def test_an_empty_file_raises_an_error(files, tmp_path):
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    with pytest.raises(gp.InputError, match=r"empty.conllu: no sentences; give CoNLL-U with at least one"):
        gp.evaluate(files[0], empty)


def test_bad_calls_raise_an_error(files):
    with pytest.raises(gp.UsageError, match="only one of gold and system"):
        gp.evaluate("-", "-")
    with pytest.raises(gp.UsageError, match="system must be a file, a Document or an iterable of Sentence"):
        gp.evaluate(files[0], ["not a sentence"])


def test_a_sentence_cannot_be_compared_with_itself():
    sentences = list(gp.read_conllu(io.BytesIO(GOLD.encode())))
    with pytest.raises(gp.UsageError, match="read gold again"):
        evaluate(sentences, sentences)
