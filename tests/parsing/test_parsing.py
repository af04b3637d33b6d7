"""Parsing with a trained model: only HEAD and DEPREL change, threads change nothing, traces equal parses."""

import random
import re

import pytest
from random_weights import random_parser, random_sentence

import gardenpath as gp
from brute import COVINGTON, ROOT_LAST, Mode
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import Sentence, Word
from gardenpath.parsing.trace import trace_oracle, trace_parser, with_costs
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.perceptron.scorer import Perceptron
from gardenpath.trees import is_tree, projectivise
from sample import DEV, TEST, trained

EACH = pytest.mark.parametrize("system", gp.systems.names())


def trees(sentences):
    return [[(word.head, word.deprel) for word in sentence] for sentence in sentences]


@EACH
def test_only_heads_and_labels_change(system):
    """Comments, ranges, empty nodes and all other columns leave as they came."""
    source = TEST.read_text(encoding="utf-8")
    parsed = "".join(sentence.to_conllu() for sentence in trained(system).parse(gp.read_conllu(TEST)))
    word = re.compile(r"^(\d+\t(?:[^\t]+\t){5})\d+\t[^\t]+(\t.*)$", re.MULTILINE)
    assert source != parsed
    assert word.sub(r"\1\2", source) == word.sub(r"\1\2", parsed)
    assert word.sub("", source) == word.sub("", parsed) != ""


@EACH
@pytest.mark.parametrize("threads", [2, 4])
def test_threads_change_nothing(system, threads):
    model, rng = trained(system), random.Random(1)
    sentences = [random_sentence(rng, rng.randint(0, 40)) for _ in range(800)]
    alone = trees(model.parse(sentences))
    for sentence in sentences:
        for word in sentence:
            word.head, word.deprel = None, "_"
    together = model.parse(sentences, threads=threads)
    assert [id(sentence) for sentence in together] == [id(sentence) for sentence in sentences]
    assert trees(together) == alone


def test_parsing_is_lazy_and_in_order():
    read = []

    def source():
        for sentence in gp.read_conllu(TEST):
            read.append(sentence)
            yield sentence

    for threads in (1, 2):
        read.clear()
        stream = trained().stream((sentence for _ in range(40) for sentence in source()), threads)
        assert next(stream) is read[0]
        assert len(read) < 2000
        assert [id(sentence) for sentence in stream] == [id(sentence) for sentence in read[1:]]


def test_parsing_leaves_the_model_as_it_is():
    model = trained()
    weights = model.parser.scorer.weights
    before = weights.slots_array.tobytes(), weights.rows_array.tobytes(), repr(model.description)
    rng = random.Random(2)
    model.parse([random_sentence(rng, 20) for _ in range(500)], threads=2)
    assert (weights.slots_array.tobytes(), weights.rows_array.tobytes(), repr(model.description)) == before


def test_the_sentences_around_it_do_not_matter():
    model = trained()
    sentences = list(gp.read_conllu(TEST))
    together = trees(model.parse(sentences))
    assert [trees(model.parse([sentence]))[0] for sentence in reversed(sentences)] == together[::-1]


def test_words_never_seen():
    sentence = Sentence(
        [Word(i, form, upos="NEW", xpos="NEWER") for i, form in enumerate(["qwx", "\u4e00", "🌱", "", "a" * 10000], 1)]
    )
    trained().parse([sentence])
    assert is_tree(sentence.heads)


def test_nothing_to_parse():
    assert trained().parse([]) == []
    assert trained().parse([], threads=3) == []
    empty = Sentence()
    assert trained().parse([empty, empty]) == [empty, empty]


@EACH
def test_one_word_is_the_root(system):
    for model in (trained(system), random_parser(system, 0)):
        [sentence] = model.parse([Sentence([Word(1, "Go", upos="VERB", xpos="VB")])])
        assert (sentence.words[0].head, sentence.words[0].deprel) == (0, "root")


@pytest.mark.parametrize("threads", [1, 2])
def test_untagged_sentences_are_refused(threads):
    path = "tagged.conllu"
    sentences = [
        *gp.read_conllu(TEST),
        Sentence([Word(1, "Go", upos="VERB"), Word(2, "away", upos="ADV")], ["# sent_id = bare"], place=f"{path}:9"),
    ]
    with pytest.raises(
        InputError,
        match=r"^tagged.conllu:9: sent_id=bare: no word has XPOS, which this model was trained with, "
        "and it has no tagger",
    ):
        trained().parse(sentences, threads=threads)


def test_some_words_may_lack_a_tag():
    assert is_tree(trained().parse([Sentence([Word(1, "Go", xpos="VB"), Word(2, "away")])])[0].heads)


