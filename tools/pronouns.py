"""Exchange masculine for feminine pronouns in sentences of an English treebank, as additional training data.

`python tools/pronouns.py en_ewt-ud-train.conllu pronouns.conllu`

English-EWT has the possessive *his* 380 times and the possessive *her* 102 times. *Her* can be an object as well, so a
parser easily takes it for one. This script copies sentences with a possessive *his*:

    He gave his brother a book.          She gave her brother a book.

The result depends on the treebank only.
"""

from __future__ import annotations

import argparse
import re

import gardenpath as gp
from gardenpath.formats.document import Sentence

LONGEST = 30                 # words of a sentence
FEMININE = {"he": "she", "his": "her", "him": "her", "himself": "herself"}
LEMMAS = {"he": "she", "his": "her", "himself": "herself"}
_PRONOUN = re.compile(rf"\b({'|'.join(FEMININE)})\b", re.IGNORECASE)


def feminine(pronoun: str) -> str:
    """Return the feminine form of a pronoun, in the same case."""
    form = FEMININE[pronoun.lower()]
    return form.upper() if pronoun.isupper() and len(pronoun) > 1 else form.title() if pronoun[0].isupper() else form


def is_suitable(sentence: Sentence) -> bool:
    """Return whether a sentence has a possessive `his`, and no word whose pronoun is not a token of its own."""
    words = sentence.words
    if len(words) > LONGEST or len(sentence.tokens) != len(words):
        return False
    pronouns = [word for word in words if word.form.lower() in FEMININE]
    if not all(word.upos == "PRON" and word.lemma in LEMMAS for word in pronouns):
        return False
    return any(word.deprel == "nmod:poss" for word in pronouns)


def exchanged(sentence: Sentence) -> str:
    """Return the sentence with feminine pronouns as CoNLL-U."""
    text = _PRONOUN.sub(lambda found: feminine(found[0]), sentence.text or "")
    lines = [f"# sent_id = feminine-{sentence.sent_id}", f"# text = {text}"]
    for word in sentence.words:
        columns = list(word.columns())
        if word.form.lower() in FEMININE:
            columns[1:3] = feminine(word.form), LEMMAS[word.lemma]
            columns[5] = word.raw_feats.replace("Gender=Masc", "Gender=Fem")
        lines.append("\t".join(columns))
    return "\n".join([*lines, "", ""])


def main() -> None:
    """Read a treebank, and write the new sentences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", help="CoNLL-U file with an English treebank")
    parser.add_argument("output", help="CoNLL-U file to write")
    arguments = parser.parse_args()
    with open(arguments.output, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(exchanged(sentence) for sentence in gp.read_conllu(arguments.treebank) if is_suitable(sentence))


if __name__ == "__main__":
    main()
