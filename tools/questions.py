"""Make questions and headlines out of the statements of an English treebank, as additional training data.

`python tools/questions.py en_ewt-ud-train.conllu questions.conllu`

English-EWT has few questions with a full subject (44 such as "Does the phone work?" in 12,544 sentences) and few
headlines. This script turns some of its short statements into such sentences and changes tags and trees accordingly:

    The phone works.                     Does the phone work?
    Your parents will like it.           Will your parents like it?
    The guide recommended the hotel.     Which hotel did the guide recommend?
    The council approved a new budget.   Council approves new budget

With `--composed`, statements with a pronoun as the subject get the subject of another sentence before that, so that
there are more verbs:

    The new law ... + It helps them.     Does the new law help them?
    The army ... + They need a base.     Army needs base

The result depends on the treebank only.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from copy import copy

import gardenpath as gp
from gardenpath.formats.document import EMPTY, Sentence, Word

LONGEST = 16                 # words of a statement
MOST = {"question": 500, "which": 150, "headline": 300, "composed": 800, "modal": 800, "short": 300}
FINITE = {"VBZ": "Does", "VBP": "Do", "VBD": "Did"}
MODALS = ("will", "would", "can", "could", "should")
NO_SPACE = "SpaceAfter=No"
INFINITIVE = ("VB", "VerbForm=Inf")
ARTICLES = ("the", "a", "an")
SUBJECTS = ("nsubj", "nsubj:pass")
PARTS_OF_SUBJECTS = ("det", "amod", "compound", "nmod:poss", "nummod", "flat")
LONGEST_SUBJECT = 4
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


def statements(
    sentences: Iterable[Sentence], tags: tuple[str, ...] = ("NOUN", "PROPN")
) -> Iterator[tuple[str, Statement]]:
    """Yield the statements that can be changed, each with the id of its sentence. `tags` are those of the subject."""
    for sentence in sentences:
        words = sentence.words
        spaces = [word.misc for word in words[:-1]]
        if not 4 <= len(words) <= LONGEST or words[-1].form != "." or len(sentence.tokens) != len(words):
            continue
        if any(NO_SPACE in misc for misc in spaces[:-1]) or NO_SPACE not in spaces[-1]:
            continue
        subjects = [word for word in words if word.deprel in SUBJECTS and words[(word.head or 1) - 1].head == 0]
        if len(subjects) != 1 or subjects[0].upos not in tags:
            continue
        statement = Statement([copy(word) for word in words])
        if statement.is_regular and statement.is_simple and statement.end < len(words) - 1:
            yield sentence.sent_id or "", statement


def noun_phrases(sentences: Iterable[Sentence]) -> list[list[Word]]:
    """Return the short subjects of the treebank that consist of a noun, articles, adjectives and the like."""
    found: dict[str, list[Word]] = {}
    for sentence in sentences:
        words = sentence.words
        for noun in words:
            if noun.deprel != "nsubj" or noun.upos not in ("NOUN", "PROPN") or "Number=" not in noun.raw_feats:
                continue
            span = [word for word in words if word is noun or word.head == noun.id]
            regular = span[-1] is noun and noun.id - span[0].id == len(span) - 1
            simple = all(word is noun or word.deprel in PARTS_OF_SUBJECTS for word in span)
            if not (regular and simple and len(span) <= LONGEST_SUBJECT and all(word.form.isalpha() for word in span)):
                continue
            parts = {word.id for word in span} - {noun.id}
            if any(word.head in parts for word in words):
                continue
            found.setdefault(" ".join(word.form for word in span).lower(), span)
    return list(found.values())


def with_subject(statement: Statement, phrase: list[Word]) -> Statement | None:
    """Replace the pronoun that is the subject of a statement by a noun phrase, as the first words."""
    verb, start = statement.next, len(statement.words) + 1
    if statement.end != 1 or statement.subject.deprel != "nsubj":
        return None
    if not (verb is statement.root and verb.xpos in FINITE) and verb.xpos != "MD":
        return None
    span = [copy(word) for word in phrase]
    ids = {word.id: place for place, word in enumerate(span, start)}
    for word in span:
        word.id, word.head = ids[word.id], ids.get(word.head or 0, statement.root.id)
    if span[0].lemma[:1].islower():
        span[0].form = span[0].form[:1].lower() + span[0].form[1:]
    if verb.xpos in ("VBZ", "VBP"):
        _put_into_present(verb, is_plural="Number=Plur" in span[-1].raw_feats)
    statement.words = [*span, *statement.words[1:]]
    statement.end = len(span)
    statement.subject = next(word for word in span if word.head == statement.root.id)
    return statement


def question(statement: Statement) -> list[Word] | None:
    """Move the auxiliary or copula before the subject, or add a form of `do`."""
    words, after = statement.words, statement.next
    subject, rest = words[: statement.end], words[statement.end :]
    if after.head == statement.root.id and after.deprel in ("aux", "aux:pass", "cop") and after.form.isalpha():
        return [after, *subject, *rest[1:]]
    if after is not statement.root or after.xpos not in FINITE or after.lemma == "be":
        return None
    return [_support(after), *subject, *rest]


def modal_question(statement: Statement) -> list[Word] | None:
    """Ask with a modal verb instead of a form of `do`."""
    words = question(statement)
    if words is None or words[0].lemma != "do":
        return None
    lemma = MODALS[(len(words) + len(statement.root.lemma)) % len(MODALS)]
    words[0].form, words[0].lemma, words[0].xpos, words[0].feats = lemma.capitalize(), lemma, "MD", "VerbForm=Fin"
    return words


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
    _put_into_present(verb, is_plural="Number=Plur" in statement.subject.raw_feats)
    verb.form = verb.lemma if verb.xpos == "VBP" else _third_person(verb.lemma)
    return [word for word in statement.words[:-1] if word.deprel != "det" or word.form.lower() not in ARTICLES]


def _support(verb: Word) -> Word:
    """Return a form of `do` for a finite verb, which becomes an infinitive."""
    form = FINITE[verb.xpos]
    added = Word(0, form, "do", "AUX", verb.xpos, verb.feats, verb.id, "aux")
    verb.form, (verb.xpos, verb.feats) = verb.lemma, INFINITIVE
    return added


def _put_into_present(verb: Word, *, is_plural: bool) -> None:
    """Give a verb the tags of the third person of the present tense."""
    verb.xpos, number = ("VBP", "Plur") if is_plural else ("VBZ", "Sing")
    verb.feats = f"Mood=Ind|Number={number}|Person=3|Tense=Pres|VerbForm=Fin"


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


Change = Callable[[Statement], list[Word] | None]
Found = list[tuple[str, list[Word]]]


def made(sentences: list[Sentence], change: Change) -> Found:
    """Return sentences of one kind, each with the id of its statement."""
    return [
        (name, words) for name, statement in statements(sentences)
        if (words := change(statement)) and _is_complete(words)
    ]


def composed(sentences: list[Sentence], change: Change) -> Found:
    """Return sentences of one kind, from statements with a pronoun as the subject, which a noun phrase replaces."""
    phrases = noun_phrases(sentences)
    found: Found = []
    for name, statement in statements(sentences, ("PRON",)):
        # The step of 37 mixes the phrases.
        changed = with_subject(statement, phrases[len(found) * 37 % len(phrases)])
        if changed and (words := change(changed)) and _is_complete(words):
            found.append((name, words))
    return found


def _is_complete(words: list[Word]) -> bool:
    ids = {0, *(word.id for word in words)}
    return all(word.head in ids for word in words)


def some(found: Found, kind: str) -> Iterator[str]:
    """Yield the sentences of one kind, not more than `MOST`, spread evenly over the treebank."""
    step = max(len(found) / MOST[kind], 1.0)
    for i in range(min(len(found), MOST[kind])):
        name, words = found[int(i * step)]
        yield written(f"{kind}-{name}", words)


def main() -> None:
    """Read a treebank, and write the new sentences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", help="CoNLL-U file with an English treebank")
    parser.add_argument("output", help="CoNLL-U file to write")
    parser.add_argument("--composed", action="store_true", help="exchange subjects as well, for more sentences")
    arguments = parser.parse_args()
    sentences = list(gp.read_conllu(arguments.treebank))
    with open(arguments.output, "w", encoding="utf-8", newline="\n") as file:
        for kind, change in {"question": question, "which": which, "headline": headline}.items():
            file.writelines(some(made(sentences, change), kind))
        if not arguments.composed:
            return
        for kind, change in {"composed": question, "modal": modal_question, "short": headline}.items():
            file.writelines(some(composed(sentences, change), kind))


if __name__ == "__main__":
    main()
