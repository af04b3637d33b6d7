"""The metrics of CoNLL 2018 compared with the official scorer."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from official import assert_equal_to_official
from random_text import FEATS, LABELS, random_conllu, random_heads
from redivide import redivide

from gardenpath import Document, evaluate, read_conllu
from gardenpath.trees import is_tree

TREEBANKS = Path(__file__).parents[3] / "shared" / "treebanks"
OWN = """\
# sent_id = garden
# text = Don't the horses raced past 10 000 barns fall?
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVBP\tMood=Ind|Tense=Pres\t9\taux\t_\t_
2\tn't\tnot\tPART\tRB\tPolarity=Neg\t9\tadvmod\t_\t_
3\tthe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t4\tdet\t_\t_
4\thorses\thorse\tNOUN\tNNS\tNumber=Plur\t9\tnsubj\t_\t_
5\traced\trace\tVERB\tVBN\tTense=Past|VerbForm=Part\t4\tacl:relcl\t_\t_
5.1\twhich\twhich\tPRON\tWDT\t_\t_\t_\t_\t_
6\tpast\tpast\tADP\tIN\t_\t8\tcase\t_\t_
7\t10 000\t10 000\tNUM\tCD\tNumForm=Digit|NumType=Card\t8\tnummod\t_\t_
8\tbarns\tbarn\tNOUN\tNNS\tNumber=Plur\t5\tobl\t_\t_
9\tfall\tfall\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No
10\t?\t_\tPUNCT\t.\t_\t9\tpunct\t_\t_

# sent_id = path
1\tA\ta\tDET\tDT\tDefinite=Ind\t2\tdet\t_\t_
2\thearing\thearing\tNOUN\tNN\tNumber=Sing\t4\tnsubj:pass\t_\t_
3\tis\tbe\tAUX\tVBZ\tTense=Pres\t4\taux:pass\t_\t_
4\tscheduled\tschedule\tVERB\tVBN\tTense=Past\t0\troot\t_\t_
5\ton\ton\tADP\tIN\t_\t6\tcase\t_\t_
6\tissues\tissue\tNOUN\tNNS\tNumber=Plur\t2\tnmod\t_\tSpaceAfter=No
7\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""


def perturbed(text: str, rng: random.Random, rate: float) -> str:
    document = Document.of(read_conllu(_stream(text)))
    for sentence in document:
        for word in sentence:
            word.upos = rng.choice(["NOUN", "PUNCT"]) if rng.random() < rate else word.upos
            word.xpos = "X" if rng.random() < rate else word.xpos
            word.feats = rng.choice(FEATS) if rng.random() < rate else word.feats
            word.lemma = rng.choice("_a") if rng.random() < rate else word.lemma
            word.deprel = rng.choice(LABELS) if rng.random() < rate else word.deprel
            old = word.head
            word.head = rng.randint(1, len(sentence)) if rng.random() < rate and old else old
            if word.head != old and not is_tree(sentence.heads):
                word.head = old
        if rng.random() < rate:
            for word, head in zip(sentence, random_heads(rng, len(sentence)), strict=True):
                word.head = head
    return document.to_conllu()


def _stream(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def test_identical_files_score_100():
    assert_equal_to_official(OWN, OWN)
    scores = evaluate(read_conllu(_stream(OWN)), read_conllu(_stream(OWN))).scores
    assert {score.f1 for score in scores.values()} == {100.0}


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3, 0.8])
def test_perturbed_columns(rate):
    for seed in range(40):
        assert_equal_to_official(OWN, perturbed(OWN, random.Random(seed), rate))


@pytest.mark.parametrize("multiword", [0.0, 0.1, 0.3, 0.6])
def test_random_tokenization_and_sentence_splitting(multiword):
    for seed in range(100):
        rng = random.Random(seed)
        text = "".join(rng.choices("abAB" if seed % 2 else "ab", k=rng.randint(1, 40)))
        assert_equal_to_official(
            random_conllu(rng, text, multiword=multiword),
            random_conllu(rng, text, multiword=rng.choice([multiword, 0.2])),
        )


def test_changed_tokenization_and_sentence_splitting():
    for seed in range(100):
        rng = random.Random(seed)
        system = Document.of(redivide(list(read_conllu(_stream(perturbed(OWN, rng, 0.1)))), rng, 0.3))
        assert_equal_to_official(OWN, system.to_conllu())
        assert_equal_to_official(system.to_conllu(), OWN)


@pytest.mark.parametrize(
    "name",
    ["ud-2.16/en_ewt/en_ewt", "ud-2.0/fr_sequoia/fr_sequoia", "ud-2.0/cs_cltt/cs_cltt", "ud-2.0/tr/tr", "ud-2.0/vi/vi"],
)
def test_treebanks(name):
    path = TREEBANKS / f"{name}-ud-dev.conllu"
    if not path.exists():
        pytest.skip(f"no treebank at {path}")
    sentences = [sentence for sentence in read_conllu(path) if is_tree(sentence.heads)][:200]
    gold = Document(sentences).to_conllu()
    rng = random.Random(name)
    system = perturbed(gold, rng, 0.1)
    assert_equal_to_official(gold, gold)
    assert_equal_to_official(gold, system)
    assert_equal_to_official(gold, Document.of(redivide(list(read_conllu(_stream(system))), rng)).to_conllu())


def test_thousands_of_words():
    gold = OWN * 1500
    system = perturbed(gold, random.Random(1), 0.1)
    redivided = Document.of(redivide(list(read_conllu(_stream(system))), random.Random(2)))
    assert evaluate(read_conllu(_stream(gold)), read_conllu(_stream(system))).same_tokens
    assert not evaluate(read_conllu(_stream(gold)), redivided).same_tokens
