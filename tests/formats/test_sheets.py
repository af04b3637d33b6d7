"""Tables with columns to choose: CSV, TSV, XLSX, Parquet, Arrow and data frames."""

import csv
import io
import re
import zipfile
from xml.etree import ElementTree

import pytest

import gardenpath as gp
from gardenpath import Confidence, InputError, Sentence, Token, UsageError, Word
from gardenpath.formats import registry, xlsx
from gardenpath.formats.columns import DEFAULTS, table_of
from gardenpath.formats.sheets import write_rows
from sample import DEV

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SENTENCES = [
    Sentence(
        [
            Word(1, '"We"', "we", "PRON", "PRP", "Case=Nom|Number=Plur", 3, "nsubj", misc="Gloss=x", start=0, end=2),
            Word(2, "do", "do", "AUX", head=3, deprel="aux"),
            Word(3, "n't", head=0, deprel="root", confidence=Confidence(0.5, None, 0.75, 1.0)),
        ],
        ["# newdoc id = d1", "# sent_id = s1", "# text = \"We\" don't"], [Token(2, 3, "don't")],
    ),
    Sentence([Word(1, "=1+1, ok")]),
]
ODD = [["a,b", 'say "x"', "tab\there"], ["<&>", " spaces ", "\x01 _x0041_ \r"], [None, 3, 0.5]]


def read_xlsx(content):
    """Return the rows of all worksheets, as strings and numbers."""
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    sheets = []
    for number, _ in enumerate(book.iter(f"{MAIN}sheet"), 1):
        rows = []
        for row in ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{number}.xml")).iter(f"{MAIN}row"):
            cells = {}
            for cell in row.iter(f"{MAIN}c"):
                place, line = re.fullmatch("([A-Z]+)([0-9]+)", cell.get("r")).groups()
                assert line == row.get("r") == str(len(rows) + 1)
                text = cell.find(f"{MAIN}is/{MAIN}t")
                value = float(cell.find(f"{MAIN}v").text) if text is None else unescaped(text.text or "")
                cells[place] = value
            rows.append(cells)
        sheets.append(rows)
    return sheets


def unescaped(text):
    return re.sub("_x([0-9A-F]{4})_", lambda found: chr(int(found[1], 16)), text)


def written(format, header, rows):
    target = io.BytesIO()
    write_rows(header, rows, target, format)
    return target.getvalue()


def test_csv():
    content = written("csv", ["a", "b", "c"], ODD).decode()
    assert list(csv.reader(io.StringIO(content, newline=""))) == [
        ["a", "b", "c"], ODD[0], [*ODD[1][:2], "\x01 _x0041_  "], ["", "3", "0.5"],
    ]


def test_tsv_has_no_quotes():
    assert written("tsv", ["a", "b", "c"], ODD).decode().split("\n") == [
        "a\tb\tc", 'a,b\tsay "x"\ttab here', "<&>\t spaces \t\x01 _x0041_  ", "\t3\t0.5", "",
    ]


def test_xlsx():
    [sheet] = read_xlsx(written("xlsx", ["a", "b", "c"], ODD))
    assert sheet == [
        {"A": "a", "B": "b", "C": "c"}, dict(zip("ABC", ODD[0], strict=True)), dict(zip("ABC", ODD[1], strict=True)),
        {"B": 3, "C": 0.5},
    ]
    assert written("xlsx", ["a"], [["x"]]) == written("xlsx", ["a"], [["x"]])
    wide = [f"c{i}" for i in range(703)]
    letters = list(read_xlsx(written("xlsx", wide, []))[0][0])
    assert letters[25:28] + letters[701:] == ["Z", "AA", "AB", "ZZ", "AAA"]


