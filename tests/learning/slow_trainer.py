"""The averaged perceptron and its training loop once more, slow and obvious: features are tuples of strings, averages are sums over all updates."""

from __future__ import annotations

from collections import Counter, defaultdict

import gardenpath as gp
from gardenpath.core.random import shuffled
from gardenpath.features.templates import parse_templates
from gardenpath.learning.growing import LARGEST_WEIGHT

COLUMNS = {"w": "form", "u": "upos", "x": "xpos", "m": "feats"}


class Features:
    """What the templates see in a configuration: everything is looked up in its lists of heads and labels."""

    def __init__(self, lines, tag):
        self.templates = parse_templates(lines)
        self.tag = tag

    def of(self, c, words):
        found = []
        for number, template in enumerate(self.templates):
            values = tuple(self.value(c, words, atom) for atom in template.atoms)
            if None not in values:
                found.append((number, values))
        return found

    def value(self, c, words, atom):
        if atom.property == "d":
            return distance(c, len(words))
        word = address(c, atom.address)
        if word is None:
            return None
        left, right = children(c, word)
        if atom.property in ("vl", "vr"):
            return str(len(left if atom.property == "vl" else right))
        if atom.property in ("sl", "sr"):
            return str(sorted({str(c.labels[child - 1]) for child in (left if atom.property == "sl" else right)}))
        if atom.property == "l":
            return c.labels[word - 1] if word else None
        return "ROOT" if word == 0 else self.column(words[word - 1], atom.property)

    def column(self, word, name):
        if name == "p":
            return getattr(word, self.tag)
        if name in COLUMNS:
            return getattr(word, COLUMNS[name])
        if name[0] == "i":
            return word.form[: int(name[1])]
        if name[0] == "e":
            return word.form[-int(name[1]) :]
        return dict(pair.split("=") for pair in word.feats.split("|") if "=" in pair).get(name[2:-1])


def address(c, text):
    """The word at an address such as `S0`, `N1`, `S0h2` or `N0l2`."""
    line = c.stack[::-1] if text[0] == "S" else c.buffer
    word = line[int(text[1])] if int(text[1]) < len(line) else None
    steps = text[2:]
    while steps and word is not None:
        step, steps = (steps[:2], steps[2:]) if steps[1:2] == "2" else (steps[0], steps[1:])
        if step[0] == "h":
            for _ in step:
                head = c.heads[word - 1] if word else -1
                word = None if head == -1 else head
                if word is None:
                    break
        else:
            side = children(c, word)[0 if step[0] == "l" else 1]
            word = side[len(step) - 1] if len(side) >= len(step) else None
    return word


def children(c, word):
    """The children to the left and to the right, the farthest first; the root token stands last."""
    place = word or len(c.heads) + 1
    all_children = [child for child, head in enumerate(c.heads, 1) if head == word]
    return [child for child in all_children if child < place], [child for child in all_children if child > place][::-1]


def distance(c, n):
    if not c.stack or not c.buffer:
        return None
    steps = (c.buffer[0] or n + 1) - (c.stack[-1] or n + 1)
    return str(steps if steps <= 5 else 6 if steps <= 10 else 7)


