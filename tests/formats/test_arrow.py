"""Arrow and Parquet: lossless round trips, valid CoNLL-U only, batches instead of whole files."""

import io
import re
import subprocess
import sys

import pyarrow
import pyarrow.parquet
import pytest

import gardenpath as gp
from gardenpath import Document, EmptyNode, InputError, Sentence, Token, UsageError, Word
from gardenpath.formats import arrow
from gardenpath.formats.table import COLUMNS
from sample import DEV, TRAIN

ODD = [
    Sentence(
        [
            Word(1, "Dogs", "dog", "NOUN", "NNS", "Number=Plur", 3, "nsubj", "3:nsubj", "_", 0, 4),
            Word(2, "do", "do", "AUX", "VBP", "_", 3, "aux", start=5, end=10),
            Word(3, "_", "_", "VERB", "VB", "fem|sg", 0, "root", misc="SpaceAfter=No", start=5, end=10),
        ],
        ["# newdoc id = d1", "# sent_id = dogs-1", "# text = Dogs don't", "#", "# note = one", "# note = two"],
        [Token(2, 3, "don't", ("_",) * 3 + ("Typo=Yes",) + ("_",) * 4, 5, 10)],
        [
            EmptyNode(0, 1, "they", ("they", *("_",) * 7)), EmptyNode(0, 2, "x"),
            EmptyNode(3, 1, "y", ("_",) * 6 + ("3:dep", "_")),
        ],
    ),
    Sentence([Word(1, "a  b\u2028c")]),
    Sentence([Word(1, "Cats")], ["# newdoc"]),
    Sentence([Word(1, "Mice")], ["# newdoc id = d2", "# sent_id = 4"]),
]
BOTH = pytest.mark.parametrize("nested", [False, True], ids=["words", "sentences"])
FILES = pytest.mark.parametrize(
    "write, read", [(arrow.write_parquet, arrow.read_parquet), (arrow.write_arrow, arrow.read_arrow)],
    ids=["parquet", "arrow"],
)


def everything(sentences):
    return [(sentence.to_conllu(), offsets(sentence)) for sentence in sentences]


def offsets(sentence):
    return [(node.start, node.end) for node in sentence.nodes() if not isinstance(node, EmptyNode)]


@BOTH
@FILES
def test_files_round_trip(write, read, nested, tmp_path):
    sentences = [*ODD, *gp.read_conllu(DEV)]
    write(iter(sentences), tmp_path / "file", nested=nested)
    assert everything(read(tmp_path / "file")) == everything(sentences)
    with open(tmp_path / "file", "rb") as file:
        assert everything(read(file)) == everything(sentences)


@BOTH
def test_tables_round_trip(nested):
    document = Document(ODD)
    table = document.to_arrow(nested=nested)
    assert isinstance(table, pyarrow.Table)
    assert everything(Document.from_arrow(table)) == everything(ODD)
    assert Document.from_arrow(Document().to_arrow(nested=nested)) == Document()


@BOTH
def test_the_sample_round_trips_byte_for_byte(nested, tmp_path):
    gp.write_parquet(gp.read_conllu(TRAIN), tmp_path / "train.parquet", nested=nested)
    read = gp.read_parquet(tmp_path / "train.parquet")
    assert "".join(sentence.to_conllu() for sentence in read).encode() == TRAIN.read_bytes()


def test_rows_are_words():
    table = Document(ODD).to_arrow()
    assert tuple(table.column_names) == COLUMNS
    rows = table.to_pylist()
    assert [(row["kind"], row["id"], row["last"], row["nth"]) for row in rows[:7]] == [
        ("empty", 0, None, 1), ("empty", 0, None, 2), ("word", 1, None, None), ("range", 2, 3, None),
        ("word", 2, None, None), ("word", 3, None, None),
        ("empty", 3, None, 1),
    ]
    assert rows[0]["comments"] == "\n".join(ODD[0].comments)
    assert rows[1]["comments"] is None
    assert rows[2] == {
        "document": "d1", "sentence": 1, "sent_id": "dogs-1", "comments": None, "kind": "word", "id": 1, "last": None,
        "nth": None, "form": "Dogs", "lemma": "dog", "upos": "NOUN", "xpos": "NNS", "feats": "Number=Plur", "head": 3,
        "deprel": "nsubj", "deps": "3:nsubj", "misc": None, "start": 0, "end": 4,
        "conf_upos": None, "conf_tag": None, "conf_head": None, "conf_label": None,
    }
    assert rows[5]["form"] == "_"
    assert rows[5]["lemma"] is None
    assert [row["document"] for row in rows[6:]] == ["d1", "d1", None, "d2"]


