"""Greedy parsing with one immutable model; scratch space belongs to a workspace, one a thread."""

from array import array

from libc.stdint cimport int8_t, int32_t
from libc.stdlib cimport free, malloc, realloc

from gardenpath.core.configuration cimport B, NONE, clear, copy_into, keep_first_root, release, reserve
from gardenpath.features.encoding cimport Batch, EncodedSentence
from gardenpath.core.moves cimport LEFT_ARC, MOVES, RIGHT_ARC, SHIFT, kind_of
from gardenpath.perceptron.extractor cimport COMMON_PART, LEFT_PART, PARTS, RIGHT_PART, Reading
from gardenpath.perceptron.weights cimport padded
from gardenpath.perceptron.pairs cimport Pairs
from gardenpath.features.clusters cimport Clusters

from gardenpath.errors import UsageError
from gardenpath.pseudo import ENCODINGS, is_decorated, lower


cdef class Workspace:
    """What one thread needs while parsing: a configuration, the permitted moves, feature keys, scores."""

    def __cinit__(self, int classes, *_):
        cdef int part
        self.scores = <int32_t*>malloc((PARTS + 2) * padded(classes) * sizeof(int32_t))
        if self.scores == NULL:
            raise MemoryError("no memory for a workspace")
        self.pairs = Pairs()
        self.deep_scores = self.scores + padded(classes)
        for part in range(PARTS):
            self.part_scores[part] = self.scores + (2 + part) * padded(classes)

    def __dealloc__(self):
        release(&self.c)
        free(self.moves)
        free(self.scores)

    cdef int make_room(self, int n, int moves) except -1 nogil:
        """Make room for a sentence of n words and so many moves at once."""
        reserve(&self.c, n)
        return self.reserve_moves(moves)

    cdef int reserve_moves(self, int moves) except -1 nogil:
        cdef void* room
        if moves > self.move_capacity:
            room = realloc(self.moves, 2 * moves * sizeof(int))
            if room == NULL:
                with gil:
                    raise MemoryError(f"no memory for {moves} moves")
            self.moves = <int*>room
            self.move_capacity = 2 * moves
        return 0


