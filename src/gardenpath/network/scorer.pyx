# cython: boundscheck=False, wraparound=False
"""The native network as a scorer and as a tagger.

The tagger and the parser share the encoder. In the pipeline, the tagger leaves its results in the drafts, and the
parser uses them, so a text is encoded once.
"""

import math

from libc.math cimport log
from libc.string cimport memcpy

from gardenpath.core.draft cimport Draft, form_of
from gardenpath.core.given_tags cimport GivenTags
from gardenpath.core.hashing cimport hash_bytes, join, mix
from gardenpath.core.membership cimport BloomFilter
from gardenpath.network.slots cimport FIRST_ROW
from gardenpath.parsing.scorer cimport DraftEncoder, EncodedBatch, Session
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes
from gardenpath.tagging.edits cimport count_characters

from gardenpath.core.stored import BadModelError
from gardenpath.network.arrays import NetworkArrays

cdef float KNOWN_LEMMA = 2.0   # added to the score of a rule that gives a lemma of the treebank; chosen on dev sets


cdef class LemmaEncoding(Encoding):
    """An encoding that chooses an applicable lemma rule: that of the lexicon, or the one with the best score.

    A rule that gives a lemma of the treebank gets KNOWN_LEMMA in addition to its score.
    """

    cdef int choose_rule(self, Py_ssize_t word, const float* scores, int count) except -2 nogil:
        cdef int best = <int>self.lexicon.find(_key(self.hashes[word], self.tags[word])) - 1, i
        cdef float most
        if best >= 0 and self.edits.is_applicable(best, self.characters[word]):
            return best
        best = self._best_rule(word, scores, count)
        if best < 0:
            return best
        most = scores[best] + (KNOWN_LEMMA if self._gives_known_lemma(best, word) else 0)
        for i in range(count):
            if scores[i] + KNOWN_LEMMA > most and self._gives_known_lemma(i, word):
                best, most = i, scores[i] + KNOWN_LEMMA
        return best

    cdef int _best_rule(self, Py_ssize_t word, const float* scores, int count) noexcept nogil:
        """Return the applicable rule with the best score, or -1."""
        cdef int best = -1, i
        for i in range(count):
            if (best < 0 or scores[i] > scores[best]) and self.edits.is_applicable(i, self.characters[word]):
                best = i
        return best

    cdef bint _gives_known_lemma(self, int rule, Py_ssize_t word) except -1 nogil:
        """Return whether the rule makes a lemma of the treebank from the form, or seems to.

        A rule that contains the whole lemma does not make one.
        """
        cdef int characters = self.characters[word]
        if self.edits.is_constant(rule) or not self.edits.is_applicable(rule, characters):
            return False
        self.edits.apply(rule, self.forms[word], self.lengths[word], characters, &self.lemma)
        return self.lemmas.contains(hash_bytes(self.lemma.data(), <Py_ssize_t>self.lemma.size()))


cdef inline uint64_t _key(uint64_t form, int tag) noexcept nogil:
    """Return the key of a pair of form and tag in the lexicon of lemma rules."""
    return mix(join(form, tag)) | 1


def lemma_key(str form, int tag):
    """Return the key of a pair of form and tag in the lexicon of lemma rules."""
    text = form.encode("utf-8", "surrogatepass")
    return _key(hash_bytes(text, len(text)), tag)


def _known_lemmas(checked):
    """Return the lemmas of the treebank. Models of earlier versions have none."""
    return BloomFilter(checked.get("lemmas.known", "U64", None)) if "lemmas.known" in checked else BloomFilter.of(())


