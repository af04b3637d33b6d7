"""A slow implementation of the averaged perceptron, its training loop and Covington's parser.

Features are tuples of strings, averages are sums over all updates, and nothing is kept between configurations.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from types import SimpleNamespace
from typing import NamedTuple

import gardenpath as gp
from gardenpath.core.random import shuffled
from gardenpath.features.templates import parse_templates
from gardenpath.perceptron.growing import LARGEST_WEIGHT
from twins import REORDERING, Mode, twin_of

COLUMNS = {"w": "form", "u": "upos", "x": "xpos", "m": "feats"}
ROOT_LAST = ("arc-eager", "arc-eager-nml", "arc-eager-nmd", "arc-eager-nmld")
ROOT_FIRST = ("arc-standard", "lr-spine", "attardi")        # arcs are built between S1 and S0, or deeper


class Features:
    """What the templates see in a view of a configuration."""

    def __init__(self, lines, tag):
        self.tag = tag
        # Where the tag is UPOS, templates that differ in `p` and `u` alone are one.
        tags = {"p": "u"} if tag == "upos" else {}
        self.templates = list(
            {
                tuple((atom.address, tags.get(atom.property, atom.property)) for atom in t.atoms): t
                for t in parse_templates(lines)
            }.values()
        )

    def of(self, view, words):
        found, value = [], cache(lambda atom: self.value(view, words, atom))
        for number, template in enumerate(self.templates):
            values = tuple(value(atom) for atom in template.atoms)
            if None not in values:
                found.append((number, values))
        return found

    def places(self, number):
        """Where a template looks: `S`, `N`, or elsewhere."""
        return {atom.address[:1] for atom in self.templates[number].atoms}

    def value(self, view, words, atom):
        if atom.property == "d":
            return view.distance()
        word = view.at(atom.address)
        if word is None:
            return None
        left, right = view.children[word]
        if atom.property in ("vl", "vr"):
            return str(len(left if atom.property == "vl" else right))
        if atom.property in ("sl", "sr"):
            return str(sorted({str(view.labels[child - 1]) for child in (left if atom.property == "sl" else right)}))
        if atom.property == "l":
            return view.labels[word - 1] if word else None
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


class View:
    """A configuration as the templates see it for one transition, from plain lists of words, heads and labels."""

    def __init__(self, system, c, move):
        self.heads, self.labels = c.heads, c.labels
        self.is_covington = system.name.startswith("covington")
        self.root = 0 if system.name in ROOT_FIRST + REORDERING else len(c) + 1          # where the root token stands
        self.pair = ("S1", "S0") if system.name in ("swap", *ROOT_FIRST) else ("S0", "N0")
        self.lines = {"S": c.stack[::-1], "N": c.buffer, "A": []}
        self.children = [([], []) for _ in range(len(c) + 1)]  # to the left and to the right, the farthest first
        for child, head in enumerate(self.heads, 1):
            if head != -1 and child < self.place(head):
                self.children[head][0].append(child)
            elif head != -1:
                self.children[head][1].insert(0, child)
        if system.name == "lr-spine" and move != "shift":
            kind, _, depth = move.partition(":")
            self.turn_to(kind, int(depth))

    def turn_to(self, kind, depth):
        """LR-spine: let S0 and S1 be the ends of the arc.

        The spine above its head is put before the buffer or, on the right, before the rest of the stack.
        """
        top, second, *rest = self.lines["S"]
        *above, head = self.spine(top, 0)[:depth] if kind == "left-arc" else self.spine(second, 1)[:depth]
        self.lines["A"] = above[::-1]
        if kind == "left-arc":
            self.lines["S"] = [head, second, *rest]
            self.lines["N"] = above[::-1] + self.lines["N"]
        else:
            self.lines["S"] = [top, head, *above[::-1], *rest]

    def spine(self, word, side):
        """A word, its farthest child on one side, the farthest child of that one on the same side, and so on."""
        words = [word]
        while children := self.children[words[-1]][side]:
            words.append(children[0])
        return words

    def at(self, text):
        """The word at an address such as `S0`, `N1`, `A0`, `CL`, `S0h2`, `N0l2` or `S0r'`."""
        if text[0] == "C":
            word = self.between(text[1])
        else:
            line = self.lines[text[0]]
            word = line[int(text[1])] if int(text[1]) < len(line) else None
        steps = text[2:]
        while steps and word is not None:
            step, steps = (steps[:2], steps[2:]) if steps[1:2] in ("2", "'") else (steps[0], steps[1:])
            if step[-1] == "'":
                side = self.children[word][0 if step[0] == "l" else 1]
                word = side[-1] if side else None
            elif step[0] == "h":
                for _ in step:
                    head = self.heads[word - 1] if word else -1
                    word = None if head == -1 else head
                    if word is None:
                        break
            else:
                side = self.children[word][0 if step[0] == "l" else 1]
                word = side[len(step) - 1] if len(side) >= len(step) else None
        return word

    def between(self, end):
        """Covington: return the first or last word between the focus words that depends on none of these words."""
        if not self.is_covington or not self.lines["S"] or not self.lines["N"]:
            return None
        near = range(self.lines["S"][0], self.lines["N"][0] + 1)
        loose = [word for word in near[1:-1] if self.heads[word - 1] not in near]
        return loose[0 if end == "L" else -1] if loose else None

    def place(self, word):
        return word or self.root

    def distance(self):
        left, right = map(self.at, self.pair)
        if left is None or right is None:
            return None
        steps = self.place(right) - self.place(left)
        size = abs(steps)
        return str((size if size <= 5 else 6 if size <= 10 else 7) + (8 if steps < 0 else 0))


class SlowTrainer:
    def __init__(self, sentences, trees, settings, lines, tag):
        self.sentences, self.trees = sentences, trees
        values = settings.parser.to_dict() | settings.scorer.to_dict()
        self.settings = SimpleNamespace(**values, epochs=settings.epochs, seed=settings.seed)
        self.features = Features(lines, tag)
        self.name = settings.parser.system
        self.oracle = gp.oracles.get(
            self.name, settings.parser.oracle, prefer=settings.parser.preference, lookahead=settings.parser.lookahead,
            single_root=settings.parser.single_root and self.name in ROOT_FIRST + REORDERING,
        )
        self.system = self.oracle.system
        self.weights = defaultdict(Counter)
        self.updates = []
        self.met = Counter()                # by feature: how many updates it has seen
        self.decisions = self.mistakes = 0
        kinds = {"left": set(), "right": set(), "root": set()}
        for heads, labels in trees:
            for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
                kinds["root" if head == 0 else "left" if word < head else "right"].add(label)
        left, right, root = (sorted(kinds[kind]) for kind in ("left", "right", "root"))
        if self.name in REORDERING:
            left = right = sorted({*left, *right})
        self.labels = {
            "left-arc": left,
            "left-arc:2": left,
            "right-arc": right,
            "right-arc:2": right,
            "root": root,
            "attach": right,
        }
        self.labels |= {"stay-left": left, "stay-right": right, "right-root": root[:1]}

    def train(self):
        for number in range(1, self.settings.epochs + 1):
            explores = (
                self.settings.oracle not in ("static", "nondet")
                and number >= self.settings.explore_from
                and self.settings.explore == 1
            )
            for i in shuffled(len(self.sentences), self.settings.seed, number):
                self.learn(self.sentences[i], *self.trees[i], explores)
        return self

    def permitted(self, c):
        """The permitted moves in the order of the papers; among those to a depth k, the shallow ones first."""
        valid = self.system.valid(c)
        if self.name != "lr-spine":
            return [move for move in self.system.moves if move in valid]
        return [
            move
            for kind in ("shift", "left-arc", "right-arc")
            for move in sorted(valid, key=self.depth)
            if move.startswith(kind)
        ]

    def depth(self, move):
        """LR-spine: how far from its root the head of the arc lies on its spine."""
        return int(move.partition(":")[2] or 1) if self.name == "lr-spine" else 1

    def choices(self, c):
        """The permitted moves with their labels, in the order of the papers, then of the alphabet: (move, class)."""
        for move in self.permitted(c):
            group = move.partition(":")[0] if self.name == "lr-spine" else move
            if ("arc" in move or move == "stay-right") and self.arc(c, move)[0] == 0:
                group = "root"
            if move == "unshift" and not self.settings.separate_unshift:
                group = "reduce"
            if move == "reduce" and self.settings.labelled_reduce and c.heads[c.stack[-1] - 1] == -1:
                group = "attach"
            for label in self.labels.get(group, [None]):
                yield move, (group, label)

    def choices_that_matter(self, c):
        """Return the choices; in monotonic Covington only Shift if no arc to the right focus word is possible."""
        choices = list(self.choices(c))
        return choices[:1] if self.name == "covington" and is_settled(c.heads, len(c.stack), c.buffer[0]) else choices

    def arc(self, c, move):
        """The head and the child that the move joins; None twice where it joins none."""
        view = View(self.system, c, move)
        if move in ("stay-left", "stay-right", "right-root"):
            top, front, roots = (
                view.at("S0"),
                view.at("N0"),
                [word for word, head in enumerate(c.heads, 1) if head == 0],
            )
            last_resort = roots and self.system.single_root and top == 0
            return {
                "stay-left": (front, top),
                "stay-right": (roots[0] if last_resort else top, front),
                "right-root": (0, top),
            }[move]
        near, far = view.pair[::-1] if (self.name, move[-2:]) != ("attardi", ":2") else ("S0", "S2")
        if move.startswith("left-arc"):
            return view.at(near), view.at(far)
        if move.startswith("right-arc"):
            return view.at(far), view.at(near)
        return (
            (view.at("S1"), view.at("S0")) if move == "reduce" and view.heads[view.at("S0") - 1] == -1 else (None, None)
        )

    def learn(self, words, heads, labels, explores):
        c = self.system.initial(len(words))
        while not self.system.is_final(c):
            choices = self.choices_that_matter(c)
            if len(choices) == 1:
                self.system.apply(c, choices[0][0], choices[0][1][1])
                continue
            features = self.seen(c, words)
            scores = self.score(features)
            accepted = self.accepted(c, heads, labels, choices)
            others = [choice for choice in choices if choice not in accepted]
            predicted, wanted = best(choices, scores), best(accepted, scores)
            self.decisions += 1
            self.mistakes += predicted not in accepted
            if others:
                rival = best(others, scores)
                if (
                    predicted not in accepted
                    or score_of(wanted, scores) - score_of(rival, scores) < self.settings.margin
                ):
                    self.update(features, wanted, rival)
            follows = explores and (self.name != "swap" or "arc" in predicted[0])
            self.make(c, predicted if predicted in accepted or follows else wanted, scores)

    def seen(self, c, words):
        """By move: the features that it sees. Moves to a depth see their own, all others the same."""
        shared = self.features.of(View(self.system, c, "shift"), words)
        return {
            move: shared if self.depth(move) == 1 else self.features.of(View(self.system, c, move), words)
            for move in self.permitted(c)
        }

    def accepted(self, c, heads, labels, choices):
        """The choices to learn from: a gold arc must have its label, any other may have any."""
        training = self.oracle.training(c, heads)
        arcs = {move: self.arc(c, move) for move in training}
        needed = {move: labels[child - 1] for move, (head, child) in arcs.items() if child and heads[child - 1] == head}
        return [
            (move, scored)
            for move, scored in choices
            if move in training and (scored[1] is None or needed.get(move, scored[1]) == scored[1])
        ]

    def score(self, features):
        """By move: the scores of all classes."""
        totals = {id(side): self.total(side) for side in {id(side): side for side in features.values()}.values()}
        return {move: totals[id(side)] for move, side in features.items()}

    def total(self, features):
        scores = Counter()
        for feature in features:
            if self.met[feature] >= self.settings.min_updates:
                for scored, weight in self.weights.get(feature, {}).items():
                    scores[scored] += weight
        return scores

    def update(self, features, wanted, rival):
        """Reward the one and punish the other, each for what it saw: for what they saw together, at once."""
        if features[wanted[0]] is features[rival[0]] and self.depth(wanted[0]) == 1:
            sides = [(features[wanted[0]], {wanted[1]: 1, rival[1]: -1})]
        else:
            sides = [(features[wanted[0]], {wanted[1]: 1}), (features[rival[0]], {rival[1]: -1})]
        for side, deltas in sides:
            for feature in side:
                self.met[feature] += 1
                for scored, delta in deltas.items():
                    self.weights[feature][scored] += delta
                    self.updates.append((self.decisions, feature, scored, delta))

    def make(self, c, choice, scores):
        """A word pushed onto others remembers the label that a right-arc would have given it."""
        move, (_, label) = choice
        if self.name in ROOT_LAST and move in ("shift", "right-arc") and c.stack:
            c.remember(
                c.buffer[0], best([(move, ("right-arc", other)) for other in self.labels["right-arc"]], scores)[1][1]
            )
        self.system.apply(c, move, label)

    def freeze(self):
        """Replace the weights by their averages over all decisions, as 16-bit integers."""
        totals = defaultdict(Counter)
        for step, feature, scored, delta in self.updates:
            if self.met[feature] >= self.settings.min_updates:
                totals[feature][scored] += delta * (self.decisions - step)
        scale = LARGEST_WEIGHT / max(abs(total) / self.decisions for row in totals.values() for total in row.values())
        self.weights = {
            feature: {scored: rounded(total / self.decisions * scale) for scored, total in row.items()}
            for feature, row in totals.items()
        }
        return self

    def parse(self, words, asks_always=False):
        """Parse with Covington's system. `asks_always` also scores where there is only one choice."""
        c, steps, offers = self.system.initial(len(words)), [], {}
        while not self.system.is_final(c):
            choices = list(self.choices(c)) if asks_always else self.choices_that_matter(c)
            features, scores, chosen = {}, {}, choices[0]
            if len(choices) > 1:
                features = self.seen(c, words)
                totals = self.score(features)
                chosen = best(choices, totals)
                bests = {move: best([choice for choice in choices if choice[0] == move], totals) for move, _ in choices}
                scores = {move: score_of(choice, totals) for move, choice in bests.items()}
                self.keep_offers(c, chosen, bests, scores, offers)
            steps.append(SlowStep(c.copy(), chosen[0], chosen[1][1], scores, features.get("shift", [])))
            self.system.apply(c, chosen[0], chosen[1][1])
        return SlowParse(steps, c.heads, [label or "root" for label in c.labels], offers)

    def keep_offers(self, c, chosen, bests, scores, offers):
        """Keep for each word the best arc that was scored and not built, the first of several."""
        for move in {"left-arc", "right-arc"} & bests.keys() - {chosen[0]}:
            head, child = self.arc(c, move)
            margin = scores[chosen[0]] - scores[move]
            if child not in offers or margin < offers[child].margin:
                offers[child] = Offer(margin, head, bests[move][1][1])


