"""The interface of scorers.

A `Scorer` is a trained model: system, classes and parameters. It never changes, so threads may share it. A `Session`
holds what one thread needs to score the configurations of one batch of sentences. Search numbers the unfinished
derivations: each has a slot, and a session may keep a state for each slot, such as the states of a recurrent network.

    session = scorer.open(batch, slots, is_contiguous)
    session.begin(sentences, count)      # forget all states; these sentences of the batch are parsed next
    session.start(h)                     # the derivation in slot h.slot begins at its initial configuration
    session.score(hypotheses, count)     # score the valid transitions (h.moves) of some configurations, `rows` at most
    session.scores_of(h, move)           # the scores of all classes for this transition; valid until the next `score`
    session.tell(h, choice, ...)         # the derivation has made a transition; called only where `has_memory`
    session.copy(target, source)         # one slot becomes a copy of another; called only where `has_memory`
    session.drop(slot)                   # the derivation has ended; called only where `has_memory`
    session.reasons(h, choice, other, words)     # what speaks for one scored transition against another

All calls after `open` except the last can run without the GIL. A scorer written in Python acquires it
(`parsing.python_scorer`).
"""

from gardenpath.core.draft cimport Draft, DraftSentence
from gardenpath.core.given_tags cimport GivenTags

from gardenpath.errors import UsageError
from gardenpath.formats.document import EMPTY, Word


cdef class EncodedBatch:
    """Sentences in the form that a scorer reads."""

    cdef int length(self, int sentence) noexcept nogil:
        """The number of words of a sentence."""
        return 0


cdef class WordBatch(EncodedBatch):
    """Sentences as lists of words."""

    def __init__(self, list sentences):
        self.sentences = sentences
        self.lengths = [len(sentence) for sentence in sentences]
        self.size = <int>len(sentences)

    cdef int length(self, int sentence) noexcept nogil:
        return self.lengths[sentence]


cdef class Session:
    """The scoring of one batch of sentences, by one thread."""

    cdef int begin(self, const int* sentences, int count) except -1 nogil:
        return 0

    cdef int start(self, Hypothesis* h) except -1 nogil:
        return 0

    cdef int score(self, Hypothesis** hypotheses, int count) except -1 nogil:
        return 0

    cdef Scores scores_of(self, const Hypothesis* h, int move) noexcept nogil:
        cdef Scores none
        none.whole = NULL
        none.real = NULL
        return none

    cdef int tell(self, Hypothesis* h, Choice choice, int head, int dependent) except -1 nogil:
        """`head` and `dependent` are the ends of the arc that the transition has built, NONE if it has built none."""
        return 0

    cdef int copy(self, int target, int source) except -1 nogil:
        return 0

    cdef int drop(self, int slot) except -1 nogil:
        return 0

    cdef list reasons(self, const Hypothesis* h, Choice choice, Choice other, list words):
        """Return a `Reason` for each input that contributes to the difference between two scores.

        The configuration is the one that was scored last. The contributions add up to the difference. The list is
        empty if the scorer cannot tell. `words` are the words of the sentence.
        """
        return []


cdef class Scorer:
    """A trained model that scores the transitions of a system.

    Its traits tell search how to use it:

        lanes                   the number of derivations to advance at once
        batch_words             the number of words to parse at once
        is_normalised           whether scores are log-probabilities, so that a transition without an alternative needs
                                no score
        beam_margin             a derivation whose sum of scores is lower than the best one by more than this leaves the
                                beam before it is full
        prefers_trained_beam    whether a beam makes parses worse if the scorer was trained without one
        reads_tags              whether the tags of the words make a difference
        predicts_tags           whether it predicts the tags itself, and `encode_given` respects given tags
    """

    lanes = 1
    batch_words = 500
    is_normalised = False
    beam_margin = float("inf")
    prefers_trained_beam = False
    reads_tags = True
    predicts_tags = False

    def __init__(self, TransitionSystem system, Classes classes):
        self.system = system
        self.classes = classes

    cpdef EncodedBatch encode(self, list sentences):
        """Encode tagged sentences (lists of words). A scorer that predicts tags itself ignores those of the words."""
        return WordBatch(sentences)

    cpdef EncodedBatch encode_given(self, list sentences, GivenTags tags=None):
        """Encode tagged sentences. A scorer that predicts tags itself chooses among those that agree with `tags`.

        Without `tags`, it is the same as `encode`.
        """
        return self.encode(sentences)

    cpdef DraftEncoder draft_encoder(self, tags):
        """Return an encoder of drafts whose tags are numbers in this tag set."""
        return DraftEncoder(self, tags)

    cdef Session open(self, EncodedBatch batch, int slots, bint is_contiguous):
        """Begin to score a batch.

        If `is_contiguous`, each configuration follows the one scored before it or begins a sentence.
        """
        raise UsageError(f"a scorer of type {type(self).__name__} cannot score; define `open`")

    def tagger(self):
        """Return the tagger that is part of the scorer, or None."""
        return None

    def arrays(self):
        """Return the parameters by name, for a model file."""
        return {}

    def record(self):
        """Return the plain values that a model file needs besides settings and arrays."""
        return {}

    def summary(self, settings, about):
        """Return rows for `gardenpath info`: pairs of name and value.

        `settings` are those of the scorer, `about` is the description of the model.
        """
        return [("scorer", type(self).__name__)]


cdef class ZeroScorer(Scorer):
    """A scorer that gives all transitions the score 0. A training walk with it follows only the oracle."""

    cdef Session open(self, EncodedBatch batch, int slots, bint is_contiguous):
        return ZeroSession(self.classes.size)


cdef class ZeroSession(Session):
    """Scores that are all zero."""

    def __cinit__(self, int classes):
        self.rows = 1
        self.zeros.resize(classes)

    cdef Scores scores_of(self, const Hypothesis* h, int move) noexcept nogil:
        cdef Scores scores
        scores.whole = NULL
        scores.real = self.zeros.data()
        return scores


cdef class DraftEncoder:
    """Encoder of tagged drafts for a scorer. It converts drafts to lists of words; a subclass may avoid this."""

    def __init__(self, Scorer scorer, tags):
        self.scorer = scorer
        self.tags = [tuple(tag) for tag in tags]

    cpdef EncodedBatch encode(self, list drafts):
        """Encode the sentences of some drafts, in order."""
        return self.scorer.encode([words for draft in drafts for words in self._words_of(draft)])

    def _words_of(self, Draft draft):
        """The sentences of a draft as lists of words."""
        cdef DraftSentence sentence
        cdef int first, i
        result = []
        for forms, sentence in zip(draft.forms, draft.sentences):
            first = sentence.first_word
            tags = [self.tags[draft.words[first + i].tag] for i in range(sentence.words)]
            result.append([Word(i, form, EMPTY, *tag) for i, (form, tag) in enumerate(zip(forms, tags), 1)])
        return result
