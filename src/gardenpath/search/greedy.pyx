"""Greedy parsing with one immutable model; scratch space belongs to a workspace, one a thread."""

from array import array

from libc.stdint cimport int8_t, int32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy

from gardenpath.core.configuration cimport B, Configuration, NONE, ROOT, S, add_arc, clear, copy_into, release, reserve
from gardenpath.core.encoding cimport Batch, EncodedSentence
from gardenpath.core.moves cimport LEFT_ARC, MOVES, RIGHT_ARC, SHIFT, kind_of
from gardenpath.features.extractor cimport COMMON_PART, LEFT_PART, PARTS, RIGHT_PART, Reading
from gardenpath.learning.weights cimport padded
from gardenpath.systems.covington cimport is_ancestor

from gardenpath.errors import UsageError
from gardenpath.pseudo import ENCODINGS, is_decorated, lower


cdef class Workspace:
    """What one thread needs while parsing: a configuration, the permitted moves, feature keys, scores."""

    def __cinit__(self, int classes):
        cdef int part
        self.scores = <int32_t*>malloc((PARTS + 2) * padded(classes) * sizeof(int32_t))
        if self.scores == NULL:
            raise MemoryError("no memory for a workspace")
        self.deep_scores = self.scores + padded(classes)
        for part in range(PARTS):
            self.part_scores[part] = self.scores + (2 + part) * padded(classes)

    def __dealloc__(self):
        release(&self.c)
        free(self.moves)
        free(self.scores)
        free(self.kept_block)

    cdef int make_room(self, int n, int moves) except -1 nogil:
        """Make room for a sentence of n words and so many moves at once."""
        cdef void* room
        reserve(&self.c, n)
        if moves > self.move_capacity:
            room = realloc(self.moves, 2 * moves * sizeof(int))
            if room == NULL:
                with gil:
                    raise MemoryError(f"no memory for a sentence of {n} words")
            self.moves = <int*>room
            self.move_capacity = 2 * moves
        return 0

    cdef int make_room_for_pairs(self, int n, int templates, int classes) except -1 nogil:
        """Make room for what neighbouring pairs share."""
        cdef size_t size = 2 * n + 2, keys = templates * sizeof(uint64_t), scores = padded(classes) * sizeof(int32_t)
        cdef char* block
        cdef size_t i
        if n < self.kept_capacity:
            return 0
        block = <char*>realloc(self.kept_block, size * (sizeof(Kept) + sizeof(Offer) + keys + scores))
        if block == NULL:
            with gil:
                raise MemoryError(f"no memory for a sentence of {n} words")
        self.kept_block = block
        self.kept_capacity = <int>size
        self.kept = <Kept*>block
        block += size * sizeof(Kept)
        for i in range(size):
            self.kept[i].epoch = NONE
            self.kept[i].count = 0
            self.kept[i].keys = <uint64_t*>(block + i * keys)
            self.kept[i].scores = <int32_t*>(block + size * keys + i * scores)
        self.offers = <Offer*>(block + size * (keys + scores))
        return 0

    cdef void forget(self) noexcept nogil:
        """Scores kept so far are not to be used any more: the weights have changed."""
        self.epoch += 1


