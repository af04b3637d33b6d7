"""CoNLL-U: lossless round trips, lazy reading, errors with file and line."""

import io
import re
import tracemalloc
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath import Document, InputError, Sentence, Word, read_conllu, write_conllu
from gardenpath.formats import registry

TREEBANKS = sorted((Path(__file__).parents[3] / "shared" / "treebanks").rglob("*.conllu"))
SAMPLE = sorted((Path(__file__).parents[2] / "data" / "sample").glob("*.conllu"))


def word(identity, form, head="_", deprel="_"):
    return "\t".join([str(identity), form, "_", "X", "_", "_", str(head), deprel, "_", "_"])


DOGS = f"{word(1, 'Dogs', 2, 'nsubj')}\n{word(2, 'bark', 0, 'root')}\n\n"
FILES = {
    "plain": DOGS,
    "two sentences": DOGS + DOGS,
    "comments": f"# newdoc\n# sent_id = a\n#no space\n#\n# text = Dogs bark\n{DOGS}",
    "no final newline": DOGS.rstrip(),
    "no final blank line": DOGS[:-1],
    "blank lines between": DOGS + "\n\n\n" + DOGS + "\n",
    "blank lines before": "\n\n" + DOGS,
    "byte order mark": "\ufeff" + DOGS,
    "byte order mark and blank line": "\ufeff\n\n" + DOGS,
    "heads not given": f"{word(1, 'Dogs')}\n{word(2, 'bark')}\n\n",
    "spaces in forms": f"{word(1, '20 000')}\n{word(2, 'a  b ')}\n\n",
    "other line separators in forms": word(1, "a\u2028b") + "\n" + word(2, "c\x0bd\x85") + "\n\n",
    "ranges": f"{word('1-2', 'Dogsbark')}\n{DOGS}",
    "range at the end": f"{word(1, 'Dogs')}\n{word('2-3', 'cannot')}\n{word(2, 'can')}\n{word(3, 'not')}\n\n",
    "empty nodes": (
        f"{word('0.1', 'They')}\n{word('0.2', 'do')}\n{word(1, 'Dogs')}\n{word('1.1', 'do')}\n{word('1.2', 'do')}\n"
        f"{word(2, 'bark')}\n\n"
    ),
    "empty node before a range": f"{word('0.1', 'They')}\n{word('1-2', 'Dogsbark')}\n{DOGS}",
    "empty node at the end": f"{DOGS[:-1]}{word('2.1', 'bark')}\n\n",
    "other letters": f"{word(1, 'собаки')}\n{word(2, '犬')}\n{word(3, '🐕')}\n\n",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", FILES)
def test_files_round_trip_byte_for_byte(name, newline):
    data = FILES[name].replace("\n", newline).encode()
    assert round_trip(data) == data


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("cut", [0, 1, 2])
def test_files_can_be_joined_if_they_end_without_an_empty_line(newline, cut, tmp_path):
    """The first and the last file have no empty line at the end, and every file has a byte order mark."""
    first = ("\ufeff" + DOGS[: len(DOGS) - cut]).replace("\n", newline).encode()
    sentences = [sentence for _ in range(3) for sentence in read_conllu(io.BytesIO(first))]
    whole = ("\ufeff" + DOGS * 3).replace("\n", newline)
    wanted = whole[: len(whole) - cut * len(newline)]
    assert Document(sentences).to_conllu() == wanted
    write_conllu(sentences, tmp_path / "a")
    registry.FORMATS["conllu"].write(sentences, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == wanted.encode()
    registry.FORMATS["conllup"].write(sentences, tmp_path / "c")
    assert len(list(registry.FORMATS["conllup"].read(tmp_path / "c"))) == 3


@pytest.mark.parametrize("path", TREEBANKS + SAMPLE, ids=lambda path: path.stem)
def test_treebanks_round_trip_byte_for_byte(path):
    assert "".join(sentence.to_conllu() for sentence in read_conllu(path)).encode() == path.read_bytes()


@pytest.mark.skipif(not TREEBANKS, reason="no treebanks beside the repository (../shared/treebanks)")
def test_treebanks_are_found():
    assert len(TREEBANKS) > 10


COLUMN = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), min_size=1)
COMMENT = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])).map("#".__add__)


@st.composite
def sentences(draw):
    """Draw the lines of a sentence with comments, ranges and empty nodes."""
    size = draw(st.integers(1, 6))
    lines = draw(st.lists(COMMENT, max_size=3))
    last = 0
    for i in range(size + 1):
        if i > last and draw(st.booleans()):
            last = draw(st.integers(i, size))
            lines.append(draw(line(f"{i}-{last}")))
        if i:
            lines.append(draw(line(str(i))))
        lines += [draw(line(f"{i}.{k}")) for k in range(1, draw(st.integers(0, 2)) + 1)]
    return lines


@st.composite
def line(draw, identity):
    columns = draw(st.lists(COLUMN, min_size=9, max_size=9))
    columns[5] = draw(st.integers(0, 12).map(str) | st.just("_"))
    return "\t".join([identity, *columns])


@settings(deadline=None)
@given(
    st.lists(sentences(), min_size=1, max_size=3), st.sampled_from(["\n", "\r\n"]), st.integers(0, 2),
    st.integers(-2, 2),
)
def test_random_files_round_trip_byte_for_byte(blocks, newline, before, after):
    text = newline * before + (newline * 2).join(newline.join(block) for block in blocks) + newline * (2 + after)
    assert round_trip(text.encode()) == text.encode()
    assert len(list(read_conllu(io.BytesIO(text.encode())))) == len(blocks)


