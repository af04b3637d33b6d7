# cython: boundscheck=False, wraparound=False
"""Brown clustering (Brown et al., Computational Linguistics 1992) with cached merge losses (Liang, MIT 2005).

Words are grouped into classes that maximise the mutual information of neighbouring classes

    sum over classes a, b of  n(a, b) log (n(a, b) N / (l(a) r(b)))

where n(a, b) is the number of bigrams with the first word in a and the second word in b, l(a) the number of bigrams
with the first word in a, r(b) the number of bigrams with the second word in b, and N the number of all bigrams.
Sentences begin and end with a boundary, which is a word with a class of its own. This class is never merged. Without
the boundary, words that only begin sentences and words that only end them could be merged at no loss.

At first each of the C most frequent words has its own class. Then the remaining words are added one by one. Each gets
a class of its own, and the two of the C + 1 classes with the smallest loss are merged. Finally the C classes are
merged until one is left. The tree of these final merges defines the bit strings.

The loss of merging s and t is a sum over the neighbouring classes w. Only a class w that has bigrams with both s and t
adds a term that depends on n(s, w) and n(t, w) together. All other terms follow from l and r. Therefore few losses
change when a class is added or two classes are merged. The cost of adding a word is about C times the number of its
neighbouring classes, not C².

Logarithms are integers in units of 2^-24. Sums are therefore exact in any order, cached losses equal recomputed ones,
and ties are exact. Ties go to the pair of the rarest classes. A class is identified by its most frequent word. Words
are numbered by frequency, starting at 1; the boundary is 0.
"""

from libc.math cimport llround, log2
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.pair cimport pair
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE

from gardenpath.errors import InputError, UsageError

cdef enum:
    UNIT = 1 << 24                 # logarithms are multiples of 1 / UNIT
    LARGEST_COUNT = 1 << 30        # largest number of bigrams; all sums stay below 2^63
    TABULATED = 1 << 20            # logarithms of smaller counts are read from a table
    CHUNK = 50                     # number of merges between two progress reports
    BOUNDARY = 0                   # the boundary's number as a word and its index as a class

cdef struct Neighbour:
    int word
    int32_t count


cdef class Bigrams:
    """Counts of words and bigrams, collected sentence by sentence."""

    cdef dict numbers                                  # words in order of first occurrence, numbered from 1
    cdef list counts                                   # by number of a word; boundaries are not counted
    cdef unordered_map[uint64_t, int32_t] followed     # counts of bigrams; the high half of the key is the first word
    cdef int64_t total                                 # number of bigrams

    def __init__(self):
        self.numbers = {}
        self.counts = [0]

    def add(self, words):
        """Count a sentence."""
        cdef int64_t left = BOUNDARY, right
        for word in words:
            right = self.numbers.setdefault(word, len(self.counts))
            if right == len(self.counts):
                self.counts.append(0)
            self.counts[right] += 1
            self._follow(left, right)
            left = right
        if left != BOUNDARY:
            self._follow(left, BOUNDARY)
        if self.total > LARGEST_COUNT:
            raise InputError(f"the text has more than {LARGEST_COUNT:,} bigrams; use a part of it")

    cdef void _follow(self, uint64_t left, uint64_t right):
        self.followed[left << 32 | right] += 1
        self.total += 1

    def frequent(self, int min_count):
        """Return the words that occur at least `min_count` times, with their counts, the most frequent first."""
        words = [(word, self.counts[number]) for word, number in self.numbers.items()]
        return sorted((entry for entry in words if entry[1] >= min_count), key=lambda entry: (-entry[1], entry[0]))