def test_calls_that_make_no_sense():
    with pytest.raises(UsageError, match="threads must be 1 or more, not 0"):
        trained().parse([], threads=0)
    with pytest.raises(UsageError, match="has no tokenizer and no tagger"):
        trained()("Some text.")


@EACH
def test_a_treebank_of_single_words_makes_a_parser_too(system, tmp_path):
    """It has seen no arcs and but one label; what it makes of longer sentences is a tree all the same."""
    path = tmp_path / "words.conllu"
    path.write_text("".join(f"1\t{form}\t_\tINTJ\tUH{form}\t_\t0\troot\t_\t_\n\n" for form in ("yes", "no")))
    for oracle in ("static", "nondet", "dynamic"):
        model = gp.train(path, tags="gold", system=system, oracle=oracle, epochs=2)
        rng = random.Random(4)
        for sentence in model.parse([random_sentence(rng, n) for n in (1, 2, 3, 30, 300)]):
            assert is_tree(sentence.heads)
            assert {word.deprel for word in sentence} == {"root"}


@EACH
@pytest.mark.parametrize("head", [1, 2])
def test_a_treebank_with_arcs_to_one_side_only(system, head, tmp_path):
    path = tmp_path / "pairs.conllu"
    lines = [
        f"{i}\tw{i}\t_\tX\tY{i}\t_\t{0 if i == head else head}\t{'root' if i == head else 'dep'}\t_\t_" for i in (1, 2)
    ]
    path.write_text("\n".join(lines) + "\n\n")
    rng = random.Random(5)
    for sentence in gp.train(path, tags="gold", system=system, epochs=2).parse(
        [random_sentence(rng, n) for n in (1, 2, 3, 30)]
    ):
        assert is_tree(sentence.heads)
        assert all(word.deprel == ("root" if word.head == 0 else "dep") for word in sentence)


def lifted(oracle, sentence):
    """The tree of a sentence as its system can build it."""
    return sentence.heads if oracle.derives(sentence.heads) else projectivise(sentence.heads)


def replay(system, steps, n):
    """Make the moves of a trace again, by name."""
    c = system.initial(n)
    for step in steps:
        assert (step.configuration.stack, step.configuration.buffer, step.configuration.heads) == (
            c.stack,
            c.buffer,
            c.heads,
        )
        assert step.repair is system.is_repair(c, step.move)
        assert step.score is None or step.score == max(step.scores.values()) == step.scores[step.move]
        assert sorted(step.scores) == (system.valid(c) if step.scores else [])
        before = c.heads
        system.apply(c, step.move, step.label)
        if step.arc:
            head, child = step.arc
            assert c.heads[child - 1] == head
            assert c.labels[child - 1] == step.label
            others = [
                (word, old, new)
                for word, (old, new) in enumerate(zip(before, c.heads, strict=True), 1)
                if word != child and old != new
            ]
            # The last word gets its head by itself; and to break a cycle the head of the arc loses its own.
            assert len(others) <= 1
            assert all(old == -1 or (word == head and new == -1 and step.repair) for word, old, new in others)
    assert system.is_final(c)
    return c


@EACH
def test_a_trace_is_the_parse(system):
    rng = random.Random(6)
    sentences = [*gp.read_conllu(DEV), *(random_sentence(rng, rng.randint(1, 25)) for _ in range(40))]
    for model in (trained(system), random_parser(system, 0, single_root=False)):
        for sentence in sentences:
            model.parse([sentence])
            c = replay(model.parser.system, list(trace_parser(model.parser, sentence.words)), len(sentence))
            # Root words are settled after the last transition: the single root and, without a root token, its label.
            roots = [word for word, head in enumerate(c.heads, 1) if head == 0]
            for word, head, label in zip(sentence, c.heads, c.labels, strict=True):
                if word.id not in roots:
                    assert (word.head, word.deprel) == (head, label)
            heads = [sentence.heads[word - 1] for word in roots]
            if (
                model.parser.single_root and system in COVINGTON
            ):  # any of them may stay, and the others hang from whatever they came closest to
                assert is_tree(sentence.heads)
                assert heads.count(0) == 1
            else:
                assert heads == [0] + [roots[0] if model.parser.single_root else 0] * (len(roots) - 1)


