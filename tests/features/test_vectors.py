"""Files of word vectors: all formats, damaged and hostile files, lower case, 8-bit numbers."""

import ctypes
import gzip
import os
import random
import struct
import sys
import threading
import tracemalloc
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.features.vector_fasttext import ngram_buckets
from gardenpath.features.vectors import Vectors, lower_case, quantised, read_vectors

WORDS = ["the", ",", "Haus", "naïve", "東京", "1990", "-0.5"]
ROWS = np.array([[word * 0.25 - 1, 0.5, -word] for word in range(len(WORDS))], np.float32)
DIMENSION = ROWS.shape[1]
BUCKETS = 50
NGRAMS = np.random.default_rng(1).standard_normal((BUCKETS, DIMENSION)).astype(np.float32)


def glove(words, rows, end="\n"):
    return "".join(f"{word} {' '.join(map(str, row))}{end}" for word, row in zip(words, rows, strict=True)).encode()


def word2vec_text(words, rows):
    return f"{len(words)} {rows.shape[1]}\n".encode() + glove(words, rows)


def vec(words, rows):
    """fastText writes a space after the last number."""
    return f"{len(words)} {rows.shape[1]}\n".encode() + glove(words, rows, " \n")


def word2vec_binary(words, rows, end=b"\n"):
    entries = (word.encode() + b" " + row.tobytes() + end for word, row in zip(words, rows, strict=True))
    return f"{len(words)} {rows.shape[1]}\n".encode() + b"".join(entries)


def gensim_binary(words, rows):
    return word2vec_binary(words, rows, b"")


def fasttext(
    words, rows, ngrams=NGRAMS[:0], shortest=0, longest=0, *, labels=(), version=12, kind=2, pruned=-1, is_quantised=0,
    size=None, shape=None, dimension=None, buckets=None,
):
    """A model of fastText, whose source files `args.cc`, `dictionary.cc` and `fasttext.cc` define the layout."""
    numbers = {
        "dim": rows.shape[1] if dimension is None else dimension, "ws": 5, "epoch": 5, "minCount": 5, "neg": 5,
        "wordNgrams": 1, "loss": 2, "model": kind, "bucket": len(ngrams) if buckets is None else buckets,
        "minn": shortest, "maxn": longest, "lrUpdateRate": 100,
    }
    count = len(words) + len(labels) if size is None else size
    parts = [
        struct.pack("<2i", 793712314, version),
        struct.pack("<12id", *numbers.values(), 1e-4),
        struct.pack("<3i2q", count, count - len(labels), len(labels), 1000, pruned),
        *(word.encode() + b"\0" + struct.pack("<qb", 10, 0) for word in words),
        *(label.encode() + b"\0" + struct.pack("<qb", 10, 1) for label in labels),
        struct.pack("<8i", *range(8))[:max(0, 8 * pruned)],
        struct.pack("<b2q", is_quantised, *(shape or (len(rows) + len(ngrams), rows.shape[1]))),
        rows.tobytes(), ngrams.tobytes(),
        struct.pack("<b2q", 0, len(rows), rows.shape[1]), rows.tobytes(),
    ]
    return b"".join(parts)


FORMATS = [glove, word2vec_text, vec, word2vec_binary, gensim_binary, fasttext]
SMALL = {make.__name__: make(WORDS, ROWS) for make in FORMATS}
SMALL["fasttext with n-grams"] = fasttext(WORDS, ROWS, NGRAMS, 2, 4)
EVERY = [*SMALL, *(f"{name}, compressed" for name in SMALL)]


def content(name):
    plain = SMALL[name.removesuffix(", compressed")]
    return gzip.compress(plain) if name.endswith("compressed") else plain


@pytest.fixture
def read(tmp_path):
    """Return a function that writes bytes to a file and reads them as vectors, all words unless it gets a limit."""

    def read(data, **options):
        path = tmp_path / "file"
        path.write_bytes(data)
        return read_vectors(path, **{"limit": None, **options})

    return read


# Formats