def _products(checked, int members, int slots, int hidden, int size):
    """Return the matrices of all slots, one below the other.

    In an ensemble, each maps [v_1; v_2; ...] to [hidden_1; hidden_2; ...]. It is zero between different networks.
    """
    if members == 1:
        return checked.matrix("products", slots * hidden, size)
    cdef int own = hidden // members, inputs = size // members, member, slot, i, row
    if own * members != hidden:
        raise BadModelError(f"the hidden layer has the size {hidden}, which {members} networks cannot share")
    arrays = [checked.of_member(member) for member in range(members)]
    parts = [
        (each.get("products", "I8", slots * own, inputs), each.get("products.scale", "F32", slots * own))
        for each in arrays
    ]
    weights = memoryview(bytearray(slots * hidden * size)).cast("b", (slots * hidden, size))
    factors = memoryview(bytearray(4 * slots * hidden)).cast("f")
    cdef int8_t[:, ::1] whole = weights
    cdef float[::1] whole_scales = factors
    cdef const int8_t[:, ::1] rows
    cdef const float[::1] scales
    for member, (rows, scales) in enumerate(parts):
        for slot in range(slots):
            for i in range(own):
                row = slot * hidden + member * own + i
                whole[row, member * inputs : (member + 1) * inputs] = rows[slot * own + i]
                whole_scales[row] = scales[slot * own + i]
    return Matrix(weights, factors, f"{checked.prefix}products")


cdef class VectorBatch(EncodedBatch):
    """Sentences with the results of the encoder."""

    cdef int length(self, int sentence) noexcept nogil:
        return self.lengths[sentence]


