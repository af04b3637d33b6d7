"""Training of the tagger. The preceding tags are predicted ones, as they are in inference.

When a word is looked up in the dictionary, its own occurrence is left out. Otherwise the tagger would rely too much on
the dictionary.
"""

from array import array

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE
from gardenpath.features.clusters cimport Clusters
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport MAX_CLASSES, MAX_KEYS
from gardenpath.core.draft cimport Draft, DraftSentence
from gardenpath.tagging.spelling cimport FORM, LOWER, UPOS, Traits
from gardenpath.tagging.tag_dictionary cimport TagDictionary, lower_key, tag_of
from gardenpath.tagging.tagger cimport Tagger
from gardenpath.tagging.tagset cimport KINDS, Tagset
from gardenpath.tagging.window cimport REACH, Window

from gardenpath.core.random import shuffled
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import EMPTY
from gardenpath.tagging.lemma_trainer import train_lemmatizer
from gardenpath.tagging.tagger import TEMPLATES

PASSES = 8
MARGIN = 150
MIN_UPDATES = 30


cdef class TagTrainer:
    """A tagger in training, with the treebank in memory.

    `predicted` has the number of the tag predicted for each word just before the last update from it, or -1. The words
    of sentence i begin at `first_word[i]`. The weights are updated unless the gold tag is ahead of all others by
    `margin`. A feature is used after `min_updates` updates; each wrong part of a tag counts as one update.
    """

    cdef readonly Tagger tagger            # with the current weights, not averaged
    cdef readonly int64_t steps            # number of decisions so far
    cdef readonly int64_t mistakes
    cdef readonly object predicted
    cdef readonly object first_word
    cdef list sentences
    cdef object seed
    cdef object lemmatizer                 # trained at the first call of freeze()
    cdef bint has_lemmatizer
    cdef GrowingWeights weights
    cdef Draft draft
    cdef vector[Traits] room
    cdef vector[int] first_row             # by sentence: index of its first word in `room`
    cdef vector[int] good                  # scratch space: parts whose weights increase
    cdef vector[int] bad                   # scratch space: parts whose weights decrease
    cdef int32_t[::1] gold
    cdef int32_t[::1] guesses
    cdef int32_t margin

    def __init__(
        self, list sentences, uint64_t seed=1, int margin=MARGIN, int min_updates=MIN_UPDATES, Clusters clusters=None
    ):
        if all(word.upos == word.xpos == word.raw_feats == EMPTY for sentence in sentences for word in sentence):
            raise InputError(
                "no word has UPOS, XPOS or FEATS, so no tagger can be trained; use a tagged treebank, or train "
                "without a tagger: tags=gold"
            )
        cdef Tagset tagset = Tagset.of(sentences)
        self.sentences = sentences
        self.seed = seed
        self.margin = margin
        self.gold = _tag_numbers(sentences, tagset)
        self.guesses = np.full(self.gold.shape[0], NONE, dtype=np.int32)
        self.predicted = self.guesses.base
        self.first_word = np.cumsum([0, *(len(sentence) for sentence in sentences)], dtype=np.int32)[:-1]
        self.draft = Draft.of([[word.form for word in sentence] for sentence in sentences])
        self.weights = GrowingWeights(tagset.classes, min_updates)
        self.tagger = Tagger(TagDictionary.of(sentences, tagset), Window(TEMPLATES), self.weights, None, clusters)
        self.good.resize(tagset.most_parts)
        self.bad.resize(tagset.most_parts)
        self._read()

    def _read(self):
        """Read all sentences. Forms that occur once get no value, like unknown forms in inference."""
        cdef int number, i, row = REACH
        cdef const DraftSentence* sentence
        cdef Traits* word
        self.room.resize(self.draft.words.size() + 2 * REACH * self.draft.sentences.size())
        for number in range(<int>self.draft.sentences.size()):
            sentence = &self.draft.sentences[number]
            self.first_row.push_back(row)
            self.tagger.read(self.draft, sentence, &self.room[row], &self.gold[0] + sentence.first_word)
            for i in range(sentence.words):
                word = &self.room[row + i]
                if not self.tagger.dictionary.knows(word.values[FORM]):
                    word.values[FORM] = 0
                if not self.tagger.dictionary.knows(lower_key(word.values)):
                    word.values[LOWER] = 0
            row += sentence.words + 2 * REACH

    def train(self, order):
        """Train on the sentences with these numbers, in this order."""
        cdef int[::1] numbers = array("i", order)
        cdef Py_ssize_t i
        if any(not 0 <= number < len(self.sentences) for number in numbers):
            raise UsageError(f"sentence numbers must be between 0 and {len(self.sentences) - 1}")
        with nogil:
            for i in range(numbers.shape[0]):
                self._learn(numbers[i])

    @property
    def tags(self):
        """The tags by number: tuples of UPOS, XPOS and FEATS."""
        return self.tagger.tags

    def freeze(self, double prune=0):
        """Return the tagger with averaged weights, and with a lemmatizer if the treebank has lemmas.

        `prune` is the share of weights to remove, the smallest first.
        """
        if not self.has_lemmatizer:
            self.lemmatizer = train_lemmatizer(self.sentences, self.tagger.tagset, seed=self.seed)
            self.has_lemmatizer = True
        weights = self.weights.freeze(max(self.steps, 1), prune)
        return Tagger(self.tagger.dictionary, self.tagger.window, weights, self.lemmatizer, self.tagger.clusters)

    cdef int _learn(self, int number) except -1 nogil:
        cdef const DraftSentence* sentence = &self.draft.sentences[number]
        cdef Traits* words = &self.room[self.first_row[number]]
        cdef int i, word
        for i in range(sentence.words):
            memset(&words[i].values[UPOS], 0, KINDS * sizeof(uint64_t))
        for i in range(sentence.words):
            word = sentence.first_word + i
            self.guesses[word] = self._learn_word(&words[i], self.gold[word])
            self.tagger.tagset.write(self.guesses[word], &words[i])
        return 0

    cdef int _learn_word(self, const Traits* word, int gold) except -1 nogil:
        """Predict the tag of a word, and update the weights if it is wrong or within the margin of another."""
        cdef uint64_t keys[MAX_KEYS]
        cdef int32_t scores[MAX_CLASSES]
        cdef const uint32_t* tags
        cdef int i, tag, key_count, best = NONE, rival = NONE, count = self.tagger.dictionary.candidates(word, &tags)
        cdef int32_t score, highest = 0, closest = 0
        if count == 1:
            return gold
        key_count = self.tagger.window.write_keys(word, keys)
        self.weights.score(keys, key_count, scores)
        for i in range(count):
            tag = tag_of(tags[i])
            score = self.tagger.tagset.score(tag, scores)
            if best == NONE or score > highest:
                best, highest = tag, score
            if tag != gold and (rival == NONE or score > closest):
                rival, closest = tag, score
        self.steps += 1
        self.mistakes += best != gold
        if best != gold or highest - closest < self.margin:
            self._update(keys, key_count, gold, rival)
        return best

    cdef int _update(self, const uint64_t* keys, int count, int gold, int rival) except -1 nogil:
        """Increase the weights of the gold tag's parts and decrease those of its rival's, except for common parts."""
        cdef int goods = self.tagger.tagset.list_difference(gold, rival, self.good.data())
        cdef int bads = self.tagger.tagset.list_difference(rival, gold, self.bad.data())
        cdef int i
        for i in range(max(goods, bads)):
            self.weights.update(
                keys, count, self.good[i] if i < goods else NONE, self.bad[i] if i < bads else NONE, self.steps
            )
        return 0