@pytest.mark.parametrize("name", [name for name in EVERY if "n-grams" not in name])
def test_every_format(read, name):
    vectors = read(content(name))
    assert vectors.words == WORDS
    assert vectors.rows.dtype == np.float32
    assert vectors.rows == pytest.approx(ROWS)
    assert (vectors.dimension, len(vectors), vectors.skipped) == (DIMENSION, len(WORDS), 0)


def ngrams_of(word, shortest, longest):
    """Slow twin: all substrings of the word with its boundaries, and the place of each in it."""
    text = f"<{word}>"
    for start in range(len(text)):
        for length in range(shortest, longest + 1):
            ngram = text[start:start + length]
            if len(ngram) == length and ngram and ngram not in ("<", ">"):
                yield ngram


def bucket_of(ngram, buckets):
    """Slow twin of the hash, with numpy's integers of fixed width."""
    value = np.uint32(2166136261)
    with np.errstate(over="ignore"):
        for byte in np.frombuffer(ngram.encode(), np.int8):
            value = (value ^ byte.astype(np.uint32)) * np.uint32(16777619)
    return int(value) % buckets


@pytest.mark.parametrize("lengths", [(1, 3), (0, 1), (3, 6), (5, 5)])
def test_vectors_of_fasttext_are_means_of_words_and_ngrams(read, lengths):
    vectors = read(fasttext(WORDS, ROWS, NGRAMS, *lengths))
    for word, own, vector in zip(WORDS, ROWS, vectors.rows, strict=True):
        rows = [own, *(NGRAMS[bucket_of(ngram, BUCKETS)] for ngram in ngrams_of(word, max(1, lengths[0]), lengths[1]))]
        assert vector == pytest.approx(np.mean(rows, axis=0), abs=1e-6)


def test_ngrams_of_fasttext():
    """The two constants are test vectors of FNV-1a, published by its authors."""
    assert list(ngram_buckets(b"a", 1, 1, 2**32)) == [0xE40C292C]
    assert list(ngram_buckets(b"foobar", 6, 6, 2**32))[1] == 0xBF9CF968
    assert list(ngram_buckets(b"ab", 3, 3, 2**32)) == [bucket_of("<ab", 2**32), bucket_of("ab>", 2**32)]
    assert list(ngram_buckets("é".encode(), 1, 1, 100)) == [bucket_of("é", 100)]
    assert list(ngram_buckets(b"</s>", 1, 6, 100)) == []


def test_labels_of_fasttext_are_no_words(read):
    labels = ("__label__a", "__label__b")
    assert read(fasttext(WORDS, ROWS, NGRAMS, 2, 3, labels=labels, kind=3)).words == WORDS


def test_old_classifiers_of_fasttext_have_no_ngrams(read):
    assert read(fasttext(WORDS, ROWS, NGRAMS, 2, 3, version=11, kind=3)).rows == pytest.approx(ROWS)
    assert read(fasttext(WORDS, ROWS, NGRAMS, 2, 3, version=11)).rows != pytest.approx(ROWS)


def test_large_matrices_are_read_in_pieces(read):
    """Pieces are a megabyte; rows for the words, the n-grams and a word behind them all lie in several."""
    words = [f"w{number}" for number in range(3000)]
    rows = np.arange(3000 * 200, dtype=np.float32).reshape(3000, 200)
    vectors = read(fasttext(words, rows, rows[:1500], 3, 3), limit=2, wanted={"w2999"})
    assert vectors.words == ["w0", "w1", "w2999"]
    for number, vector in zip((0, 1, 2999), vectors.rows, strict=True):
        ngrams = [rows[bucket_of(ngram, 1500)] for ngram in ngrams_of(f"w{number}", 3, 3)]
        assert vector == pytest.approx(np.mean([rows[number], *ngrams], axis=0), rel=1e-5)
    for make in (glove, word2vec_binary):
        assert read(make(words, rows), limit=0, wanted={"w2999"}).rows.tolist() == [rows[2999].tolist()]


