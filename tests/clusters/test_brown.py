"""Brown clustering: compared with a slow implementation; rare words, ties and sentence boundaries."""

import math
import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

from gardenpath.clusters.brown import induce
from gardenpath.errors import InputError, UsageError


def slow_induce(sentences, clusters, min_count=1):
    """Follow the definition: compute the mutual information anew for every pair of classes that might be merged."""
    counts = Counter(word for sentence in sentences for word in sentence)
    words = sorted((word for word in counts if counts[word] >= min_count), key=lambda word: (-counts[word], word))
    pairs = (pair for sentence in sentences if sentence for pair in pairwise([None, *sentence, None]))
    bigrams = Counter(pair for pair in pairs if set(pair) <= {None, *words})
    merging = SlowMerging(words, bigrams)
    for word in words:
        merging.classes.append([word])
        if len(merging.classes) > clusters:
            merging.merge_best()
    members = {merged[0]: merged for merged in merging.classes}
    paths = dict.fromkeys(members, "")
    tree = []
    while len(merging.classes) > 1:
        tree.append(merging.merge_best())
    for first, second in reversed(tree):
        paths[first], paths[second] = paths[first] + "0", paths[first] + "1"
    entries = [(paths[first], word, counts[word]) for first in members for word in members[first]]
    return sorted(entries, key=lambda entry: (entry[0], -entry[2], entry[1]))


class SlowMerging:
    """Classes as lists of words, the most frequent first. `classes` does not contain that of the boundary, None."""

    def __init__(self, words, bigrams):
        self.rank = {word: rank for rank, word in enumerate(words)}
        self.bigrams = bigrams
        self.classes = []

    def merge_best(self):
        def order(pair):
            ranks = sorted((self.rank[merged[0]] for merged in pair), reverse=True)
            others = [other for other in self.classes if other not in pair]
            return -self.information([*others, pair[0] + pair[1]]), [-rank for rank in ranks]

        first, second = sorted(min(combinations(self.classes, 2), key=order), key=lambda merged: self.rank[merged[0]])
        self.classes = [merged for merged in self.classes if merged not in (first, second)]
        self.classes.append(sorted(first + second, key=self.rank.get))
        return first[0], second[0]

    def information(self, classes):
        """Return the mutual information of neighbouring classes, as an integer and without constant terms."""
        class_of = {word: number for number, merged in enumerate([*classes, [None]]) for word in merged}
        together, left, right = Counter(), Counter(), Counter()
        for (first, second), count in self.bigrams.items():
            left[class_of.get(first, "unknown")] += count
            right[class_of.get(second, "unknown")] += count
            if first in class_of and second in class_of:
                together[class_of[first], class_of[second]] += count
        return sum(
            count * (logarithm(count) - logarithm(left[a]) - logarithm(right[b])) for (a, b), count in together.items()
        )


def logarithm(count):
    return round(math.log2(count) * 2**24)


def random_text(seed, words, sentences):
    """Generate sentences in which some words are more frequent than others and words prefer certain neighbours."""
    draw = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(words)]
    text = []
    for _ in range(sentences):
        sentence = [draw.choice(vocabulary)]
        while draw.random() < 0.8:
            near = int(sentence[-1][1:]) * 7 + draw.choice((1, 2, 3, draw.randrange(words)))
            sentence.append(vocabulary[min(near % words, draw.randrange(words))])
        text.append(sentence)
    return text