cdef class Merging:
    """The current classes, from one per word to a single one."""

    cdef int clusters                      # C
    cdef int words                         # number of words, including the boundary
    cdef int introduced                    # number of words added so far
    cdef vector[vector[Neighbour]] following   # by word: the words that follow it, with counts
    cdef vector[vector[Neighbour]] preceding   # by word: the words that precede it, with counts
    cdef vector[int] earlier               # by word: a more frequent word of its class, or itself if there is none
    cdef vector[int] place_of              # by word, if it is the most frequent of its class: index of the class
    cdef vector[pair[int, int]] merges     # the most frequent words of the two merged classes

    # The following are indexed by class, from 0 to size - 1. There is room for the boundary and C + 1 classes.
    cdef int size                          # number of classes
    cdef int width                         # length of a matrix row
    cdef vector[int] first                 # most frequent word
    cdef vector[int32_t] after             # matrix of n(a, b)
    cdef vector[int32_t] before            # matrix of n(b, a)
    cdef vector[int64_t] left              # l(a)
    cdef vector[int64_t] right             # r(a)
    cdef vector[int64_t] known_left        # l(a) without bigrams whose other word has no class yet
    cdef vector[int64_t] known_right       # r(a) without bigrams whose other word has no class yet
    cdef vector[int64_t] losses            # matrix of merge losses; the larger index is the row
    cdef vector[int64_t] logarithms        # log n
    cdef vector[int64_t] weighted          # n log n

    def __init__(self, Bigrams bigrams, list words, int clusters):
        self.words = <int>len(words) + 1
        self.clusters = min(clusters, <int>len(words))
        self._take_neighbours(bigrams, {word: number for number, word in enumerate(words, 1)})
        self.earlier.resize(self.words)
        self.place_of.resize(self.words)
        self.merges.reserve(self.words)
        self.width = self.clusters + 2
        self.first.resize(self.width)
        self.left.resize(self.width)
        self.right.resize(self.width)
        self.known_left.resize(self.width)
        self.known_right.resize(self.width)
        self.after.resize(<size_t>self.width * self.width)
        self.before.resize(<size_t>self.width * self.width)
        self.losses.resize(<size_t>self.width * self.width)
        self._tabulate(min(<int64_t>TABULATED, bigrams.total + 1))

    def _take_neighbours(self, Bigrams bigrams, dict ranks):
        """Copy the bigrams of the words, with the new numbers of the words."""
        cdef vector[int] rank_of
        cdef pair[uint64_t, int32_t] entry
        cdef Neighbour neighbour
        cdef int left, right
        rank_of.resize(len(bigrams.counts))
        rank_of[BOUNDARY] = BOUNDARY
        for word, number in bigrams.numbers.items():
            rank_of[number] = ranks.get(word, NONE)
        self.following.resize(self.words)
        self.preceding.resize(self.words)
        for entry in bigrams.followed:
            left, right = rank_of[entry.first >> 32], rank_of[entry.first & 0xFFFFFFFF]
            if left != NONE and right != NONE:
                neighbour.count = entry.second
                neighbour.word = right
                self.following[left].push_back(neighbour)
                neighbour.word = left
                self.preceding[right].push_back(neighbour)

    cdef void _tabulate(self, int64_t size):
        cdef int64_t n
        self.logarithms.push_back(0)
        self.weighted.push_back(0)
        for n in range(1, size):
            self.logarithms.push_back(_logarithm(n))
            self.weighted.push_back(n * self.logarithms[n])

    cdef inline int64_t log(self, int64_t n) noexcept nogil:
        return self.logarithms[n] if n < <int64_t>self.logarithms.size() else _logarithm(n)

    cdef inline int64_t nlog(self, int64_t n) noexcept nogil:
        """n log n."""
        return self.weighted[n] if n < <int64_t>self.weighted.size() else n * _logarithm(n)

    cdef inline int64_t shared(self, int64_t n, int64_t m) noexcept nogil:
        """Return what two counts in the same context add to the loss. It is 0 if one of them is 0."""
        return self.nlog(n) + self.nlog(m) - self.nlog(n + m)

    cdef inline int64_t* loss(self, int a, int b) noexcept nogil:
        return &self.losses[<size_t>max(a, b) * self.width + min(a, b)]

    cdef inline int32_t* row(self, vector[int32_t]& matrix, int a) noexcept nogil:
        return &matrix[<size_t>a * self.width]

    cdef inline void set_count(self, int a, int b, int32_t count) noexcept nogil:
        """Set n(a, b)."""
        self.row(self.after, a)[b] = count
        self.row(self.before, b)[a] = count

    def advance(self):
        """Make up to CHUNK merges without the GIL. Return the number of merges made so far and of all merges."""
        cdef int _
        with nogil:
            for _ in range(CHUNK):
                while self.introduced < self.words and self.size < self.width:
                    self.introduce()
                if self.size > 2:
                    self.merge_best()
        return self.merges.size(), self.words - 2

    cdef int class_of(self, int word) noexcept nogil:
        """Return the index of a word's class."""
        while self.earlier[word] != word:
            self.earlier[word] = self.earlier[self.earlier[word]]
            word = self.earlier[word]
        return self.place_of[word]

    cdef void introduce(self) noexcept nogil:
        """Give the next word a class of its own."""
        cdef int word = self.introduced, place = self.size, other
        cdef Neighbour neighbour
        self.introduced += 1
        self.size += 1
        self.earlier[word] = word
        self.place_of[word] = place
        self.first[place] = word
        self.left[place] = self.right[place] = self.known_left[place] = self.known_right[place] = 0
        for other in range(self.size):
            self.set_count(place, other, 0)
            self.set_count(other, place, 0)
        for neighbour in self.following[word]:
            self.left[place] += neighbour.count
            if neighbour.word <= word:
                self._count(place, self.class_of(neighbour.word), neighbour.count)
        for neighbour in self.preceding[word]:
            self.right[place] += neighbour.count
            if neighbour.word < word:
                self._count(self.class_of(neighbour.word), place, neighbour.count)
        self._add_context(self.row(self.before, place), self.left.data())
        self._add_context(self.row(self.after, place), self.right.data())
        self._compute_losses(place)

    cdef void _count(self, int a, int b, int32_t count) noexcept nogil:
        """Add to n(a, b)."""
        self.set_count(a, b, self.row(self.after, a)[b] + count)
        self.known_left[a] += count
        self.known_right[b] += count

    cdef void _add_context(self, const int32_t* counts, const int64_t* totals) noexcept nogil:
        """Add to the losses of all other pairs the terms of the bigrams with the last class on one side.

        `counts` has the number of bigrams of each class with the last class, and `totals` that with any class.
        """
        cdef int a, b, last = self.size - 1
        cdef int64_t alone
        for a in range(last):
            if counts[a]:
                alone = self.log(totals[a])
                for b in range(last):
                    if b != a:
                        self.loss(a, b)[0] += counts[a] * (self.log(totals[a] + totals[b]) - alone)
                for b in range(a):
                    if counts[b]:
                        self.loss(a, b)[0] += self.shared(counts[a], counts[b])

    cdef void _compute_losses(self, int a) noexcept nogil:
        """Compute the losses of merging a class with each of the others."""
        cdef int b, w
        for b in range(self.size):
            if b != a:
                self.loss(a, b)[0] = self.own_loss(a, b)
        for w in range(self.size):
            if w != a:
                self._add_shared(a, w, self.row(self.after, a)[w], self.row(self.before, w))
                self._add_shared(a, w, self.row(self.before, a)[w], self.row(self.after, w))

    cdef void _add_shared(self, int a, int w, int32_t count, const int32_t* counts) noexcept nogil:
        """Add the terms of the context w to the losses of class a.

        Class a occurs `count` times in this context, and the other classes as often as `counts` says.
        """
        cdef int b
        if count:
            for b in range(self.size):
                if counts[b] and b != a and b != w:
                    self.loss(a, b)[0] += self.shared(count, counts[b])

    cdef int64_t own_loss(self, int a, int b) noexcept nogil:
        """Return the part of the loss that does not depend on single other classes.

        It consists of the terms of bigrams within a and b, and of the terms of l and r.
        """
        cdef int64_t aa = self.row(self.after, a)[a], ab = self.row(self.after, a)[b]
        cdef int64_t ba = self.row(self.after, b)[a], bb = self.row(self.after, b)[b]
        cdef int64_t within = (
            self.nlog(aa) + self.nlog(ab) + self.nlog(ba) + self.nlog(bb) - self.nlog(aa + ab + ba + bb)
        )
        return (
            within + _of_sums(self, self.known_left[a], self.left[a], self.known_left[b], self.left[b])
            + _of_sums(self, self.known_right[a], self.right[a], self.known_right[b], self.right[b])
        )

    cdef void merge_best(self) noexcept nogil:
        """Merge the two classes with the smallest loss, other than the boundary."""
        cdef int a, b, best_a = 1, best_b = 2
        cdef int64_t least
        cdef const int64_t* losses
        for b in range(2, self.size):
            losses = &self.losses[<size_t>b * self.width]
            least = losses[1]
            for a in range(2, b):
                least = min(least, losses[a])
            if least <= self.loss(best_a, best_b)[0]:
                for a in range(1, b):
                    if losses[a] != least:
                        continue
                    if least < self.loss(best_a, best_b)[0] or self._is_rarer(a, b, best_a, best_b):
                        best_a, best_b = a, b
        if self._neighbours(best_a) < self._neighbours(best_b):
            self.merge(best_b, best_a)
        else:
            self.merge(best_a, best_b)

    cdef bint _is_rarer(self, int a, int b, int c, int d) noexcept nogil:
        """Return whether the pair a, b comes before c, d if their losses are equal."""
        cdef int first = self.first[a], second = self.first[b], third = self.first[c], fourth = self.first[d]
        cdef int rarest = max(first, second), other = max(third, fourth)
        return rarest > other or (rarest == other and min(first, second) > min(third, fourth))

    cdef int _neighbours(self, int a) noexcept nogil:
        """Return the number of neighbouring classes on the left plus that on the right."""
        cdef int w, count = 0
        for w in range(self.size):
            count += (self.row(self.after, a)[w] != 0) + (self.row(self.before, a)[w] != 0)
        return count

    cdef void merge(self, int s, int t) noexcept nogil:
        """Merge class t into class s. The running time depends on the number of neighbours of t."""
        cdef int a, w
        cdef int32_t within = self.row(self.after, s)[t] + self.row(self.after, t)[s] + self.row(self.after, t)[t]
        self._join_contexts(s, t, self.row(self.before, s), self.row(self.before, t))
        self._join_contexts(s, t, self.row(self.after, s), self.row(self.after, t))
        for a in range(self.size):
            if a != s and a != t:
                self.loss(s, a)[0] -= self.own_loss(s, a)
                self.loss(s, a)[0] -= self.shared(self.row(self.after, s)[t], self.row(self.after, a)[t])
                self.loss(s, a)[0] -= self.shared(self.row(self.before, s)[t], self.row(self.before, a)[t])
        for w in range(self.size):
            if w != s and w != t:
                self._share_more(
                    s, t, w, self.row(self.after, s)[w], self.row(self.after, t)[w], self.row(self.before, w)
                )
                self._share_more(
                    s, t, w, self.row(self.before, s)[w], self.row(self.before, t)[w], self.row(self.after, w)
                )
                self.set_count(s, w, self.row(self.after, s)[w] + self.row(self.after, t)[w])
                self.set_count(w, s, self.row(self.before, s)[w] + self.row(self.before, t)[w])
        self.set_count(s, s, self.row(self.after, s)[s] + within)
        self.left[s] += self.left[t]
        self.right[s] += self.right[t]
        self.known_left[s] += self.known_left[t]
        self.known_right[s] += self.known_right[t]
        for a in range(self.size):
            if a != s and a != t:
                self.loss(s, a)[0] += self.own_loss(s, a)
        self._join_words(s, t)
        self._move(self.size - 1, t)

    cdef void _join_contexts(self, int s, int t, const int32_t* with_s, const int32_t* with_t) noexcept nogil:
        """Update the losses of all other pairs: s and t become one context."""
        cdef int a, b
        for a in range(self.size):
            if not with_t[a] or a == s or a == t:
                continue
            for b in range(self.size):
                if b == a or b == s or b == t or not (with_s[b] or with_t[b]) or (with_t[b] and b < a):
                    continue
                self.loss(a, b)[0] += (
                    self.shared(with_s[a] + with_t[a], with_s[b] + with_t[b])
                    - self.shared(with_s[a], with_s[b]) - self.shared(with_t[a], with_t[b])
                )

    cdef void _share_more(self, int s, int t, int w, int32_t count, int32_t more, const int32_t* counts) noexcept nogil:
        """Update the losses of s for the context w, in which s occurs `more` times more often now."""
        cdef int a
        if more:
            for a in range(self.size):
                if counts[a] and a != s and a != t and a != w:
                    self.loss(s, a)[0] += self.shared(count + more, counts[a]) - self.shared(count, counts[a])

    cdef void _join_words(self, int s, int t) noexcept nogil:
        """Move the words of t to s."""
        cdef int first = self.first[s], second = self.first[t]
        if first > second:
            first, second = second, first
        self.merges.push_back(pair[int, int](first, second))
        self.earlier[second] = first
        self.first[s] = first
        self.place_of[first] = s

    cdef void _move(self, int a, int b) noexcept nogil:
        """Move the last class, a, to the free index b."""
        cdef int w
        self.size -= 1
        if a == b:
            return
        for w in range(self.size):
            if w != b:
                self.set_count(b, w, self.row(self.after, a)[w])
                self.set_count(w, b, self.row(self.before, a)[w])
                self.loss(b, w)[0] = self.loss(a, w)[0]
        self.set_count(b, b, self.row(self.after, a)[a])
        self.left[b], self.right[b] = self.left[a], self.right[a]
        self.known_left[b], self.known_right[b] = self.known_left[a], self.known_right[a]
        self.first[b] = self.first[a]
        self.place_of[self.first[b]] = b

    def paths(self):
        """Return the bit string of every word after all merges.

        A bit is the side of the word's class in a merge. The bits begin with the last merge and cover the merges of the
        last C classes.
        """
        paths = [""] * self.words
        joined = list(self.merges)
        end = self.words - 1 - self.clusters
        for first, second in reversed(joined[end:]):
            paths[second] = paths[first] + "1"
            paths[first] += "0"
        for first, second in reversed(joined[:end]):
            paths[second] = paths[first]
        return paths[1:]


