"""From a configuration to feature keys: addresses are found once, then atoms, then the keys of the templates.

A template is left out where one of its words or labels is missing: that it is missing shows in the valencies.
"""

from libc.stdint cimport uint64_t

from gardenpath.core.configuration cimport B, Configuration, NONE, S, head, left_child, position, right_child, sibling
from gardenpath.core.encoding cimport EncodedSentence, value
from gardenpath.core.hashing cimport hash_bytes, join, mix

from gardenpath.errors import UsageError
from gardenpath.features.templates import DISTANCE, parse_templates

cdef enum Step:
    STACK
    BUFFER
    HEAD
    LEFT
    RIGHT
    LEFT2
    RIGHT2

cdef enum AtomKind:
    PROPERTY
    LABEL
    LEFT_VALENCY
    RIGHT_VALENCY
    LEFT_LABELS
    RIGHT_LABELS
    DISTANCE_BIN

STEPS = {"h": HEAD, "l": LEFT, "r": RIGHT, "l2": LEFT2, "r2": RIGHT2}
STATE_KINDS = {"l": LABEL, "vl": LEFT_VALENCY, "vr": RIGHT_VALENCY, "sl": LEFT_LABELS, "sr": RIGHT_LABELS, DISTANCE: DISTANCE_BIN}


cdef class Extractor:
    """Compiled templates. `tag` says what `p` means: `xpos` or `upos`."""

    def __init__(self, lines, str tag="xpos"):
        self.lines = list(lines)
        renamed = {"p": "x" if tag == "xpos" else "u"}
        # Where the tag is UPOS, `S0p` and `S0u` are the same: each template counts once.
        templates = dict.fromkeys(
            tuple((atom.address, renamed.get(atom.property, atom.property)) for atom in template.atoms) for template in parse_templates(self.lines)
        )
        addresses, atoms, properties = {}, {}, {}
        for number, template in enumerate(templates):
            # The seed comes from the text, so that a template means the same in whatever set it stands.
            text = " ".join(address + name for address, name in template).encode()
            if number >= MAX_TEMPLATES:
                raise UsageError(f"template {text.decode()!r} is one too many: a set has {MAX_TEMPLATES} at most")
            self.templates[number].seed = hash_bytes(text, len(text))
            self.templates[number].size = len(template)
            for i, (address, name) in enumerate(template):
                self.templates[number].atoms[i] = self._atom(atoms, addresses, properties, address, name)
        self.template_count = len(templates)
        self.address_count = len(addresses)
        self.atom_count = len(atoms)
        self.properties = tuple(properties)

    def _atom(self, atoms, addresses, properties, address, name):
        if (address, name) not in atoms:
            number = atoms.setdefault((address, name), len(atoms))
            if number >= MAX_ATOMS:
                raise UsageError(f"the templates use more than {MAX_ATOMS} different atoms")
            self.atoms[number].address = self._address(addresses, address) if address else 0
            self.atoms[number].kind = STATE_KINDS.get(name, PROPERTY)
            self.atoms[number].prop = properties.setdefault(name, len(properties)) if name not in STATE_KINDS else 0
        return atoms[address, name]

    def _address(self, addresses, address):
        """The number of an address; the one it steps from always has a smaller number."""
        if address in addresses:
            return addresses[address]
        size = 2 if address[-1].isdecimal() and len(address) > 2 else 1
        if len(address) == 2:
            step, argument = STACK if address[0] == "S" else BUFFER, int(address[1])
        elif address.endswith("h2"):
            step, argument = HEAD, self._address(addresses, address[:-1])
        else:
            step, argument = STEPS[address[-size:]], self._address(addresses, address[:-size])
        number = addresses.setdefault(address, len(addresses))
        if number >= MAX_ADDRESSES:
            raise UsageError(f"the templates use more than {MAX_ADDRESSES} different addresses")
        self.addresses[number].step = step
        self.addresses[number].argument = argument
        return number

    cdef int extract(self, const Configuration* c, const EncodedSentence* sentence, uint64_t* keys) noexcept nogil:
        """Write the keys of the templates that apply; answer how many there are."""
        cdef int words[MAX_ADDRESSES]
        cdef uint64_t values[MAX_ATOMS]
        cdef uint64_t key
        cdef bint complete
        cdef int i, j, count = 0
        cdef const TemplateCode* template
        for i in range(self.address_count):
            words[i] = _find(c, &self.addresses[i], words)
        for i in range(self.atom_count):
            values[i] = _atom_value(c, sentence, &self.atoms[i], words[self.atoms[i].address])
        for i in range(self.template_count):
            template = &self.templates[i]
            key = template.seed
            complete = True
            for j in range(template.size):
                key = join(key, values[template.atoms[j]])
                complete &= values[template.atoms[j]] != 0
            keys[count] = key
            count += complete
        return count


cdef inline int _find(const Configuration* c, const Address* address, const int* words) noexcept nogil:
    cdef int step = address.step, argument = address.argument
    if step == STACK:
        return S(c, argument)
    if step == BUFFER:
        return B(c, argument)
    if step == HEAD:
        return head(c, words[argument])
    if step == LEFT:
        return left_child(c, words[argument])
    if step == RIGHT:
        return right_child(c, words[argument])
    if step == LEFT2:
        return sibling(c, left_child(c, words[argument]))
    return sibling(c, right_child(c, words[argument]))


cdef inline uint64_t _distance(const Configuration* c) noexcept nogil:
    """The distance from S0 to N0 in bins: 1 to 5, up to 10, beyond; 0 if one is missing."""
    cdef int s = S(c, 0), b = B(c, 0), distance
    if s == NONE or b == NONE:
        return 0
    distance = position(c, b) - position(c, s)
    return distance if distance <= 5 else 6 if distance <= 10 else 7


cdef inline uint64_t _atom_value(const Configuration* c, const EncodedSentence* sentence, const AtomCode* atom, int word) noexcept nogil:
    """The value of an atom, 0 where there is nothing."""
    if atom.kind == PROPERTY:
        return value(sentence, atom.prop, word)
    if atom.kind == DISTANCE_BIN:
        return _distance(c)
    if word == NONE:
        return 0
    if atom.kind == LABEL:
        return mix(<uint64_t>c.labels[word] + 1)
    if atom.kind == LEFT_VALENCY:
        return c.left[word].count + 1
    if atom.kind == RIGHT_VALENCY:
        return c.right[word].count + 1
    if atom.kind == LEFT_LABELS:
        return c.left[word].labels | 1
    return c.right[word].labels | 1