class Offer(NamedTuple):
    margin: int         # by how much the arc fell short
    head: int
    label: str


class SlowStep(NamedTuple):
    configuration: gp.systems.Configuration
    move: str
    label: str | None
    scores: dict[str, int]
    features: list


class SlowParse(NamedTuple):
    steps: list[SlowStep]
    heads: list[int]
    labels: list[str]
    offers: dict[int, Offer]

    def with_one_root(self):
        """Return heads and labels after the single-root policy, and the number of words that would close a cycle."""
        heads, labels, taken = self.heads[:], self.labels[:], 0
        roots = [word for word, head in enumerate(heads, 1) if head == 0]
        kept = max(roots, key=lambda word: self.offers[word].margin) if len(roots) > 1 else roots[0]
        for word in roots:
            if word != kept:
                _, head, label = self.offers[word]
                below = word in path(heads, head)
                heads[word - 1], labels[word - 1] = kept if below else head, label
                taken += below
        return heads, labels, taken


def is_settled(heads, i, j):
    """Monotonic Covington: return whether j has a head and no arc is possible between j and i or a word before i."""
    twin = twin_of(Mode("covington"), len(heads))
    twin.j, twin.head = j, {word: head for word, head in enumerate(heads, 1) if head != -1}
    pairs = [twin.permits(move) for twin.i in range(i, 0, -1) for move in ("left-arc", "right-arc")]
    return j in twin.head and not any(pairs)


def path(heads, word):
    """The word and what it hangs from."""
    return [word, *path(heads, heads[word - 1])] if word > 0 else []


def rounded(x):
    """To the nearest integer, halves away from 0."""
    return int(x + 0.5 if x >= 0 else x - 0.5)


def score_of(choice, scores):
    move, scored = choice
    return scores[move][scored]


def best(choices, scores):
    """The best-scoring choice; the first one wins a tie."""
    return max(choices, key=lambda choice: score_of(choice, scores))
