"""Tagging with an averaged perceptron (Collins, EMNLP 2002), from left to right: UPOS, XPOS and FEATS, then lemmas.

A tag is a triple of UPOS, XPOS and FEATS from the training data. Weights belong to the parts of tags, so rare tags
share weights with frequent ones. The features use the form, the surrounding words, the preceding tags, and the
dictionary entries of the following words.
"""

from libc.math cimport INFINITY
from libc.stdint cimport INT32_MIN, int32_t, uint32_t, uint64_t
from libcpp.algorithm cimport binary_search
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE
from gardenpath.core.given_tags cimport TagChoice, require_tag_set
from gardenpath.core.lexicon cimport Lexicon
from gardenpath.perceptron.frozen cimport FrozenWeights
from gardenpath.perceptron.weights cimport MAX_CLASSES, MAX_KEYS
from gardenpath.core.draft cimport form_of
from gardenpath.tagging.spelling cimport CLUSTER, CLUSTER4, CLUSTER6, INITIAL, LOWER, OPENING, read_spelling
from gardenpath.tagging.tag_dictionary cimport tag_of
from gardenpath.tagging.window cimport REACH, set_edges

from itertools import chain

from gardenpath.core.shapes import Maybe
from gardenpath.core.stored import BadModelError, reading, require, require_arrays, require_columns, weight_tables

TEMPLATES = [
    "form[0]", "lower[0]", *(f"suffix{size}[0]" for size in range(1, 6)), *(f"prefix{size}[0]" for size in range(1, 5)),
    "shape[0] initial[0]", "shape[0] initial[0] suffix3[0]",
    "tag[-1]", "tag[-2]", "tag[-1] tag[-2]", "upos[-1] upos[-2]", "tag[-1] lower[0]", "tag[-1] suffix3[0]", "feats[-1]",
    "feats[-1] suffix3[0]",
    "lower[-1]", "lower[-2]", "lower[+1]", "lower[+2]", "lower[-1] lower[0]", "lower[0] lower[+1]",
    "suffix3[-1]", "suffix3[+1]", "suffix2[+1]", "shape[-1]", "shape[+1]",
    "possible[0]", "likely[0]", "possible[+1]", "possible_upos[+1]", "possible_upos[+2]", "possible[0] possible[+1]",
    "possible_upos[+1] possible_upos[+2]",
    "tag[-1] possible[0]", "tag[-1] possible_upos[+1]", "tag[-1] possible[0] possible_upos[+1]",
    "lower[0] possible_upos[+1]",
    "likely[+1]", "likely[+2]", "tag[-1] likely[+1]", "possible[0] possible_upos[+1] possible_upos[+2]", "likely[-1]",
    "lower[0] possible[+1]",
    "possible[0] lower[+1]", "possible[0] lower[-1]",
    "cluster[0]", "cluster[-1]", "cluster[+1]", "cluster6[0]", "cluster4[0]", "cluster6[+1]", "tag[-1] cluster[0]",
    "cluster[0] cluster6[+1]", "cluster6[-1] cluster[0]",
    # Questions: "Does the new law help small firms?" These, too, are for taggers with clusters.
    "opening[0] tag[-1] cluster4[0]", "opening[0] possible[0] cluster4[0]",
]
# Prefixes of the names of the tagger's and of the lemmatizer's arrays.
PREFIX = "tagger."
LEMMAS = "tagger.lemmas."

cdef enum:
    FIRST = 1              # the values of INITIAL
    LATER = 2


