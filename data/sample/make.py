"""Generate the sample treebank from a small hand-written grammar of English, with fixed seeds.

    python data/sample/make.py [FOLDER]

writes sample-{train,dev,test}.conllu into the folder (this one by default). The same seeds give the same bytes.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from random import Random

from sentences import Maker, sentence, shuffled_kinds
from words import Node

SIZES = {"train": 400, "dev": 80, "test": 80}
SEED = 2012
PARAGRAPH, DOCUMENT = 5, 20
LONGEST = 32
MARKED = {"nmod": "case", "obl": "case", "conj": "cc", "advcl": "mark", "acl": "mark"}


def main(folder: Path) -> None:
    """Write the three files."""
    rng = Random(SEED)
    seen: set[str] = set()
    for part, size in SIZES.items():
        text = "".join(_sentences(rng, part, size, seen))
        (folder / f"sample-{part}.conllu").write_text(text, encoding="utf-8", newline="\n")


def _sentences(rng: Random, part: str, size: int, seen: set[str]) -> list[str]:
    result: list[str] = []
    for number, maker in enumerate(shuffled_kinds(rng, size)):
        kind, nodes, text = _new_sentence(rng, maker, seen)
        comments = [f"# newdoc id = sample-{part}-{number // DOCUMENT + 1}"] * (number % DOCUMENT == 0)
        comments += ["# newpar"] * (number % PARAGRAPH == 0)
        comments += [f"# sent_id = sample-{part}-{number + 1:03}", f"# text = {text}", f"# kind = {kind}"]
        result.append("\n".join([*comments, *_rows(nodes)]) + "\n\n")
    return result


def _new_sentence(rng: Random, maker: Maker, seen: set[str]) -> tuple[str, list[Node], str]:
    """Generate a sentence of a kind that is new and not too long."""
    while True:
        kind, phrase = sentence(rng, maker)
        _capitalise(phrase.nodes)
        text = _text(phrase.nodes)
        if text not in seen and len(phrase.nodes) <= LONGEST:
            seen.add(text)
            return kind, phrase.nodes, text


def _capitalise(nodes: list[Node]) -> None:
    nodes[0].form = nodes[0].form[0].upper() + nodes[0].form[1:]
    for node, following in pairwise(nodes):
        node.space_after = not node.joined and following.upos != "PUNCT"
    nodes[-1].space_after = True


def _text(nodes: list[Node]) -> str:
    return "".join(node.form + " " * node.space_after for node in nodes).rstrip()


def _rows(nodes: list[Node]) -> list[str]:
    """Return the lines of words, of multi-word tokens before their words, and of empty nodes after a word."""
    ids = {node: str(place) for place, node in enumerate(nodes, 1)}
    ids |= {node.empty: f"{place}.1" for place, node in enumerate(nodes, 1) if node.empty}
    rows = []
    for place, node in enumerate(nodes):
        if node.joined and not (place and nodes[place - 1].joined):
            rows.append(_range(nodes, place))
        rows.append(_row(node, ids, inside=node.joined or bool(place and nodes[place - 1].joined)))
        if node.empty:
            rows.append(_empty(node.empty, ids))
    return rows


def _range(nodes: list[Node], first: int) -> str:
    last = next(place for place in range(first, len(nodes)) if not nodes[place].joined)
    form = "".join(node.form for node in nodes[first : last + 1])
    return "\t".join([f"{first + 1}-{last + 1}", form, *"_" * 7, "_" if nodes[last].space_after else "SpaceAfter=No"])


def _row(node: Node, ids: dict[Node, str], *, inside: bool) -> str:
    head = ids[node.head] if node.head else "0"
    misc = "_" if node.space_after or inside else "SpaceAfter=No"
    columns = [ids[node], node.form, node.lemma, node.upos, node.xpos, node.feats]
    return "\t".join([*columns, head, node.deprel, _deps(node, ids), misc])


def _deps(node: Node, ids: dict[Node, str]) -> str:
    """Return the enhanced head and relation.

    The head is the empty node if there is one. The relation names the preposition or conjunction
    (`obl:with`, `conj:and`).
    """
    head, deprel = node.enhanced or (node.head, node.deprel)
    if deprel in MARKED:
        marks = [other for other in ids if other.head is node and other.deprel == MARKED[deprel]]
        deprel += "".join(f":{mark.lemma}{'_of' if 'ExtPos' in mark.feats else ''}" for mark in marks[:1])
    return f"{ids[head] if head else '0'}:{deprel}"


def _empty(node: Node, ids: dict[Node, str]) -> str:
    columns = [ids[node], node.form, node.lemma, node.upos, node.xpos, node.feats]
    return "\t".join([*columns, "_", "_", _deps(node, ids), "_"])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
