# cython: boundscheck=False, wraparound=False
"""Search for the best derivations of many sentences in lockstep: all that is to be scored is scored at once, again and again.

Who searches asks `look` what to score, until there is nothing more, tells `choose` the scores, and computes what the board has then written down.
"""

import numpy as np

from libc.math cimport exp, log
from libc.stdint cimport int8_t, int64_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE
from gardenpath.neural.board cimport SLOTS, Board, Item, copy_item
from gardenpath.neural.rules cimport Choice

from gardenpath.errors import UsageError

cdef struct Link:          # a scored move of a derivation
    int previous
    int index

cdef struct Candidate:
    Item* item
    int index              # the class; NONE: the derivation has ended
    double score
    int scored


cdef class Search:
    """What greedy search and beam search have in common."""

    cdef readonly Board board
    cdef vector[Item*] waiting             # the items to be scored
    cdef vector[int8_t] valid              # the classes that are permitted to the item at hand
    cdef vector[Link] links                # the scored moves of all derivations

    def __cinit__(self, Board board, *_):
        self.board = board
        self.valid.resize(board.rules.classes.size)

    def look(self):
        """The slots of the configurations to be scored next."""
        slots = np.empty((self.waiting.size(), SLOTS), np.int64)
        cdef int64_t[:, ::1] view = slots
        cdef size_t i
        for i in range(self.waiting.size()):
            self.board.slots(self.waiting[i], &view[i, 0])
        return slots

    def choose(self, const float[:, ::1] scores):
        """Go on from the configurations that `look` listed, by the scores of their classes."""
        if scores.shape[0] != <Py_ssize_t>self.waiting.size() or scores.shape[1] != self.board.rules.classes.size:
            raise UsageError(f"{self.waiting.size()} configurations and {self.board.rules.classes.size} classes need other scores than those given")
        with nogil:
            self.go_on(scores)

    cdef int go_on(self, const float[:, ::1] scores) except -1 nogil:
        return 0

    cdef void weigh(self, Item* item, const float* scores) noexcept nogil:
        """Find the valid classes of an item, and let the word in front remember its label."""
        self.board.rules.mark_valid(&item.c, self.valid.data())
        self.board.rules.remember(&item.c, scores)

    cdef int take(self, Item* item, int index) except -1 nogil:
        """Make the move of a class, and those that need no choice after it."""
        cdef Choice choice
        cdef Link link
        link.previous, link.index = item.link, index
        self.links.push_back(link)
        item.link = <int>self.links.size() - 1
        choice.index = index
        choice.move = self.board.rules.move_of(&item.c, index)
        self.board.make(item, choice)
        return self.board.run_ahead(item)

    cdef list derivation_of(self, const Item* item):
        """The classes of the scored moves of a derivation."""
        cdef int link = item.link
        classes = []
        while link != NONE:
            classes.append(self.links[link].index)
            link = self.links[link].previous
        return classes[::-1]


cdef class Greedy(Search):
    """One derivation a sentence: the best move, again and again."""

    def __init__(self, Board board):
        cdef int i
        for i in range(board.size):
            board.begin(&board.items[i], i)
            board.run_ahead(&board.items[i])
            if not board.items[i].finished:
                self.waiting.push_back(&board.items[i])

    cdef int go_on(self, const float[:, ::1] scores) except -1 nogil:
        cdef size_t i, left = 0
        for i in range(self.waiting.size()):
            self.weigh(self.waiting[i], &scores[i, 0])
            self.take(self.waiting[i], self._best(&scores[i, 0]))
            if not self.waiting[i].finished:
                self.waiting[left] = self.waiting[i]
                left += 1
        self.waiting.resize(left)
        return 0

    cdef int _best(self, const float* scores) noexcept nogil:
        """The valid class with the highest score, the first of them if there are several."""
        cdef int i, best = NONE
        for i in range(self.board.rules.classes.size):
            if self.valid[i] and (best == NONE or scores[i] > scores[best]):
                best = i
        return best

    def trees(self, int sentence, bint single_root):
        """The one parse of a sentence, as a beam would tell it, but without a score: heads, label ids."""
        return [(0.0, *self.board.tree_of(&self.board.items[sentence], single_root))]

    def derivation(self, int sentence):
        """The classes of the scored moves that lead to it."""
        return self.derivation_of(&self.board.items[sentence])


