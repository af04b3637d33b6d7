"""Many derivations side by side, each with the ids of the vectors that the network has, or will have, for its words, its stack and its history.

Nothing is computed here. A move that builds an arc asks for compositions, a stack that changed for steps of the stack LSTM, and the move itself for one of the
history LSTM; what is asked for gets its id at once and is written down for the network. Vectors and states are never changed, so derivations may share them.
"""

import numpy as np

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from gardenpath.core.configuration cimport B, NONE, ROOT, S, clear, copy_into, keep_first_root, release, reserve
from gardenpath.core.moves cimport kind_of
from gardenpath.neural.records cimport Records
from gardenpath.neural.rules cimport Choice, Rules


cdef class Board:
    """Room for derivations of sentences with these lengths, `width` of each; their words have the node vectors from FIRST_TOKEN on, in order."""

    def __cinit__(self, Rules rules, list lengths, int width=1):
        self.rules = rules
        self.lengths = lengths
        self.first_tokens = FIRST_TOKEN + np.cumsum([0, *lengths], dtype=np.int64)
        self.compositions = Records(4, 3, self.first_tokens[len(lengths)])
        self.pushes = Records(2, 1, 1)
        self.histories = Records(2, 1, 1)
        self.size = <int>len(lengths) * width
        self.items = <Item*>calloc(self.size + 1, sizeof(Item))
        if self.items == NULL:
            raise MemoryError(f"no memory for {self.size} derivations")

    def __dealloc__(self):
        cdef int i
        for i in range(self.size if self.items != NULL else 0):
            release(&self.items[i].c)
            free(self.items[i].nodes)
            free(self.items[i].elements)
        free(self.items)

    cdef int begin(self, Item* item, int sentence) except -1 nogil:
        """Set an item to the initial configuration of a sentence."""
        cdef int word, n = <int>(self.first_tokens[sentence + 1] - self.first_tokens[sentence])
        _make_room(item, n)
        clear(&item.c, n)
        item.c.root_label = self.rules.classes.root_label
        self.rules.system.start(&item.c)
        item.sentence = sentence
        item.nodes[ROOT] = ROOT_NODE
        for word in range(1, n + 1):
            item.nodes[word] = self.first_tokens[sentence] + word - 1
        item.read = item.scored = 0
        item.link = NONE
        item.history = 0
        item.score = 0
        item.finished = False
        return self._read_stack(item)

    cdef int make(self, Item* item, Choice choice) except -1 nogil:
        """Make a move and write down what follows from it."""
        cdef int head = NONE, child = NONE
        cdef int64_t[2] record
        if self.rules.system.builds_arc(&item.c, choice.move):
            head = self.rules.system.arc_head(&item.c, choice.move)
            child = self.rules.system.arc_child(&item.c, choice.move)
        self.rules.system.apply_move(&item.c, choice.move, self.rules.classes.label_of[choice.index])
        item.finished = self.rules.system.is_terminal(&item.c)
        if item.finished:
            return 0
        if head != NONE:
            self._compose(item, head, child)
        if kind_of(choice.move) != self.rules.unheard:
            record[0], record[1] = item.history, choice.index
            item.history = self.histories.add(record, item.sentence)
        return self._read_stack(item)

    cdef int run_ahead(self, Item* item) except -1 nogil:
        """Make the moves that are not for the network to choose. If they end the derivation, nobody will ask what followed from them."""
        cdef Choice choice
        cdef int64_t compositions = self.compositions.end(), pushes = self.pushes.end(), histories = self.histories.end()
        while not item.finished and self.rules.only_choice(&item.c, &choice):
            self.make(item, choice)
        if item.finished:
            self.compositions.cut(compositions)
            self.pushes.cut(pushes)
            self.histories.cut(histories)
        return 0

    cdef int _compose(self, Item* item, int head, int child) except -1 nogil:
        """Renew the vectors of the two ends of a new arc, both from the old ones."""
        cdef int64_t[4] record
        record[0], record[1], record[2], record[3] = item.nodes[head], item.nodes[child], item.nodes[head], item.c.labels[child]
        item.nodes[head] = self.compositions.add(record, item.sentence)
        if self.rules.both_ends:
            record[2] = item.nodes[child]
            item.nodes[child] = self.compositions.add(record, item.sentence)
        return 0

    cdef int _read_stack(self, Item* item) except -1 nogil:
        """Let the LSTM read what is new on the stack, from the lowest element that is not as it was."""
        cdef int64_t[2] record
        cdef int i, word
        for i in range(item.c.stack_size):
            word = item.c.stack[i]
            if i < item.read and item.elements[i].word == word and item.elements[i].node == item.nodes[word]:
                continue
            record[0], record[1] = item.elements[i - 1].state if i else 0, item.nodes[word]
            item.elements[i].word = word
            item.elements[i].node = item.nodes[word]
            item.elements[i].state = self.pushes.add(record, item.sentence)
            item.read = i + 1
        return 0

    cdef void slots(self, const Item* item, int64_t* slots) noexcept nogil:
        """The ids of all that the network sees of a configuration."""
        cdef int i, word
        slots[0] = item.elements[item.c.stack_size - 1].state if item.c.stack_size else 0
        slots[1] = item.history
        for i in range(3):
            word = S(&item.c, i)
            slots[2 + i] = item.nodes[word] if word != NONE else NO_STACK_WORD
            word = B(&item.c, i)
            slots[5 + i] = item.nodes[word] if word != NONE else NO_BUFFER_WORD

    cdef tuple tree_of(self, Item* item, bint single_root):
        """The heads and label ids of an ended derivation; with `single_root`, root words but the first hang from that one."""
        if single_root and not self.rules.system.single_root:
            keep_first_root(&item.c)
        words = range(1, item.c.n + 1)
        return [item.c.heads[word] for word in words], [item.c.labels[word] for word in words]


cdef int _make_room(Item* item, int n) except -1 nogil:
    reserve(&item.c, n)
    if n > item.capacity or item.nodes == NULL:
        free(item.nodes)
        free(item.elements)
        item.nodes = <int64_t*>malloc((n + 2) * sizeof(int64_t))
        item.elements = <Element*>malloc((n + 2) * sizeof(Element))
        if item.nodes == NULL or item.elements == NULL:
            with gil:
                raise MemoryError(f"no memory for a sentence of {n} words")
        item.capacity = n
    return 0


cdef int copy_item(Item* target, const Item* source) except -1 nogil:
    """Make one derivation a copy of another."""
    _make_room(target, source.c.n)
    copy_into(&target.c, &source.c)
    memcpy(target.nodes, source.nodes, (source.c.n + 1) * sizeof(int64_t))
    memcpy(target.elements, source.elements, source.read * sizeof(Element))
    target.sentence = source.sentence
    target.read = source.read
    target.history = source.history
    target.finished = source.finished
    target.score = source.score
    target.scored = source.scored
    target.link = source.link
    return 0
