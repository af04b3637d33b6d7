# cython: boundscheck=False, wraparound=False
"""The steps that every search is made of: start, list the valid transitions, score them, take one, finish."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from gardenpath.core.configuration cimport B, NONE, ROOT, clear
from gardenpath.core.moves cimport LEFT_ARC, MOVES, RIGHT_ARC, SHIFT
from gardenpath.parsing.hypothesis cimport ArcOffer, Choice, Hypothesis, make_room
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer, Scores, Session
from gardenpath.parsing.single_root cimport keep_if_best, make_single_root
from gardenpath.systems.base cimport require_progress

from gardenpath.systems.addresses import base_of


cdef class Search:
    """A search over the derivations of a batch of sentences. It belongs to one thread."""

    cdef int prepare(self, Scorer scorer, EncodedBatch batch, Session session, bint single_root) except -1:
        """Set up the search of a batch; a constructor calls this first."""
        self.system = scorer.system
        self.classes = scorer.classes
        self.batch = batch
        self.session = session
        self.single_root = single_root
        self.has_memory = session.has_memory
        self.keeps_rejected = self.system.has_pairs and single_root and not self.system.single_root
        for i, address in enumerate(self.system.pair):
            self.focus_bases[i], self.focus_indices[i] = base_of(address)
        return 0

    cdef int respect(self, Constraint constraint, GivenBatch given) except -1:
        """Make every parse contain the given arcs of its sentence."""
        self.constraint = constraint
        self.given = given
        inventories = self.classes.inventories
        for i, side in enumerate(("left", "right")):
            usual = inventories[side] or inventories["right"] or inventories["left"] or inventories["root"]
            self.usual_labels[i] = self.classes.labels.index(usual[0])
        return 0

    cdef int start(self, Hypothesis* h, int sentence) except -1 nogil:
        """Set a derivation to the initial configuration of a sentence."""
        cdef int word, n = self.batch.length(sentence)
        make_room(h, n, self.system.widest(n), self.keeps_rejected, self.keeps_margins)
        clear(&h.c, n)
        h.c.root_label = self.classes.root_label
        self.system.start(&h.c)
        h.sentence = sentence
        h.given = self.given.arcs[sentence] if self.given is not None else NULL
        h.made = 0
        h.most = self.system.limit(n)
        h.is_finished = self.system.is_terminal(&h.c)
        h.offer_count = 0
        h.front_label = NONE
        h.score = h.length = 0
        h.link = NONE
        h.is_right = True
        if self.keeps_rejected:
            for word in range(n + 1):
                h.rejected[word].head = NONE
        if self.keeps_margins:
            for word in range(n + 1):
                h.margins[word].head = h.margins[word].label = h.margins[word].focus = INFINITY
        return self.session.start(h)

    cdef int find_forced(self, Hypothesis* h) except -1 nogil:
        """List the valid transitions that agree with the given arcs, and find out whether one is forced.

        A transition is forced if it has only one class, and if it is the only valid one or `system.forced` returns it.
        """
        cdef ClassRange found
        h.move_count = self.system.list_moves(&h.c, h.moves)
        if h.given != NULL:
            h.move_count = self.constraint.restrict(&h.c, h.given, h.moves, h.move_count)
        require_progress(self.system, &h.c, h.move_count, h.made, h.most)
        h.is_forced = False
        h.forced.move = h.moves[0] if h.move_count == 1 else self.system.forced(&h.c)
        if h.forced.move == NONE:
            return 0
        found = self.classes_of(h, h.forced.move)
        h.forced.index = found.first
        h.forced.label = self.classes.label_of[h.forced.index]
        h.forced.score = 0
        h.is_forced = found.end - found.first == 1 and not self._is_labelled_later(h, h.forced.move)
        return 0

    cdef bint _is_labelled_later(self, const Hypothesis* h, int move) noexcept nogil:
        """Return whether the scores of a transition tell the label that a later one gives to the pushed word."""
        return self.system.remembers_labels and (move == SHIFT or move == RIGHT_ARC) and h.c.stack_size > 0

    cdef int run_ahead(self, Hypothesis* h) except -1 nogil:
        """Make forced transitions until there is a choice or the derivation ends."""
        while not h.is_finished:
            self.find_forced(h)
            if not h.is_forced:
                return 0
            self.take(h, h.forced, False)
        return 0

    cdef int score(self, Hypothesis* h) except -1 nogil:
        """Score the valid transitions of one configuration."""
        return self.session.score(&h, 1)

    cdef ClassRange classes_of(self, const Hypothesis* h, int move) noexcept nogil:
        """Return the classes of a valid transition: one if the label of its arc is given and the model has it."""
        cdef ClassRange found
        cdef int group = self.classes.group(&h.c, move), label, i
        found.first, found.end = self.classes.first[group], self.classes.end[group]
        label = self.given_label(h, move) if h.given != NULL else NONE
        if label == NONE:
            return found
        for i in range(found.first, found.end):
            if self.classes.label_of[i] == label:
                found.first, found.end = i, i + 1
                break
        return found

    cdef int given_label(self, const Hypothesis* h, int move) noexcept nogil:
        """Return the given label of the arc that a transition builds, NONE if there is none."""
        if not self.system.builds_arc(&h.c, move):
            return NONE
        return h.given.labels[self.system.arc_child(&h.c, move)]

    cdef double consider(self, Hypothesis* h, int move, Choice* best) noexcept nogil:
        """Compare the classes of a transition with the best so far, and return their highest score.

        If there is no best class yet, its index is NONE. The first class wins a tie.
        """
        cdef Scores scores = self.session.scores_of(h, move)
        cdef ClassRange found = self.classes_of(h, move)
        cdef double top = highest(scores, found.first, found.end)
        if best.index == NONE or top > best.score:
            best.score = top
            best.move = move
            best.index = first_of(scores, found.first, top)
            best.label = self.classes.label_of[best.index]
        return top

    cdef Choice best(self, Hypothesis* h) noexcept nogil:
        """Return the best-scoring class of the valid transitions, and note the best arcs of the others as rejected."""
        cdef Choice choice
        cdef double tops[MOVES]
        cdef double top, former, second = -INFINITY
        cdef int i
        choice.index = choice.move = choice.label = NONE
        choice.score = -INFINITY
        for i in range(h.move_count):
            former = choice.score
            top = self.consider(h, h.moves[i], &choice)
            second = max(second, former if choice.move == h.moves[i] else top)
            if self.keeps_rejected:
                tops[i] = top
        if self.keeps_margins:
            choice.head_margin = choice.score - second
            choice.label_margin = self.label_margin(h, choice)
        if self.keeps_rejected:
            for i in range(h.move_count):
                if h.moves[i] != choice.move and h.moves[i] in (LEFT_ARC, RIGHT_ARC):
                    self._reject(h, h.moves[i], tops[i], choice.score)
        h.front_label = self.front_label(h, choice.move)
        return choice

    cdef float label_margin(self, Hypothesis* h, Choice choice) noexcept nogil:
        """Return by how much the label of a transition wins over its other labels, INFINITY if it has no others."""
        cdef ClassRange found
        if choice.label == NONE:
            return INFINITY
        found = self.classes_of(h, choice.move)
        return choice.score - highest_other(
            self.session.scores_of(h, choice.move), found.first, found.end, choice.index,
        )

    cdef void _reject(self, Hypothesis* h, int move, double top, double chosen) noexcept nogil:
        cdef int dependent = self.system.arc_child(&h.c, move)
        cdef int first, label
        if h.rejected[dependent].head == NONE or top - chosen > h.rejected[dependent].margin:
            first = self.classes_of(h, move).first
            label = self.classes.label_of[first_of(self.session.scores_of(h, move), first, top)]
            keep_if_best(&h.rejected[dependent], self.system.arc_head(&h.c, move), label, top - chosen)

    cdef void note(self, Hypothesis* h) noexcept nogil:
        """Store the values that `take` needs from the scores, because the scores may be overwritten before that call.

        The values are the arcs of the valid transitions and the label of the front word.
        """
        cdef Choice choice
        cdef ArcOffer* offer
        cdef int i
        h.offer_count = 0
        h.front_label = self.front_label(h, SHIFT)
        if not self.keeps_rejected:
            return
        for i in range(h.move_count):
            if h.moves[i] in (LEFT_ARC, RIGHT_ARC):
                choice.index = NONE
                self.consider(h, h.moves[i], &choice)
                offer = &h.offers[h.offer_count]
                offer.move, offer.label, offer.score = choice.move, choice.label, choice.score
                offer.head = self.system.arc_head(&h.c, choice.move)
                offer.dependent = self.system.arc_child(&h.c, choice.move)
                h.offer_count += 1

    cdef int front_label(self, Hypothesis* h, int move) noexcept nogil:
        """Return the best label of a right-arc to the word that a transition pushes, or NONE if it is not needed.

        If a Reduce or the single-root policy attaches the word later, it uses this label.
        """
        cdef Scores scores
        cdef int first = self.classes.first[RIGHT_ARC], end = self.classes.end[RIGHT_ARC]
        if not self._is_labelled_later(h, move):
            return NONE
        scores = self.session.scores_of(h, RIGHT_ARC)
        return self.classes.label_of[first_of(scores, first, highest(scores, first, end))]

    cdef int take(self, Hypothesis* h, Choice choice, bint is_scored) except -1 nogil:
        """Make a transition. If it was scored, also store the label of the front word and the rejected arcs."""
        cdef int head = NONE, dependent = NONE, i
        if is_scored:
            if h.front_label != NONE and (choice.move == SHIFT or choice.move == RIGHT_ARC):
                h.c.shift_labels[B(&h.c, 0)] = h.front_label
            for i in range(h.offer_count):
                if h.offers[i].move != choice.move:
                    keep_if_best(
                        &h.rejected[h.offers[i].dependent], h.offers[i].head, h.offers[i].label,
                        h.offers[i].score - choice.score,
                    )
        if h.given != NULL and self.given_label(h, choice.move) != NONE:
            choice.label = self.given_label(h, choice.move)
        if self.keeps_margins:
            self._keep_margins(h, choice, is_scored)
        if self.has_memory and self.system.builds_arc(&h.c, choice.move):
            head = self.system.arc_head(&h.c, choice.move)
            dependent = self.system.arc_child(&h.c, choice.move)
        self.system.apply_move(&h.c, choice.move, choice.label)
        h.made += 1
        h.is_finished = self.system.is_terminal(&h.c)
        if self.has_memory:
            if h.is_finished:
                self.session.drop(h.slot)
            else:
                self.session.tell(h, choice, head, dependent)
        return 0

    cdef void _keep_margins(self, Hypothesis* h, Choice choice, bint is_scored) noexcept nogil:
        """Store the margins of a transition that is about to be made."""
        cdef int i, word
        if is_scored:
            for i in range(2):
                word = self.system.word_at(&h.c, choice.move, self.focus_bases[i], self.focus_indices[i])
                if word > ROOT:
                    h.margins[word].focus = min(h.margins[word].focus, choice.head_margin)
        if self.system.builds_arc(&h.c, choice.move):
            word = self.system.arc_child(&h.c, choice.move)
            h.margins[word].head = choice.head_margin if is_scored else INFINITY
            h.margins[word].label = choice.label_margin if is_scored else INFINITY

    cdef void finish(self, Hypothesis* h) noexcept nogil:
        """Apply the single-root policy to a derivation that has ended."""
        if self.single_root and not self.system.single_root:
            make_single_root(
                &h.c, h.rejected if self.keeps_rejected else NULL, h.margins if self.keeps_margins else NULL, h.given,
                self.usual_labels,
            )


cdef double highest(Scores scores, int first, int end) noexcept nogil:
    """Return the highest score of the classes from `first` to `end`."""
    cdef int i
    cdef int32_t whole
    cdef double real
    if scores.whole != NULL:
        whole = scores.whole[first]
        for i in range(first + 1, end):          # compilers vectorise this loop
            whole = max(whole, scores.whole[i])
        return whole
    real = scores.real[first]
    for i in range(first + 1, end):
        real = max(real, scores.real[i])
    return real


cdef double highest_other(Scores scores, int first, int end, int index) noexcept nogil:
    """Return the highest score of the classes from `first` to `end` without `index`, -INFINITY if there are none."""
    cdef double before = highest(scores, first, index) if index > first else -INFINITY
    cdef double after = highest(scores, index + 1, end) if index + 1 < end else -INFINITY
    return max(before, after)


cdef int first_of(Scores scores, int first, double value) noexcept nogil:
    """Return the first class from `first` on that has this score."""
    cdef int32_t whole
    if scores.whole != NULL:
        whole = <int32_t>value
        while scores.whole[first] != whole:
            first += 1
        return first
    while scores.real[first] != value:
        first += 1
    return first
