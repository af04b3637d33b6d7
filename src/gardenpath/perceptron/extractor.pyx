"""Feature extraction: from a configuration to the words at all addresses, the values of all atoms, and feature keys.

A template has no key if one of its words or labels is missing. Valencies show that it is missing.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from gardenpath.core.configuration cimport Configuration, NONE, position
from gardenpath.core.hashing cimport hash_bytes, join, mix
from gardenpath.core.moves cimport LEFT_ARC, RIGHT_ARC, SHIFT
from gardenpath.features.encoding cimport EncodedSentence, value

from gardenpath.errors import UsageError
from gardenpath.features.templates import DISTANCE, parse_templates
from gardenpath.systems.addresses import base_of

STATE_KINDS = {
    "l": LABEL, "vl": LEFT_VALENCY, "vr": RIGHT_VALENCY, "sl": LEFT_LABELS, "sr": RIGHT_LABELS, DISTANCE: DISTANCE_BIN,
}


cdef class Extractor:
    """Templates compiled for a system. `tag` is the meaning of `p`: `xpos` or `upos`."""

    def __init__(self, TransitionSystem system, lines, str tag="xpos"):
        self.system = system
        self.lines = list(lines)
        renamed = {"p": "x" if tag == "xpos" else "u"}
        # If the tag is UPOS, `S0p` and `S0u` are the same. Duplicate templates are removed.
        templates = dict.fromkeys(
            tuple((atom.address, renamed.get(atom.property, atom.property)) for atom in template.atoms)
            for template in parse_templates(self.lines)
        )
        self.addresses = Addresses(system)
        atoms, properties = {}, {}
        found = dict.fromkeys(atom for template in templates for atom in template)
        ends = []
        for base in ("N", "S"):
            for address, name in found:
                if address.startswith(base):
                    self._atom(atoms, properties, address, name)
            ends.append((self.addresses.count, len(atoms)))
        (self.buffer_addresses, self.buffer_atoms), (self.stack_addresses, self.stack_atoms) = ends
        parts = [[template for template in templates if self._part(template) == part] for part in range(PARTS)]
        self.atoms_of = [template for part in parts for template in part]
        for number, template in enumerate(self.atoms_of):
            # The seed depends only on the text, so the keys of a template are the same in every set.
            text = " ".join(address + name for address, name in template).encode()
            if number >= MAX_TEMPLATES:
                raise UsageError(f"a template set can have at most {MAX_TEMPLATES} templates; remove some")
            self.templates[number].seed = hash_bytes(text, len(text))
            self.templates[number].size = len(template)
            for i, (address, name) in enumerate(template):
                self.templates[number].atoms[i] = self._atom(atoms, properties, address, name)
        self.template_count = len(templates)
        for part in range(PARTS):
            self.part_ends[part] = sum(map(len, parts[: part + 1]))
        self.atom_count = len(atoms)
        self.properties = tuple(properties)

    def _part(self, template):
        """Return the part of the set that the template belongs to."""
        first, second = self.system.pair
        words = [address or first for address, _ in template] + [second for address, _ in template if not address]
        bases = [base_of(word) for word in words]
        moves_left = any(self.system.is_moved(LEFT_ARC, base, index) for base, index in bases)
        moves_right = any(self.system.is_moved(RIGHT_ARC, base, index) for base, index in bases)
        if not (self.system.has_depths or self.system.has_pairs) or moves_left > moves_right:
            return LEFT_PART
        return RIGHT_PART if moves_right > moves_left else COMMON_PART

    def _atom(self, atoms, properties, address, name):
        if (address, name) not in atoms:
            number = atoms.setdefault((address, name), len(atoms))
            if number >= MAX_ATOMS:
                raise UsageError(f"the templates use more than {MAX_ATOMS} different atoms; remove some templates")
            self.atoms[number].address = self.addresses.add(address or self.system.pair[0])
            self.atoms[number].kind = STATE_KINDS.get(name, PROPERTY)
            if name == DISTANCE:
                self.atoms[number].prop = self.addresses.add(self.system.pair[1])
            else:
                self.atoms[number].prop = properties.setdefault(name, len(properties)) if name not in STATE_KINDS else 0
        return atoms[address, name]

    cdef int extract(
        self, const Configuration* c, int move, const EncodedSentence* sentence, uint64_t* keys
    ) noexcept nogil:
        """Write the keys of the templates for this transition, and return their number."""
        cdef Reading reading
        self.read(c, move, sentence, &reading)
        return self.write_keys(&reading, LEFT_PART, RIGHT_PART, keys)

    cdef void read(
        self, const Configuration* c, int move, const EncodedSentence* sentence, Reading* reading
    ) noexcept nogil:
        """Read the words at all addresses and the values of all atoms for this transition."""
        self.addresses.read(c, move, reading.words, 0, self.addresses.count)
        self._read_values(c, sentence, reading, 0, self.atom_count)

    cdef void read_buffer(
        self, const Configuration* c, const EncodedSentence* sentence, Reading* reading
    ) noexcept nogil:
        """Read the words and values at addresses that begin in the buffer."""
        self.addresses.read(c, SHIFT, reading.words, 0, self.buffer_addresses)
        self._read_values(c, sentence, reading, 0, self.buffer_atoms)

    cdef void read_stack(
        self, const Configuration* c, const EncodedSentence* sentence, Reading* reading
    ) noexcept nogil:
        """Read the words and values at addresses that begin on the stack."""
        self.addresses.read(c, SHIFT, reading.words, self.buffer_addresses, self.stack_addresses)
        self._read_values(c, sentence, reading, self.buffer_atoms, self.stack_atoms)

    cdef void read_rest(self, const Configuration* c, const EncodedSentence* sentence, Reading* reading) noexcept nogil:
        """Read the words and values at all other addresses, and the distance."""
        self.addresses.read(c, SHIFT, reading.words, self.stack_addresses, self.addresses.count)
        self._read_values(c, sentence, reading, self.stack_atoms, self.atom_count)

    cdef void _read_values(
        self, const Configuration* c, const EncodedSentence* sentence, Reading* reading, int first, int end
    ) noexcept nogil:
        cdef int i
        for i in range(first, end):
            reading.values[i] = _atom_value(c, sentence, &self.atoms[i], reading.words)

    cdef void copy_stack(self, const Reading* source, Reading* target) noexcept nogil:
        """Copy the words and values at addresses that begin on the stack."""
        cdef int word = self.buffer_addresses, atom = self.buffer_atoms
        memcpy(&target.words[word], &source.words[word], (self.stack_addresses - word) * sizeof(int))
        memcpy(&target.values[atom], &source.values[atom], (self.stack_atoms - atom) * sizeof(uint64_t))

    cdef bint is_stack_untouched(self, const Configuration* c, const Reading* reading, int since) noexcept nogil:
        """Return whether no word at an address that begins on the stack has gained or lost an arc since that change.

        If so, reading the stack again gives the same result.
        """
        cdef int i
        for i in range(self.buffer_addresses, self.stack_addresses):
            if reading.words[i] != NONE and c.touched[reading.words[i]] > since:
                return False
        return True

    cdef int write_keys(self, const Reading* reading, int first_part, int last_part, uint64_t* keys) noexcept nogil:
        """Write the keys of the templates from the first to the last part, and return their number."""
        cdef int i, count = 0
        for i in range(self.part_ends[first_part - 1] if first_part else 0, self.part_ends[last_part]):
            count += _write_key(reading, &self.templates[i], &keys[count])
        return count

    cdef bint find_key(self, const Reading* reading, int template, uint64_t* key) noexcept nogil:
        """Write the key of one template, and return whether the configuration has the feature."""
        return _write_key(reading, &self.templates[template], key)


cdef inline bint _write_key(const Reading* reading, const TemplateCode* template, uint64_t* key) noexcept nogil:
    cdef uint64_t joined = template.seed
    cdef bint complete = True
    cdef int j
    for j in range(template.size):
        joined = join(joined, reading.values[template.atoms[j]])
        complete &= reading.values[template.atoms[j]] != 0
    key[0] = joined
    return complete


cdef inline uint64_t _distance(const Configuration* c, int left, int right) noexcept nogil:
    """Return the distance between two words in bins: 1 to 5, 6 (up to 10) and 7.

    The bin is increased by `REVERSE` if the words are in reverse order. It is 0 if a word is missing.
    """
    if left == NONE or right == NONE:
        return 0
    cdef int distance = position(c, right) - position(c, left)
    cdef int size = abs(distance)
    return (size if size <= 5 else 6 if size <= 10 else 7) + (REVERSE if distance < 0 else 0)


cdef inline uint64_t _atom_value(
    const Configuration* c, const EncodedSentence* sentence, const AtomCode* atom, const int* words
) noexcept nogil:
    """Return the value of an atom, or 0 if it is missing."""
    cdef int word = words[atom.address]
    if atom.kind == PROPERTY:
        return value(sentence, atom.prop, word)
    if atom.kind == DISTANCE_BIN:
        return _distance(c, word, words[atom.prop])
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