cdef class Beam(Search):
    """The best derivations of each sentence, up to a number, by their average log-probability for each scored move.

    Derivations that have ended stay and compete. The board has room for twice as many of each sentence: those of this round and those of the next.
    """

    cdef readonly int width
    cdef vector[vector[Item*]] beams       # by sentence, the best first
    cdef vector[vector[Item*]] spare       # by sentence: items to go on in
    cdef vector[Candidate] best            # of the sentence at hand

    def __init__(self, Board board, int width):
        cdef int sentence, i, room = board.size // max(<int>len(board.lengths), 1)
        if width < 1 or room < 2 * width:
            raise UsageError(f"a beam of {width} needs a board of width {2 * width}, not {room}")
        self.width = width
        self.beams.resize(len(board.lengths))
        self.spare.resize(len(board.lengths))
        for sentence in range(<int>len(board.lengths)):
            for i in range(2 * width):
                self.spare[sentence].push_back(&board.items[sentence * room + i])
            self.beams[sentence].push_back(self.spare[sentence].back())
            self.spare[sentence].pop_back()
            board.begin(self.beams[sentence][0], sentence)
            board.run_ahead(self.beams[sentence][0])
        self.list_waiting()

    cdef void list_waiting(self) noexcept nogil:
        cdef size_t sentence, i
        self.waiting.clear()
        for sentence in range(self.beams.size()):
            for i in range(self.beams[sentence].size()):
                if not self.beams[sentence][i].finished:
                    self.waiting.push_back(self.beams[sentence][i])

    cdef int go_on(self, const float[:, ::1] scores) except -1 nogil:
        cdef size_t sentence, i, row = 0
        for sentence in range(self.beams.size()):
            self.best.clear()
            for i in range(self.beams[sentence].size()):
                if self.beams[sentence][i].finished:
                    self._offer(self.beams[sentence][i], NONE, 0)
                else:
                    self._offer_all(self.beams[sentence][i], &scores[row, 0])
                    row += 1
            self._replace(sentence)
        self.list_waiting()
        return 0

    cdef void _offer_all(self, Item* item, const float* scores) noexcept nogil:
        """Let all that an item can do next compete."""
        cdef double total
        cdef int i
        self.weigh(item, scores)
        total = self.log_total(scores)
        for i in range(self.board.rules.classes.size):
            if self.valid[i]:
                self._offer(item, i, scores[i] - total)

    cdef double log_total(self, const float* scores) noexcept nogil:
        """The logarithm of the sum of what the valid classes have: what to subtract from a score to get a log-probability."""
        cdef double top = 0, total = 0
        cdef bint found = False
        cdef int i
        for i in range(self.board.rules.classes.size):
            if self.valid[i] and (not found or scores[i] > top):
                top, found = scores[i], True
        for i in range(self.board.rules.classes.size):
            if self.valid[i]:
                total += exp(scores[i] - top)
        return top + log(total)

    cdef void _offer(self, Item* item, int index, double gain) noexcept nogil:
        """Put a candidate where it belongs among the best, behind its equals, if it is one of them."""
        cdef Candidate candidate
        cdef size_t place
        candidate.item, candidate.index, candidate.score, candidate.scored = item, index, item.score + gain, item.scored + (index != NONE)
        if self.best.size() < <size_t>self.width:
            self.best.push_back(candidate)
        elif average(candidate.score, candidate.scored) > average(self.best.back().score, self.best.back().scored):
            self.best[self.best.size() - 1] = candidate
        else:
            return
        place = self.best.size() - 1
        while place and average(candidate.score, candidate.scored) > average(self.best[place - 1].score, self.best[place - 1].scored):
            self.best[place] = self.best[place - 1]
            place -= 1
        self.best[place] = candidate

    cdef int _replace(self, size_t sentence) except -1 nogil:
        """Make the best candidates the beam of a sentence."""
        cdef vector[Item*] beam
        cdef Item* item
        cdef size_t i
        for i in range(self.best.size()):
            item = self.spare[sentence].back()
            self.spare[sentence].pop_back()
            copy_item(item, self.best[i].item)
            item.score, item.scored = self.best[i].score, self.best[i].scored
            if self.best[i].index != NONE:
                self.take(item, self.best[i].index)
            beam.push_back(item)
        for i in range(self.beams[sentence].size()):
            self.spare[sentence].push_back(self.beams[sentence][i])
        self.beams[sentence] = beam
        return 0

    def trees(self, int sentence, bint single_root):
        """The parses of a sentence, the best first: average log-probability, heads, label ids."""
        cdef size_t i
        result = []
        for i in range(self.beams[sentence].size()):
            item = self.beams[sentence][i]
            result.append((average(item.score, item.scored), *self.board.tree_of(item, single_root)))
        return result

    def derivation(self, int sentence):
        """The classes of the scored moves that lead to the best one."""
        return self.derivation_of(self.beams[sentence][0])


