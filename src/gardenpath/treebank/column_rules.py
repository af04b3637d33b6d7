"""Rules about single columns: UPOS, FEATS, DEPREL, DEPS and MISC."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise

from gardenpath.evaluation.inventory import MISC_ATTRIBUTES, RELATIONS, UPOS_TAGS, base
from gardenpath.formats.document import EMPTY, EmptyNode, Sentence, Token
from gardenpath.treebank.rules import Finding, Node

_FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?=[A-Z0-9][A-Za-z0-9]*(,[A-Z0-9][A-Za-z0-9]*)*")
_DEPREL = re.compile(r"[a-z]+(:[a-z]+)?")
_HEAD = re.compile(r"(0|[1-9][0-9]*)(\.[1-9][0-9]*)?")
_ENHANCED = RELATIONS | {"ref"}
_SPELLINGS = {name.lower(): name for name in MISC_ATTRIBUTES}
_COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")

Problems = tuple[tuple[str, str], ...]          # pairs of a rule and a message


def column_findings(sentence: Sentence) -> Iterator[Finding]:
    """Yield the problems of all lines of a sentence."""
    ids = {columns[0] for node in sentence.nodes() if "-" not in (columns := node.columns())[0]} | {"0"}
    for node in sentence.nodes():
        for rule, problem in _line_problems(node, ids):
            yield Finding(rule, node, problem)


def _line_problems(node: Node, ids: set[str]) -> Iterator[tuple[str, str]]:
    identity, _, _, upos, _, feats, _, deprel, deps, misc = node.columns()
    yield from misc_problems(misc) if misc != EMPTY else ()
    if isinstance(node, Token):
        yield from _filled(node, range(7), "a multi-word token")
        return
    yield from feats_problems(feats) if feats != EMPTY else ()
    yield from _deps_problems(identity, deps, ids) if deps != EMPTY else ()
    if isinstance(node, EmptyNode):
        yield from _filled(node, (4, 5), "an empty node")
        return
    if upos not in UPOS_TAGS:
        yield "unknown-upos", f"UPOS {upos!r} is not a tag of UD; {_suggestion(upos, UPOS_TAGS)}"
    yield from deprel_problems(deprel) if deprel != EMPTY else ()


def _filled(node: Token | EmptyNode, places: range | tuple[int, ...], what: str) -> Iterator[tuple[str, str]]:
    rule = "mwt-nonempty-field" if isinstance(node, Token) else "empty-node-nonempty-field"
    for place in places:
        value, name = node.rest[place], _COLUMNS[place]
        if value != EMPTY and (name, value) != ("FEATS", "Typo=Yes"):
            yield rule, f"{what} has {name} {value!r}; write `_`"


@lru_cache(maxsize=10_000)
def feats_problems(feats: str) -> Problems:
    """Return the problems of a FEATS column."""
    items = feats.split("|")
    problems = []
    if [item.lower() for item in items] != sorted(item.lower() for item in items):
        problems.append(("unsorted-features", f"FEATS {feats!r} is not sorted; sort it by name"))
    for item in items:
        if not _FEATURE.fullmatch(item):
            problems.append(("invalid-feature", f"the feature {item!r} is not of the form Name=Value; correct it"))
            continue
        values = item.partition("=")[2].split(",")
        if len(set(values)) < len(values):
            problems.append(("repeated-feature-value", f"the feature {item!r} repeats a value; remove it"))
        if [value.lower() for value in values] != sorted(value.lower() for value in values):
            problems.append(("unsorted-feature-values", f"the values of {item!r} are not sorted; sort them"))
    names = Counter(item.partition("=")[0] for item in items if _FEATURE.fullmatch(item))
    problems += [
        ("repeated-feature", f"the feature {name} occurs {count} times; join its values with commas")
        for name, count in names.items() if count > 1
    ]
    return tuple(problems)


@lru_cache(maxsize=1_000)
def deprel_problems(deprel: str) -> Problems:
    """Return the problems of a DEPREL column."""
    if not _DEPREL.fullmatch(deprel):
        return (("invalid-deprel", f"DEPREL {deprel!r} is not of the form relation or relation:subtype; correct it"),)
    if base(deprel) not in RELATIONS:
        remedy = _suggestion(base(deprel), RELATIONS)
        return (("unknown-udeprel", f"DEPREL {deprel!r} is not a relation of UD; {remedy}"),)
    return ()


def _deps_problems(identity: str, deps: str, ids: set[str]) -> Iterator[tuple[str, str]]:
    pairs = [tuple(item.split(":", 1)) for item in deps.split("|")]
    if any(len(pair) < 2 or not _HEAD.fullmatch(pair[0]) for pair in pairs):
        yield "invalid-deps", f"DEPS {deps!r} is not of the form head:relation|...; correct it"
        return
    for head in dict.fromkeys(head for head, _ in pairs if head not in ids):
        yield "unknown-ehead", f"DEPS has the head {head}, which does not exist; correct it"
    keys = [_order(head) for head, _ in pairs]
    if keys != sorted(keys):
        yield "unsorted-deps", f"the heads of DEPS {deps!r} are not in order; sort them"
    else:
        yield from _repeated_deps(pairs)
    if identity in (head for head, _ in pairs):
        yield "deps-self-loop", f"word {identity} is its own head in DEPS; give it another head"
    for relation in dict.fromkeys(relation for _, relation in pairs if base(relation) not in _ENHANCED):
        remedy = _suggestion(base(relation), _ENHANCED)
        yield "unknown-eudeprel", f"{relation!r} in DEPS is not a relation of UD; {remedy}"


def _repeated_deps(pairs: list[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for (head, relation), (other, following) in pairwise(pairs):
        if head == other and relation == following:
            yield "repeated-deps", f"DEPS has {head}:{relation} twice; remove one"
        elif head == other and following < relation:
            yield "unsorted-deps-2", f"the relations to the head {head} in DEPS are not sorted; sort them"


def _order(head: str) -> tuple[int, int]:
    after, _, index = head.partition(".")
    return int(after), int(index or 0)


@lru_cache(maxsize=10_000)
def misc_problems(misc: str) -> Problems:
    """Return the problems of a MISC column."""
    problems: list[tuple[str, str]] = []
    items = [item.partition("=") for item in misc.split("|")]
    for name, equals, value in items:
        if not name and equals:
            problems.append(("empty-misc-key", f"the item {equals + value!r} of MISC has no name; add one"))
        elif not name:
            problems.append(("empty-misc", "MISC has an empty item; remove a vertical bar"))
        if name.strip() != name or value.strip() != value:
            problems.append(("misc-extra-space", f"the item {name + equals + value!r} of MISC has spaces; remove them"))
        known = _SPELLINGS.get(name.strip().lower(), name)
        if known != name:
            problems.append(("misc-attr-typo", f"the attribute {name!r} of MISC is misspelt; write {known}"))
    names = Counter(name for name, _, _ in items if name in MISC_ATTRIBUTES)
    problems += [
        ("repeated-misc", f"MISC has {name} {count} times; keep one") for name, count in names.items() if count > 1
    ]
    return tuple(problems)


def _suggestion(value: str, known: frozenset[str]) -> str:
    close = get_close_matches(value.upper() if known is UPOS_TAGS else value, sorted(known), n=1)
    return f"did you mean {close[0]}?" if close else "see https://universaldependencies.org"
