# cython: boundscheck=False, wraparound=False
"""Inducing Brown clusters (Brown et al., Computational Linguistics 1992) with tables of losses that are kept up to date (Liang, MIT 2005).

Words are put into classes so that the classes of neighbouring words tell as much of each other as possible, by their mutual information

    sum over classes a, b of  n(a, b) log (n(a, b) N / (l(a) r(b)))

n(a, b) is how often a word of b follows one of a, l(a) and r(b) how often words of a are followed and words of b are preceded by any, N the number of bigrams.
The boundary that sentences begin and end with is a word, too, with a class of its own that is never merged: without it, words that only begin sentences and
words that only end them could be merged at no loss.

The C most frequent words begin with a class each. Then word after word gets a class of its own, and each time those two of the C + 1 classes are merged that
lose the least. When all words are in, merging goes on until one class is left: the tree of these last merges gives the bit strings.

What is lost by merging s and t is a sum over the classes w beside them. Where both are followed by w, it has a part of n(s, w) and n(t, w) together; all the
rest is known from sums. So few pairs change when a class comes or two are merged, and a word costs about C times the number of classes beside it, not C².

Logarithms are whole numbers here, of units of 2^-24. So sums are exact whatever their order, losses kept up are those computed afresh, and ties are ties: they
go to the pair of the rarest classes. A class goes by its most frequent word, and words are numbered by frequency, from 1 on; the boundary is 0.
"""

from libc.math cimport llround, log2
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.pair cimport pair
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE

from gardenpath.errors import InputError, UsageError

cdef enum:
    UNIT = 1 << 24                 # of logarithms
    LARGEST_COUNT = 1 << 30        # of bigrams: with these logarithms all sums stay below 2^63
    TABULATED = 1 << 20            # counts whose logarithms are looked up
    CHUNK = 50                     # merges between two reports
    BOUNDARY = 0                   # its number as a word, and its place as a class

cdef struct Neighbour:
    int word
    int32_t count


cdef class Bigrams:
    """The words of a text and which follow which, counted sentence by sentence."""

    cdef dict numbers                                  # of words, as they come, from 1 on
    cdef list counts                                   # of words, by number; of boundaries none are counted
    cdef unordered_map[uint64_t, int32_t] followed     # how often a word (the higher half) is followed by another
    cdef int64_t total

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
            raise InputError(f"the text has more than {LARGEST_COUNT:,} bigrams; take a part of it")

    cdef void _follow(self, uint64_t left, uint64_t right):
        self.followed[left << 32 | right] += 1
        self.total += 1

    def frequent(self, int min_count):
        """The words that are there so often, with their counts, the most frequent first."""
        words = [(word, self.counts[number]) for word, number in self.numbers.items() if self.counts[number] >= min_count]
        return sorted(words, key=lambda entry: (-entry[1], entry[0]))


