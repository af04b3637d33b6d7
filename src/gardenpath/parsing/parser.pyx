# cython: boundscheck=False, wraparound=False
"""`Parser`: from tagged sentences to trees, with any scorer."""

from array import array

from libc.math cimport INFINITY, NAN

from gardenpath.constraints.base cimport GivenBatch
from gardenpath.core.calibration cimport Calibration, WordMargins
from gardenpath.core.draft cimport Draft, DraftWord
from gardenpath.core.given_tags cimport GivenTags
from gardenpath.parsing.base cimport Search
from gardenpath.parsing.beam cimport Beam, average
from gardenpath.parsing.greedy cimport Greedy
from gardenpath.parsing.hypothesis cimport Hypothesis
from gardenpath.parsing.scorer cimport DraftEncoder, EncodedBatch, Scorer
from gardenpath.parsing.stopping cimport checked

from gardenpath import constraints
from gardenpath.errors import UsageError
from gardenpath.formats.document import EMPTY
from gardenpath.pseudo import ENCODINGS, bare, is_decorated, lower

MAX_BEAM = 10_000

cdef enum:
    CHECKED = 64               # sentences between two checks whether parsing should stop
    LONGEST_IN_BEAM = 1000     # words; longer sentences are parsed greedily, because a beam takes quadratic time


def checked_width(beam):
    """Return a beam width, or raise `UsageError` if it is not valid."""
    if not isinstance(beam, int) or not 1 <= beam <= MAX_BEAM:
        raise UsageError(f"a beam width is a whole number between 1 and {MAX_BEAM}, not {beam!r}")
    return beam


cdef class Trees:
    """The heads and labels of the sentences of a batch, one after the other."""


