"""The encoder in numpy, with the arithmetic of the native one or with floats, and random networks for it."""

import numpy as np

from gardenpath.core.lexicon import Lexicon
from gardenpath.network.spelling import form_key

MAX_CHARACTERS = 32
SIZES = {"dc": 6, "hc": 5, "dx": 9, "h": 7, "dg": 6, "layers": 2, "parts": 8, "rules": 5, "d": 10, "tags": 11}


def random_arrays(
    seed=1, letters="abcdefgABČ", forms=("a", "bad", "face", "č"), pretrained=True, rule_inputs=True, **sizes,
):
    """Return the arrays of a random network."""
    random = np.random.default_rng(seed)
    size = SIZES | sizes
    arrays = {}

    def matrix(name, rows, columns):
        arrays[name] = random.integers(-127, 128, (rows, columns), dtype=np.int8)
        arrays[name + ".scale"] = random.uniform(0.5, 1.5, rows).astype("f") * np.float32(4 / 127 / columns**0.5)

    def floats(name, *shape):
        arrays[name] = random.normal(0, 0.5, shape).astype("f")

    def lstm(name, inputs, hidden):
        matrix(f"{name}.in", 4 * hidden, inputs)
        matrix(f"{name}.back", 4 * hidden, hidden)
        floats(f"{name}.bias", 4 * hidden)

    def lexicon(name, keys):
        found = Lexicon.of({form_key(form): i + 1 for i, form in enumerate(keys)})
        arrays[name + ".keys"], arrays[name + ".values"] = map(np.asarray, (found.keys_array, found.values_array))

    arrays["characters"] = np.array(sorted(map(ord, letters)), np.uint32)
    floats("character_vectors", len(letters) + 1, size["dc"])
    lexicon("forms", forms)
    matrix("form_vectors", len(forms) + 1, size["dx"])
    if pretrained:
        lexicon("vectors", ["bad", "dab", "gg"])
        matrix("vectors.rows", 4, size["dg"])
        matrix("vectors.weight", size["dx"], size["dg"])
    matrix("spelt", size["dx"], 2 * size["hc"])
    floats("word_bias", size["dx"])
    for way in "ahead", "back":
        lstm(f"spelling.{way}", size["dc"], size["hc"])
        for layer in range(1, size["layers"] + 1):
            lstm(f"layer{layer}.{way}", size["dx"] if layer == 1 else 2 * size["h"], size["h"])
    outputs = size["parts"] + size["rules"] + size["d"]
    matrix("heads.state", outputs, 2 * size["h"])
    matrix("heads.word", outputs, size["dx"])
    floats("heads.bias", outputs)
    parts = [random.choice(size["parts"], 1 + i % 3, replace=False) for i in range(size["tags"])]
    parts[0] = np.array([size["parts"] - 1])
    arrays["tag_parts"] = np.concatenate(parts).astype(np.uint32)
    arrays["tag_ends"] = np.cumsum([len(each) for each in parts]).astype(np.uint32)
    floats("tag_inputs", size["tags"], size["d"])
    if rule_inputs and size["rules"]:
        matrix("rule_inputs", 3, size["rules"])           # of the last three parts
    return {f"network.{name}": array for name, array in arrays.items()}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class SlowEncoder:
    """The equations as they are. With `exact`, inputs of matrices are quantised."""

    def __init__(self, arrays, exact=True):
        self.arrays = {name.removeprefix("network."): array for name, array in arrays.items()}
        self.exact = exact

    def matrix(self, name):
        return self.arrays[name].astype("d") * self.arrays[name + ".scale"][:, None]

    def row(self, name, number):
        return self.arrays[name][number] * self.arrays[name + ".scale"][number].astype("d")

    def quantised(self, x):
        largest = np.abs(x).max()
        return np.round(x / largest * 127) * largest / 127 if self.exact and largest else x

    def state(self, h):
        return np.round(h * 127) / 127 if self.exact else h

    def lstm(self, name, inputs, back):
        w, u, b = self.matrix(f"{name}.in"), self.matrix(f"{name}.back"), self.arrays[f"{name}.bias"]
        h = c = np.zeros(u.shape[1])
        states = []
        for x in inputs[::-1] if back else inputs:
            i, f, g, o = np.split(w @ x + u @ h + b, 4)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = self.state(sigmoid(o) * np.tanh(c))
            states.append(h)
        return states[::-1] if back else states

    def number(self, name, form):
        keys, values = self.arrays[name + ".keys"], self.arrays[name + ".values"]
        found = values[keys == form_key(form)]
        return int(found[0]) if len(found) else 0

    def word(self, form):
        kept = form if len(form) <= MAX_CHARACTERS else form[:16] + form[-16:]
        known = {chr(point): i + 1 for i, point in enumerate(self.arrays["characters"])}
        characters = [self.quantised(self.arrays["character_vectors"][known.get(each, 0)]) for each in kept]
        none = [np.zeros(self.arrays["spelling.ahead.back"].shape[1])]
        ahead = (self.lstm("spelling.ahead", characters, False) or none)[-1]
        back = (self.lstm("spelling.back", characters, True) or none)[0]
        x = self.row("form_vectors", self.number("forms", form)) + self.arrays["word_bias"]
        x = x + self.matrix("spelt") @ np.concatenate([ahead, back])
        if "vectors.keys" in self.arrays and self.number("vectors", form):
            x = x + self.matrix("vectors.weight") @ self.row("vectors.rows", self.number("vectors", form))
        return self.quantised(x)

    def encode(self, forms, choices=None):
        """Return the probabilities of tags, the scores of rules and the vectors of the words of a sentence.

        `choices` are the tags that each word can get, None for all.
        """
        return [
            self.results(z, choice)
            for z, choice in zip(self.outputs(forms), choices or [None] * len(forms), strict=True)
        ]

    def outputs(self, forms):
        """Return z of the words of a sentence."""
        words = states = [self.word(form) for form in forms]
        layer = 1
        while f"layer{layer}.ahead.in" in self.arrays:
            both = (self.lstm(f"layer{layer}.{way}", states, way == "back") for way in ("ahead", "back"))
            states = [np.concatenate(pair) for pair in zip(*both, strict=True)]
            layer += 1
        state, word, bias = self.matrix("heads.state"), self.matrix("heads.word"), self.arrays["heads.bias"]
        return [state @ h + word @ x + bias for h, x in zip(states, words, strict=True)]

    def results(self, z, choice):
        parts = np.split(self.arrays["tag_parts"], self.arrays["tag_ends"][:-1])
        size = self.arrays["tag_inputs"].shape[1]
        scores = np.array([z[each].sum() for each in parts])
        if choice and scores.argmax() not in choice:
            others = np.ones(len(scores), bool)
            others[list(choice)] = False
            scores[others] = -np.inf
        p = np.exp(scores - scores.max())
        p /= p.sum()
        v = np.maximum(z[-size:] + p @ self.arrays["tag_inputs"], 0)
        rules = z[self.arrays["tag_parts"].max() + 1 : -size]
        if "rule_inputs" in self.arrays:
            first = self.arrays["tag_parts"].max() + 1 - len(self.arrays["rule_inputs"])
            rules = rules + sum(self.row("rule_inputs", part - first) for part in parts[p.argmax()] if part >= first)
        return p, rules, v


class SlowEnsemble:
    """Several networks whose scores of tags and lemma rules are averaged. Each has its part of a word's vector."""

    def __init__(self, networks, exact=True):
        self.members = [SlowEncoder(arrays, exact) for arrays in networks]
        inputs = np.concatenate([member.arrays["tag_inputs"] for member in self.members], 1)
        rules = np.mean([member.matrix("rule_inputs") for member in self.members], 0)
        shared = {"tag_inputs": inputs, "rule_inputs": rules, "rule_inputs.scale": np.ones(len(rules))}
        self.joined = SlowEncoder(self.members[0].arrays | shared, exact)

    def encode(self, forms):
        size = self.members[0].arrays["tag_inputs"].shape[1]
        for each in zip(*(member.outputs(forms) for member in self.members), strict=True):
            scores = np.mean([z[:-size] for z in each], 0)
            yield self.joined.results(np.concatenate([scores, *(z[-size:] for z in each)]), None)