def test_long_tables_have_several_worksheets(monkeypatch):
    monkeypatch.setattr(xlsx, "MOST_ROWS", 4)
    for count in (0, 1, 3, 4, 7):
        sheets = read_xlsx(written("xlsx", ["n"], [[i] for i in range(count)]))
        assert [sheet[0] for sheet in sheets] == [{"A": "n"}] * max(1, -(-count // 3))
        assert [row["A"] for sheet in sheets for row in sheet[1:]] == list(range(count))


def test_a_cell_of_xlsx_has_a_limit():
    with pytest.raises(InputError, match=r"cell A2: the text has 32,768 characters, .* write CSV instead"):
        written("xlsx", ["a"], [["x" * 32_768]])
    with pytest.raises(UsageError, match="rows cannot be written as 'pdf'; choose one of csv, tsv, xlsx"):
        written("pdf", ["a"], [])


def test_columns_of_words():
    names = [
        "document", "sentence", "sent_id", "text", "id", "form", "head", "head_form", "head_lemma", "head_upos",
        "token", "feats.Number", "misc.Gloss", "depth", "start", "conf_head", "conf_tag",
    ]
    table = table_of(SENTENCES, names)
    assert table.header == tuple(names)
    text = "\"We\" don't"
    assert list(table.rows) == [
        ("d1", 1, "s1", text, 1, '"We"', 3, "n't", None, None, '"We"', "Plur", "x", 1, 0, None, None),
        ("d1", 1, "s1", text, 2, "do", 3, "n't", None, None, "don't", None, None, 1, None, None, None),
        ("d1", 1, "s1", text, 3, "n't", 0, None, None, None, "don't", None, None, 0, None, 0.75, None),
        ("d1", 2, None, "=1+1, ok", 1, "=1+1, ok", *(None,) * 4, "=1+1, ok", None, None, 0, None, None, None),
    ]
    assert table_of(SENTENCES).header == DEFAULTS["words"]
    assert next(table_of(SENTENCES, ["head_deprel", "feats", "xpos"]).rows) == ("root", "Case=Nom|Number=Plur", "PRP")


def test_columns_of_sentences():
    names = ["sent_id", "text", "tokens", "words", "root_form", "root_lemma", "depth", "lowest_conf_upos"]
    assert list(table_of(SENTENCES, names, "sentences").rows) == [
        ("s1", "\"We\" don't", 2, 3, "n't", None, 1, 0.5), (None, "=1+1, ok", 1, 1, None, None, 0, None),
    ]
    assert table_of([], None, "sentences").header == DEFAULTS["sentences"]


@pytest.mark.parametrize("columns, rows, problem", [
    (["form", "nothing"], "words", "no column 'nothing' in a table of words; choose from document, .* feats.Number"),
    (["form"], "sentences", "there is no column 'form' in a table of sentences"),
    (["feats."], "words", "there is no column 'feats.'"), (["form", "form"], "words", "each column only once"),
    ([], "words", "at least one column"), ("form", "words", "must be a list of names, not the string 'form'"),
    (None, "pages", "rows cannot be 'pages'; choose one of words, sentences"),
])
def test_mistakes(columns, rows, problem, tmp_path):
    for name in ("a.csv", "a.parquet"):
        with pytest.raises(UsageError, match=problem):
            gp.write_table(SENTENCES, tmp_path / name, columns=columns, rows=rows)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "parquet", "feather"])
def test_every_table_has_the_chosen_columns(ending, tmp_path):
    path = tmp_path / f"words.{ending}"
    gp.Document(SENTENCES).to_table(path, columns=["form", "head_form", "conf_head"])
    if ending == "xlsx":
        rows = [list(row.values()) for row in read_xlsx(path.read_bytes())[0][1:]]
        assert rows == [['"We"', "n't"], ["do", "n't"], ["n't", 0.75], ["=1+1, ok"]]
    elif ending in ("csv", "tsv"):
        assert path.read_text("utf-8").splitlines()[1] == ('"""We""",n\'t,' if ending == "csv" else "\"We\"\tn't\t")
    else:
        arrow = pytest.importorskip("pyarrow.feather" if ending == "feather" else "pyarrow.parquet")
        table = arrow.read_table(path)
        assert table.column_names == ["form", "head_form", "conf_head"]
        assert table.to_pylist()[2] == {"form": "n't", "head_form": None, "conf_head": 0.75}


def test_data_frames_have_the_chosen_columns():
    pytest.importorskip("pandas", reason="pandas is not installed")
    document = gp.Document(SENTENCES)
    frame = document.to_dataframe(columns=["form", "head_form", "depth"])
    assert frame["head_form"].fillna("").tolist() == ["n't", "n't", "", ""]
    assert document.to_dataframe(rows="sentences")["words"].tolist() == [3, 1]
    with pytest.raises(UsageError, match="leave out `columns` and `rows`"):
        document.to_dataframe(complete=True, columns=["form"])


def test_the_ending_must_be_known(tmp_path):
    with pytest.raises(UsageError, match=r"the ending is not that of a table; use \.parquet, .*\.xlsx, or name the"):
        gp.write_table(SENTENCES, tmp_path / "a.conllu")
    with pytest.raises(UsageError, match="is not the name of a table format; choose one of parquet, arrow, csv"):
        gp.write_table(SENTENCES, io.BytesIO())
    gp.write_table(SENTENCES, tmp_path / "a.table", "csv")
    assert (tmp_path / "a.table").read_text("utf-8").startswith("document,")
    with pytest.raises(UsageError, match="a nested table has all columns"):
        registry.write(SENTENCES, tmp_path / "a.parquet", "parquet", nested=True, columns=["form"])


def test_documents_are_written_as_their_sentences():
    written = [io.BytesIO(), io.BytesIO()]
    gp.write_table(SENTENCES, written[0], "csv")
    gp.write_table(iter([gp.Document(list(SENTENCES))]), written[1], "csv")
    assert written[0].getvalue() == written[1].getvalue()


def test_the_sample_has_one_row_per_word(tmp_path):
    sentences = list(gp.read_conllu(DEV))
    gp.write_table(iter(sentences), tmp_path / "dev.csv")
    with open(tmp_path / "dev.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    words = [word for sentence in sentences for word in sentence]
    assert [(row["form"], row["head"], row["deprel"]) for row in rows] == [
        (word.form, str(word.head), word.deprel) for word in words
    ]
    assert [row["head_form"] for row in rows] == [word.head_word.form if word.head else "" for word in words]
