"""Clusters of word vectors: obvious clusters, determinism, equal vectors, the command and its errors."""

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from gardenpath.cli import clusters as cli
from gardenpath.clusters.bisecting import induce
from gardenpath.errors import InputError, UsageError
from gardenpath.features.clusters import read_clusters
from gardenpath.features.vectors import Vectors

# Two pairs of groups: animals are close to plants, numbers to weekdays.
GROUPS = {
    "dog cat horse": [9, 1, 0], "oak fir rose": [9, -1, 0],
    "one two three": [0, 1, 9], "monday friday sunday": [0, -1, 9],
}


def vectors_of(words, rows):
    return Vectors(list(words), np.array(rows, np.float32))


def by_group(scale=1.0):
    """The words of the groups in turn, each a little off the direction of its group."""
    groups = [(words.split(), direction) for words, direction in GROUPS.items()]
    return vectors_of(
        [words[i] for i in range(3) for words, _ in groups],
        [[scale * (i + 1) * (number + 0.1 * i) for number in direction] for i in range(3) for _, direction in groups],
    )


def random_vectors(seed, words, dimension=10):
    draw = np.random.default_rng(seed)
    return vectors_of([f"w{number}" for number in range(words)], draw.standard_normal((words, dimension)))


def test_obvious_clusters():
    entries = induce(by_group(), 4)
    assert [f"{path} {word} {rank}" for path, word, rank in entries] == [
        "00 dog 1", "00 cat 5", "00 horse 9", "01 oak 2", "01 fir 6", "01 rose 10",
        "10 one 3", "10 two 7", "10 three 11", "11 monday 4", "11 friday 8", "11 sunday 12",
    ]
    assert {path: word for path, word, _ in induce(by_group(), 2)}.keys() == {"0", "1"}


@pytest.mark.parametrize("scale", [1e-30, 1e-3, 1e30])
def test_only_the_directions_of_vectors_matter(scale):
    assert induce(by_group(scale), 4) == induce(by_group(), 4)


@pytest.mark.parametrize("clusters", [2, 3, 7, 16, 100, 150])
def test_number_of_clusters(clusters):
    vectors = random_vectors(1, 150)
    entries = induce(vectors, clusters)
    paths = sorted({path for path, _, _ in entries})
    assert len(paths) == clusters
    assert not any(longer.startswith(shorter) for shorter, longer in pairwise(paths))
    assert entries == sorted(entries, key=lambda entry: (entry[0], entry[2]))
    assert sorted((rank, word) for _, word, rank in entries) == list(enumerate(vectors.words, 1))


def test_bit_strings_have_the_same_length_if_the_number_is_a_power_of_two():
    assert {len(path) for path, _, _ in induce(random_vectors(2, 2000), 64)} == {6}


def test_more_clusters_than_words():
    assert [f"{path} {word}" for path, word, _ in induce(vectors_of("abc", [[1, 0], [0, 1], [0.1, 1]]), 9)] == [
        "0 a", "10 b", "11 c",
    ]


def test_equal_vectors_stay_together():
    entries = induce(vectors_of("abcd", [[1, 2], [1, 3], [1, 2], [1, 3]]), 4)
    assert entries == [("0", "a", 1), ("0", "c", 3), ("1", "b", 2), ("1", "d", 4)]


def test_vectors_of_zeros():
    entries = induce(vectors_of("abcd", [[0, 0], [1, 3], [0, 0], [1, 3]]), 4)
    assert [path for path, _, _ in entries] == ["0", "0", "1", "1"]


def test_vectors_that_differ_very_little():
    """The mean is rounded, so that all vectors can be on one side of it."""
    rows = [[1, 0], [1, 2e-6], [1, 4e-6], [1, 4e-6], [1, 4e-6], [1, 8e-6]]
    entries = induce(vectors_of("abcdef", rows), 6)
    assert len(entries) == 6
    assert len({path for path, _, _ in entries}) > 1


def test_words_that_would_break_the_file_are_left_out():
    entries = induce(vectors_of(["a", "b\tc", "d\ne", "f g"], [[1, 2], [1, 3], [1, 4], [1, 5]]), 2)
    assert entries == [("0", "a", 1), ("1", "f g", 4)]


def test_the_linear_algebra_library_does_not_matter():
    """The kernels of OpenBLAS and the number of threads change the order of additions."""
    program = (
        "import hashlib, numpy as np; from gardenpath.clusters.bisecting import induce; "
        "from gardenpath.features.vectors import Vectors; "
        "rows = np.random.Generator(np.random.PCG64(3)).random((3000, 50)).astype(np.float32) - np.float32(0.5); "
        "print(hashlib.sha256(repr(induce(Vectors([str(i) for i in range(3000)], rows), 100)).encode()).hexdigest())"
    )
    results = [
        subprocess.run([sys.executable, "-c", program], env=os.environ | environment, check=True, capture_output=True)
        for environment in ({}, {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_NUM_THREADS": "1"})
    ]
    assert results[0].stdout == results[1].stdout


def test_progress_is_reported_up_to_the_end():
    seen = []
    induce(random_vectors(4, 90), 8, watch=lambda *progress: seen.append(progress))
    assert len(seen) == 8
    assert seen == sorted(seen)
    assert seen[-1] == (90, 90)


@pytest.mark.parametrize("clusters", [1, 0, -3])
def test_invalid_number_of_clusters(clusters):
    with pytest.raises(UsageError, match=f"clusters={clusters}: clusters must be at least 2"):
        induce(by_group(), clusters)


@pytest.mark.parametrize("words, rows", [("", np.zeros((0, 3))), ("a", [[1, 2]]), ("abc", [[1, 2], [1, 2], [2, 4]])])
def test_too_few_different_vectors(words, rows):
    with pytest.raises(InputError, match="fewer than two words with different vectors; use more vectors"):
        induce(vectors_of(words, rows), 2)


def written(tmp_path):
    vectors = by_group()
    path = tmp_path / "vectors.txt"
    lines = [f"{word} {' '.join(map(str, row))}\n" for word, row in zip(vectors.words, vectors.rows, strict=True)]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def test_the_command(tmp_path):
    target = tmp_path / "clusters.txt"
    cli.command(output_file=str(target), clusters=4, vectors=written(tmp_path))
    lines = [f"{path}\t{word}\t{rank}" for path, word, rank in induce(by_group(), 4)]
    assert target.read_text(encoding="utf-8").splitlines() == lines
    assert read_clusters(target).path_of("Friday") == "11"
    cli.command(output_file=str(target), vectors=written(tmp_path), max_vectors=5)
    assert len(target.read_text(encoding="utf-8").splitlines()) == 5


@pytest.mark.parametrize("arguments, message", [
    ({"files": ["a.conllu"]}, "--vectors cannot be combined with input files; cluster either text or vectors"),
    ({"min_count": 2, "input_format": "tokens"}, "--vectors cannot be combined with --min-count, --input"),
    ({"vectors": None, "max_vectors": 9}, "--max-vectors has no effect without --vectors"),
    ({"clusters": 0}, "clusters=0: clusters must be at least 2"),
])
def test_errors_of_the_command(arguments, message, tmp_path):
    target = tmp_path / "clusters.txt"
    with pytest.raises(UsageError, match=message):
        cli.command(**{"output_file": str(target), "vectors": written(tmp_path)} | arguments)
    assert not target.exists()
