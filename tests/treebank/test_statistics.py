"""Statistics of treebanks, compared with counts by hand and with slow twins; tables and the page."""

import io
import json
import random
import re
import statistics as standard
from collections import Counter
from pathlib import Path

import pytest

import gardenpath as gp
from brute import all_trees, static_path
from gardenpath.oracles.swaps import count_swaps
from gardenpath.treebank.collection import describe_all
from gardenpath.treebank.page import to_html
from gardenpath.treebank.statistics import by_count, describe, mean, quantile, together
from gardenpath.treebank.tables import tables
from sample import DEV, TRAIN
from swap_twins import SWAP

ROWS = [
    "1 A _ DET DT Definite=Ind|PronType=Art 2 det _ _",
    "2 hearing _ NOUN NN Number=Sing 4 nsubj:pass _ _",
    "3-4 isscheduled _ _ _ _ _ _ _ _",
    "3 is _ AUX VBZ _ 4 aux:pass _ _",
    "4 scheduled _ VERB VBN _ 0 root _ _",
    "4.1 x _ _ _ _ _ _ _ _",
    "5 on _ ADP IN _ 6 case _ _",
    "6 it _ PRON PRP Number=Sing 2 nmod _ _",
    "",
    "1 Yes _ INTJ UH _ 0 root _ _",
    "2 no _ INTJ UH _ 0 root _ _",
    "",
    "1 No _ INTJ UH _ _ _ _ _",
    "",
]
TEXT = "".join(row.replace(" ", "\t") + "\n" for row in ROWS).encode()


@pytest.fixture(scope="module")
def counted():
    return describe(io.BytesIO(TEXT))


def test_counts(counted):
    assert (
        counted.sentences,
        counted.words,
        counted.tokens,
        counted.multiword_tokens,
        counted.empty_nodes,
        counted.trees,
    ) == (3, 9, 8, 1, 1, 2)
    assert counted.lengths == {6: 1, 2: 1, 1: 1}
    assert counted.upos == {"INTJ": 3, "DET": 1, "NOUN": 1, "AUX": 1, "VERB": 1, "ADP": 1, "PRON": 1}
    assert counted.features == {"Number=Sing": 2, "Definite=Ind": 1, "PronType=Art": 1}
    assert counted.labels == {"root": 3, "det": 1, "nsubj:pass": 1, "aux:pass": 1, "case": 1, "nmod": 1}
    assert counted.universal_labels == {"root": 3, "det": 1, "nsubj": 1, "aux": 1, "case": 1, "nmod": 1}


def test_counts_of_trees(counted):
    assert counted.roots == {1: 1, 2: 1}
    assert counted.arcs == {-1: 3, -2: 1, 4: 1}
    assert counted.tree_arcs == 8
    assert counted.depths == {4: 1, 1: 1}
    assert counted.dependents == {0: 5, 1: 1, 2: 2}
    assert (counted.nonprojective_trees, counted.nonprojective_arcs, counted.lifted_arcs) == (1, 1, 1)
    assert counted.gap_degrees == counted.edge_degrees == {0: 1, 1: 1}
    assert (counted.ill_nested_trees, counted.one_endpoint_crossing_trees) == (0, 2)
    assert list(counted.derived) == gp.systems.names()
    assert (counted.derived["arc-eager"], counted.derived["arc-eager-tree"], counted.derived["swap"]) == (1, 0, 2)
    assert set(counted.swaps) == {"lazy", "eager"}


def test_check_gives_the_same_counts():
    report, counted = gp.treebank.check(TRAIN), describe(TRAIN)
    same = (
        "sentences",
        "words",
        "empty_nodes",
        "trees",
        "nonprojective_trees",
        "nonprojective_arcs",
        "lifted_arcs",
        "derived",
    )
    assert {name: getattr(report, name) for name in same} == {name: getattr(counted, name) for name in same}
    assert (report.ranges, report.arcs, report.longest) == (
        counted.multiword_tokens,
        counted.tree_arcs,
        max(counted.lengths),
    )


@pytest.mark.parametrize("kind", ["static", "lazy", "eager"])
def test_swaps_equal_those_of_the_oracle(kind):
    oracle = gp.oracles.get("swap", kind)
    for heads in all_trees(4):
        assert count_swaps(oracle, heads) == static_path(SWAP, heads, kind).count("swap")


def test_means_and_quantiles_equal_those_of_the_standard_library():
    rng = random.Random(3)
    for _ in range(50):
        values = [rng.randint(-9, 9) for _ in range(rng.randint(2, 30))]
        counts = Counter(values)
        assert mean(counts) == pytest.approx(standard.mean(values))
        expected = standard.quantiles(values, n=4, method="inclusive")
        assert [quantile(counts, share) for share in (0.25, 0.5, 0.75)] == pytest.approx(expected)
    assert (mean(Counter()), quantile(Counter(), 0.5), quantile(Counter([7]), 0.25)) == (None, None, 7)


def test_the_most_frequent_come_first():
    assert by_count(Counter({"b": 1, "a": 1, "c": 2})) == [("c", 2), ("a", 1), ("b", 1)]


def test_together_equals_one_concatenated_file(tmp_path):
    (tmp_path / "both.conllu").write_bytes(DEV.read_bytes() + TRAIN.read_bytes())
    apart = together("x", [describe(DEV), describe(TRAIN)])
    assert apart.to_dict() == describe(tmp_path / "both.conllu").to_dict() | {"name": "x"}