cdef class NativeNetwork(SlotScorer):
    """The network of a model file. Threads can share it."""

    batch_words = 4_000
    predicts_tags = True

    def __init__(self, TransitionSystem system, Classes classes, list tags, list rules, arrays):
        checked = NetworkArrays(arrays)
        bias = checked.get("slot_bias", "F32", None)
        if bias.shape[0] % 16 or bias.shape[0] > 4096:
            raise BadModelError(f"the hidden layer has the size {bias.shape[0]}, which is not a multiple of 16")
        SlotScorer.__init__(self, system, classes, bias.shape[0])
        self.encoder = NativeEncoder(arrays)
        self.tags, self.edits = tags, Edits(rules)
        self.lexicon = Lexicon(checked.get("lemmas.keys", "U64", None), checked.get("lemmas.values", "U32", None))
        self.lemmas = _known_lemmas(checked)
        width = self.slots * self.hidden_size
        self.products = _products(checked, self.encoder.count, self.slots, self.hidden_size, self.encoder.heads.size)
        self.special = checked.get("special", "F32", 2, width)
        self.set_layers(
            checked.get("labels", "F32", self.slots * (len(classes.labels) + 1), self.hidden_size), bias,
            checked.get("output", "F32", self.hidden_size, self.columns),
            checked.get("output_bias", "F32", self.columns),
        )
        scored = self.encoder.heads.rules
        if self.encoder.heads.tags != len(tags) or scored > len(rules) or self.lexicon.largest() > len(rules):
            raise BadModelError("the numbers of tags and lemma rules do not fit the arrays of the network")
        self.stored = {name: array for name, array in arrays.items() if name.startswith(checked.prefix)}

    cpdef EncodedBatch encode(self, list sentences):
        return self.encode_given(sentences)

    cpdef EncodedBatch encode_given(self, list sentences, GivenTags tags=None):
        cdef VectorBatch batch = self._batch()
        cdef vector[const char*] forms
        cdef vector[int] lengths
        texts = [word.form.encode("utf-8", "surrogatepass") for sentence in sentences for word in sentence]
        for text in texts:
            forms.push_back(text)
            lengths.push_back(<int>len(text))
        for sentence in sentences:
            batch.lengths.push_back(<int>len(sentence))
        if tags is not None:
            batch.encoding.give_tags(tags, <int>len(self.tags), 0, forms.size())
        with nogil:
            self.run(batch, &forms, &lengths)
        return batch

    cdef VectorBatch encode_drafts(self, list drafts):
        cdef VectorBatch batch = self._batch()
        cdef vector[const char*] forms
        cdef vector[int] lengths
        cdef Draft draft
        cdef size_t i
        for draft in drafts:
            if draft.given is not None:
                batch.encoding.give_tags(draft.given, <int>len(self.tags), forms.size(), draft.words.size())
            for i in range(draft.words.size()):
                forms.push_back(form_of(draft, <int>i))
                lengths.push_back(draft.words[i].form_length)
            for i in range(draft.sentences.size()):
                batch.lengths.push_back(draft.sentences[i].words)
        with nogil:
            self.run(batch, &forms, &lengths)
        return batch

    def _batch(self):
        cdef VectorBatch batch = VectorBatch()
        batch.encoding = LemmaEncoding()
        batch.encoding.edits, batch.encoding.lexicon, batch.encoding.lemmas = self.edits, self.lexicon, self.lemmas
        return batch

    cdef int run(self, VectorBatch batch, vector[const char*]* forms, vector[int]* lengths) except -1 nogil:
        """Encode the words of a batch, whose sentence lengths are set."""
        cdef size_t i
        cdef Py_ssize_t word = 0
        batch.size = <int>batch.lengths.size()
        for i in range(batch.lengths.size()):
            batch.first.push_back(word)
            word += batch.lengths[i]
        for i in range(forms.size()):
            batch.encoding.characters.push_back(count_characters(forms[0][i], lengths[0][i]))
            batch.encoding.hashes.push_back(hash_bytes(forms[0][i], lengths[0][i]))
        batch.encoding.forms, batch.encoding.lengths = forms.data(), lengths.data()
        return self.encoder.run(forms.data(), lengths.data(), batch.lengths.data(), batch.size, batch.encoding)

    cpdef DraftEncoder draft_encoder(self, tags):
        return VectorDraftEncoder(self, tags)

    cdef Session open(self, EncodedBatch batch, int slots, bint is_contiguous):
        return NativeSession(self, batch)

    def tagger(self):
        """Return the tagger that shares the encoder."""
        return NetworkTagger(self)

    def arrays(self):
        """Return the arrays of the model file."""
        return self.stored

    def record(self):
        """Return the tags and the lemma rules."""
        return {"tags": [list(tag) for tag in self.tags], "rules": [list(rule) for rule in self.edits.rules]}

    def summary(self, settings, about):
        """Return the number of parameters and of pretrained vectors."""
        shapes = {name: memoryview(array).shape for name, array in self.stored.items()}
        words, size = shapes.pop("network.vectors.rows", (1, 0))
        parameters = sum(math.prod(shape) for shape in shapes.values())
        vectors = [("vectors", f"{words - 1:,} words, {size} dimensions")] if size else []
        count = self.encoder.count
        title = f"ensemble of {count} networks" if count > 1 else "network"
        return [("scorer", f"{title}: {parameters:,} parameters"), *vectors]


cdef class NativeSession(SlotSession):
    """Computes the products of the sentences that begin, and scores their configurations."""

    def __cinit__(self, NativeNetwork network, VectorBatch batch, *_):
        self.network = network
        self.vectors = batch

    cdef int begin(self, const int* sentences, int count) except -1 nogil:
        cdef size_t stride = self.vectors.encoding.stride, width = self.network.special.shape[1], words = 0
        cdef size_t row = 0, n
        cdef Py_ssize_t first
        cdef int i
        for i in range(count):
            words += self.vectors.lengths[sentences[i]]
        self.rows_of(words, stride, width)
        for i in range(count):
            n, first = self.vectors.lengths[sentences[i]], self.vectors.first[sentences[i]]
            self.first_rows[sentences[i]] = <int>(FIRST_ROW + row)
            if n:
                memcpy(&self.vector_rows[row * stride], &self.vectors.encoding.vectors[first * stride], n * stride)
                memcpy(&self.scales[row], &self.vectors.encoding.scales[first], n * sizeof(float))
            row += n
        self.network.products.multiply(
            self.vector_rows.data(), stride, self.scales.data(), <int>words, NULL, False,
            self.products.data() + FIRST_ROW * width, width,
        )
        self.table = self.products.data()
        return 0

    cdef int rows_of(self, size_t words, size_t stride, size_t width) except -1 nogil:
        """Make room for the products of this number of words."""
        self.vector_rows.resize(max(self.vector_rows.size(), words * stride))
        self.scales.resize(max(self.scales.size(), words))
        if self.products.size() < (FIRST_ROW + words) * width:
            self.products.resize((FIRST_ROW + words) * width)
            memcpy(self.products.data(), &self.network.special[0, 0], FIRST_ROW * width * sizeof(float))
        return 0


