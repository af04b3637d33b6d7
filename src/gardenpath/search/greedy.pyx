"""Greedy parsing with one immutable model; scratch space belongs to a workspace, one a thread."""

from array import array

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from gardenpath.core.configuration cimport B, Configuration, NONE, ROOT, add_arc, clear, release, reserve
from gardenpath.core.encoding cimport Batch, EncodedSentence
from gardenpath.core.moves cimport RIGHT_ARC, SHIFT, has
from gardenpath.learning.weights cimport padded

from gardenpath.errors import UsageError


cdef class Workspace:
    """What one thread needs while parsing: a configuration, feature keys, scores."""

    def __cinit__(self, int classes):
        self.scores = <int32_t*>malloc(padded(classes) * sizeof(int32_t))
        if self.scores == NULL:
            raise MemoryError("no memory for a workspace")

    def __dealloc__(self):
        release(&self.c)
        free(self.scores)


cdef class GreedyParser:
    """System, classes, features and weights together.

    `single_root` is a policy outside the system: where a parse ends with several root words, the first stays and the others become its children,
    with the label that a right-arc would have given them when they were read.
    """

    def __init__(self, system, classes, extractor, weights, bint single_root=True):
        if weights.classes != classes.size:
            raise UsageError(f"weights of {weights.classes} classes do not fit a parser with {classes.size}")
        self.system = system
        self.classes = classes
        self.extractor = extractor
        self.weights = weights
        self.encoder = Encoder(extractor.properties)
        self.single_root = single_root

    cdef int begin(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        """Set the workspace to the initial configuration of the sentence."""
        reserve(&space.c, sentence.n)
        clear(&space.c, sentence.n)
        space.c.root_label = self.classes.root_label
        self.system.start(&space.c)
        return 0

    cdef void look(self, Workspace space, const EncodedSentence* sentence) noexcept nogil:
        """Score all classes for the configuration in the workspace."""
        space.key_count = self.extractor.extract(&space.c, sentence, space.keys)
        self.weights.score(space.keys, space.key_count, space.scores)

    cdef bint only_choice(self, const Configuration* c, unsigned permitted, Choice* choice) noexcept nogil:
        """Is there but one permitted class? Then nothing needs scoring."""
        cdef int i, move, group, found = 0
        for i in range(self.system.available_count):
            move = self.system.available[i]
            if has(permitted, move):
                group = self.classes.group(c, move)
                found += self.classes.end[group] - self.classes.first[group]
                if found > 1:
                    return False
                choice.move = move
                choice.index = self.classes.first[group]
        choice.label = self.classes.label_of[choice.index]
        return found == 1

    cdef Choice best(self, const Configuration* c, unsigned permitted, const int32_t* scores) noexcept nogil:
        """The best-scoring class among the permitted ones; the first one wins a tie."""
        cdef Choice choice
        cdef int i, j, move, group
        cdef int32_t top, highest = 0
        choice.move = choice.label = choice.index = NONE
        for i in range(self.system.available_count):
            move = self.system.available[i]
            if has(permitted, move):
                # The highest score of the group first, which compilers do several classes at a time, then where it stands.
                group = self.classes.group(c, move)
                top = scores[self.classes.first[group]]
                for j in range(self.classes.first[group] + 1, self.classes.end[group]):
                    top = max(top, scores[j])
                if choice.index == NONE or top > highest:
                    highest = top
                    choice.move = move
                    choice.index = self.classes.first[group]
                    while scores[choice.index] != top:
                        choice.index += 1
        choice.label = self.classes.label_of[choice.index]
        return choice

    cdef void make(self, Workspace space, Choice choice) noexcept nogil:
        """Make a scored move. A word that is pushed remembers the label a right-arc has for it, for a Reduce that attaches it later."""
        cdef Configuration* c = &space.c
        cdef int i, best = self.classes.first[RIGHT_ARC]
        if (choice.move == SHIFT or choice.move == RIGHT_ARC) and not self.system.single_root and c.stack_size:
            for i in range(best + 1, self.classes.end[RIGHT_ARC]):
                if space.scores[i] > space.scores[best]:
                    best = i
            c.shift_labels[B(c, 0)] = self.classes.label_of[best]
        self.system.apply_move(c, choice.move, choice.label)

    cdef void finish(self, Configuration* c) noexcept nogil:
        """The single-root policy."""
        cdef int word, root = NONE
        for word in range(1, c.n + 1):
            if c.heads[word] == ROOT:
                if root == NONE:
                    root = word
                else:
                    add_arc(c, root, word, c.shift_labels[word])

    cdef int parse_sentence(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        cdef Choice choice
        cdef unsigned permitted
        self.begin(space, sentence)
        while not self.system.is_terminal(&space.c):
            permitted = self.system.permitted(&space.c)
            if self.only_choice(&space.c, permitted, &choice):
                self.system.apply_move(&space.c, choice.move, choice.label)
            else:
                self.look(space, sentence)
                choice = self.best(&space.c, permitted, space.scores)
                self.make(space, choice)
        if self.single_root and not self.system.single_root:
            self.finish(&space.c)
        return 0

    def parse(self, list sentences):
        """Fill HEAD and DEPREL of tagged sentences (lists of words) in place; the GIL is released while parsing."""
        cdef Batch batch = self.encoder.encode(sentences)
        cdef Workspace space = Workspace(self.classes.size)
        cdef Py_ssize_t total = 0
        cdef int i, j
        for sentence in sentences:
            total += len(sentence)
        cdef int[::1] heads = array("i", bytes(4 * (total + 1)))
        cdef int[::1] labels = array("i", bytes(4 * (total + 1)))
        with nogil:
            total = 0
            for i in range(batch.size):
                if batch.sentences[i].n == 0:
                    continue
                self.parse_sentence(space, &batch.sentences[i])
                for j in range(batch.sentences[i].n):
                    heads[total] = space.c.heads[j + 1]
                    labels[total] = space.c.labels[j + 1]
                    total += 1
        total = 0
        names = self.classes.labels
        for sentence in sentences:
            for word_object in sentence:
                word_object.head = heads[total]
                word_object.deprel = names[labels[total]]
                total += 1
        return sentences