def test_statistics_can_be_written_as_json(counted):
    plain = json.loads(json.dumps(counted.to_dict()))
    assert plain["lengths"] == {
        "mean": 3,
        "least": 1,
        "quartiles": [1.5, 2, 4],
        "most": 6,
        "counts": {"1": 1, "2": 1, "6": 1},
    }
    assert plain["arc_lengths"]["counts"] == {"1": 3, "2": 1, "4": 1}
    assert next(iter(plain["labels"])) == "root"
    assert plain["derived"]["swap"] == 2


def test_sources_without_sentences_are_errors(tmp_path):
    with pytest.raises(gp.InputError, match="<stream>: no sentences"):
        describe(io.BytesIO(b""))
    with pytest.raises(gp.InputError, match=r"no file in the folder ends with \.conllu"):
        describe_all([tmp_path])
    with pytest.raises(gp.InputError, match="1 column instead of 10"):
        describe(io.BytesIO(b"1 a\n\n"))


@pytest.fixture
def folders(tmp_path):
    """Two treebanks, one of two files, among other files."""
    for name, files in (("one", ("a-train", "a-dev")), ("two", ("a-train",))):
        (tmp_path / name / "not-to-release").mkdir(parents=True)
        for file in files:
            (tmp_path / name / f"{file}.conllu").write_bytes(TEXT)
        (tmp_path / name / "README.md").write_text("no treebank")
        (tmp_path / name / "not-to-release" / "source.conllu").write_text("nor this")
    return tmp_path


def names(collection):
    return [column.name for column in collection.columns()]


def test_the_columns_of_files_and_treebanks(folders):
    one, two = folders / "one", folders / "two"
    assert names(describe_all([one])) == ["a-dev.conllu", "a-train.conllu", "together"]
    assert names(describe_all([two])) == ["a-train.conllu"]
    both = describe_all([one, two, one])
    assert names(both) == ["one", "two", "together"]
    assert [column.sentences for column in both.columns()] == [6, 3, 9]
    plain = both.to_dict()
    assert [[file["sentences"] for file in treebank["files"]] for treebank in plain["treebanks"]] == [[3, 3], [3]]
    assert plain["together"]["sentences"] == 9
    files = [str(one / "a-train.conllu"), str(two / "a-train.conllu")]
    assert names(describe_all(files)) == [*files, "together"]


def test_tables(counted):
    found = {table.title: {row[0]: row[1:] for row in table.rows} for table in tables([counted, counted], most=3)}
    assert found["Size"]["tokens"] == ("8", "8")
    assert found["Size"]["... quartiles"] == ("1.5, 2, 4", "1.5, 2, 4")
    assert found["Arcs and trees"]["... dependent before its head"] == ("4 (80.00 %)",) * 2
    assert found["Projectivity"]["gap degree 1"] == ("1 (50.00 %)",) * 2
    assert found["Trees that each system derives"]["arc-eager"] == ("1 (50.00 %)",) * 2
    assert list(found["UPOS, the 3 most frequent of 7"]) == ["INTJ", "ADP", "AUX"]
    assert found["Labels, the 3 most frequent of 6"]["root"] == ("3 (33.33 %)",) * 2


def test_tables_of_words_without_trees():
    found = tables([describe(io.BytesIO(b"1\tNo\t_\t_\t_\t_\t_\t_\t_\t_\n\n"), systems=())])
    assert ("non-projective trees", "–") in found[2].rows
    assert ("length of arcs: mean", "–") in found[1].rows
    assert found[3].rows == []


@pytest.mark.parametrize("sources", [[DEV], [DEV, TRAIN]], ids=["one", "several"])
def test_the_page(sources):
    columns = describe_all(sources).columns()
    page = to_html(columns, "A <title>")
    assert "<script" not in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert "<h1>A &lt;title&gt;</h1>" in page
    assert re.findall(r'<figure id="figure-(\w+)"', page) == [
        "lengths",
        "arcs",
        "projectivity",
        "systems",
        "tags",
        "labels",
    ]
    identifiers = re.findall(r' id="([^"]+)"', page)
    assert len(identifiers) == len(set(identifiers))
    for column in columns:
        assert f"{column.name}: arc-eager {100 * column.derived['arc-eager'] / column.trees:.2f} %" in page
    assert "nsubj:pass" in page


def test_the_page_of_words_without_trees():
    page = to_html([describe(io.BytesIO(b"1\tNo\t_\t_\t_\t_\t_\t_\t_\t_\n\n"), systems=())])
    assert re.findall(r'<figure id="figure-(\w+)"', page) == ["lengths", "tags"]


SHARED = Path(__file__).parents[3] / "shared" / "treebanks"


def test_the_counts_of_a_real_treebank():
    path = SHARED / "ud-2.0" / "got" / "got-ud-dev.conllu"
    if not path.exists():
        pytest.skip("there are no treebanks in ../shared/treebanks")
    counted = describe(path, systems=("swap",))
    assert counted.sentences == counted.trees == counted.derived["swap"] == 985
    assert (
        counted.gap_degrees.total() - counted.gap_degrees[0]
        == counted.nonprojective_trees
        == counted.edge_degrees.total() - counted.edge_degrees[0]
    )
    assert counted.swaps["lazy"] <= counted.swaps["eager"]