@EACH
def test_the_trace_of_a_model_ends_in_its_parse(system):
    rng = random.Random(7)
    model = random_parser(system, 1)
    for sentence in [random_sentence(rng, rng.randint(1, 25)) for _ in range(40)]:
        heads, labels = {}, {}
        for step in model.trace(sentence):
            if step.arc:
                head, child = step.arc
                if child in path(heads, head):
                    heads.pop(head), labels.pop(head)
                heads[child], labels[child] = head, step.label
        assert all(word.head is None for word in sentence)
        for word in model.parse([sentence])[0]:
            assert (word.head, word.deprel) == (heads.get(word.id, 0), labels.get(word.id, "root"))


def path(heads, word):
    """The word and what it hangs from."""
    return [word, *(path(heads, heads[word]) if word in heads else [])]


def test_a_model_traces_only_what_it_can_parse():
    with pytest.raises(gp.InputError, match="no word has XPOS"):
        trained("arc-eager").trace(gp.Sentence([gp.Word(1, "Hello")]))


@EACH
@pytest.mark.parametrize("kind", ["static", "nondet", "dynamic", "exact"])
def test_a_trace_of_an_oracle_reaches_the_gold_tree(system, kind):
    longest = {"stay-eager": 4, "swap": 5}.get(system, 6)  # stay-eager has millions of configurations for five words
    sentences = [sentence for sentence in gp.read_conllu(DEV) if len(sentence) <= longest or kind != "exact"]
    assert len(sentences) > 1
    oracle = gp.oracles.get(system, kind)
    for sentence in sentences:
        gold, labels = lifted(oracle, sentence), [word.deprel for word in sentence]
        c = replay(oracle.system, list(trace_oracle(oracle, gold, labels)), len(sentence))
        assert c.heads == gold
        assert all(
            label == ours or (head == 0 and system not in ROOT_LAST)
            for label, ours, head in zip(labels, c.labels, gold, strict=True)
        )


@EACH
def test_costs_beside_a_trace(system):
    parser = random_parser(system, 0).parser
    oracle = gp.oracles.of(parser.system)
    for sentence in list(gp.read_conllu(DEV))[:20]:
        gold = lifted(oracle, sentence)
        for step in with_costs(trace_parser(parser, sentence.words), oracle, gold):
            assert sorted(step.costs) == oracle.system.valid(step.configuration) == sorted(step.scores or step.costs)
            assert (step.loss, step.costs) == (
                oracle.loss(step.configuration, gold),
                oracle.costs(step.configuration, gold),
            )
            assert min(step.costs.values()) == 0 or not Mode(system).exact
            assert step.text == step.move.upper() + (f"({step.label})" if step.label else "")


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("fault", ["here it breaks off", "no word has XPOS"])
def test_what_was_read_before_an_error_comes_out_and_nothing_else(threads, fault):
    good = [sentence for _ in range(12) for sentence in gp.read_conllu(DEV)]
    parsed = []

    def broken():
        yield from good
        if fault == "here it breaks off":
            raise gp.InputError(fault)
        yield gp.Sentence([gp.Word(1, "Hello")])
        yield from (sentence for _ in range(12) for sentence in gp.read_conllu(DEV))

    def collect():
        for sentence in trained("arc-eager").stream(broken(), threads):
            parsed.append(sentence)

    with pytest.raises(gp.InputError, match=fault):
        collect()
    assert [id(sentence) for sentence in parsed] == [id(sentence) for sentence in good]


@pytest.mark.parametrize("wrong", [gp.Sentence([gp.Word(1, "Hello")]), "file.conllu"])
def test_sentences_are_what_is_parsed(wrong):
    with pytest.raises(gp.UsageError, match="takes sentences"):
        trained("arc-eager").parse(wrong)


def test_columns_may_be_made_when_asked_for():
    """The encoder holds a reference to a string while it reads its bytes, even if no other reference exists."""

    class Wrapped:
        def __init__(self, word):
            self.word, self.head, self.deprel, self.confidence = word, None, None, None

        def __getattr__(self, column):
            return "".join(list(getattr(self.word, column)))

    model = trained("arc-eager-unshift")
    sentences = list(gp.read_conllu(DEV))
    wrapped = [[Wrapped(word) for word in sentence] for sentence in sentences]
    model.parser.parse(wrapped)
    for sentence, words in zip(model.parse(sentences), wrapped, strict=True):
        assert [(word.head, word.deprel) for word in sentence] == [(word.head, word.deprel) for word in words]


def test_weights_must_fit_the_classes():
    scorer = trained("arc-eager").parser.scorer
    other = FrozenWeights(scorer.classes.size + 1, scorer.weights.slots_array, scorer.weights.rows_array)
    with pytest.raises(gp.UsageError, match="do not fit"):
        Perceptron(scorer.system, scorer.classes, scorer.extractor, other)