@pytest.mark.parametrize("seed", range(12))
def test_same_result_as_the_slow_implementation(seed):
    words = 4 + seed
    text = random_text(seed, words, 10 * (1 + seed % 4))
    for clusters in (2, 3, words // 2, words, words + 5):
        if clusters >= 2:
            assert induce(text, clusters) == slow_induce(text, clusters)


@pytest.mark.parametrize("text", [
    ["a b", "b a"], ["a a a"], ["a b a b a b c"], ["a", "b", "c", "d"], ["a b c d e f", "f e d c b a"],
    ["a x", "b x", "c x", "a y", "b y", "c z"],
    ["the dog barks", "the cat barks", "a dog sleeps", "a cat sleeps", "the dog", "a cat"],
], ids=str)
@pytest.mark.parametrize("clusters", [2, 3, 4, 9])
def test_ties_and_one_word_sentences(text, clusters):
    sentences = [sentence.split() for sentence in text]
    if len({word for sentence in sentences for word in sentence}) < 2:
        with pytest.raises(InputError, match="fewer than two words that occur at least 1 times"):
            induce(sentences, clusters)
    else:
        assert induce(sentences, clusters) == slow_induce(sentences, clusters)


def test_words_with_similar_contexts_share_a_cluster():
    determiners, nouns, verbs = ["the", "a", "this"], ["dog", "cat", "bird", "fish"], ["sees", "hears", "likes"]
    draw = random.Random(1)
    text = [[draw.choice(part) for part in (determiners, nouns, verbs, determiners, nouns)] for _ in range(300)]
    path_of = {word: path for path, word, _ in induce(text, 3)}
    assert [len({path_of[word] for word in part}) for part in (determiners, nouns, verbs)] == [1, 1, 1]
    assert len(set(path_of.values())) == 3


@pytest.mark.parametrize("min_count", [1, 2, 3, 5])
def test_rare_words_and_their_bigrams_are_ignored(min_count):
    text = random_text(3, 30, 30)
    counts = Counter(word for sentence in text for word in sentence)
    entries = induce(text, 4, min_count)
    frequent = {word: count for word, count in counts.items() if count >= min_count}
    assert {word: count for _, word, count in entries} == frequent
    assert entries == slow_induce(text, 4, min_count)


def test_bigrams_do_not_cross_sentences():
    text = random_text(4, 12, 40)
    together = [[word for sentence in text for word in sentence]]
    assert induce(together, 4) == slow_induce(together, 4)
    assert induce(together, 4) != induce(text, 4) == induce([*text, [], []], 4)


def test_the_boundary_separates_first_and_last_words():
    text = ["the dog barks", "a cat sleeps", "the cat barks", "a dog sleeps", "the dog sleeps", "a cat barks"]
    entries = induce([sentence.split() for sentence in text], 3)
    paths = [f"{path} {word}" for path, word, _ in entries]
    assert paths == ["0 a", "0 the", "10 barks", "10 sleeps", "11 cat", "11 dog"]


def test_bit_strings_are_unique_and_prefix_free():
    text = random_text(5, 80, 400)
    paths = sorted({path for path, _, _ in induce(text, 17)})
    assert len(paths) == 17
    assert not any(longer.startswith(shorter) for shorter, longer in pairwise(paths))


def test_the_order_of_sentences_does_not_matter():
    text = random_text(6, 60, 200)
    shuffled = random.Random(2).sample(text, len(text))
    in_order = sorted(induce(iter(text), 10), key=lambda entry: (entry[0], -entry[2], entry[1]))
    assert induce(text, 10) == induce(shuffled, 10) == in_order


def test_progress_is_reported_up_to_the_end():
    seen = []
    words = len(induce(random_text(7, 200, 500), 10, watch=lambda *progress: seen.append(progress)))
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[-1] == (words - 1, words - 1)


@pytest.mark.parametrize("clusters, min_count", [(1, 1), (0, 1), (-3, 1), (10, 0)])
def test_invalid_arguments(clusters, min_count):
    with pytest.raises(UsageError, match=f"clusters={clusters}, min_count={min_count}: clusters must be at least 2"):
        induce([["a", "b"]], clusters, min_count)


@pytest.mark.parametrize("text", [[], [[]], [["a", "a"]], [["a", "b", "c"]]])
def test_too_few_words(text):
    with pytest.raises(InputError, match=r"fewer than two words that occur at least 2 times; use more text"):
        induce(text, 5, 2)
