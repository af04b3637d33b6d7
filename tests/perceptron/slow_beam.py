"""A slow implementation of beam search and of training with a beam. A beam is a list of derivations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from slow_trainer import ROOT_LAST, SlowParse, SlowTrainer, best, score_of

import gardenpath as gp
from brute import COVINGTON
from gardenpath.core.random import shuffled
from gardenpath.systems import Configuration

Choice = tuple[str, tuple[str, str | None]]      # a move and its class


class Link(NamedTuple):
    """A move of a derivation."""

    before: Configuration
    choice: Choice
    is_forced: bool                     # was there nothing to choose?
    scores: dict[str, dict] | None      # by move: those of all classes; None where it does not count
    features: list | None               # what the move saw

    @property
    def score(self) -> int:
        return score_of(self.choice, self.scores) if self.is_scored else 0

    @property
    def is_scored(self) -> bool:
        return self.scores is not None


@dataclass(frozen=True)
class Item:
    """A derivation: where it has come to, and by which moves."""

    c: Configuration
    path: tuple[Link, ...] = ()
    remembered: tuple[
        tuple[int, str], ...
    ] = ()  # the words that were pushed onto others, with the labels that right-arcs had for them
    is_right: bool = False                           # has the oracle accepted all its moves?

    @property
    def score(self) -> int:
        return sum(link.score for link in self.path)

    @property
    def average(self) -> Fraction:
        return Fraction(self.score, max(sum(link.is_scored for link in self.path), 1))

    def key(self) -> tuple:
        """All that decides what can still happen, and how it is scored, averaged and labelled."""
        return (
            self.c.key(),
            tuple(self.c.buffer),
            tuple(self.c.labels),
            self.remembered,
            sum(link.is_scored for link in self.path),
        )


class SlowBeam(SlowTrainer):
    # Searching.

    def links(self, c, words) -> list[Link]:
        """Return the continuations of a configuration, in the order of transitions and classes; one if it is forced.

        That one has a score, too, unless it is an Unshift.
        """
        choices = self.choices_that_matter(c)
        if [move for move, _ in choices] == ["unshift"]:
            return [Link(c, choices[0], True, None, None)]
        features = self.seen(c, words)
        scores = self.score(features)
        return [Link(c, choice, len(choices) == 1, scores, features[choice[0]]) for choice in choices]

    def follow(self, item: Item, link: Link) -> Item:
        """The derivation with one more move."""
        c, remembered, (move, (_, label)) = item.c.copy(), dict(item.remembered), link.choice
        if self.name in ROOT_LAST and not link.is_forced and move in ("shift", "right-arc") and c.stack:
            remembered[c.buffer[0]] = best(
                [(move, ("right-arc", other)) for other in self.labels["right-arc"]], link.scores
            )[1][1]
            c.remember(c.buffer[0], remembered[c.buffer[0]])
        self.system.apply(c, move, label)
        return Item(c, (*item.path, link), tuple(sorted(remembered.items())))

    def advance(
        self, items: list[Item], words, width: int, gold: tuple[list[int], list[str]] | None = None
    ) -> list[Item]:
        """Make one transition in every derivation and keep the best derivations that differ.

        Only the best 2 * width continuations are considered, by their average scores. Of equal ones the
        earlier derivation, then the earlier class comes first.
        """
        candidates = []
        for item in items:
            if self.system.is_final(item.c):
                candidates.append(item)
            else:
                links = self.links(item.c, words)
                right = self.right_links(links, *gold) if item.is_right else []
                candidates += [replace(self.follow(item, link), is_right=link in right) for link in links]
        candidates.sort(key=lambda item: item.average, reverse=True)
        following: dict[tuple, Item] = {}
        for new in candidates[: 2 * width]:
            if len(following) == width:
                break
            if new.key() not in following:
                following[new.key()] = new
            elif new.is_right:
                following[new.key()] = replace(following[new.key()], is_right=True)
        return list(following.values())

    def search(self, words, width: int) -> list[Item]:
        """The derivations that a beam ends with, the best first."""
        items = [Item(self.system.initial(len(words)))]
        while not all(self.system.is_final(item.c) for item in items):
            items = self.advance(items, words, width)
        return items

    def derivations(self, words, item: Item | None = None, known: dict | None = None) -> Iterator[Item]:
        """All derivations there are, one by one."""
        item, known = item or Item(self.system.initial(len(words))), {} if known is None else known
        if self.system.is_final(item.c):
            yield item
            return
        if item.key() not in known:
            known[item.key()] = self.links(item.c, words)
        for link in known[item.key()]:
            yield from self.derivations(words, self.follow(item, link), known)

    def kbest(self, items: list[Item]) -> list[tuple[float, list[int], list[str]]]:
        """The parses of derivations, no two alike, with the averages."""
        found: dict[tuple, float] = {}
        for item in items:
            found.setdefault(self.tree(item), float(item.average))
        return [(score, list(heads), list(labels)) for (heads, labels), score in found.items()]

    def tree(self, item: Item) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Heads and labels, with one root if that is wanted."""
        heads, labels = item.c.heads, [label or "root" for label in item.c.labels]
        if self.settings.single_root and not self.system.single_root:
            if self.name in COVINGTON:
                heads, labels, _ = SlowParse([], heads, labels, self.offers(item)).with_one_root()
            else:
                first, *others = (word for word, head in enumerate(heads, 1) if head == 0)
                for word in others:
                    heads[word - 1], labels[word - 1] = first, dict(item.remembered)[word]
        return tuple(heads), tuple(labels)

    def offers(self, item: Item) -> dict:
        """Covington: what the derivation offered to each word and did not build."""
        offers: dict = {}
        for c, choice, is_forced, totals, _ in item.path:
            if not is_forced:
                choices = self.choices_that_matter(c)
                bests = {move: best([other for other in choices if other[0] == move], totals) for move, _ in choices}
                scores = {move: score_of(other, totals) for move, other in bests.items()} | {
                    choice[0]: score_of(choice, totals)
                }
                self.keep_offers(c, choice, bests, scores, offers)
        return offers

    # Training.

    def train(self):
        for number in range(1, self.settings.epochs + 1):
            explores = (
                gp.oracles.explores(self.settings.oracle)
                and number >= self.settings.explore_from
                and self.settings.explore == 1
            )
            for i in shuffled(len(self.sentences), self.settings.seed, number):
                if self.settings.beam == 1 or number < self.settings.beam_from:
                    self.learn(self.sentences[i], *self.trees[i], explores)
                else:
                    self.learn_with_beam(self.sentences[i], *self.trees[i])
        return self

    def learn_with_beam(self, words, heads, labels):
        """Reward the best right derivation and punish the best wrong one.

        The update is where the last right one falls out of the beam (early), or where the wrong one is furthest ahead.
        There is no update if the wrong one is behind by more than the margin.

        A better derivation that leads to the configuration of a right one is right too. If no right one is in the beam,
        the gold derivation is used instead.
        """
        gold = self.gold_derivation(words, heads, labels)
        items, step, found = [Item(self.system.initial(len(words)), is_right=True)], 0, []
        while not all(self.system.is_final(item.c) for item in items):
            items = self.advance(items, words, self.settings.beam, (heads, labels))
            step += 1
            right, wrong = (
                next((item.path for item in items if item.is_right is wanted), None) for wanted in (True, False)
            )
            has_fallen_out = self.settings.update == "early" and right is None
            if wrong is not None:
                right = gold[:step] if right is None else right
                violation = sum(link.score for link in wrong) + self.settings.margin - sum(link.score for link in right)
                found.append((has_fallen_out, violation, right, wrong))
            if has_fallen_out:
                break
        decisions = sum(link.is_scored for link in gold)
        self.decisions += decisions
        has_fallen_out, violation, right, wrong = max(found, key=lambda place: place[:2], default=(False, -1, (), ()))
        if has_fallen_out or violation >= 0:
            self.mistakes += decisions if violation >= self.settings.margin else 0
            self.update_paths(right, wrong)

    def gold_derivation(self, words, heads, labels) -> tuple[Link, ...]:
        """The moves that the parser likes best of those that the oracle accepts."""
        item = Item(self.system.initial(len(words)))
        while not self.system.is_final(item.c):
            item = self.follow(
                item, max(self.right_links(self.links(item.c, words), heads, labels), key=lambda link: link.score)
            )
        return item.path

    def right_links(self, links, heads, labels) -> list[Link]:
        """Those that the oracle accepts; what is forced is right."""
        if links[0].is_forced:
            return links
        accepted = self.accepted(links[0].before, heads, labels, [link.choice for link in links])
        return [link for link in links if link.choice in accepted]

    def update_paths(self, right, wrong):
        """From where they part."""
        common = next(
            (i for i, (one, other) in enumerate(zip(right, wrong, strict=False)) if one.choice != other.choice),
            min(len(right), len(wrong)),
        )
        for links, delta in ((right[common:], 1), (wrong[common:], -1)):
            for link in links:
                for feature in link.features or ():
                    self.met[feature] += 1
                    self.weights[feature][link.choice[1]] += delta
                    self.updates.append((self.decisions, feature, link.choice[1], delta))