@pytest.mark.parametrize("make", [word2vec_binary, gensim_binary])
def test_numbers_that_look_like_line_ends_and_text(read, make):
    """The first numbers contain the bytes of a line end and of letters."""
    rows = np.frombuffer(b"\nabc abc\n\nd>9\x92\x01\x02", np.float32).reshape(1, 4)
    vectors = read(make(["word"], rows))
    assert vectors.words == ["word"]
    assert vectors.rows.tobytes() == rows.tobytes()


def test_pipes(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for name in SMALL:
        writer = threading.Thread(target=path.write_bytes, args=(SMALL[name],))
        writer.start()
        assert read_vectors(path, limit=None).words == WORDS
        writer.join()


# Text files in the wild

@pytest.mark.parametrize("text", [
    b"a 1 2\r\nb 3 4\r\n", b"a 1 2\nb 3 4", b"a 1 2 \nb 3 4 ", b"a\t1\t2\nb\t3\t4\n", b"a\t1 2\nb\t3 4\n",
    b"a  1 2\nb 3  4\n", b"\xef\xbb\xbfa 1 2\nb 3 4\n", b"2 2\r\na 1 2\r\nb 3 4\r\n", b"\xef\xbb\xbf2 2\na 1 2\nb 3 4",
    b"2\t2 \na 1 2 \nb 3 4 \n\n", b"a 1 2\n\nb 3 4\n\n", b"a 1e0 2.\nb +3 4.0e+00\n",
])
def test_separators_and_line_ends(read, text):
    vectors = read(text)
    assert vectors.words == ["a", "b"]
    assert vectors.rows.tolist() == [[1, 2], [3, 4]]


def test_words_with_spaces(read):
    vectors = read(b". . . 1 2\nat name@domain.com 3 4\nx 5 6\n\xc2\xa0 7 8\n")
    assert vectors.words == [". . .", "at name@domain.com", "x", "\u00a0"]
    assert vectors.rows.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]


def test_the_first_of_equal_words_counts(read):
    for make in FORMATS:
        vectors = read(make(["a", "b", "a"], np.eye(3, dtype=np.float32)))
        assert vectors.words == ["a", "b"]
        assert vectors.rows.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_words_that_are_empty_or_not_utf8_are_counted(read):
    vectors = read(b"a 1 2\n\xff\xfe 3 4\n 5 6\nb 7 8\n")
    assert (vectors.words, vectors.skipped) == (["a", "b"], 2)
    assert vectors.rows.tolist() == [[1, 2], [7, 8]]
    for make in (word2vec_binary, gensim_binary, fasttext):
        data = make(["a", "é", "b"], np.eye(3, dtype=np.float32)).replace("é".encode(), b"\xff\xff")
        vectors = read(data)
        assert (vectors.words, vectors.skipped) == (["a", "b"], 1)
        assert vectors.rows.tolist() == [[1, 0, 0], [0, 0, 1]]


# Which words are kept

@pytest.mark.parametrize("name", EVERY)
def test_limit_and_wanted_words(read, name):
    complete = read(content(name))
    for limit in range(len(WORDS) + 2):
        for wanted in (None, {"1990", "Haus", "missing"}, lambda word: word in {"1990", "Haus"}):
            vectors = read(content(name), limit=limit, wanted=wanted)
            rest = ["Haus", "1990"] if wanted else []
            kept = [word for number, word in enumerate(WORDS) if number < limit or word in rest]
            assert vectors.words == kept
            assert vectors.rows.shape == (len(kept), DIMENSION)
            for word, row in zip(vectors.words, vectors.rows, strict=True):
                assert row == pytest.approx(complete.rows[WORDS.index(word)])


def test_reading_ends_at_the_limit(read):
    assert read(b"a 1 2\nb 3 4\nc broken\n", limit=2).words == ["a", "b"]


def test_rows_that_are_not_kept_are_counted_but_not_parsed(read):
    assert read(b"a 1 2\nb x y\n", limit=1, wanted={"z"}).words == ["a"]
    with pytest.raises(InputError, match=":2: the line has 1 numbers"):
        read(b"a 1 2\nb 3\nc 4 5\n", limit=1, wanted={"z"})