cdef class GreedyParser:
    """System, classes, features and weights together.

    `single_root` is a policy outside the system: where a parse ends with several root words, the first stays and the others become its children,
    with the label that a right-arc would have given them when they were read; in Covington's parser the one stays that came least close to an arc, and the
    others get the arc that they came closest to. If `nonprojective` is the encoding that training lifted arcs in, those that
    a parse marks as lifted are lowered.
    """

    def __init__(
        self, TransitionSystem system, Classes classes, Extractor extractor, Weights weights, bint single_root=True, str nonprojective="lift",
    ):
        if weights.classes != classes.size:
            raise UsageError(f"weights of {weights.classes} classes do not fit a parser with {classes.size}")
        if system.has_root_mode and system.single_root != single_root:
            raise UsageError(f"{system!r} does not fit single_root={single_root}; take systems.for_parsing({system.name!r}, single_root={single_root})")
        self.system = system
        self.classes = classes
        self.extractor = extractor
        self.weights = weights
        self.encoder = Encoder(extractor.properties)
        self.single_root = single_root
        self.nonprojective = nonprojective
        self.is_marked = array("b", [nonprojective in ENCODINGS and is_decorated(label) for label in classes.labels])

    cdef int begin(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        """Set the workspace to the initial configuration of the sentence."""
        cdef int word
        space.make_room(sentence.n, self.system.widest(sentence.n))
        clear(&space.c, sentence.n)
        space.c.root_label = self.classes.root_label
        self.system.start(&space.c)
        if self.system.has_pairs:
            space.make_room_for_pairs(sentence.n, self.extractor.template_count, self.classes.size)
            space.forget()
            space.right_word = NONE
            for word in range(sentence.n + 1):
                space.kept[word].changes = NONE
                space.offers[word].head = NONE
        return 0

    cdef void look(self, Workspace space, const EncodedSentence* sentence) noexcept nogil:
        """Score all classes for the configuration in the workspace, as all moves but deep ones see it."""
        cdef Reading reading
        cdef int part, count, i
        if self.system.has_pairs:
            self._look_at_pair(space, sentence)
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

    cdef void _look_at_pair(self, Workspace space, const EncodedSentence* sentence) noexcept nogil:
        """The same, sharing what one of the two words in focus has to say with other pairs (Volokh and Neumann, KI 2012), for as long as it stays the same."""
        cdef const Configuration* c = &space.c
        cdef const int32_t* left
        cdef const int32_t* right
        cdef int32_t* both = space.part_scores[COMMON_PART]
        cdef int i, count
        right = self._recall_right(space, sentence)
        left = self._recall_left(space, sentence)
        self.extractor.read_rest(c, sentence, &space.reading)
        count = self.extractor.write_keys(&space.reading, COMMON_PART, COMMON_PART, space.keys + space.key_count)
        self.weights.score(space.keys + space.key_count, count, both)
        space.key_count += count
        for i in range(padded(self.classes.size)):
            space.scores[i] = left[i] + both[i] + right[i]

    cdef const int32_t* _recall_right(self, Workspace space, const EncodedSentence* sentence) noexcept nogil:
        """Find the keys of the right word, unless it is the one of the last pair and no arc has changed since, and recall their scores."""
        cdef const Configuration* c = &space.c
        cdef Kept* kept = &space.kept[0]
        if space.right_word != B(c, 0) or kept.changes != c.changes:
            self.extractor.read_buffer(c, sentence, &space.reading)
            space.key_count = self.extractor.write_keys(&space.reading, RIGHT_PART, RIGHT_PART, space.keys)
            space.right_word = B(c, 0)
            kept.changes = c.changes
            return self._recall(space, kept, space.keys, space.key_count)
        space.key_count = kept.count
        return self._rescore(space, kept)

    cdef const int32_t* _recall_left(self, Workspace space, const EncodedSentence* sentence) noexcept nogil:
        """Find the keys of the left word, unless they are known to be the same as when it was last in focus, and recall their scores."""
        cdef const Configuration* c = &space.c
        cdef uint64_t* keys = space.keys + space.key_count
        cdef Kept* kept = &space.kept[S(c, 0)]
        cdef int count
        cdef bint is_known = kept.changes != NONE and self.extractor.is_stack_untouched(c, &kept.reading, kept.changes)
        kept.changes = c.changes
        if is_known:
            self.extractor.copy_stack(&kept.reading, &space.reading)
            memcpy(keys, kept.keys, kept.count * sizeof(uint64_t))
            space.key_count += kept.count
            return self._rescore(space, kept)
        self.extractor.read_stack(c, sentence, &space.reading)
        self.extractor.copy_stack(&space.reading, &kept.reading)
        count = self.extractor.write_keys(&space.reading, LEFT_PART, LEFT_PART, keys)
        space.key_count += count
        return self._recall(space, kept, keys, count)

    cdef const int32_t* _recall(self, Workspace space, Kept* kept, const uint64_t* keys, int count) noexcept nogil:
        """The scores of these keys: those kept if they were for the same keys, else new ones, which are kept."""
        if kept.count != count or memcmp(kept.keys, keys, count * sizeof(uint64_t)):
            memcpy(kept.keys, keys, count * sizeof(uint64_t))
            kept.count = count
            kept.epoch = NONE
        return self._rescore(space, kept)

    cdef const int32_t* _rescore(self, Workspace space, Kept* kept) noexcept nogil:
        """The scores of the keys that are kept, new ones if the weights have changed."""
        if kept.epoch != space.epoch:
            self.weights.score(kept.keys, kept.count, kept.scores)
            kept.epoch = space.epoch
        return kept.scores

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
        if self.system.has_pairs and self.single_root:
            for i in range(space.move_count):
                if space.moves[i] != choice.move and space.moves[i] in (LEFT_ARC, RIGHT_ARC):
                    self._offer(space, space.moves[i], tops[i], choice.score)
        return choice

    cdef void _offer(self, Workspace space, int move, int32_t top, int32_t best) noexcept nogil:
        """Keep in mind the arc of a move that fell short of the best, if the word it leads to never came closer to an arc."""
        cdef Offer* offer = &space.offers[self.system.arc_child(&space.c, move)]
        cdef int i = self.classes.first[move]
        if offer.head == NONE or top - best > offer.margin:
            while space.scores[i] != top:
                i += 1
            offer.head = self.system.arc_head(&space.c, move)
            offer.label = self.classes.label_of[i]
            offer.margin = top - best

    cdef void make(self, Workspace space, Choice choice) noexcept nogil:
        """Make a scored move. A word that is pushed remembers the label a right-arc has for it, for a Reduce that attaches it later."""
        cdef Configuration* c = &space.c
        cdef int i, best = self.classes.first[RIGHT_ARC]
        if self.system.remembers_labels and (choice.move == SHIFT or choice.move == RIGHT_ARC) and c.stack_size:
            for i in range(best + 1, self.classes.end[RIGHT_ARC]):
                if space.scores[i] > space.scores[best]:
                    best = i
            c.shift_labels[B(c, 0)] = self.classes.label_of[best]
        self.system.apply_move(c, choice.move, choice.label)

    cdef void finish(self, Workspace space) noexcept nogil:
        """The single-root policy."""
        cdef Configuration* c = &space.c
        cdef int word, root = NONE
        if self.system.has_pairs:
            self._take_offers(space)
            return
        for word in range(1, c.n + 1):
            if c.heads[word] == ROOT:
                if root == NONE:
                    root = word
                else:
                    add_arc(c, root, word, c.shift_labels[word])

    cdef void _take_offers(self, Workspace space) noexcept nogil:
        """Keep one root word and give the others the arc that was offered to them, from that root if it would close a cycle."""
        cdef Configuration* c = &space.c
        cdef const Offer* offers = space.offers
        cdef int word, root = NONE
        for word in range(1, c.n + 1):
            if c.heads[word] == ROOT and (root == NONE or offers[word].head == NONE or offers[word].margin < offers[root].margin):
                root = word
        for word in range(1, c.n + 1):
            if c.heads[word] == ROOT and word != root:
                add_arc(c, root if is_ancestor(c.heads, word, offers[word].head) else offers[word].head, word, offers[word].label)

    cdef PythonConfiguration snapshot(self, Workspace space):
        """The configuration in the workspace as it is now, for Python to look at."""
        cdef PythonConfiguration c = PythonConfiguration(space.c.n)
        copy_into(&c.c, &space.c)
        c.system = self.system.name
        c.single_root = self.system.single_root
        c.label_names = list(self.classes.labels)
        return c

    cdef int parse_sentence(self, Workspace space, const EncodedSentence* sentence) except -1 nogil:
        cdef Choice choice
        self.begin(space, sentence)
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

    def parse(self, list sentences):
        """Fill HEAD and DEPREL of tagged sentences (lists of words) in place; the GIL is released while parsing."""
        cdef Batch batch = self.encoder.encode(sentences)
        cdef Workspace space = Workspace(self.classes.size)
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

    def _lower(self, sentence):
        """Lower the arcs of a parse that are marked as lifted."""
        heads, labels = lower([word.head for word in sentence], [word.deprel for word in sentence], self.nonprojective)
        for word, head, label in zip(sentence, heads, labels):
            word.head = head
            word.deprel = label
