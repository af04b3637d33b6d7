"""Word addresses: a base such as S0 (the top of the stack), and steps such as l (its farthest left dependent).

`features.templates` defines the notation. Feature templates and the network's slots use it.
"""

from gardenpath.core.configuration cimport NONE, head, left_child, right_child, sibling
from gardenpath.systems.base cimport ABOVE, BASES, BETWEEN, BUFFER, STACK

from gardenpath.errors import UsageError

cdef enum AddressStep:
    HEAD = BASES           # steps are numbered after the bases
    LEFT
    RIGHT
    LEFT2
    RIGHT2
    NEAREST_LEFT
    NEAREST_RIGHT

PLACES = {"S": STACK, "N": BUFFER, "A": ABOVE, "C": BETWEEN}
STEPS = {"h": HEAD, "l": LEFT, "r": RIGHT, "l2": LEFT2, "r2": RIGHT2, "l'": NEAREST_LEFT, "r'": NEAREST_RIGHT}


cdef class Addresses:
    """Addresses by number, compiled for a system. The address that another one steps from has a smaller number."""

    def __init__(self, TransitionSystem system):
        self.system = system
        self.numbers = {}

    def add(self, str address):
        """Return the number of an address. Add it if it is new."""
        if address in self.numbers:
            return self.numbers[address]
        size = 1 if address[-1].isalpha() else 2
        if len(address) == 2:
            step, argument = base_of(address)
        elif address.endswith("h2"):
            step, argument = HEAD, self.add(address[:-1])
        else:
            step, argument = STEPS[address[-size:]], self.add(address[:-size])
        if self.count >= MAX_ADDRESSES:
            raise UsageError(f"there are more than {MAX_ADDRESSES} different word addresses; remove some")
        number = self.numbers[address] = self.count
        self.addresses[number].step = step
        self.addresses[number].argument = argument
        self.count += 1
        return number

    cdef void read(self, const Configuration* c, int move, int* words, int first, int end) noexcept nogil:
        """Write the words at the addresses from `first` to `end`, as this transition sees them; NONE if there is none.

        The words at the addresses that these step from must have been written.
        """
        cdef int i
        cdef const Address* address
        for i in range(first, end):
            address = &self.addresses[i]
            if address.step < BASES:
                words[i] = self.system.word_at(c, move, address.step, address.argument)
            else:
                words[i] = _step(c, address.step, words[address.argument])


def base_of(str address):
    """Return the base of an address and the index in it.

    `S1hl` begins at index 1 of the stack. `CR` has index 1 of the base `C`.
    """
    return PLACES[address[0]], "LR".index(address[1]) if address[0] == "C" else int(address[1])


cdef inline int _step(const Configuration* c, int step, int word) noexcept nogil:
    if step == HEAD:
        return head(c, word)
    if step == LEFT:
        return left_child(c, word)
    if step == RIGHT:
        return right_child(c, word)
    if step == LEFT2:
        return sibling(c, left_child(c, word))
    if step == RIGHT2:
        return sibling(c, right_child(c, word))
    word = left_child(c, word) if step == NEAREST_LEFT else right_child(c, word)
    while sibling(c, word) != NONE:
        word = sibling(c, word)
    return word