@pytest.mark.parametrize("make", FORMATS)
def test_lower_case(read, make):
    words = ["The", "THE", "the", "Paris", "PARIS", "İstanbul", "ΣΑΣ", "a"]
    rows = np.arange(24, dtype=np.float32).reshape(8, 3)
    vectors = read(make(words, rows), lowered=True)
    assert vectors.words == ["the", "paris", "istanbul", "σασ", "a"]
    assert vectors.rows.tolist() == rows[[2, 3, 5, 6, 7]].tolist()
    vectors = read(make(words, rows), lowered=True, limit=1, wanted={"a", "Paris", "istanbul"})
    assert vectors.words == ["the", "istanbul", "a"]
    assert vectors.rows.tolist() == rows[[2, 5, 7]].tolist()


def test_lower_case_is_that_of_the_native_core():
    """`lower_case` of core/characters.pxd is this function of Python."""
    function = ctypes.pythonapi._PyUnicode_ToLowercase
    function.argtypes, function.restype = [ctypes.c_uint32], ctypes.c_uint32
    points = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    assert [lower_case(chr(point)) for point in points] == [chr(function(point)) for point in points]
    assert lower_case("ÉCOLE No. 5") == "école no. 5"


# Errors

CONLLU = (
    b"# sent_id = 1\n# text = Birds sing\n"
    b"1\tBirds\tbird\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
)
BAD = np.array([[1, 2, 3], [np.nan, 0, 0]], np.float32)


