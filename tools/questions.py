"""Make questions and headlines out of the statements of an English treebank, as additional training data.

`python tools/questions.py en_ewt-ud-train.conllu questions.conllu`

English-EWT has few questions with a full subject (44 such as "Does the phone work?" in 12,544 sentences) and few
headlines. This script turns some of its short statements into such sentences and changes tags and trees accordingly:

    The phone works.                     Does the phone work?
    Your parents will like it.           Will your parents like it?
    The guide recommended the hotel.     Which hotel did the guide recommend?
    The council approved a new budget.   Council approves new budget

The result depends on the treebank only.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from copy import copy

import gardenpath as gp
from gardenpath.formats.document import EMPTY, Sentence, Word

LONGEST = 16                 # words of a statement
MOST = {"question": 500, "which": 150, "headline": 300}
FINITE = {"VBZ": "Does", "VBP": "Do", "VBD": "Did"}
NO_SPACE = "SpaceAfter=No"
INFINITIVE = ("VB", "VerbForm=Inf")
ARTICLES = ("the", "a", "an")
SUBJECTS = ("nsubj", "nsubj:pass")
COMPLEX = ("conj", "parataxis", "csubj", "list", "discourse", "vocative")      # other clauses, and additions


class Statement:
    """A statement that begins with its subject, followed by an auxiliary or the verb, and ends with a full stop."""

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        self.root = next(word for word in words if word.head == 0)
        self.subject = next(word for word in words if word.head == self.root.id and word.deprel in SUBJECTS)
        span = self.subtree(self.subject)
        self.end = len(span)                       # the words before this place are the subject
        self.is_regular = [word.id for word in span] == list(range(1, self.end + 1))
        self.is_simple = not any(word.head == self.root.id and word.deprel in COMPLEX for word in words)
        self.next = words[self.end]

    def subtree(self, word: Word) -> list[Word]:
        """The words below a word, and the word itself."""
        found = {word.id}
        while new := {each.id for each in self.words if each.head in found} - found:
            found |= new
        return [each for each in self.words if each.id in found]


def statements(sentences: Iterable[Sentence]) -> Iterator[tuple[str, Statement]]:
    """Yield the statements that can be changed, each with the id of its sentence."""
    for sentence in sentences:
        words = sentence.words
        spaces = [word.misc for word in words[:-1]]
        if not 4 <= len(words) <= LONGEST or words[-1].form != "." or len(sentence.tokens) != len(words):
            continue
        if any(NO_SPACE in misc for misc in spaces[:-1]) or NO_SPACE not in spaces[-1]:
            continue
        subjects = [word for word in words if word.deprel in SUBJECTS and words[(word.head or 1) - 1].head == 0]
        if len(subjects) != 1 or subjects[0].upos not in ("NOUN", "PROPN"):
            continue
        statement = Statement([copy(word) for word in words])
        if statement.is_regular and statement.is_simple and statement.end < len(words) - 1:
            yield sentence.sent_id or "", statement


def question(statement: Statement) -> list[Word] | None:
    """Move the auxiliary or copula before the subject, or add a form of `do`."""
    words, after = statement.words, statement.next
    subject, rest = words[: statement.end], words[statement.end :]
    if after.head == statement.root.id and after.deprel in ("aux", "aux:pass", "cop") and after.form.isalpha():
        return [after, *subject, *rest[1:]]
    if after is not statement.root or after.xpos not in FINITE or after.lemma == "be":
        return None
    return [_support(after), *subject, *rest]


def which(statement: Statement) -> list[Word] | None:
    """Ask for the object: `Which` replaces its article, and it moves to the front."""
    after, words = statement.next, statement.words
    objects = [word for word in words if word.head == statement.root.id and word.deprel == "obj"]
    if after is not statement.root or after.xpos not in FINITE or after.lemma == "be" or len(objects) != 1:
        return None
    span = statement.subtree(objects[0])
    article = span[0]
    regular = [word.id for word in span] == list(range(article.id, article.id + len(span)))
    if not regular or article.form.lower() not in ARTICLES or objects[0].upos != "NOUN":
        return None
    article.form, article.lemma, article.xpos, article.feats = "Which", "which", "WDT", "PronType=Int"
    subject = words[: statement.end]
    rest = [word for word in words[statement.end :] if word not in span]
    support = _support(after)
    support.form = support.form.lower()
    return [*span, support, *subject, *rest]


def headline(statement: Statement) -> list[Word] | None:
    """Leave out articles and the full stop, and use the present tense."""
    verb = statement.root
    if statement.next is not verb or verb.xpos not in ("VBD", "VBZ") or verb.lemma in ("be", "have", "do"):
        return None
    if "Number=Plur" in statement.subject.feats:
        verb.form, verb.xpos, number = verb.lemma, "VBP", "Plur"
    else:
        verb.form, verb.xpos, number = _third_person(verb.lemma), "VBZ", "Sing"
    verb.feats = f"Mood=Ind|Number={number}|Person=3|Tense=Pres|VerbForm=Fin"
    return [word for word in statement.words[:-1] if word.deprel != "det" or word.form.lower() not in ARTICLES]


def _support(verb: Word) -> Word:
    """Return a form of `do` for a finite verb, which becomes an infinitive."""
    form = FINITE[verb.xpos]
    added = Word(0, form, "do", "AUX", verb.xpos, verb.feats, verb.id, "aux")
    verb.form, (verb.xpos, verb.feats) = verb.lemma, INFINITIVE
    return added


def _third_person(lemma: str) -> str:
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return lemma + "es"
    return lemma[:-1] + "ies" if lemma.endswith("y") and lemma[-2:-1] not in "aeiou" else lemma + "s"


def written(name: str, words: list[Word]) -> str:
    """Return the words in their new order as a sentence of CoNLL-U."""
    if words[0].upos != "PROPN":
        words[0].form = words[0].form[:1].upper() + words[0].form[1:]
    for word in words[1:]:
        if word.id == 1 and word.upos != "PROPN":
            word.form = word.form[:1].lower() + word.form[1:]
    places = {word.id: place for place, word in enumerate(words, 1)} | {0: 0}
    ends_with_mark = words[-1].upos == "PUNCT"
    if ends_with_mark:
        words[-1].form = words[-1].lemma = "?"
    heads = [places[0] if word.head == 0 else places[word.head or 0] for word in words]
    for place, (word, head) in enumerate(zip(words, heads, strict=True), 1):
        word.id, word.head, word.deps = place, head, EMPTY
        word.misc = NO_SPACE if ends_with_mark and place == len(words) - 1 else EMPTY
    text = " ".join(word.form for word in words)
    text = text.removesuffix(" ?") + "?" if ends_with_mark else text
    lines = ["\t".join(word.columns()) for word in words]
    return "\n".join(["# newpar", f"# sent_id = {name}", f"# text = {text}", *lines, "", ""])


def made(sentences: list[Sentence], kind: str, change: Callable[[Statement], list[Word] | None]) -> Iterator[str]:
    """Yield sentences of one kind, from statements that are spread evenly over the treebank."""
    found = [
        (name, words) for name, statement in statements(sentences)
        if (words := change(statement)) and all(word.head == 0 or word.head in {w.id for w in words} for word in words)
    ]
    step = max(len(found) / MOST[kind], 1.0)
    for i in range(min(len(found), MOST[kind])):
        name, words = found[int(i * step)]
        yield written(f"{kind}-{name}", words)


def main() -> None:
    """Read a treebank, and write the new sentences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", help="CoNLL-U file with an English treebank")
    parser.add_argument("output", help="CoNLL-U file to write")
    arguments = parser.parse_args()
    sentences = list(gp.read_conllu(arguments.treebank))
    kinds = {"question": question, "which": which, "headline": headline}
    with open(arguments.output, "w", encoding="utf-8", newline="\n") as file:
        for kind, change in kinds.items():
            file.writelines(made(sentences, kind, change))


if __name__ == "__main__":
    main()
