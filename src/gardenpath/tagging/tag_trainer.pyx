"""Training of the tagger: tag, compare, learn from the difference. The tags before a word are the tagger's own, as they will be in use.

What the dictionary says of a word in training is what it would say if it had never seen that one occurrence; else the tagger would trust it too much.
"""

from array import array

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport MAX_CLASSES, MAX_KEYS
from gardenpath.features.clusters cimport Clusters
from gardenpath.core.draft cimport Draft, DraftSentence
from gardenpath.tagging.spelling cimport FORM, LOWER, UPOS, Traits
from gardenpath.tagging.tag_dictionary cimport TagDictionary, lower_key, tag_of
from gardenpath.tagging.tagger cimport Tagger
from gardenpath.tagging.tagset cimport KINDS, Tagset
from gardenpath.tagging.window cimport REACH, Window

from gardenpath.core.random import shuffled
from gardenpath.formats.document import EMPTY
from gardenpath.errors import InputError, UsageError
from gardenpath.tagging.lemma_trainer import train_lemmatizer
from gardenpath.tagging.tagger import TEMPLATES

PASSES = 8
MARGIN = 150
MIN_UPDATES = 30


cdef class TagTrainer:
    """A tagger with growing weights and the treebank in memory.

    `predicted` has for every word of the treebank the number of the tag that was predicted just before the latest learning from it (-1: never); those of
    sentence i begin at `first_word[i]`. A right decision that leads by less than `margin` is learnt from too; a feature counts from its `min_updates`-th update
    on, where each part of a tag that was wrong is one.
    """

    cdef readonly Tagger tagger            # as it learns: not averaged
    cdef readonly int64_t steps            # decisions so far
    cdef readonly int64_t mistakes
    cdef readonly object predicted
    cdef readonly object first_word
    cdef list sentences
    cdef object seed
    cdef object lemmatizer                 # made when it is first asked for
    cdef bint has_lemmatizer
    cdef GrowingWeights weights
    cdef Draft draft
    cdef vector[Traits] room
    cdef vector[int] first_row             # by sentence: where its words begin there
    cdef vector[int] good                  # parts to reward
    cdef vector[int] bad                   # parts to punish
    cdef int32_t[::1] gold
    cdef int32_t[::1] guesses
    cdef int32_t margin

    def __init__(self, list sentences, uint64_t seed=1, int margin=MARGIN, int min_updates=MIN_UPDATES, Clusters clusters=None):
        if all(word.upos == word.xpos == word.feats == EMPTY for sentence in sentences for word in sentence):
            raise InputError("no word has UPOS, XPOS or FEATS: there is nothing to learn tags from; take a treebank that is tagged")
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
        """Read all sentences; forms seen only once are not told apart, as unknown ones will not be."""
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
        """Learn from the sentences of these numbers, in this order."""
        cdef int[::1] numbers = array("i", order)
        cdef Py_ssize_t i
        if any(not 0 <= number < len(self.sentences) for number in numbers):
            raise UsageError(f"sentences are numbered from 0 to {len(self.sentences) - 1}")
        with nogil:
            for i in range(numbers.shape[0]):
                self._learn(numbers[i])

    @property
    def tags(self):
        """(UPOS, XPOS, FEATS) by number."""
        return self.tagger.tags

    def freeze(self, double prune=0):
        """The tagger so far: averaged, without the share `prune` of the weights, and with lemmas if the treebank has some."""
        if not self.has_lemmatizer:
            self.lemmatizer = train_lemmatizer(self.sentences, self.tagger.tagset, seed=self.seed)
            self.has_lemmatizer = True
        return Tagger(self.tagger.dictionary, self.tagger.window, self.weights.freeze(max(self.steps, 1), prune), self.lemmatizer, self.tagger.clusters)

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
        """Predict the tag of a word, and learn if that is wrong or another is close."""
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
        """Reward the parts of the gold tag and punish those of its rival, but for those that they share."""
        cdef int goods = self.tagger.tagset.list_difference(gold, rival, self.good.data())
        cdef int bads = self.tagger.tagset.list_difference(rival, gold, self.bad.data())
        cdef int i
        for i in range(max(goods, bads)):
            self.weights.update(keys, count, self.good[i] if i < goods else NONE, self.bad[i] if i < bads else NONE, self.steps)
        return 0


def train_tagger(sentences, passes=PASSES, seed=1, prune=0, clusters=None):
    """A tagger trained on these sentences."""
    trainer = TagTrainer(sentences, seed, clusters=clusters)
    for number in range(1, passes + 1):
        trainer.train(shuffled(len(sentences), seed, number))
    return trainer.freeze(prune)


def jackknifed(sentences, folds, passes=PASSES, seed=1, clusters=None):
    """For every word the number of the tag that a tagger trained without its part of the treebank predicts, among the tags of the whole."""
    cdef Draft draft
    cdef Py_ssize_t i
    if not 2 <= folds <= len(sentences):
        raise UsageError(f"{len(sentences)} sentences cannot be divided into {folds} parts; take from 2 to {len(sentences)}")
    numbers = {tag: number for number, tag in enumerate(Tagset.of(sentences).tags)}
    first_word = np.cumsum([0, *(len(sentence) for sentence in sentences)])
    predicted = np.full(first_word[-1], NONE, dtype=np.int32)
    order = shuffled(len(sentences), seed)
    for fold in range(folds):
        held_out = sorted(order[fold::folds])
        tagger = train_tagger([sentences[number] for number in sorted(set(order) - set(held_out))], passes, seed, clusters=clusters)
        draft = Draft.of([[word.form for word in sentences[number]] for number in held_out])
        tagger.tag(draft)
        places = np.concatenate([np.arange(first_word[number], first_word[number + 1]) for number in held_out])
        predicted[places] = [numbers[tagger.tags[draft.words[i].tag]] for i in range(<Py_ssize_t>draft.words.size())]
    return predicted


def _tag_numbers(sentences, tagset):
    numbers = {tag: number for number, tag in enumerate(tagset.tags)}
    return np.array([numbers[word.upos, word.xpos, word.feats] for sentence in sentences for word in sentence], dtype=np.int32)