@pytest.mark.parametrize("data, message", [
    (b"", "the file is empty; download it again"),
    (gzip.compress(b""), "the file is empty"),
    (b"\n \n", "this is not a file of word vectors; use a text file of GloVe"),
    (CONLLU, "this is not a file of word vectors"),
    (CONLLU.split(b"\n", 2)[2], "this is not a file of word vectors"),
    (b"A page of prose, which ends\nwith a number like 3\nin one line.\n", "this is not a file of word vectors"),
    (b"0\tthe\t500\n10\tof\t300\n", "this is not a file of word vectors"),
    (b"the 500\nof 300\n", "this is not a file of word vectors"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "this is not a file of word vectors"),
    (bytes(3_000_000), "this is not a file of word vectors"),
    (b"PK\x03\x04rest", "the file is a zip archive; unpack it, and use the file of vectors in it"),
    (b"\xfd7zXZ\0rest", "the file is compressed with xz; unpack it"),
    (b"\x1f\x8bnonsense", "the file cannot be decompressed"),
    (gzip.compress(b"a 1 2\nb 3 4\n")[:-9], "the file cannot be decompressed"),
    (gzip.compress(b"a 1 2\nb 3 4\n") + b"rest", "the file cannot be decompressed"),
    (b"a 1 2\nb 3 4\nc 5\n", ":3: the line has 1 numbers, but vectors in this file have 2; the file is damaged"),
    (b"a 1 2\nb 3 4\nc 5 6 7\n", ":3: the line has 3 numbers, but vectors in this file have 2"),
    (b"a 1 2\nb 3  \nc 5 6\n", ":2: the line has 1 numbers"),
    (b"a 1 2 3\nb 3  4\nc 5 6 7\n", ":2: the line has 2 numbers"),
    (b"a 1 2\nb\nc 5 6\n", ":2: the line has 0 numbers"),
    (b"2 3\na 1 2\nb 3 4\n", ":2: the line has 2 numbers, but vectors in this file have 3"),
    (b"a 1 2\nb x 4\nc 1 2\n", ":2: 'x' is not a number"),
    (b"a 1 2\nb 3 4,5\nc 1 2\n", ":2: '4,5' is not a number"),
    (b"2 2\na 1 2\nb 3 \xff\n", ":3: '\ufffd' is not a number"),
    (b"a 1 2\nb nan 4\n", ":2: 'nan' is not a finite 32-bit number"),
    (b"a 1 2\nb 3 -inf\n", ":2: '-inf' is not a finite"),
    (b"a 1 2\nb 1e39 4\n", ":2: '1e39' is not a finite"),
    (b"a 1 2\n" + b"b" * 3_000_000, "byte 6: a line that begins here is longer than"),
    (b"3 2\na 1 2\nb 3 4\n", "the header announces 3 words with 2 numbers each, but the file has 2 words; it"),
    (b"1 2\na 1 2\nb 3 4\n", "the header announces 1 words with 2 numbers each, but the file has 2 words"),
    (b"1 2", "the header announces 1 words with 2 numbers each, but the file has only 3 bytes"),
    (b"0 2\n", ":1: the header announces 0 words with 2 numbers each, which is not possible"),
    (b"-5 2\na 1 2\n", ":1: the header announces -5 words"),
    (b"5 0\na\n", ":1: the header announces 5 words with 0 numbers"),
    (b"5 100000\na 1\n", ":1: the header announces 5 words with 100000 numbers each"),
    (word2vec_binary("ab", BAD), "byte 21: the vector of 'b' contains a number that is not finite"),
    (word2vec_binary("ab", ROWS[:2])[:-3], "the file ends too early, after byte 31; download it again"),
    (word2vec_binary("ab", ROWS[:2])[:-9], "the header announces 2 words with 3 numbers each, but the file has only"),
    (gzip.compress(word2vec_binary("ab", ROWS[:2])[:-3]), "the file ends too early, after byte 31"),
    (gzip.compress(word2vec_binary("ab", ROWS[:2])[:-14]), "the file ends too early, after byte 1"),
    (word2vec_binary("ab", ROWS[:2]) + b"c", "byte 33: the header announces 2 words .* but the file cont"),
    (b"2 3\na " + bytes(100_000), "byte 18: a word that begins here is longer than 65536 bytes"),
    (fasttext(WORDS, ROWS, is_quantised=1), r"this fastText model is quantised \(.ftz\); use the .bin or .vec file"),
    (fasttext(WORDS, ROWS, pruned=2), "this fastText model is quantised"),
    (fasttext(WORDS, ROWS, version=13), "a fastText model of version 13, and only 11 and 12 are supported; use"),
    (fasttext(WORDS, ROWS, shape=(7, 4)), "byte 191: 7 rows with 4 numbers do not fit the dictionary of the model"),
    (fasttext(WORDS, ROWS, NGRAMS, 2, 3, shape=(7, 3)), "byte 191: 7 rows with 3 numbers do not fit"),
    (fasttext("ab", BAD[:, :3]), "the vector of 'b' contains a number that is not finite"),
    (fasttext("ab", BAD[:, :3], NGRAMS, 2, 3), "the vector of 'b' contains a number that is not finite"),
    (fasttext("ab", np.full((2, 2), 3e38, np.float32), np.full((9, 2), 3e38, np.float32), 2, 3), "not finite"),
    (fasttext(WORDS, ROWS, NGRAMS, 2, 3, buckets=0), "byte 64: the sizes of the fastText model are not valid"),
    (fasttext(WORDS, ROWS, NGRAMS, -2, 3), "the sizes of the fastText model are not valid"),
    (fasttext(WORDS, ROWS, NGRAMS, 2, 2**31 - 1), "the sizes of the fastText model are not valid"),
    (fasttext(WORDS, ROWS, NGRAMS, 2, 3, buckets=-1), "the sizes of the fastText model are not valid"),
    (fasttext(WORDS, ROWS, dimension=0), "the sizes of the fastText model are not valid"),
    (fasttext(WORDS, ROWS, size=-7), "the sizes of the fastText model are not valid"),
    (fasttext(WORDS, ROWS, size=2**31 - 1), "the header announces 2147483647 words, but the file has only"),
])
def test_errors(read, data, message, tmp_path):
    with pytest.raises(InputError, match=message) as caught:
        read(data)
    assert str(caught.value).startswith(str(tmp_path / "file"))


def test_a_zip_archive_of_vectors(tmp_path):
    with zipfile.ZipFile(tmp_path / "glove.zip", "w") as archive:
        archive.writestr("glove.txt", SMALL["glove"])
    with pytest.raises(InputError, match="zip archive"):
        read_vectors(tmp_path / "glove.zip", limit=None)