cdef class GreedyParser:
    """System, classes, features and weights together.

    `single_root` is a policy outside the system: where a parse ends with several root words, the first stays and the others become its children,
    with the label that a right-arc would have given them when they were read; in Covington's parser the one stays that came least close to an arc, and the
    others get the arc that they came closest to. If `nonprojective` is the encoding that training lifted arcs in, those that
    a parse marks as lifted are lowered.
    """

    def __init__(
        self, TransitionSystem system, Classes classes, Extractor extractor, Weights weights, bint single_root=True, str nonprojective="lift",
        Clusters clusters=None,
    ):
        if weights.classes != classes.size:
            raise UsageError(f"weights of {weights.classes} classes do not fit a parser with {classes.size}")
        if system.has_root_mode and system.single_root != single_root:
            raise UsageError(f"{system!r} does not fit single_root={single_root}; take systems.for_parsing({system.name!r}, single_root={single_root})")
        self.system = system
        self.classes = classes
        self.extractor = extractor
        self.weights = weights
        self.encoder = Encoder(extractor.properties, clusters)
        self.single_root = single_root
        self.width = 1
        self.nonprojective = nonprojective
        self.is_marked = array("b", [nonprojective in ENCODINGS and is_decorated(label) for label in classes.labels])

    batch_words = 500         # to encode and parse at once

    cdef Workspace workspace(self):
        """What a thread needs to parse with this parser."""
        return Workspace(self.classes.size)

    cdef int begin(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        """Set the workspace to the initial configuration of the sentence."""
        space.make_room(sentence.n, self.system.widest(sentence.n))
        clear(&space.c, sentence.n)
        space.c.root_label = self.classes.root_label
        self.system.start(&space.c)
        if self.system.has_pairs:
            space.pairs.begin(sentence.n, self.extractor.template_count, self.classes.size)
        return 0

    cdef int resume(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        """Get ready to go on from the configuration in the workspace, to which others have led."""
        return 0

    cdef void look(self, Workspace space, const EncodedSentence* sentence) noexcept nogil:
        """Score all classes for the configuration in the workspace, as all moves but deep ones see it."""
        cdef Reading reading
        cdef int part, count, i
        if self.system.has_pairs and not space.is_afresh:
            space.key_count = space.pairs.look(
                &space.c, sentence, self.extractor, self.weights, space.keys, space.part_scores[COMMON_PART], space.scores,
            )
            return
        if not self.system.has_depths:
            space.key_count = self.extractor.extract(&space.c, SHIFT, sentence, space.keys)
            self.weights.score(space.keys, space.key_count, space.scores)
            return
        self.extractor.read(&space.c, SHIFT, sentence, &reading)
        space.key_count = 0
        for part in range(PARTS):
            count = self.extractor.write_keys(&reading, part, part, space.keys + space.key_count)
            self.weights.score(space.keys + space.key_count, count, space.part_scores[part])
            space.key_count += count
        for i in range(padded(self.classes.size)):
            space.scores[i] = space.part_scores[LEFT_PART][i] + space.part_scores[COMMON_PART][i] + space.part_scores[RIGHT_PART][i]

    cdef const int32_t* scores_of(self, Workspace space, const EncodedSentence* sentence, int move) noexcept nogil:
        """The scores of all classes as a move sees them, until the next call. A deep move shares the part that looks at the other end of its arc."""
        cdef Reading reading
        cdef bint to_left = kind_of(move) == LEFT_ARC
        cdef const int32_t* shared = space.part_scores[RIGHT_PART if to_left else LEFT_PART]
        cdef int i, count
        if not self.system.has_depths or not self.system.is_deep(&space.c, move):
            return space.scores
        self.extractor.read(&space.c, move, sentence, &reading)
        count = self.extractor.write_keys(&reading, LEFT_PART if to_left else COMMON_PART, COMMON_PART if to_left else RIGHT_PART, space.deep_keys)
        self.weights.score(space.deep_keys, count, space.deep_scores)
        for i in range(padded(self.classes.size)):
            space.deep_scores[i] += shared[i]
        return space.deep_scores

    cdef bint only_choice(self, Workspace space, Choice* choice) noexcept nogil:
        """List the permitted moves. Is there but one class to choose, or does it not matter which? Then nothing needs scoring."""
        cdef int group
        space.move_count = self.system.list_moves(&space.c, space.moves)
        choice.move = space.moves[0] if space.move_count == 1 else self.system.forced(&space.c)
        if choice.move == NONE:
            return False
        group = self.classes.group(&space.c, choice.move)
        choice.index = self.classes.first[group]
        choice.label = self.classes.label_of[choice.index]
        return self.classes.end[group] - self.classes.first[group] == 1

    cdef int32_t consider(self, Workspace space, const EncodedSentence* sentence, int move, Choice* best) noexcept nogil:
        """Let the classes of a move compete with the best so far (an index of NONE: there is none); the first one wins a tie. Answer the move's own best."""
        cdef const int32_t* scores = self.scores_of(space, sentence, move)
        cdef int i, group = self.classes.group(&space.c, move)
        # The highest score of the group first, which compilers do several classes at a time, then where it stands.
        cdef int32_t top = scores[self.classes.first[group]]
        for i in range(self.classes.first[group] + 1, self.classes.end[group]):
            top = max(top, scores[i])
        if best.index == NONE or top > best.score:
            best.score = top
            best.move = move
            best.index = self.classes.first[group]
            while scores[best.index] != top:
                best.index += 1
            best.label = self.classes.label_of[best.index]
        return top

    cdef Choice best(self, Workspace space, const EncodedSentence* sentence) noexcept nogil:
        """The best-scoring class of the permitted moves."""
        cdef Choice choice
        cdef int32_t tops[MOVES]
        cdef int32_t top
        cdef int i
        choice.index = NONE
        for i in range(space.move_count):
            top = self.consider(space, sentence, space.moves[i], &choice)
            if self.system.has_pairs:
                tops[i] = top
        self._note_offers(space, tops, choice)
        return choice

    cdef void note_refused(self, Workspace space, const EncodedSentence* sentence, Choice choice) noexcept nogil:
        """The same as `best` does it for a choice that was made elsewhere."""
        cdef Choice any_choice
        cdef int32_t tops[MOVES]
        cdef int i
        if self.system.has_pairs:
            for i in range(space.move_count):
                any_choice.index = NONE
                tops[i] = self.consider(space, sentence, space.moves[i], &any_choice)
            self._note_offers(space, tops, choice)

    cdef void _note_offers(self, Workspace space, const int32_t* tops, Choice choice) noexcept nogil:
        """Where the single-root policy goes by them, keep in mind the arcs that are not built here; `tops` are the best scores of the moves."""
        cdef int i
        if self.system.has_pairs and self.single_root:
            for i in range(space.move_count):
                if space.moves[i] != choice.move and space.moves[i] in (LEFT_ARC, RIGHT_ARC):
                    self._offer(space, space.moves[i], tops[i], choice.score)

    cdef void _offer(self, Workspace space, int move, int32_t top, int32_t best) noexcept nogil:
        """Keep in mind the arc of a move that fell short of the best, if the word it leads to never came closer to an arc."""
        cdef int child = self.system.arc_child(&space.c, move), i = self.classes.first[move]
        if space.pairs.is_better(child, top - best):
            while space.scores[i] != top:
                i += 1
            space.pairs.offer(child, self.system.arc_head(&space.c, move), self.classes.label_of[i], top - best)

    cdef int remembered(self, Workspace space, int move) noexcept nogil:
        """The label that a right-arc has for the word that a move pushes, for a Reduce that attaches it later; NONE where no such label is needed."""
        cdef int i, best = self.classes.first[RIGHT_ARC]
        if not self.system.remembers_labels or (move != SHIFT and move != RIGHT_ARC) or not space.c.stack_size:
            return NONE
        for i in range(best + 1, self.classes.end[RIGHT_ARC]):
            if space.scores[i] > space.scores[best]:
                best = i
        return self.classes.label_of[best]

    cdef void make(self, Workspace space, Choice choice) noexcept nogil:
        """Make a scored move."""
        cdef int label = self.remembered(space, choice.move)
        if label != NONE:
            space.c.shift_labels[B(&space.c, 0)] = label
        self.system.apply_move(&space.c, choice.move, choice.label)

    cdef void finish(self, Workspace space) noexcept nogil:
        """The single-root policy."""
        if self.system.has_pairs:
            space.pairs.take_offers(&space.c)
        else:
            keep_first_root(&space.c)

    cdef PythonConfiguration snapshot(self, Workspace space):
        """The configuration in the workspace as it is now, for Python to look at."""
        cdef PythonConfiguration c = PythonConfiguration(space.c.n)
        copy_into(&c.c, &space.c)
        c.system = self.system.name
        c.single_root = self.system.single_root
        c.label_names = list(self.classes.labels)
        return c

    cdef int parse_sentence(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        self.begin(space, sentence)
        return self.run(space, sentence)

    cdef int run(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        """Make all moves from the beginning on."""
        cdef Choice choice
        while not self.system.is_terminal(&space.c):
            if self.only_choice(space, &choice):
                self.system.apply_move(&space.c, choice.move, choice.label)
            else:
                self.look(space, sentence)
                choice = self.best(space, sentence)
                self.make(space, choice)
        if self.single_root and not self.system.single_root:
            self.finish(space)
        return 0

    cdef tuple tree_in(self, Workspace space):
        """The heads and labels of the parse in the workspace."""
        heads = [space.c.heads[word] for word in range(1, space.c.n + 1)]
        labels = [self.classes.labels[space.c.labels[word]] for word in range(1, space.c.n + 1)]
        if self.nonprojective in ENCODINGS:
            heads, labels = lower(heads, labels, self.nonprojective)
        return tuple(heads), tuple(labels)

    def parse(self, list sentences):
        """Fill HEAD and DEPREL of tagged sentences (lists of words) in place; the GIL is released while parsing."""
        cdef Batch batch = self.encoder.encode(sentences)
        cdef Workspace space = self.workspace()
        cdef Py_ssize_t total = 0
        cdef int i, j
        for sentence in sentences:
            total += len(sentence)
        cdef int8_t[::1] marked = array("b", bytes(len(sentences) + 1))
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
                    marked[i] |= self.is_marked[labels[total]]
                    total += 1
        total = 0
        names = self.classes.labels
        for i, sentence in enumerate(sentences):
            for word in sentence:
                word.head = heads[total]
                word.deprel = names[labels[total]]
                total += 1
            if marked[i]:
                self._lower(sentence)
        return sentences

    def kbest(self, words, int k):
        """The k best parses are what a beam is for."""
        raise UsageError(f"a greedy parser knows no second-best parse; give it a beam, say beam={max(k, 8)}")

    def with_beam(self, int width):
        """The same parser with a beam that wide."""
        from gardenpath.search import parser_of
        return parser_of(
            width, self.system, self.classes, self.extractor, self.weights, self.single_root, self.nonprojective, self.encoder.clusters,
        )

    def trace(self, words, bint policy=False, guide=None):
        """The moves of the parser on a tagged sentence, one after the other; with `policy` also what is changed after the last one.

        A `guide` (`search.guides`) may name moves to be made in place of the parser's own.
        """
        from gardenpath.search.trace import trace_parser
        return trace_parser(self, words, policy, guide)

    def arrays(self):
        """The weights, for a file."""
        learnt = {"parser.slots": self.weights.slots_array, "parser.rows": self.weights.rows_array}
        return learnt if self.encoder.clusters is None else learnt | self.encoder.clusters.arrays()

    def _lower(self, sentence):
        """Lower the arcs of a parse that are marked as lifted."""
        heads, labels = lower([word.head for word in sentence], [word.deprel for word in sentence], self.nonprojective)
        for word, head, label in zip(sentence, heads, labels):
            word.head = head
            word.deprel = label