cdef class VectorDraftEncoder(DraftEncoder):
    """Uses the results that the tagger has left in the drafts."""

    cpdef EncodedBatch encode(self, list drafts):
        cdef VectorBatch batch = self._left(drafts)
        cdef Draft draft
        for draft in drafts:
            draft.encoded = None
        return (<NativeNetwork>self.scorer).encode_drafts(drafts) if batch is None else batch

    cdef VectorBatch _left(self, list drafts):
        """Return the results of the tagger if they are those of exactly these drafts, in this order, else None."""
        cdef Draft draft
        cdef int first = 0
        batch = (<Draft>drafts[0]).encoded if drafts else None
        for draft in drafts:
            if draft.encoded is not batch or draft.encoded_first != first:
                return None
            first += <int>draft.sentences.size()
        return batch if batch is not None and (<VectorBatch>batch).size == first else None


cdef class NetworkTagger:
    """The tagger of a network."""

    requires = ("words",)
    provides = ("tags", "lemmas")

    def __init__(self, NativeNetwork network):
        self.network = network

    @property
    def tags(self):
        """The tags by number: triples of UPOS, XPOS and FEATS."""
        return self.network.tags

    @property
    def has_lemmas(self):
        """Whether the tagger assigns lemmas."""
        return bool(self.network.edits.rules)

    def tag(self, Draft draft not None):
        """Tag and lemmatize all words of a draft."""
        self.run([draft])

    def run(self, list drafts):
        """Tag and lemmatize all words of some drafts. The results for the parser stay in the drafts."""
        cdef VectorBatch batch = self.network.encode_drafts(drafts)
        cdef Draft draft
        cdef Py_ssize_t word = 0
        cdef int sentence = 0
        for draft in drafts:
            draft.encoded, draft.encoded_first = batch, sentence
            with nogil:
                self._write(draft, batch, word)
            word += draft.words.size()
            sentence += <int>draft.sentences.size()

    cdef int _write(self, Draft draft, VectorBatch batch, Py_ssize_t first) except -1 nogil:
        """Write tags and lemmas. `first` is the number of the draft's first word in the batch."""
        cdef vector[char] lemma
        cdef size_t i
        cdef int rule
        for i in range(draft.words.size()):
            draft.words[i].tag = batch.encoding.tags[first + i]
            draft.words[i].tag_margins.tag = draft.words[i].tag_margins.upos = _log_odds(
                batch.encoding.probabilities[first + i],
            )
            rule = batch.encoding.rules[first + i]
            if rule >= 0:
                self.network.edits.apply(
                    rule, form_of(draft, <int>i), draft.words[i].form_length, batch.encoding.characters[first + i],
                    &lemma,
                )
                draft.set_lemma(<int>i, lemma.data(), <int>lemma.size())
        return 0

    def arrays(self):
        """Return no arrays: those of the network belong to the scorer."""
        return {}

    def record(self):
        """Return a record that refers to the scorer."""
        return {"source": "scorer"}


cdef inline float _log_odds(double probability) noexcept nogil:
    """Return log(p / (1 - p)): the margin over all other tags together. The network is never certain."""
    probability = min(max(probability, 1e-6), 1 - 1e-6)
    return log(probability / (1 - probability))