HOSTILE = [
    b"1000000000000 65536\na 1 2\n",
    b"1000000000000 65536\na \0\0\0\0",
    b"99999999999999999999999999999999 300\n" + bytes(1000),
    fasttext(WORDS, ROWS, shape=(2**40, 3)),
    fasttext(WORDS, ROWS, shape=(2**62, 65536), dimension=65536),
    fasttext(WORDS, ROWS, NGRAMS, 3, 30, shape=(2**62, 65536), dimension=65536, buckets=2**31 - 1),
    fasttext(["a" * 10_000], ROWS[:1], NGRAMS, 0, 30, shape=(2**62, 3), buckets=2**31 - 1)[:-200],
    fasttext(WORDS, ROWS, size=2**31 - 1),
]


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_sizes(read, data):
    with pytest.raises(InputError):
        read(data)


@pytest.mark.parametrize("data", [*HOSTILE, *map(gzip.compress, HOSTILE)])
def test_hostile_sizes_take_no_memory(read, data):
    """The length of compressed files is not known, so a matrix that is never read may announce any number of rows."""
    tracemalloc.start()
    try:
        with suppress(InputError):
            read(data)
        assert tracemalloc.get_traced_memory()[1] < 150_000_000
    finally:
        tracemalloc.stop()


def is_sound(vectors):
    return vectors.rows.shape[0] == len(vectors) == len(set(vectors.words)) and np.isfinite(vectors.rows).all()


@pytest.mark.parametrize("name", EVERY)
def test_a_file_cut_at_any_byte(read, name):
    """A cut file gives an error, or the first words. Only the last number of a text can be cut without a trace."""
    data, complete = content(name), read(content(name))
    for length in range(len(data)):
        try:
            vectors = read(data[:length])
        except InputError:
            continue
        assert is_sound(vectors)
        assert vectors.words == WORDS[:len(vectors)]
        if vectors.dimension == DIMENSION:
            assert vectors.rows[:-1] == pytest.approx(complete.rows[:len(vectors) - 1])


@pytest.mark.parametrize("name", EVERY)
def test_damaged_files(read, name):
    generator = random.Random(name)
    for _ in range(200):
        data = bytearray(content(name))
        for _ in range(generator.choice((1, 1, 2, 5))):
            data[generator.randrange(len(data))] = generator.choice((0, 10, 32, 48, 255, generator.randrange(256)))
        try:
            vectors = read(bytes(data))
        except InputError:
            continue
        assert is_sound(vectors)


# 8-bit numbers

def test_quantised_numbers():
    rows = np.array([[1, -2, 0.5], [0, 0, 0], [254, 127, 1]], np.float32)
    numbers, scales = quantised(rows)
    assert (numbers.dtype, scales.dtype) == (np.int8, np.float32)
    assert numbers.tolist() == [[64, -127, 32], [0, 0, 0], [127, 64, 0]]
    assert scales == pytest.approx([2 / 127, 1, 2])


def test_quantised_numbers_are_close():
    generator = np.random.default_rng(7)
    rows = (generator.standard_normal((100, 30)) * 10.0 ** generator.integers(-30, 30, (100, 1))).astype(np.float32)
    numbers, scales = quantised(rows)
    assert (np.abs(numbers).max(axis=1) == 127).all()
    assert (np.abs(numbers * scales[:, None] - rows) <= scales[:, None] * 0.5001).all()


@pytest.mark.parametrize("value", [1e-45, 1e-44, 1.5e-43, 3.4e38])
def test_quantised_extremes(value):
    numbers, scales = quantised(np.array([[value, -value]], np.float32))
    assert np.isfinite(scales).all()
    assert (scales > 0).all()
    assert numbers[0, 0] == -numbers[0, 1]


def test_no_vectors():
    numbers, scales = quantised(np.empty((0, 5), np.float32))
    assert (numbers.shape, scales.shape) == ((0, 5), (0,))
    assert Vectors([], np.empty((0, 5), np.float32)).dimension == 5