def test_rows_are_sentences():
    row = Document(ODD).to_arrow(nested=True).to_pylist()[0]
    assert (row["document"], row["sentence"], row["sent_id"], row["text"], row["comments"]) == (
        "d1", 1, "dogs-1", "Dogs don't", ODD[0].comments,
    )
    assert [word["form"] for word in row["words"]] == ["Dogs", "do", "_"]
    assert row["words"][0]["head"] == 3
    assert [
        (token["first"], token["last"], token["feats"], token["start"], token["end"]) for token in row["ranges"]
    ] == [(2, 3, "Typo=Yes", 5, 10)]
    assert [(node["after"], node["index"], node["form"]) for node in row["empty_nodes"]] == [
        (0, 1, "they"), (0, 2, "x"), (3, 1, "y"),
    ]


def test_sentence_rows_keep_sentences_without_words():
    document = Document([Sentence(comments=["# empty"]), Sentence([Word(1, "a")])])
    assert everything(Document.from_arrow(document.to_arrow(nested=True))) == everything(document)
    assert [len(sentence) for sentence in Document.from_arrow(document.to_arrow())] == [1]


def test_sent_id_and_text_replace_missing_comments():
    words, sentences = (Document(ODD).to_arrow(nested=nested).drop_columns(["comments"]) for nested in (False, True))
    assert [sentence.comments for sentence in Document.from_arrow(words)] == [
        ["# sent_id = dogs-1"], [], [], ["# sent_id = 4"],
    ]
    assert Document.from_arrow(sentences).sentences[0].comments == ["# sent_id = dogs-1", "# text = Dogs don't"]


@BOTH
def test_files_of_other_libraries_round_trip(nested, tmp_path):
    """Read row groups that end inside a sentence, and the column types that other libraries choose."""
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    gp.write_parquet(ODD, tmp_path / "ours.parquet", nested=nested)
    polars.read_parquet(tmp_path / "ours.parquet").write_parquet(tmp_path / "theirs.parquet", row_group_size=2)
    assert pyarrow.parquet.ParquetFile(tmp_path / "theirs.parquet").num_row_groups > 1
    assert everything(gp.read_parquet(tmp_path / "theirs.parquet")) == everything(ODD)


@BOTH
def test_row_groups_are_written_one_by_one(nested, tmp_path, monkeypatch):
    monkeypatch.setattr(arrow, "GROUP", 3)
    gp.write_parquet((ODD[0] for _ in range(8)), tmp_path / "file", nested=nested)
    assert pyarrow.parquet.ParquetFile(tmp_path / "file").num_row_groups == 3
    numbers = pyarrow.parquet.read_table(tmp_path / "file")["sentence"].to_pylist()
    assert sorted(set(numbers)) == list(range(1, 9))


@BOTH
def test_reading_is_lazy(nested, tmp_path, monkeypatch):
    monkeypatch.setattr(arrow, "GROUP", 1)
    good, bad = Sentence([Word(1, "a")]), Sentence([Word(7, "a")])
    gp.write_parquet([good, bad], tmp_path / "file", nested=nested)
    monkeypatch.setattr(arrow, "BATCH", 20)
    sentences = gp.read_parquet(tmp_path / "file")
    assert next(sentences).to_conllu() == good.to_conllu()
    with pytest.raises(InputError, match="file: sentence 2 as CoNLL-U:1: id 7 where 1 is expected"):
        next(sentences)


def test_a_file_can_be_rewritten_from_its_own_sentences(tmp_path):
    gp.write_parquet(ODD, tmp_path / "file")
    gp.write_parquet(gp.read_parquet(tmp_path / "file"), tmp_path / "file", nested=True)
    assert everything(gp.read_parquet(tmp_path / "file")) == everything(ODD)


@FILES
@pytest.mark.parametrize("content", [b"", b"PAR1 and nothing else", b"# a text\n" * 100])
def test_other_files_raise_an_error(write, read, content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError, match=f"^{re.escape(str(tmp_path / 'file'))}: .*; give a file in (Parquet|Arrow)$"):
        list(read(tmp_path / "file"))


def test_a_truncated_file_raises_an_error(tmp_path):
    gp.write_parquet(ODD, tmp_path / "file")
    content = (tmp_path / "file").read_bytes()
    with pytest.raises(InputError, match="<stream>"):
        list(gp.read_parquet(io.BytesIO(content[:-20])))