cdef class Tagger:
    """A trained tagger: immutable, shared by all threads. `lemmatizer` and `clusters` may be None."""

    requires = ("words",)
    provides = ("tags", "lemmas")

    def __init__(
        self, TagDictionary dictionary not None, Window window not None, Weights weights not None,
        Lemmatizer lemmatizer=None, Clusters clusters=None
    ):
        if weights.classes != dictionary.tagset.classes:
            raise BadModelError("the weights of the tagger do not match its tags")
        self.tagset, self.dictionary, self.window, self.weights = dictionary.tagset, dictionary, window, weights
        self.lemmatizer, self.clusters = lemmatizer, clusters
        self.has_lemmas, self.has_clusters = lemmatizer is not None, clusters is not None

    @property
    def tags(self):
        """The tags by number: tuples of UPOS, XPOS and FEATS."""
        return self.tagset.tags

    def tag(self, Draft draft not None):
        """Tag and lemmatize all words of a draft. The tags agree with those that are given. Releases the GIL."""
        require_tag_set(draft.given, <int>len(self.tags))
        with nogil:
            self.tag_draft(draft)

    def run(self, list drafts):
        """Tag and lemmatize all words of some drafts, as a step of the pipeline."""
        for draft in drafts:
            self.tag(draft)

    cdef int tag_draft(self, Draft draft) except -1 nogil:
        """Tag and lemmatize all words of a draft."""
        cdef int32_t scores[MAX_CLASSES]
        cdef vector[Traits] room
        cdef vector[uint32_t] agreeing
        cdef DraftSentence sentence
        cdef Traits* words
        cdef const uint32_t* tags
        cdef size_t i
        cdef int j, word, count, tag
        cdef bint has_given = draft.given is not None
        for i in range(draft.sentences.size()):
            sentence = draft.sentences[i]
            room.resize(sentence.words + 2 * REACH)
            words = room.data() + REACH
            self.read(draft, &sentence, words, NULL)
            for j in range(sentence.words):
                word = sentence.first_word + j
                count = self.dictionary.candidates(&words[j], &tags)
                if has_given:
                    count = agreeing_tags(draft.given.choice(word), &tags, count, &agreeing)
                tag = self.choose(&words[j], tags, count, scores, &draft.words[word].tag_margins)
                self.tagset.write(tag, &words[j])
                draft.words[word].tag = tag
            if self.has_lemmas:
                self._lemmatize(draft, &sentence, words, scores)
        return 0

    cdef void read(
        self, Draft draft, const DraftSentence* sentence, Traits* words, const int32_t* without
    ) noexcept nogil:
        """Fill in the properties of the words of a sentence that do not depend on tags.

        `words` has room for REACH more words on either side. For a sentence of the training data, `without` has the
        gold tags, whose occurrences are left out when the words are looked up in the dictionary.
        """
        cdef int i, word
        set_edges(words, sentence.words)
        for i in range(sentence.words):
            word = sentence.first_word + i
            read_spelling(form_of(draft, word), draft.words[word].form_length, words[i].values)
            words[i].values[INITIAL] = FIRST if i == 0 else LATER
            words[i].values[OPENING] = words[0].values[LOWER]
            self.dictionary.look_up(&words[i], NONE if without == NULL else without[i])
            if self.has_clusters:
                self._read_cluster(form_of(draft, word), draft.words[word].form_length, &words[i])

    cdef void _read_cluster(self, const char* form, int length, Traits* word) noexcept nogil:
        word.values[CLUSTER] = self.clusters.value(form, length, 0)
        word.values[CLUSTER6] = self.clusters.value(form, length, 6)
        word.values[CLUSTER4] = self.clusters.value(form, length, 4)

    cdef int choose(
        self, const Traits* word, const uint32_t* tags, int count, int32_t* scores, TagMargins* margins
    ) noexcept nogil:
        """Return the best of some tags of a word, and write its margins. The preceding words must be tagged."""
        cdef uint64_t keys[MAX_KEYS]
        cdef int i, best = 0
        cdef int upos, best_upos
        # The highest scores of all tags, of the other tags, and of the tags with another UPOS.
        cdef int32_t score, highest, second = INT32_MIN, other_upos = INT32_MIN
        margins.upos = margins.tag = INFINITY
        if count == 1:
            return tag_of(tags[0])
        self.weights.score(keys, self.window.write_keys(word, keys), scores)
        highest, best_upos = self.tagset.score(tag_of(tags[0]), scores), self.tagset.upos_numbers[tag_of(tags[0])]
        for i in range(1, count):
            score = self.tagset.score(tag_of(tags[i]), scores)
            if score <= other_upos:
                continue
            upos = self.tagset.upos_numbers[tag_of(tags[i])]
            if upos != best_upos:
                other_upos = max(other_upos, min(score, highest))
            if score > highest:
                best, best_upos, second, highest = i, upos, highest, score
            else:
                second = max(second, score)
        margins.tag = <float>highest - second
        if other_upos != INT32_MIN:
            margins.upos = <float>highest - other_upos
        return tag_of(tags[best])

    cdef int _lemmatize(
        self, Draft draft, const DraftSentence* sentence, const Traits* words, int32_t* scores
    ) except -1 nogil:
        cdef vector[char] lemma
        cdef int i, word
        for i in range(sentence.words):
            word = sentence.first_word + i
            self.lemmatizer.write(&words[i], form_of(draft, word), draft.words[word].form_length, scores, &lemma)
            draft.set_lemma(word, lemma.data(), <int>lemma.size())
        return 0

    def arrays(self):
        """Return the arrays to save, by name."""
        cdef FrozenWeights weights = self.weights
        arrays = {
            PREFIX + "slots": weights.slots_array, PREFIX + "rows": weights.rows_array,
            PREFIX + "keys": self.dictionary.lexicon.keys_array,
            PREFIX + "values": self.dictionary.lexicon.values_array,
            PREFIX + "entries": self.dictionary.entries_array,
        }
        lemmas = self.lemmatizer.arrays() if self.has_lemmas else {}
        return arrays | {LEMMAS + name: array for name, array in lemmas.items()}

    def record(self):
        """Return the plain values to save."""
        return {
            "tags": [list(tag) for tag in self.tags], "templates": self.window.templates,
            "lemmas": self.lemmatizer.record() if self.has_lemmas else None,
        }

    @staticmethod
    def build(record, arrays, Clusters clusters=None):
        """Build a tagger from its `record()` and `arrays()`, and the clusters that it was trained with."""
        require(record, {"tags": [(str, str, str)], "templates": [str], "lemmas": Maybe(dict)}, "the tagger")
        types = weight_tables([PREFIX]) | {PREFIX + "keys": "U64", PREFIX + "values": "U32", PREFIX + "entries": "U32"}
        require_arrays(arrays, types, "the tagger")
        require_columns(chain.from_iterable(record["tags"]), "a column of a tag,")
        tagset = Tagset(record["tags"])
        weights = FrozenWeights(tagset.classes, arrays[PREFIX + "slots"], arrays[PREFIX + "rows"])
        if not weights.is_sound():
            raise BadModelError("the weight tables of the tagger are inconsistent")
        lexicon = Lexicon(arrays[PREFIX + "keys"], arrays[PREFIX + "values"])
        dictionary = TagDictionary(tagset, lexicon, arrays[PREFIX + "entries"])
        lemmas = {name.removeprefix(LEMMAS): array for name, array in arrays.items() if name.startswith(LEMMAS)}
        lemmatizer = Lemmatizer.build(record["lemmas"], lemmas) if record["lemmas"] else None
        with reading("the templates of the tagger"):
            window = Window(record["templates"])
        return Tagger(dictionary, window, weights, lemmatizer, clusters)


cdef int agreeing_tags(
    TagChoice given, const uint32_t** tags, int count, vector[uint32_t]* room
) except -1 nogil:
    """Point to those of some tags that agree with what is given or, if none does, to all that agree.

    Return their number.
    """
    cdef int i
    if not given.count:
        return count
    room.clear()
    for i in range(count):
        if binary_search(given.tags, given.tags + given.count, tag_of(tags[0][i])):
            room.push_back(tags[0][i])
    if room.empty():
        room.assign(given.tags, given.tags + given.count)
    tags[0] = room.data()
    return <int>room.size()