def train_tagger(sentences, passes=PASSES, seed=1, prune=0, clusters=None):
    """Train a tagger on these sentences."""
    trainer = TagTrainer(sentences, seed, clusters=clusters)
    for number in range(1, passes + 1):
        trainer.train(shuffled(len(sentences), seed, number))
    return trainer.freeze(prune)


def jackknifed(sentences, folds, passes=PASSES, seed=1, clusters=None):
    """Predict the tag of each word with a tagger that is trained on the other folds.

    Returns:
        The numbers of the predicted tags in the tag set of all sentences.
    """
    cdef Draft draft
    cdef Py_ssize_t i
    if not 2 <= folds <= len(sentences):
        most = len(sentences)
        raise UsageError(f"{most} sentences cannot be split into {folds} folds; use from 2 to {most} folds")
    numbers = {tag: number for number, tag in enumerate(Tagset.of(sentences).tags)}
    first_word = np.cumsum([0, *(len(sentence) for sentence in sentences)])
    predicted = np.full(first_word[-1], NONE, dtype=np.int32)
    order = shuffled(len(sentences), seed)
    for fold in range(folds):
        held_out = sorted(order[fold::folds])
        others = [sentences[number] for number in sorted(set(order) - set(held_out))]
        tagger = train_tagger(others, passes, seed, clusters=clusters)
        draft = Draft.of([[word.form for word in sentences[number]] for number in held_out])
        tagger.tag(draft)
        places = np.concatenate([np.arange(first_word[number], first_word[number + 1]) for number in held_out])
        tags = [tagger.tags[draft.words[i].tag] for i in range(<Py_ssize_t>draft.words.size())]
        predicted[places] = [numbers[tag] for tag in tags]
    return predicted


def _tag_numbers(sentences, tagset):
    numbers = {tag: number for number, tag in enumerate(tagset.tags)}
    tags = [numbers[word.upos, word.xpos, word.raw_feats] for sentence in sentences for word in sentence]
    return np.array(tags, dtype=np.int32)
