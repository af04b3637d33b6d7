"""Word clusters: valid and invalid files, lookup, features, and the command that induces them."""

import gzip
import io
import sys

import pytest

import gardenpath as gp
from gardenpath import oracles, systems
from gardenpath.cli import clusters as cli
from gardenpath.clusters.brown import induce
from gardenpath.core import storage
from gardenpath.errors import InputError, UsageError
from gardenpath.features.clusters import Clusters, read_clusters
from gardenpath.parsing.parser import Parser
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.growing import GrowingWeights
from gardenpath.perceptron.scorer import Perceptron
from gardenpath.perceptron.trainer import PerceptronTrainer
from gardenpath.systems.classes import Classes
from sample import DEV, TRAIN

WORDS = {
    "the": "00", "dog": "0100", "cats": "0101", "Paris": "011", "US": "10", "us": "1100", "über": "1101",
    "e-mail": "111",
}


def written(tmp_path, text, name="clusters.txt"):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("text", [
    "00\tthe\t9\n0100\tdog\t3\n", "00\tthe\n0100\tdog", "00\tthe\t9\r\n0100\tdog\t3\r\n",
    "0100\tdog\t3\n00\tthe\n00\tthe\t9\n",
])
def test_files(text, tmp_path):
    packed = written(tmp_path, gzip.compress(text.encode()), "any-name")
    for path in (written(tmp_path, text), packed, str(packed)):
        clusters = read_clusters(path)
        assert (len(clusters), clusters.words) == (2, 2)
        assert [clusters.path_of(word) for word in ("the", "dog", "cat")] == ["00", "0100", None]


@pytest.mark.parametrize("text, message", [
    ("00\tthe\n0100 dog 3\n", ":2: the line is not a bit string, a word and optionally a count, separated by "),
    ("00\tthe\n\n", ":2: the line is not a bit string, a word"),
    ("00\tthe\t3\t4\n", ":1: the line is not a bit string, a word"),
    ("00\t\t3\n", ":1: the line is not a bit string, a word"),
    ("the\t00\t3\n", ":1: 'the' is not a bit string of 0 and 1"),
    ("\tthe\t3\n", ":1: '' is not a bit string"),
    ("00\tthe\tmany\n", ":1: 'many' is not a count; write a number"),
    ("00\tthe\n01\ta\n01\tthe\n", ":3: 'the' is in two clusters, 00 and 01; remove one of the lines"),
    (b"00\tthe\n01\t\xff\n", ":2: byte 4 of the line is not UTF-8; convert"),
    ("", ": the file contains no clusters; use a file with lines of bit string, word and count"),
    (gzip.compress(b"00\tthe\n" * 50, mtime=0)[:-9], ": the file cannot be decompressed .* damaged"),
    (b"\x1f\x8bnonsense", ": the file cannot be decompressed"),
])
def test_invalid_files(text, message, tmp_path):
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=f"^{path}{message}"):
        read_clusters(path)


def test_no_such_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_clusters(tmp_path / "none")


@pytest.mark.parametrize("form, path", [
    ("the", "00"), ("The", "00"), ("THE", "00"), ("tHE", None), ("Über", "1101"), ("ÜBER", "1101"), ("E-mail", "111"),
    ("E-MAIL", "111"), ("US", "10"), ("us", "1100"), ("Us", "1100"), ("Paris", "011"), ("paris", None), ("PARIS", None),
    ("", None), ("dogs", None), ("🌱" * 100, None),
])
def test_lower_case_words_also_cover_capitalised_and_upper_case_forms(form, path):
    assert Clusters.of(WORDS).path_of(form) == path
    assert Clusters.of(WORDS, ignore_case=False).path_of(form) == WORDS.get(form)


def test_digits_match_zeros_if_zero_is_the_only_digit():
    zeros = Clusters.of({"0000": "00", "00-year-old": "01", "0th": "10", "a": "11"})
    forms = ("1998", "0000", "85-year-old", "4TH", "19.98", "1" * 500)
    assert [zeros.path_of(form) for form in forms] == ["00", "00", "01", "10", None, None]
    digits = Clusters.of({"0000": "00", "1998": "01"})
    assert [digits.path_of(form) for form in ("1998", "0000", "1999")] == ["01", "00", None]