cdef inline int64_t _logarithm(int64_t n) noexcept nogil:
    return llround(log2(<double>n) * UNIT)


cdef inline int64_t _of_sums(
    Merging merging, int64_t known_a, int64_t all_a, int64_t known_b, int64_t all_b
) noexcept nogil:
    """Return the terms of l or of r in the loss, given the counts with known classes and with all classes."""
    return (
        (known_a + known_b) * merging.log(all_a + all_b)
        - known_a * merging.log(all_a) - known_b * merging.log(all_b)
    )


def induce(sentences, int clusters=320, int min_count=1, watch=None):
    """Cluster the words of sentences.

    Args:
        sentences: Sequences of strings.
        clusters: The number of clusters.
        min_count: Words that occur less often are ignored, and so are their bigrams.
        watch: A function that is called regularly with the number of merges made so far and of all merges.

    Returns:
        A sorted list of tuples (bit string, word, count).
    """
    cdef Bigrams bigrams = Bigrams()
    if clusters < 2 or min_count < 1:
        problem = "clusters must be at least 2, and min_count at least 1"
        raise UsageError(f"clusters={clusters}, min_count={min_count}: {problem}")
    for sentence in sentences:
        bigrams.add(sentence)
    words = bigrams.frequent(min_count)
    if len(words) < 2:
        problem = f"the text has fewer than two words that occur at least {min_count} times"
        raise InputError(f"{problem}; use more text or a smaller min_count")
    cdef Merging merging = Merging(bigrams, [word for word, _ in words], clusters)
    done, total = 0, len(words) - 1
    while done < total:
        done, total = merging.advance()
        if watch is not None:
            watch(done, total)
    entries = [(path, word, count) for path, (word, count) in zip(merging.paths(), words)]
    return sorted(entries, key=lambda entry: (entry[0], -entry[2], entry[1]))
