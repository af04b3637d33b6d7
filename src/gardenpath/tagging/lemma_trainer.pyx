# cython: boundscheck=False, wraparound=False
"""Training of the lemmatizer.

An epoch contains each pair of form and tag once, so rare pairs count as much as frequent ones.
"""

from collections import Counter

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE
from gardenpath.core.lexicon cimport Lexicon
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport MAX_CLASSES, MAX_KEYS
from gardenpath.tagging.edits cimport Edits
from gardenpath.tagging.lemmas cimport Lemmatizer, pair_key
from gardenpath.tagging.spelling cimport Traits, read_spelling
from gardenpath.tagging.tagset cimport Tagset
from gardenpath.tagging.window cimport Window

from gardenpath.core.random import shuffled
from gardenpath.tagging.edits import IDENTITY
from gardenpath.tagging.lemma_pairs import most_frequent, rules_of_pairs
from gardenpath.tagging.lemmas import TEMPLATES

cdef struct Example:
    Traits word
    int characters
    int rule


def train_lemmatizer(sentences, Tagset tagset not None, passes=10, seed=1, margin=50, min_updates=2):
    """Train a lemmatizer on sentences. Return None if they have no lemmas."""
    lemmas = _lemmas(sentences)
    if not lemmas:
        return None
    rules, classes = _rules(lemmas)
    trainer = _LemmaTrainer(lemmas, tagset, rules, classes, margin, min_updates)
    for number in range(1, passes + 1):
        trainer.train(shuffled(len(lemmas), seed, number))
    return trainer.freeze()


def _lemmas(sentences):
    """Return the most frequent rule and the frequency of each pair of form and tag."""
    found = sorted(rules_of_pairs(sentences).items())
    return {key: (most_frequent(counts), counts.total()) for key, counts in found}


def _rules(lemmas):
    """Return all rules and the number of rules that have a class.

    The rules with a class come first: the identity, and the rules that more than one pair needs.
    """
    counts = Counter(rule for rule, _ in lemmas.values())
    del counts[IDENTITY]
    rules = [IDENTITY, *sorted(counts, key=lambda rule: (-counts[rule], rule))]
    return rules, min(1 + sum(count > 1 for count in counts.values()), MAX_CLASSES)


cdef class _LemmaTrainer:
    cdef Edits edits
    cdef Window window
    cdef GrowingWeights weights
    cdef vector[Example] examples
    cdef list counts
    cdef int32_t margin
    cdef int64_t steps

    def __init__(self, dict lemmas, Tagset tagset, list rules, int classes, int margin, int min_updates):
        cdef Example example
        numbers = {rule: number for number, rule in enumerate(rules)}
        tags = {tag: number for number, tag in enumerate(tagset.tags)}
        self.edits = Edits(rules)
        self.window = Window(TEMPLATES)
        self.weights = GrowingWeights(classes, min_updates)
        self.margin = margin
        self.counts = []
        for (form, tag), (rule, count) in lemmas.items():
            text = form.encode()
            read_spelling(text, <int>len(text), example.word.values)
            tagset.write(tags[tag], &example.word)
            example.characters = <int>len(form)
            example.rule = numbers[rule]
            self.examples.push_back(example)
            self.counts.append(count)

    def train(self, order):
        cdef int number
        for number in order:
            if self.examples[number].rule < self.weights.classes:
                self.learn(&self.examples[number])

    cdef int learn(self, const Example* example) except -1 nogil:
        cdef uint64_t keys[MAX_KEYS]
        cdef int32_t scores[MAX_CLASSES]
        cdef int i, rival = NONE, count = self.window.write_keys(&example.word, keys)
        self.weights.score(keys, count, scores)
        for i in range(self.weights.classes):
            if i == example.rule or (rival != NONE and scores[i] <= scores[rival]):
                continue
            if self.edits.is_applicable(i, example.characters):
                rival = i
        self.steps += 1
        if rival != NONE and scores[example.rule] - scores[rival] <= self.margin:
            self.weights.update(keys, count, example.rule, rival, self.steps)
        return 0

    def freeze(self):
        """Return the lemmatizer. Its lexicon has the pairs seen more than once and those that its weights get wrong."""
        cdef int32_t scores[MAX_CLASSES]
        cdef Lemmatizer lemmatizer = Lemmatizer(
            self.edits, Lexicon.of({}), self.window, self.weights.freeze(max(self.steps, 1))
        )
        cdef Example* example
        cdef int i
        entries = {}
        for i in range(<int>self.examples.size()):
            example = &self.examples[i]
            if self.counts[i] > 1 or lemmatizer.guess(&example.word, example.characters, scores) != example.rule:
                entries[pair_key(&example.word)] = example.rule + 1
        return Lemmatizer(self.edits, Lexicon.of(entries), self.window, lemmatizer.weights)