def test_columns_are_read():
    rows = [
        "1-2 don't _ _ _ _ _ _ _ SpaceAfter=No", "1 do do AUX VBP Mood=Ind 0 root 0:root A=b",
        "2 n't not PART RB _ _ _ _ _",
    ]
    text = "# sent_id = s\n" + "\n".join(rows).replace(" ", "\t")
    (sentence,) = read_conllu(io.BytesIO(text.encode()))
    do, negation = sentence.words
    assert do.columns() == ("1", "do", "do", "AUX", "VBP", "Mood=Ind", "0", "root", "0:root", "A=b")
    assert (do.id, do.head, negation.head) == (1, 0, None)
    assert (sentence.ranges[0].first, sentence.ranges[0].last, sentence.ranges[0].form) == (1, 2, "don't")
    assert (sentence.sent_id, sentence.heads, len(sentence.tokens)) == ("s", [0, None], 1)


def test_places_are_files_and_lines(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(f"\n\n# sent_id = a\n{DOGS}\n\n{DOGS}")
    assert [sentence.place for sentence in read_conllu(path)] == [f"{path}:3", f"{path}:9"]
    assert next(iter(read_conllu(str(path)))).where == f"{path}:3: sent_id=a"


def test_line_ends_of_a_single_line():
    (sentence,) = read_conllu(io.BytesIO(f"{word(1, 'Dogs')}\r\n\r\n".encode()))
    assert sentence.newline == "\r\n"
    (sentence,) = read_conllu(io.BytesIO(f"{DOGS[:-1]}\r\n".encode()))
    assert (sentence.newline, sentence.ending) == ("\n", "\n\r\n")


def test_reading_continues_after_an_error():
    errors = []
    data = f"{DOGS}1\tshort\n\n{DOGS}".encode()
    assert len(list(read_conllu(io.BytesIO(data), on_error=errors.append))) == 2
    assert [str(error) for error in errors] == [
        "<stream>:4: 2 columns instead of 10; columns are separated by single tabs, an empty one is `_`"
    ]
    with pytest.raises(InputError, match="<stream>:4: 2 columns"):
        list(read_conllu(io.BytesIO(data)))


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(DOGS.encode())))
    assert [sentence.place for sentence in read_conllu("-")] == ["<stdin>:1"]


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.conllu"):
        list(read_conllu(tmp_path / "nowhere.conllu"))


class Feed:
    """A stream that counts the lines read from it."""

    def __init__(self, sentences):
        self.given, self.sentences = 0, sentences

    def __iter__(self):
        for _ in range(self.sentences):
            for line in DOGS.encode().splitlines(keepends=True):
                self.given += 1
                yield line


def test_reading_is_lazy():
    feed = Feed(1000)
    reader = read_conllu(feed)
    assert feed.given == 0
    for read in range(1, 11):
        next(reader)
        assert feed.given <= 3 * read + 1


def test_memory_does_not_grow_with_the_file():
    assert peak(5000) < 2 * peak(500)


def peak(sentences):
    tracemalloc.start()
    for _ in read_conllu(Feed(sentences)):
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def test_writing_to_a_path_and_to_a_stream(tmp_path):
    data = (FILES["comments"] + FILES["ranges"]).replace("\n", "\r\n")
    read = list(read_conllu(io.BytesIO(data.encode())))
    write_conllu(read, tmp_path / "out.conllu")
    assert (tmp_path / "out.conllu").read_bytes() == data.encode()
    stream = io.StringIO(newline="")
    write_conllu(islice(read, 1), stream)
    assert stream.getvalue() == read[0].to_conllu()


def test_sentences_built_in_code_are_written():
    sentence = Sentence(
        [Word(1, "Dogs", head=2, deprel="nsubj", upos="X"), Word(2, "bark", head=0, deprel="root", upos="X")]
    )
    assert Document.of([sentence]).to_conllu() == DOGS


def round_trip(data):
    return "".join(sentence.to_conllu() for sentence in read_conllu(io.BytesIO(data))).encode()


@pytest.mark.parametrize("text, fault", [
    ("# a\rb\n" + DOGS, "<stream>:1: a carriage return (CR) that does not end a line"),
    ("# a\n\r# b\n" + DOGS, "<stream>:2: a carriage return"),
    (DOGS.replace("\n", "\r"), "<stream>:1: a carriage return"),
    ("1\ta" + 8 * "\t_" + "\n2-3\tb" + 8 * "\t_" + "\n\n", "<stream>:2: range 2-3 reaches beyond the last word 1"),
    ("1-2\ta" + 8 * "\t_", "<stream>:1: no words below"),
    ("1\ta\t_\t_\t_\t_\t" + "9" * 30 + 3 * "\t_", "HEAD '999999999999999999999999999999' is not a word number"),
    ("1\ta\t_\t_\t_\t_\t" + "9" * 9000 + 3 * "\t_", "HEAD '9999999999999999999999999999999999999...' is not"),
    ("9" * 9000 + "\ta" + 8 * "\t_", "id 9999999999999999999999999999999999999... where 1 is expected"),
    ("1-" + "9" * 9000 + "\ta" + 8 * "\t_", "is not two numbers joined by `-`"),
    ("1-2\ta\t_\t_\t_\t_\tx\t_\t_\t_\n" + DOGS, "HEAD 'x' is not a word number"),
])
def test_what_cannot_be_written_again_is_refused(text, fault):
    with pytest.raises(InputError, match=re.escape(fault)):
        list(read_conllu(io.BytesIO(text.encode())))


def test_reading_continues_after_a_range_without_words():
    broken, errors = "1\ta" + 8 * "\t_" + "\n2-3\tb" + 8 * "\t_" + "\n\n", []
    assert len(list(read_conllu(io.BytesIO((broken + DOGS).encode()), on_error=errors.append))) == len(errors) == 1