@pytest.mark.parametrize("columns, fault", [
    ({"words": [3]}, "there is no column `sentence`"),
    (
        {"sentence": [1], "id": [1], "form": [b"a"]},
        "the column `form` must hold strings or missing values, but holds bytes",
    ),
    ({"words": [[{"id": 1, "form": 5}]]}, "the column `words` has the type"),
    ({"words": [[{"id": "1", "form": "a"}]]}, "the column `words` has the type"),
    ({"words": [[{"id": 1, "form": "a"}]], "ranges": [3]}, "the column `ranges` has the type"),
    ({"words": [[{"id": 1, "form": "a"}]], "comments": ["# a"]}, "the column `comments` has the type string"),
    ({"words": [[{"id": 1, "form": "a"}]], "comments": [[None, "# a"]]}, "an item of `comments` is missing (null)"),
    (
        {"words": [[], [{"id": 1, "form": "a"}]], "comments": [["# a\n1\tb"], []]},
        "an item of `comments` is not a comment of CoNLL-U",
    ),
    ({"words": [[{"id": 1, "form": "a"}, None]]}, "an item of `words` is missing (null)"),
    ({"words": [[{"id": 2, "form": "a"}]]}, "id 2 where 1 is expected"),
    ({"words": [[{"id": 1, "form": "a", "head": 0.5}]]}, "the column `words` has the type"),
])
def test_errors_in_tables(columns, fault):
    with pytest.raises(InputError, match=f"^Arrow table.*{re.escape(fault)}"):
        Document.from_arrow(pyarrow.table(columns))


def test_a_head_that_is_not_a_number_raises_an_error():
    sentence = Sentence(
        [Word(1, "a"), Word(2, "b")], ["# sent_id = 7"], [Token(1, 2, "ab", ("_",) * 4 + ("x",) + ("_",) * 3)],
    )
    with pytest.raises(InputError, match="sent_id=7: in a range or an empty node, HEAD 'x' is not a word number"):
        Document([sentence]).to_arrow()


def test_missing_pyarrow_raises_an_error(monkeypatch):
    monkeypatch.setattr(arrow, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"Arrow and Parquet need pyarrow; run `pip install 'gardenpath\[tables\]'`"):
        Document(ODD).to_arrow()


def test_pyarrow_is_not_imported_without_need():
    code = "import sys; import gardenpath.formats.registry; gardenpath.read_parquet; print('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@FILES
@pytest.mark.parametrize("head", [10**30, -(10**30)])
def test_numbers_beyond_64_bits_raise_an_error(write, read, head, tmp_path):
    with pytest.raises(InputError, match="sentence or one of the 0 sentences after it has a value that Arrow cannot"):
        write([Sentence([Word(1, "a", head=head)])], tmp_path / "file")
    assert not list(tmp_path.iterdir())


def test_two_fields_of_one_name_raise_an_error():
    table = Document(ODD).to_arrow(nested=True)
    column = pyarrow.StructArray.from_arrays([pyarrow.array(range(len(ODD)))] * 2, ["x", "x"])
    with pytest.raises(InputError, match=r"^Arrow table: .*duplicate field names.*; rename one of the fields$"):
        Document.from_arrow(table.append_column("other", column))


def test_strings_that_are_not_utf8_raise_an_error(tmp_path):
    from pyarrow import parquet

    binary = pyarrow.array([b"\xff\xfe"], pyarrow.binary())
    form = pyarrow.Array.from_buffers(pyarrow.string(), 1, binary.buffers())
    table = pyarrow.table({"sentence": [1], "id": [1], "form": form})
    parquet.write_table(table, tmp_path / "file")
    with pytest.raises(InputError, match=r"file: .*UTF8"):
        list(gp.read_parquet(tmp_path / "file"))
    with pytest.raises(InputError, match=r"^Arrow table: .*UTF8"):
        Document.from_arrow(table)


def test_no_changed_byte_of_an_arrow_file_crashes(tmp_path):
    """A changed offset would make Arrow read beyond its buffers. A program of its own, so that a crash is noticed."""
    arrow.write_arrow(ODD, tmp_path / "file")
    code = (
        "import io, random, sys, gardenpath as gp\n"
        "from gardenpath.formats.arrow import read_arrow\n"
        "rng, content = random.Random(1), open(sys.argv[1], 'rb').read()\n"
        "for _ in range(1000):\n"
        "    changed = bytearray(content)\n"
        "    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)\n"
        "    try:\n"
        "        for sentence in read_arrow(io.BytesIO(changed)):\n"
        "            sentence.to_conllu()\n"
        "    except gp.InputError:\n"
        "        pass\n"
    )
    command = [sys.executable, "-c", code, tmp_path / "file"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