cdef class Merging:
    """The classes of some words, on the way from one for each to one for all."""

    cdef int clusters                      # C
    cdef int words                         # how many there are, with the boundary
    cdef int introduced                    # how many have, or had, a class of their own
    cdef vector[vector[Neighbour]] following   # by word: which words follow it, how often
    cdef vector[vector[Neighbour]] preceding
    cdef vector[int] earlier               # by word: a more frequent one of its class; the most frequent one has itself
    cdef vector[int] place_of              # by word, if it is the most frequent one of its class: the place of the class
    cdef vector[pair[int, int]] merges     # the most frequent words of the two classes

    # By the place of a class. Places are filled from 0 on; a matrix has room for C + 1 and the boundary.
    cdef int size                          # how many classes there are
    cdef int width
    cdef vector[int] first                 # its most frequent word
    cdef vector[int32_t] after             # n(a, b), row by row
    cdef vector[int32_t] before            # n(b, a)
    cdef vector[int64_t] left              # l(a)
    cdef vector[int64_t] right             # r(a)
    cdef vector[int64_t] known_left        # the same, as far as the neighbour has a class
    cdef vector[int64_t] known_right
    cdef vector[int64_t] losses            # by pairs, the higher place first
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
        """Take over the bigrams of the words, which are numbered anew."""
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
        """What two counts in the same context add to the loss; 0 if one of them is 0."""
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
        """Make some merges, without the GIL; answer how many have been made, of how many."""
        cdef int _
        with nogil:
            for _ in range(CHUNK):
                while self.introduced < self.words and self.size < self.width:
                    self.introduce()
                if self.size > 2:
                    self.merge_best()
        return self.merges.size(), self.words - 2

    cdef int class_of(self, int word) noexcept nogil:
        """The place of a word's class."""
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
        """Add what the last class, as one side of bigrams, means for the losses of all others: `counts` are those with it, `totals` those with any."""
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
        """Compute the losses of a class with all others."""
        cdef int b, w
        for b in range(self.size):
            if b != a:
                self.loss(a, b)[0] = self.own_loss(a, b)
        for w in range(self.size):
            if w != a:
                self._add_shared(a, w, self.row(self.after, a)[w], self.row(self.before, w))
                self._add_shared(a, w, self.row(self.before, a)[w], self.row(self.after, w))

    cdef void _add_shared(self, int a, int w, int32_t count, const int32_t* counts) noexcept nogil:
        """Add what class a shares with others beside w, where it is found so often, and they so often as `counts` say."""
        cdef int b
        if count:
            for b in range(self.size):
                if counts[b] and b != a and b != w:
                    self.loss(a, b)[0] += self.shared(count, counts[b])

    cdef int64_t own_loss(self, int a, int b) noexcept nogil:
        """The part of the loss that the other classes have no share in: of the bigrams within a and b, and of the sums."""
        cdef int64_t aa = self.row(self.after, a)[a], ab = self.row(self.after, a)[b], ba = self.row(self.after, b)[a], bb = self.row(self.after, b)[b]
        cdef int64_t within = self.nlog(aa) + self.nlog(ab) + self.nlog(ba) + self.nlog(bb) - self.nlog(aa + ab + ba + bb)
        return (
            within + _of_sums(self, self.known_left[a], self.left[a], self.known_left[b], self.left[b])
            + _of_sums(self, self.known_right[a], self.right[a], self.known_right[b], self.right[b])
        )

    cdef void merge_best(self) noexcept nogil:
        """Merge the two classes that lose the least, of all but the boundary."""
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
                    if losses[a] == least and (least < self.loss(best_a, best_b)[0] or self._is_rarer(a, b, best_a, best_b)):
                        best_a, best_b = a, b
        if self._neighbours(best_a) < self._neighbours(best_b):
            self.merge(best_b, best_a)
        else:
            self.merge(best_a, best_b)

    cdef bint _is_rarer(self, int a, int b, int c, int d) noexcept nogil:
        """Does the pair a, b come before c, d where they lose the same?"""
        cdef int first = self.first[a], second = self.first[b], third = self.first[c], fourth = self.first[d]
        cdef int rarest = max(first, second), other = max(third, fourth)
        return rarest > other or (rarest == other and min(first, second) > min(third, fourth))

    cdef int _neighbours(self, int a) noexcept nogil:
        """How many classes stand beside a, counted on either side."""
        cdef int w, count = 0
        for w in range(self.size):
            count += (self.row(self.after, a)[w] != 0) + (self.row(self.before, a)[w] != 0)
        return count

    cdef void merge(self, int s, int t) noexcept nogil:
        """Put class t into class s. The cost goes by the neighbours of t."""
        cdef int a, w
        cdef int32_t within = self.row(self.after, s)[t] + self.row(self.after, t)[s] + self.row(self.after, t)[t]
        self._join_contexts(s, t, self.row(self.before, s), self.row(self.before, t))
        self._join_contexts(s, t, self.row(self.after, s), self.row(self.after, t))
        for a in range(self.size):
            if a != s and a != t:
                self.loss(s, a)[0] -= self.own_loss(s, a) + self.shared(self.row(self.after, s)[t], self.row(self.after, a)[t])
                self.loss(s, a)[0] -= self.shared(self.row(self.before, s)[t], self.row(self.before, a)[t])
        for w in range(self.size):
            if w != s and w != t:
                self._share_more(s, t, w, self.row(self.after, s)[w], self.row(self.after, t)[w], self.row(self.before, w))
                self._share_more(s, t, w, self.row(self.before, s)[w], self.row(self.before, t)[w], self.row(self.after, w))
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
        """Change the losses of all other pairs, for which s and t are one context from now on, where they were two."""
        cdef int a, b
        for a in range(self.size):
            if not with_t[a] or a == s or a == t:
                continue
            for b in range(self.size):
                if b == a or b == s or b == t or not (with_s[b] or with_t[b]) or (with_t[b] and b < a):
                    continue
                self.loss(a, b)[0] += (
                    self.shared(with_s[a] + with_t[a], with_s[b] + with_t[b]) - self.shared(with_s[a], with_s[b]) - self.shared(with_t[a], with_t[b])
                )

    cdef void _share_more(self, int s, int t, int w, int32_t count, int32_t more, const int32_t* counts) noexcept nogil:
        """Add what s shares with others beside w, where it is found more often now."""
        cdef int a
        if more:
            for a in range(self.size):
                if counts[a] and a != s and a != t and a != w:
                    self.loss(s, a)[0] += self.shared(count + more, counts[a]) - self.shared(count, counts[a])

    cdef void _join_words(self, int s, int t) noexcept nogil:
        """Let the words of t be in s."""
        cdef int first = self.first[s], second = self.first[t]
        if first > second:
            first, second = second, first
        self.merges.push_back(pair[int, int](first, second))
        self.earlier[second] = first
        self.first[s] = first
        self.place_of[first] = s

    cdef void _move(self, int a, int b) noexcept nogil:
        """Move the last class to a place that is free now."""
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
        """The bit string of every word, in order, when all is merged: which side its class was on, in the merges of the last C classes from the last on."""
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


cdef inline int64_t _of_sums(Merging merging, int64_t known_a, int64_t all_a, int64_t known_b, int64_t all_b) noexcept nogil:
    """The part of the loss that is of the sums on one side: those of the bigrams whose classes are known, and of all."""
    return (known_a + known_b) * merging.log(all_a + all_b) - known_a * merging.log(all_a) - known_b * merging.log(all_b)


def induce(sentences, int clusters=320, int min_count=1, watch=None):
    """Cluster the words of sentences (sequences of strings): (bit string, word, count) of each that is found often enough, sorted.

    Words that are rarer than `min_count` are left out, with their bigrams. `watch` is told from time to time how many merges have been made, and of how many.
    """
    cdef Bigrams bigrams = Bigrams()
    if clusters < 2 or min_count < 1:
        raise UsageError(f"clusters={clusters}, min_count={min_count}: there are 2 clusters or more, and a word is found once or more")
    for sentence in sentences:
        bigrams.add(sentence)
    words = bigrams.frequent(min_count)
    if len(words) < 2:
        raise InputError(f"the text has fewer than two words that are found {min_count} times or more; give more text, or a smaller count")
    cdef Merging merging = Merging(bigrams, [word for word, _ in words], clusters)
    done, total = 0, len(words) - 1
    while done < total:
        done, total = merging.advance()
        if watch is not None:
            watch(done, total)
    entries = [(path, word, count) for path, (word, count) in zip(merging.paths(), words)]
    return sorted(entries, key=lambda entry: (entry[0], -entry[2], entry[1]))
