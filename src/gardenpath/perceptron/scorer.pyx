# cython: boundscheck=False, wraparound=False
"""The averaged perceptron as a scorer: exact integer sums of the weights of the features that a configuration has.

There are optimisations for two kinds of systems. In Covington's systems, neighbouring configurations share most
features, so their scores are kept (`pairs`). In LR-spine, the deep transitions see other words than the rest; templates
that look at the other end of the arc are scored once for all of them.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from gardenpath.core.configuration cimport NONE
from gardenpath.core.draft cimport Draft, DraftSentence, DraftWord
from gardenpath.core.moves cimport LEFT_ARC, SHIFT, kind_of
from gardenpath.features.clusters cimport Clusters
from gardenpath.features.encoding cimport Batch, EncodedSentence, Encoder, value
from gardenpath.perceptron.extractor cimport COMMON_PART, LEFT_PART, PARTS, RIGHT_PART, Reading
from gardenpath.perceptron.weights cimport padded
from gardenpath.parsing.hypothesis cimport Choice
from gardenpath.parsing.scorer cimport Scores
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes

from gardenpath.errors import UsageError
from gardenpath.features.templates import set_for
from gardenpath.formats.document import Word


cdef class HashedBatch(EncodedBatch):
    """Sentences as hashed values of the properties that the templates ask for."""

    cdef int length(self, int sentence) noexcept nogil:
        return self.batch.sentences[sentence].n


cdef HashedBatch hashed(Batch batch):
    cdef HashedBatch result = HashedBatch()
    result.batch = batch
    result.size = batch.size
    return result


cdef class Perceptron(Scorer):
    """System, classes, features and weights."""

    prefers_trained_beam = True

    def __init__(
        self, TransitionSystem system, Classes classes, Extractor extractor, Weights weights, Clusters clusters=None,
    ):
        if weights.classes != classes.size:
            raise UsageError(f"weights of {weights.classes} classes do not fit a scorer with {classes.size}")
        Scorer.__init__(self, system, classes)
        self.extractor = extractor
        self.weights = weights
        self.encoder = Encoder(extractor.properties, clusters)
        self.feature_reasons = FeatureReasons(extractor, weights, clusters, classes.labels)

    cpdef EncodedBatch encode(self, list sentences):
        return hashed(self.encoder.encode(sentences))

    cpdef DraftEncoder draft_encoder(self, tags):
        return HashedDraftEncoder(self, tags)

    cdef Session open(self, EncodedBatch batch, int slots, bint is_contiguous):
        return PerceptronSession(self, batch, is_contiguous)

    def arrays(self):
        """Return the weights and, if there are any, the clusters."""
        learnt = {"parser.slots": self.weights.slots_array, "parser.rows": self.weights.rows_array}
        return learnt if self.encoder.clusters is None else learnt | self.encoder.clusters.arrays()

    def summary(self, settings, about):
        """Return the number of weights, and the templates."""
        templates = set_for(settings.features, self.system.template_set, self.encoder.clusters is not None)
        return [
            ("scorer", f"perceptron: {len(self.weights.rows_array):,} entries"),
            ("features", f"{templates}: {len(self.extractor.lines)} templates, p is {about.tag.upper()}"),
        ]

    def encode_tags(self, tags):
        """Return a table of the values of tags (triples of UPOS, XPOS, FEATS).

        The table is a sentence whose words have these tags, in order.
        """
        words = [
            Word(number, "_", upos=upos, xpos=xpos, feats=feats) for number, (upos, xpos, feats) in enumerate(tags, 1)
        ]
        return self.encoder.encode([words])


cdef class PerceptronSession(Session):
    """Scores one configuration at a time."""

    def __cinit__(self, Perceptron scorer, HashedBatch batch, bint is_contiguous):
        cdef int part
        self.rows = 1
        self.system = scorer.system
        self.extractor = scorer.extractor
        self.weights = scorer.weights
        self.feature_reasons = scorer.feature_reasons
        self.batch = batch.batch
        self.is_contiguous = is_contiguous
        self.width = padded(scorer.classes.size)
        self.totals = <int32_t*>malloc((PARTS + 2) * self.width * sizeof(int32_t))
        if self.totals == NULL:
            raise MemoryError("no memory for scores")
        self.pairs = Pairs()
        self.deep_totals = self.totals + self.width
        for part in range(PARTS):
            self.parts[part] = self.totals + (2 + part) * self.width

    def __dealloc__(self):
        free(self.totals)

    cdef int start(self, Hypothesis* h) except -1 nogil:
        if self.is_contiguous and self.system.has_pairs:
            self.pairs.begin(h.c.n, self.extractor.template_count, self.weights.classes)
        return 0

    cdef int score(self, Hypothesis** hypotheses, int count) except -1 nogil:
        cdef const Hypothesis* h = hypotheses[0]
        cdef const EncodedSentence* sentence = &self.batch.sentences[h.sentence]
        if self.system.has_pairs and self.is_contiguous:
            self.key_count = self.pairs.look(
                &h.c, sentence, self.extractor, self.weights, self.keys, self.parts[COMMON_PART], self.totals,
            )
        elif self.system.has_depths:
            self._score_parts(h, sentence)
        else:
            self.key_count = self.extractor.extract(&h.c, SHIFT, sentence, self.keys)
            self.weights.score(self.keys, self.key_count, self.totals)
        return 0

    cdef void _score_parts(self, const Hypothesis* h, const EncodedSentence* sentence) noexcept nogil:
        cdef Reading reading
        cdef int part, count, i
        self.extractor.read(&h.c, SHIFT, sentence, &reading)
        self.key_count = 0
        for part in range(PARTS):
            count = self.extractor.write_keys(&reading, part, part, self.keys + self.key_count)
            self.weights.score(self.keys + self.key_count, count, self.parts[part])
            self.key_count += count
        for i in range(self.width):
            self.totals[i] = self.parts[LEFT_PART][i] + self.parts[COMMON_PART][i] + self.parts[RIGHT_PART][i]

    cdef Scores scores_of(self, const Hypothesis* h, int move) noexcept nogil:
        """A deep transition shares the part that looks at the other end of its arc."""
        cdef Scores scores
        cdef Reading reading
        cdef const int32_t* shared
        cdef bint to_left
        cdef int i, count
        scores.real = NULL
        scores.whole = self.totals
        if not self.system.has_depths or not self.system.is_deep(&h.c, move):
            return scores
        to_left = kind_of(move) == LEFT_ARC
        shared = self.parts[RIGHT_PART if to_left else LEFT_PART]
        self.extractor.read(&h.c, move, &self.batch.sentences[h.sentence], &reading)
        count = self.extractor.write_keys(
            &reading, LEFT_PART if to_left else COMMON_PART, COMMON_PART if to_left else RIGHT_PART, self.deep_keys,
        )
        self.weights.score(self.deep_keys, count, self.deep_totals)
        for i in range(self.width):
            self.deep_totals[i] += shared[i]
        scores.whole = self.deep_totals
        return scores

    cdef list reasons(self, const Hypothesis* h, Choice choice, Choice other, list words):
        """The features whose weights differ for the two classes."""
        return self.feature_reasons.compare(&h.c, &self.batch.sentences[h.sentence], choice, other, words)

    cdef int extract(self, const Hypothesis* h, int move) noexcept nogil:
        """Write the keys of the features that one transition sees to `deep_keys`, and return their number."""
        return self.extractor.extract(&h.c, move, &self.batch.sentences[h.sentence], self.deep_keys)


cdef class HashedDraftEncoder(DraftEncoder):
    """Encodes drafts without Python objects."""

    cdef Batch table                   # of the tags

    def __init__(self, Perceptron scorer, tags):
        DraftEncoder.__init__(self, scorer, tags)
        self.table = scorer.encode_tags(self.tags)

    cpdef EncodedBatch encode(self, list drafts):
        cdef Encoder encoder = (<Perceptron>self.scorer).encoder
        cdef Batch batch = Batch()
        cdef Draft draft
        cdef EncodedSentence* encoded
        cdef uint64_t* values
        cdef size_t i, sentences = 0, words = 0
        for draft in drafts:
            sentences += draft.sentences.size()
            words += draft.words.size()
        batch.reserve(<int>sentences, (words + 2 * sentences) * encoder.width)
        encoded, values = batch.sentences, batch.block
        for draft in drafts:
            with nogil:
                for i in range(draft.sentences.size()):
                    encoded.n = draft.sentences[i].words
                    encoded.values = values
                    self._fill(encoder, draft, &draft.sentences[i], encoded)
                    values += (encoded.n + 2) * encoder.width
                    encoded += 1
        return hashed(batch)

    cdef void _fill(
        self, Encoder encoder, Draft draft, const DraftSentence* sentence, EncodedSentence* encoded,
    ) noexcept nogil:
        cdef const DraftWord* word
        cdef int i, prop, place
        encoder.mark_root(encoded)
        for prop in range(encoder.width):
            for i in range(sentence.words):
                word = &draft.words[sentence.first_word + i]
                place = prop * (sentence.words + 2) + i + 2
                if encoder.codes[prop].is_of_form:
                    encoded.values[place] = encoder.value_of(prop, draft.bytes.data() + word.form, word.form_length)
                elif word.tag != NONE:
                    encoded.values[place] = value(&self.table.sentences[0], prop, word.tag + 1)