def test_values_depend_on_the_first_bits():
    clusters = Clusters.of(WORDS)
    for bits in range(8):
        for word in WORDS:
            for other in WORDS:
                alike = WORDS[word][: bits or None] == WORDS[other][: bits or None]
                assert (clusters.value_of(word, bits) == clusters.value_of(other, bits)) is alike
    assert clusters.value_of("unknown") == clusters.value_of("unknown", 4) == 0
    assert len({clusters.value_of("dog", bits) for bits in range(8)} | {0}) == 9


def test_many_words():
    """All words are found, and no other words."""
    words = {f"word{number}": f"{number % 321:b}" for number in range(20_000)}
    clusters = Clusters.of(words)
    assert all(clusters.path_of(word) == path for word, path in words.items())
    assert all(clusters.path_of(f"other{number}") is None for number in range(20_000))


def test_saving_and_loading(tmp_path):
    clusters = Clusters.of(WORDS | {"00": "1"})
    storage.save(tmp_path / "model", clusters.arrays(), {"clusters": clusters.record()})
    arrays, settings = storage.load(tmp_path / "model")
    again = Clusters.build(settings["clusters"], arrays)
    for form in [*WORDS, "THE", "17", "unknown"]:
        assert again.value_of(form, 4) == clusters.value_of(form, 4)
    assert again.record() == clusters.record()


def spoiled(slots, place, value):
    copy = slots.tolist()
    copy[place] = value
    return memoryview(type(slots.obj)("Q", copy))


@pytest.mark.parametrize("spoil", [
    lambda record, slots: ({}, slots),
    lambda record, slots: (record | {"words": "many"}, slots),
    lambda record, slots: (record | {"paths": ["00", 7]}, slots),
    lambda record, slots: (record | {"paths": ["00", "2"]}, slots),
    lambda record, slots: (record | {"paths": record["paths"][:-1]}, slots),
    lambda record, slots: (record, slots[:-1]),
    lambda record, slots: (record, slots[:0]),
    lambda record, slots: (record, slots.cast("B")),
    lambda record, slots: (record, spoiled(slots, 0, 5 << 32)),
    lambda record, slots: (record, spoiled(slots, 0, 5 << 32 | 1000)),
    lambda record, slots: (record, memoryview(type(slots.obj)("Q", [slot or 1 for slot in slots]))),
])
def test_invalid_records_and_arrays_raise_errors(spoil):
    clusters = Clusters.of(WORDS)
    record, slots = spoil(clusters.record(), clusters.arrays()["clusters.slots"])
    with pytest.raises((LookupError, TypeError, ValueError)):
        Clusters.build(record, {"clusters.slots": slots})


@pytest.fixture(scope="module")
def sentences():
    return list(gp.read_conllu(TRAIN))[:150]


@pytest.fixture(scope="module")
def clusters(sentences):
    forms = [[word.form for word in sentence] for sentence in sentences]
    return Clusters.of({word: path for path, word, _ in induce(forms, 12)})


def trained(sentences, lines, clusters, width=1):
    """Train a parser with these templates for one epoch."""
    system = systems.for_parsing("arc-eager", single_root=True)
    trees = [(sentence.heads, [word.deprel for word in sentence]) for sentence in sentences]
    classes, extractor = Classes.of_trees(system, trees), Extractor(system, lines)
    scorer = Perceptron(system, classes, extractor, GrowingWeights(classes.size, 1), clusters)
    words = [sentence.words for sentence in sentences]
    trainer = PerceptronTrainer(scorer, oracles.of(system, "dynamic"), words, trees, seed=1)
    trainer.train(range(len(sentences)), 1.0)
    return Parser(Perceptron(system, classes, extractor, trainer.freeze(), clusters), width=width)