cdef class Rivalry(Beam):
    """A beam search beside which the gold derivation of each sentence goes its way, to see where it falls furthest behind (maximum violation).

    `classes` has the right classes of each sentence, move after scored move. The board has room for one derivation of each sentence more than a beam needs.
    """

    cdef vector[vector[int]] classes
    cdef vector[Item*] gold                # by sentence
    cdef vector[double] worst              # by sentence: how far the gold derivation has fallen behind at most
    cdef vector[int] limits                # by sentence: how many scored moves that was after

    def __init__(self, Board board, int width, list classes):
        cdef int sentence, room = board.size // max(<int>len(board.lengths), 1)
        if room <= 2 * width:
            raise UsageError(f"a beam of {width} and a gold derivation need a board of width {2 * width + 1}, not {room}")
        Beam.__init__(self, board, width)
        self.classes = classes
        for sentence in range(<int>len(board.lengths)):
            self.gold.push_back(&board.items[(sentence + 1) * room - 1])
            self.worst.push_back(0)
            self.limits.push_back(<int>self.classes[sentence].size())
            board.begin(self.gold[sentence], sentence)
            board.run_ahead(self.gold[sentence])
        self.list_waiting()

    @property
    def violations(self):
        """For each sentence, after how many scored moves the gold derivation was furthest behind the best; all of them, if it never was."""
        return list(self.limits)

    cdef void list_waiting(self) noexcept nogil:
        """First the beams, then the gold derivations."""
        cdef size_t sentence
        Beam.list_waiting(self)
        for sentence in range(self.gold.size()):
            if not self.gold[sentence].finished:
                self.waiting.push_back(self.gold[sentence])

    cdef int go_on(self, const float[:, ::1] scores) except -1 nogil:
        cdef size_t sentence, row = self.waiting.size()
        for sentence in range(self.gold.size()):
            row -= not self.gold[sentence].finished
        for sentence in range(self.gold.size()):
            if not self.gold[sentence].finished:
                self._follow(self.gold[sentence], &scores[row, 0])
                row += 1
        Beam.go_on(self, scores)
        for sentence in range(self.gold.size()):
            self._compare(self.beams[sentence][0], self.gold[sentence])
        return 0

    cdef int _follow(self, Item* gold, const float* scores) except -1 nogil:
        cdef int index = self.classes[gold.sentence][gold.scored]
        self.weigh(gold, scores)
        gold.score += scores[index] - self.log_total(scores)
        gold.scored += 1
        return self.take(gold, index)

    cdef void _compare(self, const Item* best, const Item* gold) noexcept nogil:
        cdef double behind = average(best.score, best.scored) - average(gold.score, gold.scored)
        if behind > self.worst[gold.sentence]:
            self.worst[gold.sentence] = behind
            self.limits[gold.sentence] = gold.scored


cdef inline double average(double score, int scored) noexcept nogil:
    return score / scored if scored else 0.0