cdef class Parser:
    """A scorer with a search. Parsing never changes it, so any number of threads may share it.

    With a `width` above 1 it searches with a beam, except in sentences of more than 1,000 words. `single_root` is a
    policy outside the system: a parse that ends with several root words is changed so that it has one
    (`parsing.single_root`). If `nonprojective` is an encoding of lifted arcs (`pseudo`), the parser lowers the arcs
    whose labels mark them as lifted. With a `calibration`, words get their confidence.
    """

    def __init__(
        self, Scorer scorer, bint single_root=True, str nonprojective="lift", int width=1, Calibration calibration=None,
    ):
        system = scorer.system
        if system.has_root_mode and system.single_root != single_root:
            remedy = f"take systems.for_parsing({system.name!r}, single_root={single_root})"
            raise UsageError(f"{system!r} does not fit single_root={single_root}; {remedy}")
        self.scorer = scorer
        self.system = system
        self.classes = scorer.classes
        self.single_root = single_root
        self.nonprojective = nonprojective
        self.width = checked_width(width)
        self.calibration = calibration
        is_encoded = nonprojective in ENCODINGS
        self.is_decorated = array("b", [is_encoded and is_decorated(label) for label in self.classes.labels])

    @property
    def batch_words(self):
        """The number of words that should be parsed in one call."""
        return self.scorer.batch_words

    def with_beam(self, int width):
        """The same parser with a beam of this width."""
        return Parser(self.scorer, self.single_root, self.nonprojective, width, self.calibration)

    def calibrated(self, Calibration calibration):
        """The same parser with this calibration."""
        return Parser(self.scorer, self.single_root, self.nonprojective, self.width, calibration)

    def arrays(self):
        """The parameters of the scorer by name, for a model file."""
        return self.scorer.arrays()

    def parse(self, list sentences, list given=None, GivenTags tags=None):
        """Fill HEAD and DEPREL of tagged sentences (lists of words) in place, and set their confidence.

        `given` has the arcs to keep: for each sentence `GivenArcs` that do not contradict each other, or None. `tags`
        are the tags that the words can get, for a scorer that predicts them itself.
        """
        batch = None if given is None else GivenBatch(given)
        return self._fill(sentences, self.search(self.scorer.encode_given(sentences, tags), batch), given)

    def margins(self, list sentences):
        """Parse as `parse` does, and return the margins of each word: of head and label, and the smallest in focus."""
        cdef Trees trees = self.search(self.scorer.encode(sentences), None)
        cdef size_t i
        self._fill(sentences, trees, None)
        return [
            (trees.margins[i].head, trees.margins[i].label, trees.margins[i].focus) for i in range(trees.margins.size())
        ]

    cdef list _fill(self, list sentences, Trees trees, list given):
        cdef int i, place = 0, first
        names = self.classes.labels
        for i, sentence in enumerate(sentences):
            first = place
            kept = given[i].heads if given is not None and given[i] is not None else None
            if kept is not None:
                self._keep_labels(sentence, trees, first, kept)
                place += <int>len(kept)
            else:
                for word in sentence:
                    word.head = trees.heads[place]
                    word.deprel = names[trees.labels[place]]
                    place += 1
            if trees.is_marked[i]:
                heads, labels = self.lowered([word.head for word in sentence], [word.deprel for word in sentence])
                for word, head, label in zip(sentence, heads, labels):
                    word.head, word.deprel = head, label
            self._set_confidence(sentence, trees, first)
        return sentences

    def _keep_labels(self, sentence, Trees trees, int first, kept):
        """Fill HEAD and DEPREL of a sentence where some heads are kept, with their DEPREL if that is given.

        Without a mark in its label, such a word is not lowered. The margin of what is given is unknown.
        """
        cdef int i
        for i, word in enumerate(sentence):
            label = self.classes.labels[trees.labels[first + i]]
            if kept[i] is None:
                word.head, word.deprel = trees.heads[first + i], label
                continue
            trees.margins[first + i].head = NAN
            if word.deprel != EMPTY:
                trees.margins[first + i].label = NAN
            word.deprel = self._kept_label(word, label)

    def _kept_label(self, word, label):
        """Return the label of a word whose head is kept: the given one, or the predicted one without a mark."""
        if word.deprel != EMPTY:
            return word.deprel
        return bare(label) if self.nonprojective in ENCODINGS else label

    cdef int _set_confidence(self, sentence, Trees trees, int first) except -1:
        """Set the confidence of the words of a sentence. `first` is the place of its first word."""
        cdef WordMargins margins
        cdef int i, head
        if self.calibration is None:
            for word in sentence:
                if word.confidence is not None:
                    word.confidence = None
            return 0
        margins.tags.upos = margins.tags.tag = NAN
        for i, word in enumerate(sentence):
            head = word.head
            margins.arc = trees.margins[first + i]
            margins.head_focus = trees.margins[first + head - 1].focus if head else INFINITY
            margins.distance = abs(head - i - 1) if head else 0
            word.confidence = self.calibration.confidence(&margins, word.confidence)
        return 0

    def for_drafts(self, tags):
        """Return the same parser for drafts whose tags are numbers in this tag set."""
        return DraftParser(self, tags)

    def kbest(self, words, int k, given=None, GivenTags tags=None):
        """Return the best different parses of a tagged sentence, each as a tuple of score, heads and labels.

        They are the parses in the beam at the end, so there may be fewer than `k`. The score is the average over the
        scored transitions. `given` are the arcs to keep (`GivenArcs`), if any; `tags` is the same as for `parse`. The
        sentence is not changed.
        """
        cdef Beam beam
        cdef Hypothesis* h
        cdef int sentence = 0
        cdef size_t i
        if not 1 <= k <= self.width:
            most = "1 parse" if self.width == 1 else f"1 to {self.width} parses"
            remedy = f"use a wider one (`beam={max(k, 8)}`, `--beam {max(k, 8)}`)"
            raise UsageError(f"a beam of width {self.width} finds {most}, not {k}; {remedy}")
        if not words:
            return [(0.0, [], [])]
        beam = Beam(self.scorer, self.scorer.encode_given([words], tags), self.single_root, self.width)
        beam.margin = INFINITY             # keep as many parses as possible
        if given is not None:
            beam.respect(constraints.of(self.system), GivenBatch([given]))
        with nogil:
            beam.begin(&sentence, 1)
            beam.run()
        found = {}
        for i in range(beam.beams[0].size()):
            h = beam.beams[0][i]
            beam.finish(h)
            found.setdefault(self.tree_of(h, words, given), average(h.score, h.length))
        return [(score, list(heads), list(labels)) for (heads, labels), score in list(found.items())[:k]]

    def trace(self, words, bint policy=False, guide=None, reasons=(), given=None, GivenTags tags=None):
        """Yield the transitions of the parser on a tagged sentence.

        With `policy`, also yield the changes that are made after the last transition. A `guide` (`parsing.guides`) may
        name transitions that replace the parser's own. `reasons` are the numbers of the steps that get their reasons,
        from 1, or True for all. `given` are the arcs to keep (`GivenArcs`), if any; `tags` is the same as for `parse`.
        """
        from gardenpath.parsing.trace import trace_parser
        return trace_parser(self, words, policy, guide, reasons, given, tags)

    cdef Trees search(self, EncodedBatch batch, GivenBatch given):
        """Return the trees of a batch of sentences. The GIL is released while searching.

        `given` has the arcs that the trees must contain; None if there are none.
        """
        cdef Trees trees = Trees()
        cdef int i, total = 0
        cdef int longest = LONGEST_IN_BEAM if self.width > 1 else 0
        numbers = [i for i in range(batch.size) if batch.length(i)]
        if self.scorer.lanes > 1:
            # Parse sentences of similar length together: a sentence that has ended waits for the others.
            numbers.sort(key=lambda i: batch.length(i))
        trees.first = array("i", bytes(4 * (batch.size + 1)))
        for i in range(batch.size):
            trees.first[i] = total
            total += batch.length(i)
        trees.heads = array("i", bytes(4 * (total + 1)))
        trees.labels = array("i", bytes(4 * (total + 1)))
        trees.is_marked = array("b", bytes(batch.size + 1))
        trees.margins.resize(total)
        self._search_greedily([i for i in numbers if batch.length(i) > longest], batch, given, trees)
        self._search_with_beam([i for i in numbers if batch.length(i) <= longest], batch, given, trees)
        return trees

    cdef int _search_greedily(self, list numbers, EncodedBatch batch, GivenBatch given, Trees trees) except -1:
        """Find the trees of the sentences with these numbers."""
        cdef int i, count, first = 0, unchecked = 0, sentences = <int>len(numbers)
        cdef int size = min(max(self.scorer.lanes, 1), sentences)
        cdef int[::1] order
        cdef Greedy greedy
        if not numbers:
            return 0
        order = array("i", numbers)
        greedy = Greedy(self.scorer, batch, self.single_root, size)
        self._prepare(greedy, given)
        with nogil:
            while first < sentences:
                count = min(size, sentences - first)
                greedy.run(&order[first], count)
                for i in range(count):
                    self._write(trees, &greedy.hypotheses[i])
                first += count
                unchecked = checked(unchecked + count, CHECKED)
        return 0

    cdef int _search_with_beam(self, list numbers, EncodedBatch batch, GivenBatch given, Trees trees) except -1:
        """Find the trees of the sentences with these numbers."""
        cdef int i, count, first = 0, unchecked = 0, sentences = <int>len(numbers)
        cdef int size = min(max(self.scorer.lanes // self.width, 1), sentences)
        cdef int[::1] order
        cdef Beam beam
        if not numbers:
            return 0
        order = array("i", numbers)
        beam = Beam(self.scorer, batch, self.single_root, self.width, size)
        self._prepare(beam, given)
        with nogil:
            while first < sentences:
                count = min(size, sentences - first)
                beam.begin(&order[first], count)
                beam.run()
                for i in range(count):
                    beam.finish(beam.beams[i][0])
                    self._write(trees, beam.beams[i][0])
                first += count
                unchecked = checked(unchecked + count, CHECKED)
        return 0

    cdef int _prepare(self, Search search, GivenBatch given) except -1:
        search.keeps_margins = True
        if given is not None:
            search.respect(constraints.of(self.system), given)
        return 0

    cdef int _write(self, Trees trees, const Hypothesis* h) noexcept nogil:
        cdef int word, place = trees.first[h.sentence]
        for word in range(1, h.c.n + 1):
            trees.heads[place] = h.c.heads[word]
            trees.labels[place] = h.c.labels[word]
            trees.margins[place] = h.margins[word]
            trees.is_marked[h.sentence] |= self.is_decorated[h.c.labels[word]]
            place += 1
        return 0

    cdef tuple tree_of(self, const Hypothesis* h, words, given):
        """The heads and labels of a derivation that has ended, with given labels and with lifted arcs lowered."""
        heads = [h.c.heads[word] for word in range(1, h.c.n + 1)]
        labels = [self.classes.labels[h.c.labels[word]] for word in range(1, h.c.n + 1)]
        for i, kept in enumerate(given.heads if given is not None else ()):
            if kept is not None:
                labels[i] = self._kept_label(words[i], labels[i])
        heads, labels = self.lowered(heads, labels)
        return tuple(heads), tuple(labels)

    cpdef tuple lowered(self, list heads, list labels):
        """The tree with its lifted arcs lowered, if training marked lifted arcs."""
        return lower(heads, labels, self.nonprojective) if self.nonprojective in ENCODINGS else (heads, labels)


cdef class DraftParser:
    """A parser for drafts whose words have tags of a tag set. `labels` are the names of the labels that it fills in."""

    requires = ("words", "tags")
    provides = ("trees",)

    cdef readonly Parser parser
    cdef readonly list labels
    cdef dict numbers                  # of labels
    cdef DraftEncoder encoder

    def __init__(self, Parser parser, tags):
        self.parser = parser
        self.encoder = parser.scorer.draft_encoder(tags)
        # Lowering removes marks, so it can produce a label that training saw only with a mark.
        self.labels = list(dict.fromkeys([*parser.classes.labels, *map(bare, parser.classes.labels)]))
        self.numbers = {label: number for number, label in enumerate(self.labels)}

    def run(self, list drafts):
        """Fill in heads and labels; the GIL is released while parsing."""
        cdef Trees trees = self.parser.search(self.encoder.encode(drafts), None)
        cdef Draft draft
        cdef int sentence = 0, place = 0
        cdef size_t i
        for draft in drafts:
            for i in range(draft.words.size()):
                draft.words[i].head = trees.heads[place]
                draft.words[i].label = trees.labels[place]
                draft.words[i].arc_margins = trees.margins[place]
                place += 1
            for i in range(draft.sentences.size()):
                if trees.is_marked[sentence]:
                    self._lower(draft, draft.sentences[i].first_word, draft.sentences[i].words)
                sentence += 1

    cdef int _lower(self, Draft draft, int first, int count) except -1:
        """Lower the arcs of a sentence that are marked as lifted."""
        cdef DraftWord* word
        cdef int i
        words = range(first, first + count)
        heads, labels = self.parser.lowered(
            [draft.words[i].head for i in words], [self.labels[draft.words[i].label] for i in words],
        )
        for i in range(count):
            word = &draft.words[first + i]
            word.head, word.label = heads[i], self.numbers[labels[i]]
        return 0
