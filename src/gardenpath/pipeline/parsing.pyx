"""Parsing drafts: the perceptron's parser on columns, without Python objects; any other on words that are made of them."""

from gardenpath.core.configuration cimport NONE
from gardenpath.features.encoding cimport Batch, EncodedSentence, value
from gardenpath.search.greedy cimport GreedyParser, Workspace
from gardenpath.pipeline.draft cimport Draft, DraftSentence, DraftWord

from gardenpath.formats.document import EMPTY, Word
from gardenpath.pseudo import bare, lower


def tag_words(tags):
    """Words that have these tags, in order: encoded as a sentence, they are the table in which a tag's values are looked up."""
    return [Word(number, "_", upos=upos, xpos=xpos, feats=feats) for number, (upos, xpos, feats) in enumerate(tags, 1)]


def possible_labels(labels):
    """The labels that can come out: one that only ever occurred with a mark can come out without it."""
    return list(dict.fromkeys([*labels, *map(bare, labels)]))


cdef class DraftParser:
    """A parser for drafts whose words have tags of a tag set. `labels` are the names of what it fills in."""

    cdef readonly GreedyParser parser
    cdef readonly list labels
    cdef dict numbers                  # of labels
    cdef Batch tags

    def __init__(self, GreedyParser parser, tags):
        self.parser = parser
        self.tags = parser.encoder.encode([tag_words(tags)])
        self.labels = possible_labels(parser.classes.labels)
        self.numbers = {label: number for number, label in enumerate(self.labels)}

    def parse(self, drafts):
        """Fill in heads and labels; the GIL is released while parsing."""
        for draft in drafts:
            self._parse(draft)

    cdef int _parse(self, Draft draft) except -1:
        cdef Batch batch = self._encode(draft)
        cdef Workspace space = self.parser.workspace()
        cdef DraftWord* word
        cdef bint any_marked = False
        cdef int i, j
        with nogil:
            for i in range(batch.size):
                if not batch.sentences[i].n:
                    continue
                self.parser.parse_sentence(space, &batch.sentences[i])
                for j in range(1, batch.sentences[i].n + 1):
                    word = &draft.words[draft.sentences[i].first_word + j - 1]
                    word.head = space.c.heads[j]
                    word.label = space.c.labels[j]
                    any_marked |= self.parser.is_marked[word.label]
        if any_marked:
            self._lower(draft)
        return 0

    cdef Batch _encode(self, Draft draft):
        """The draft as the parser's features see it."""
        cdef Batch batch = Batch()
        cdef Py_ssize_t total = 0
        cdef size_t i
        batch.reserve(<int>draft.sentences.size(), (draft.words.size() + 2 * draft.sentences.size()) * self.parser.encoder.width)
        with nogil:
            for i in range(draft.sentences.size()):
                batch.sentences[i].n = draft.sentences[i].words
                batch.sentences[i].values = batch.block + total
                self._fill(draft, &draft.sentences[i], &batch.sentences[i])
                total += (draft.sentences[i].words + 2) * self.parser.encoder.width
        return batch

    cdef void _fill(self, Draft draft, const DraftSentence* sentence, EncodedSentence* encoded) noexcept nogil:
        cdef const DraftWord* word
        cdef int i, prop, place
        self.parser.encoder.mark_root(encoded)
        for prop in range(self.parser.encoder.width):
            for i in range(sentence.words):
                word = &draft.words[sentence.first_word + i]
                place = prop * (sentence.words + 2) + i + 2
                if self.parser.encoder.codes[prop].is_of_form:
                    encoded.values[place] = self.parser.encoder.value_of(prop, draft.bytes.data() + word.form, word.form_length)
                elif word.tag != NONE:
                    encoded.values[place] = value(&self.tags.sentences[0], prop, word.tag + 1)

    cdef int _lower(self, Draft draft) except -1:
        """Lower the arcs that are marked as lifted."""
        cdef DraftSentence sentence
        cdef int first
        for sentence in draft.sentences:
            first = sentence.first_word
            if not any(self.parser.is_marked[draft.words[first + i].label] for i in range(sentence.words)):
                continue
            heads, labels = lower(
                [draft.words[first + i].head for i in range(sentence.words)],
                [self.labels[draft.words[first + i].label] for i in range(sentence.words)], self.parser.nonprojective,
            )
            for i in range(sentence.words):
                draft.words[first + i].head = heads[i]
                draft.words[first + i].label = self.numbers[labels[i]]
        return 0


cdef class WordParser:
    """The same for a parser that works on words: those of all drafts are parsed together, which is how a network likes them."""

    cdef readonly object parser
    cdef readonly list labels
    cdef dict numbers                  # of labels
    cdef list tags

    def __init__(self, parser, tags):
        self.parser = parser
        self.tags = [tuple(tag) for tag in tags]
        self.labels = possible_labels(parser.classes.labels)
        self.numbers = {label: number for number, label in enumerate(self.labels)}

    def parse(self, drafts):
        """Fill in heads and labels."""
        cdef Draft draft
        cdef int number
        made = [self._sentences(draft) for draft in drafts]
        self.parser.parse([words for sentences in made for words in sentences])
        for draft, sentences in zip(drafts, made):
            for number, word in enumerate(word for words in sentences for word in words):
                draft.words[number].head = word.head
                draft.words[number].label = self.numbers[word.deprel]

    cdef list _sentences(self, Draft draft):
        """The sentences of a draft as lists of words."""
        cdef DraftSentence sentence
        cdef int first, i
        cdef list result = []
        forms = draft.forms
        for number, sentence in enumerate(draft.sentences):
            first = sentence.first_word
            tags = [self.tags[draft.words[first + i].tag] for i in range(sentence.words)]
            result.append([Word(i, form, EMPTY, *tag) for i, (form, tag) in enumerate(zip(forms[number], tags), 1)])
        return result