class SlowTrainer:
    def __init__(self, sentences, trees, settings, lines, tag):
        self.sentences, self.trees, self.settings = sentences, trees, settings
        self.features = Features(lines, tag)
        self.oracle = gp.oracles.get(settings.system, settings.oracle, prefer=settings.prefer)
        self.system = self.oracle.system
        self.weights = defaultdict(Counter)
        self.updates = []
        self.met = Counter()                # by feature: how many updates it has seen
        self.decisions = self.mistakes = 0
        kinds = {"left": set(), "right": set(), "root": set()}
        for heads, labels in trees:
            for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
                kinds["root" if head == 0 else "left" if word < head else "right"].add(label)
        self.labels = {"left-arc": sorted(kinds["left"]), "right-arc": sorted(kinds["right"]), "root": sorted(kinds["root"]), "attach": sorted(kinds["right"])}

    def train(self):
        for number in range(1, self.settings.passes + 1):
            explores = self.settings.oracle == "dynamic" and number >= self.settings.explore_from and self.settings.explore == 1
            for i in shuffled(len(self.sentences), self.settings.seed, number):
                self.learn(self.sentences[i], *self.trees[i], explores)
        return self

    def classes(self, c):
        """The permitted moves with their labels, in the order of the papers, then of the alphabet: (move, class)."""
        for move in self.system.moves:
            if move in self.system.valid(c):
                group = move
                if move == "left-arc" and c.buffer[0] == 0:
                    group = "root"
                if move == "unshift" and not self.settings.separate_unshift:
                    group = "reduce"
                if move == "reduce" and self.settings.labelled_reduce and c.heads[c.stack[-1] - 1] == -1:
                    group = "attach"
                for label in self.labels.get(group, [None]):
                    yield move, (group, label)

    def learn(self, words, heads, labels, explores):
        c = self.system.initial(len(words))
        while not self.system.is_final(c):
            choices = list(self.classes(c))
            if len(choices) == 1:
                self.system.apply(c, choices[0][0], choices[0][1][1])
                continue
            features = self.features.of(c, words)
            scores = self.score(features)
            accepted = [choice for choice in choices if self.is_accepted(c, heads, labels, *choice)]
            others = [choice for choice in choices if choice not in accepted]
            predicted, wanted = best(choices, scores), best(accepted, scores)
            self.decisions += 1
            self.mistakes += predicted not in accepted
            if predicted not in accepted or (others and scores[wanted[1]] - scores[best(others, scores)[1]] < self.settings.margin):
                self.update(features, wanted[1], best(others, scores)[1])
            self.make(c, predicted if predicted in accepted or explores else wanted, scores)

    def is_accepted(self, c, heads, labels, move, scored):
        if move not in self.oracle.training(c, heads):
            return False
        s, b = (c.stack or [None])[-1], (c.buffer or [None])[0]
        head, child = {"left-arc": (b, s), "right-arc": (s, b), "reduce": (c.stack[-2] if len(c.stack) > 1 else None, s)}.get(move, (None, None))
        builds = move.endswith("arc") or (move == "reduce" and c.heads[s - 1] == -1)
        return scored[1] is None or not builds or heads[child - 1] != head or labels[child - 1] == scored[1]

    def score(self, features):
        scores = Counter()
        for feature in features:
            if self.met[feature] >= self.settings.min_updates:
                scores.update(self.weights[feature])
        return scores

    def update(self, features, good, bad):
        for feature in features:
            self.met[feature] += 1
            for scored, delta in ((good, 1), (bad, -1)):
                self.weights[feature][scored] += delta
                self.updates.append((self.decisions, feature, scored, delta))

    def make(self, c, choice, scores):
        """A word pushed onto others remembers the label that a right-arc would have given it."""
        move, (_, label) = choice
        if move in ("shift", "right-arc") and c.stack and not self.system.single_root:
            c.remember(c.buffer[0], best([("right-arc", ("right-arc", other)) for other in self.labels["right-arc"]], scores)[1][1])
        self.system.apply(c, move, label)

    def averages(self):
        """Weights averaged over all decisions: an update made at one of them counts for all the later ones. As integers of 16 bits, not yet rounded."""
        averages = defaultdict(Counter)
        for step, feature, scored, delta in self.updates:
            if self.met[feature] >= self.settings.min_updates:
                averages[feature][scored] += delta * (self.decisions - step) / self.decisions
        largest = max(abs(weight) for row in averages.values() for weight in row.values())
        return {feature: {scored: weight * LARGEST_WEIGHT / largest for scored, weight in row.items()} for feature, row in averages.items()}


def best(choices, scores):
    """The best-scoring choice; the first one wins a tie."""
    return max(choices, key=lambda choice: scores[choice[1]])
