# cython: boundscheck=False, wraparound=False
"""Beam search: the best derivations side by side, by the average score of their moves.

Every step makes one move in each derivation; those that have ended stay and compete. As long as none has ended, all have the same number of moves (but for
Unshifts), so the average ranks them as the sum does. Two derivations of the same length that have led to the same configuration have the same future, so only
the better one goes on.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from libcpp.algorithm cimport reverse
from libcpp.vector cimport vector

from gardenpath.systems.classes cimport Classes
from gardenpath.core.configuration cimport B, Configuration, NONE, clear, copy_into, release, reserve
from gardenpath.features.encoding cimport Batch, EncodedSentence
from gardenpath.core.hashing cimport join
from gardenpath.core.moves cimport UNSHIFT
from gardenpath.perceptron.extractor cimport Extractor
from gardenpath.perceptron.weights cimport Weights
from gardenpath.search.greedy cimport Choice, GreedyParser, Workspace
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.features.clusters cimport Clusters

from gardenpath.errors import UsageError


cdef class Beam:
    """The derivations of one sentence. Belongs to one thread."""

    def __cinit__(self, int width, int classes):
        self.width = width
        self.space = Workspace(classes)
        self.space.is_afresh = True
        self.items = <Item*>calloc(2 * width, sizeof(Item))
        if self.items == NULL:
            raise MemoryError(f"no memory for a beam {width} wide")
        self.others = self.items + width

    def __dealloc__(self):
        cdef Item* items = min(self.items, self.others)
        cdef int i
        if items != NULL:
            for i in range(2 * self.width):
                release(&items[i].c)
        free(items)

    cdef int start(self, GreedyParser parser, const EncodedSentence* sentence) except -1 nogil:
        """Begin with one derivation, of no moves."""
        cdef Item* item = self.items
        self.space.reserve_moves(parser.system.widest(sentence.n))
        self.links.clear()
        reserve(&item.c, sentence.n)
        clear(&item.c, sentence.n)
        item.c.root_label = parser.classes.root_label
        parser.system.start(&item.c)
        item.link = NONE
        item.score = item.length = 0
        item.is_right = True
        self.count = 1
        return 0

    cdef bint is_done(self, GreedyParser parser) noexcept nogil:
        """Have all derivations ended?"""
        cdef int i
        for i in range(self.count):
            if not parser.system.is_terminal(&self.items[i].c):
                return False
        return True

    cdef int advance(self, GreedyParser parser, const EncodedSentence* sentence) except -1 nogil:
        """Make one move in every derivation that has not ended, in the best ways."""
        cdef int i
        self.candidates.clear()
        for i in range(self.count):
            self._find_candidates(parser, sentence, i)
        self.seen.clear()
        for i in range(<int>self.candidates.size()):
            if <int>self.seen.size() < self.width:
                self._continue(parser, &self.candidates[i])
        self.items, self.others = self.others, self.items
        self.count = <int>self.seen.size()
        return 0

    cdef int judge_moves(self) except -1 nogil:
        """For training: judge the moves that are listed in the workspace."""
        return 0

    cdef int label_for(self, int move) noexcept nogil:
        """For training: the label that the move must have, NONE if any will do."""
        return NONE

    cdef bint is_right(self, int number, int index, int label) noexcept nogil:
        """For training: is a class of the move of that number right, if the move must have that label?"""
        return False

    cdef int _find_candidates(self, GreedyParser parser, const EncodedSentence* sentence, int item) except -1 nogil:
        cdef Link link
        cdef const int32_t* scores
        cdef int i, group, label
        cdef bint is_right = self.items[item].is_right
        link.previous = self.items[item].link
        link.choice.move = link.remembered = NONE
        link.is_scored = False
        if parser.system.is_terminal(&self.items[item].c):
            self._propose(item, &link, is_right)
            return 0
        self.space.c = self.items[item].c
        look_at(parser, self.space, sentence, &link)
        if link.is_forced:
            self._propose(item, &link, is_right)
        else:
            if is_right:
                self.judge_moves()
            for i in range(self.space.move_count):
                link.choice.move = self.space.moves[i]
                link.remembered = parser.remembered(self.space, link.choice.move)
                scores = parser.scores_of(self.space, sentence, link.choice.move)
                group = parser.classes.group(&self.space.c, link.choice.move)
                label = self.label_for(link.choice.move) if is_right else NONE
                for link.choice.index in range(parser.classes.first[group], parser.classes.end[group]):
                    link.choice.label = parser.classes.label_of[link.choice.index]
                    link.choice.score = scores[link.choice.index]
                    self._propose(item, &link, is_right and self.is_right(i, link.choice.index, label))
        memset(&self.space.c, 0, sizeof(Configuration))
        return 0

    cdef void _propose(self, int item, const Link* link, bint is_right) noexcept nogil:
        """Let one continuation of a derivation compete with the others; the first one wins a tie, as it does without a beam."""
        cdef Candidate candidate
        cdef size_t place = self.candidates.size()
        candidate.item = item
        candidate.link = link[0]
        candidate.is_right = is_right
        candidate.score = self.items[item].score + (link.choice.score if link.is_scored else 0)
        candidate.length = self.items[item].length + link.is_scored
        # Twice as many as will go on are kept, since some lead to the same configuration.
        if place == 2 * <size_t>self.width:
            if not _is_better(&candidate, &self.candidates.back()):
                return
            place -= 1
        else:
            self.candidates.push_back(candidate)
        while place > 0 and _is_better(&candidate, &self.candidates[place - 1]):
            self.candidates[place] = self.candidates[place - 1]
            place -= 1
        self.candidates[place] = candidate

    cdef int _continue(self, GreedyParser parser, const Candidate* candidate) except -1 nogil:
        """Make the candidate an item of the next step, unless a better one has led to the same configuration."""
        cdef const Item* source = &self.items[candidate.item]
        cdef Item* target = &self.others[self.seen.size()]
        cdef bint is_over = candidate.link.choice.move == NONE
        cdef uint64_t key
        cdef size_t i
        copy_into(&target.c, &source.c)
        if not is_over:
            follow(parser, &target.c, &candidate.link)
        key = _signature(&target.c)
        for i in range(self.seen.size()):
            if self.seen[i] == key and self.others[i].length == candidate.length:
                self.others[i].is_right = self.others[i].is_right or candidate.is_right
                return 0
        self.seen.push_back(key)
        target.link = source.link
        target.score = candidate.score
        target.length = candidate.length
        target.is_right = candidate.is_right
        if not is_over:
            target.link = <int>self.links.size()
            self.links.push_back(candidate.link)
        return 0

    cdef void path_of(self, int link, vector[Link]* path) noexcept nogil:
        """The moves up to a link, from the first on."""
        path.clear()
        while link != NONE:
            path.push_back(self.links[link])
            link = self.links[link].previous
        reverse(path.begin(), path.end())


cdef class BeamSpace(Workspace):
    """What one thread needs to parse with a beam."""

    def __init__(self, int classes, int width):
        self.beam = Beam(width, classes)

    cdef void follow_item(self, int item) noexcept nogil:
        """Plan to follow one of the derivations in the beam."""
        self.beam.path_of(self.beam.items[item].link, &self.plan)
        self.done = 0

    cdef Choice next_choice(self) noexcept nogil:
        """The next move of the plan that was a choice."""
        while self.plan[self.done].is_forced:
            self.done += 1
        self.done += 1
        return self.plan[self.done - 1].choice


cdef class BeamParser(GreedyParser):
    """A parser that looks for the best derivation with a beam, and then makes its moves one by one: with a beam 1 wide it is the greedy parser."""

    def __init__(
        self, TransitionSystem system, Classes classes, Extractor extractor, Weights weights, bint single_root=True, str nonprojective="lift", int width=8,
        Clusters clusters=None,
    ):
        GreedyParser.__init__(self, system, classes, extractor, weights, single_root, nonprojective, clusters)
        self.width = width

    cdef Workspace workspace(self):
        return BeamSpace(self.classes.size, self.width)

    cdef int search(self, BeamSpace space, const EncodedSentence* sentence) except -1 nogil:
        """Fill the beam with the best derivations of the sentence."""
        space.beam.start(self, sentence)
        return self.complete(space, sentence)

    cdef int complete(self, BeamSpace space, const EncodedSentence* sentence) except -1 nogil:
        """Bring the derivations in the beam to their ends."""
        while not space.beam.is_done(self):
            space.beam.advance(self, sentence)
        return 0

    cdef int begin(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        """Find the best derivation; the workspace is then at the beginning of it."""
        if sentence.n == 0:
            return GreedyParser.begin(self, space, sentence)
        self.search(<BeamSpace>space, sentence)
        return self.begin_with(<BeamSpace>space, sentence, 0)

    cdef int resume(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        """Find the best derivation from the configuration in the workspace on."""
        return self._plan_again(<BeamSpace>space, sentence)

    cdef int _plan_again(self, BeamSpace space, const EncodedSentence* sentence) except -1 nogil:
        space.beam.start(self, sentence)
        copy_into(&space.beam.items[0].c, &space.c)
        self.complete(space, sentence)
        space.follow_item(0)
        return 0

    cdef int begin_with(self, BeamSpace space, const EncodedSentence* sentence, int item) except -1 nogil:
        """Set the workspace to the beginning of one of the derivations in the beam."""
        space.follow_item(item)
        return GreedyParser.begin(self, space, sentence)

    cdef Choice best(self, Workspace space, const EncodedSentence* sentence) noexcept nogil:
        """The next move of the derivation that is a choice."""
        cdef Choice choice = (<BeamSpace>space).next_choice()
        self.note_refused(space, sentence, choice)
        return choice

    def kbest(self, words, int k):
        """The best parses of a tagged sentence, no two alike, each with its score, heads and labels; the sentence stays as it is.

        They are those that are left in the beam at the end, so there may be fewer than `k`, which must not be more than the beam is wide.
        """
        cdef Batch batch = self.encoder.encode([words])
        cdef BeamSpace space = <BeamSpace>self.workspace()
        cdef int i
        if not 1 <= k <= self.width:
            raise UsageError(f"a beam {self.width} wide can tell the best 1 to {self.width} parses, not {k}; take a wider one")
        if not words:
            return [(0.0, [], [])]
        self.search(space, &batch.sentences[0])
        found = {}
        for i in range(space.beam.count):
            self.begin_with(space, &batch.sentences[0], i)
            self.run(space, &batch.sentences[0])
            found.setdefault(self.tree_in(space), <double>space.beam.items[i].score / max(space.beam.items[i].length, 1))
        return [(score, list(heads), list(labels)) for (heads, labels), score in list(found.items())[:k]]


cdef inline bint _is_better(const Candidate* one, const Candidate* other) noexcept nogil:
    return is_ahead(one.score, one.length, other.score, other.length)


cdef void look_at(GreedyParser parser, Workspace space, const EncodedSentence* sentence, Link* link) noexcept nogil:
    """List the permitted moves and score them. Where there is nothing to choose, write down what is made: that has a score, too, so that derivations can be
    compared step by step; all but an Unshift, which makes up for something and is no step of its own."""
    link.is_forced = parser.only_choice(space, &link.choice)
    link.is_scored = not link.is_forced or link.choice.move != UNSHIFT
    if link.is_scored:
        parser.look(space, sentence)
    if link.is_forced and link.is_scored:
        link.choice.score = parser.scores_of(space, sentence, link.choice.move)[link.choice.index]


cdef void follow(GreedyParser parser, Configuration* c, const Link* link) noexcept nogil:
    """Make the move of a link."""
    if link.remembered != NONE:
        c.shift_labels[B(c, 0)] = link.remembered
    parser.system.apply_move(c, link.choice.move, link.choice.label)


cdef uint64_t _signature(const Configuration* c) noexcept nogil:
    """All that decides what can still happen and how it is scored."""
    cdef uint64_t key = join(c.cursor, c.flag)
    cdef int i
    for i in range(c.stack_size):
        key = join(key, c.stack[i])
    key = join(key, c.returned_size)
    for i in range(c.returned_size):
        key = join(key, c.returned[i])
    for i in range(1, c.n + 1):
        key = join(key, <uint64_t>(c.heads[i] + 1) << 32 | <uint64_t>(c.labels[i] + 1))
        key = join(key, <uint64_t>(c.shift_labels[i] + 1) << 1 | c.marks[i])
    return key