def heads(parser, sentences, form_of=lambda form: form):
    parsed = [[gp.Word(word.id, form_of(word.form), "_", "_", "_", "_") for word in sentence] for sentence in sentences]
    return [[word.head for word in words] for words in parser.parse(parsed)]


@pytest.mark.parametrize("width", [1, 8])
@pytest.mark.parametrize("bits", ["", "1", "3"])
def test_the_parser_does_not_distinguish_words_with_the_same_bits(bits, width, sentences, clusters):
    held_out = list(gp.read_conllu(DEV))[:30]
    parser = trained(sentences, [f"S0c{bits}", f"N0c{bits} N1c{bits}", f"S0c{bits} N0c{bits}"], clusters, width)
    forms = sorted({word.form for sentence in sentences for word in sentence})
    alike = {clusters.value_of(form, int(bits or 0)): form for form in forms}
    assert len(alike) <= 2 ** int(bits or 4) < len(forms)
    found = heads(parser, held_out)
    assert found == heads(parser, held_out, lambda form: alike.get(clusters.value_of(form, int(bits or 0)), form))
    assert found != heads(parser, held_out, lambda form: "unknown")


def test_cluster_templates_never_apply_without_clusters(sentences, clusters):
    arrays = trained(sentences, ["S0p N0p", "N0w"], None).arrays()
    for lines in (["S0p N0p", "N0w", "S0c"], ["S0p N0p", "S0pc N0p", "N0w", "N0c4 N1w", "S0hc6"]):
        without = trained(sentences, lines, None).arrays()
        assert all(bytes(array) == bytes(arrays[name]) for name, array in without.items())
        assert bytes(trained(sentences, lines, clusters).arrays()["parser.rows"]) != bytes(arrays["parser.rows"])


@pytest.mark.parametrize("min_count", [1, 3])
def test_the_command(min_count, tmp_path):
    """CoNLL-U and lines of tokens give the same file, and the file can be read."""
    lines = [" ".join(word.form for word in sentence) + "\n" for sentence in gp.read_conllu(TRAIN)]
    tokens = written(tmp_path, "".join(lines), "tokens.txt")
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    cli.command([str(TRAIN)], str(first), 12, min_count, "conllu")
    cli.command([str(tokens)], str(second), 12, min_count, "tokens")
    assert first.read_bytes() == second.read_bytes()
    clusters = read_clusters(first)
    rows = [line.split("\t") for line in first.read_text(encoding="utf-8").splitlines()]
    assert len(clusters) == 12
    assert all(clusters.path_of(word) == path and int(count) >= min_count for path, word, count in rows)
    assert rows == sorted(rows, key=lambda row: (row[0], -int(row[2]), row[1]))


def test_the_command_with_several_files_and_standard_input(tmp_path, monkeypatch, capfdbinary):
    one, other = written(tmp_path, "a b\tc\n\na  b d\n", "one"), b"\xef\xbb\xbfc b a"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(other)))
    cli.command([str(one), "-"], "-", 2, 1, "tokens")
    expected = induce([["a", "b", "c"], ["a", "b", "d"], ["c", "b", "a"]], 2)
    lines = [f"{path}\t{word}\t{count}\n" for path, word, count in expected]
    assert capfdbinary.readouterr().out.decode() == "".join(lines)


def test_errors_of_the_command(tmp_path):
    target = tmp_path / "clusters.txt"
    with pytest.raises(UsageError, match="unknown input format 'text'; choose one of conllu, tokens"):
        cli.command([str(TRAIN)], str(target), 12, 2, "text")
    with pytest.raises(InputError, match=r"tokens\.txt:2: byte 0xff"):
        cli.command([str(written(tmp_path, b"a b\na \xff\n", "tokens.txt"))], str(target), 12, 2, "tokens")
    with pytest.raises(InputError, match="fewer than two words"):
        cli.command([str(written(tmp_path, "a a", "tokens.txt"))], str(target), 12, 2, "tokens")
    assert not target.exists()
