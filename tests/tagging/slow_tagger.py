"""A slow, obvious implementation of the tagger and its training.

Features are tuples of strings, and weights are stored in dictionaries.
"""

import re
from collections import Counter, defaultdict
from itertools import zip_longest

from gardenpath.perceptron.growing import LARGEST_WEIGHT
from gardenpath.tagging.tagger import TEMPLATES

EDGE = "edge"


def parts_of(tag):
    upos, xpos, feats = tag
    features = {("feature", feature) for feature in feats.split("|") if feats != "_"}
    return {("upos", upos), ("xpos", xpos), ("feats", feats), ("tag", tag)} | features


def tag_of(word):
    return word.upos, word.xpos, word.feats


class SlowTagger:
    """A tagger for ASCII forms, without clusters and lemmas."""

    def __init__(self, sentences, margin, min_updates):
        self.sentences, self.margin, self.min_updates = sentences, margin, min_updates
        counts = Counter(tag_of(word) for sentence in sentences for word in sentence)
        self.tags = sorted(counts, key=lambda tag: (-counts[tag], tag))
        owners = Counter(part for tag in self.tags for part in parts_of(tag))
        self.parts = [{part for part in parts_of(tag) if owners[part] < len(self.tags)} for tag in self.tags]
        self.forms, self.lowered = defaultdict(Counter), defaultdict(Counter)
        for sentence in sentences:
            for word in sentence:
                self.forms[word.form][self.tags.index(tag_of(word))] += 1
                self.lowered[plain(word.form)][self.tags.index(tag_of(word))] += 1
        self.open = in_order(Counter(tag for tags in self.forms.values() if tags.total() < 100 for tag in tags))
        self.weights, self.updates = defaultdict(Counter), Counter()
        self.totals, self.since = defaultdict(Counter), defaultdict(Counter)
        self.steps = self.mistakes = 0

    def candidates(self, form):
        tags = self.forms.get(form, Counter())
        return in_order(tags) if tags.total() >= 100 or (len(tags) == 1 and tags.total() >= 30) else self.open

    def possible(self, form, without):
        """Return the tags of a known form and their counts, with one occurrence left out."""
        for tags in (self.forms.get(form), self.lowered.get(plain(form))):
            if tags is not None and tags.total() >= 2:
                left = Counter(tags)
                if without is not None:
                    left[without] -= 1
                if left.total() >= 2:
                    return [tag for tag in in_order(tags) if left[tag] > 0], left
        return [], Counter()

    def traits(self, form, first, without=None):
        lower = plain(form)
        traits = {"form": form, "lower": lower, "shape": shape(form), "initial": str(first)}
        traits |= {f"prefix{size}": lower[:size] for size in range(1, 5) if size <= len(form)}
        traits |= {f"suffix{size}": lower[-size:] for size in range(1, 6) if size <= len(form)}
        possible, counts = self.possible(form, without)
        if possible:
            traits["possible"] = frozenset(possible)
            traits["possible_upos"] = frozenset(self.tags[tag][0] for tag in possible)
            traits["likely"] = max(possible, key=lambda tag: counts[tag])
        if without is not None:
            if self.forms[form].total() < 2:
                del traits["form"]
            if self.lowered[lower].total() < 2:
                del traits["lower"]
        return traits

    def features(self, sentence, place):
        found = []
        for number, line in enumerate(TEMPLATES):
            values = []
            for name, offset in re.findall(r"(\w+)\[([+-]?\d)\]", line):
                at = place + int(offset)
                beyond = EDGE if name in ("form", "lower", "upos", "xpos", "feats", "tag") else None
                values.append(sentence[at].get(name) if 0 <= at < len(sentence) else beyond)
            if None not in values:
                found.append((number, *values))
        return found

    def write(self, traits, tag):
        traits["upos"], traits["xpos"], traits["feats"] = self.tags[tag]
        traits["tag"] = self.tags[tag]

    def score(self, tag, features, weights):
        used = [feature for feature in features if self.updates[feature] >= self.min_updates]
        return sum(weights[feature][part] for feature in used for part in self.parts[tag])

    def train(self, order):
        """Train, and return the predicted tags by sentence."""
        return {number: self.learn(self.sentences[number]) for number in order}

    def learn(self, words):
        sentence = [self.traits(word.form, i == 0, self.tags.index(tag_of(word))) for i, word in enumerate(words)]
        predicted = []
        for i, word in enumerate(words):
            gold = self.tags.index(tag_of(word))
            predicted.append(self.learn_word(self.features(sentence, i), self.candidates(word.form), gold))
            self.write(sentence[i], predicted[-1])
        return predicted

    def learn_word(self, features, candidates, gold):
        if len(candidates) == 1:
            return gold
        scores = {tag: self.score(tag, features, self.weights) for tag in candidates}
        best = max(candidates, key=scores.get)
        rival = max((tag for tag in candidates if tag != gold), key=scores.get)
        self.steps += 1
        self.mistakes += best != gold
        if best != gold or scores[gold] - scores[rival] < self.margin:
            for good, bad in zip_longest(self.parts[gold] - self.parts[rival], self.parts[rival] - self.parts[gold]):
                for feature in features:
                    self.add(feature, good, 1)
                    self.add(feature, bad, -1)
                    self.updates[feature] = min(self.updates[feature] + 1, 255)
        return best

    def add(self, feature, part, delta):
        if part is not None:
            self.totals[feature][part] += self.weights[feature][part] * (self.steps - self.since[feature][part])
            self.since[feature][part] = self.steps
            self.weights[feature][part] += delta

    def averages(self):
        """Return the averaged weights of the features in use, as integers."""
        averages = {
            feature: {part: self.average(feature, part, weight) for part, weight in row.items()}
            for feature, row in self.weights.items() if self.updates[feature] >= self.min_updates
        }
        scale = LARGEST_WEIGHT / max(abs(average) for row in averages.values() for average in row.values())
        scaled = defaultdict(Counter)
        for feature, row in averages.items():
            scaled[feature] = Counter({part: rounded(average * scale) for part, average in row.items()})
        return scaled

    def average(self, feature, part, weight):
        return (self.totals[feature][part] + weight * (self.steps - self.since[feature][part])) / self.steps

    def tag(self, forms, averages):
        """Return the numbers of the predicted tags of a sentence."""
        sentence = [self.traits(form, i == 0) for i, form in enumerate(forms)]
        tags = []
        for i, form in enumerate(forms):
            features, candidates = self.features(sentence, i), self.candidates(form)
            tags.append(max(candidates, key=lambda tag: self.score(tag, features, averages)))
            self.write(sentence[i], tags[-1])
        return tags


def in_order(tags):
    return sorted(tags, key=lambda tag: (-tags[tag], tag))


def plain(form):
    return "".join("0" if character.isdigit() else character.lower() for character in form)


def shape(form):
    signs = {
        ("capital" if i == 0 else "capitals") if character.isupper() else "small" if character.isalpha()
        else "digit" if character.isdigit() else "hyphen" if character == "-" else "other"
        for i, character in enumerate(form)
    }
    return frozenset(signs), min(len(form), 3)


def rounded(x):
    return int(x + 0.5) if x >= 0 else int(x - 0.5)
