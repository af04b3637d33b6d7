"""The catalogue of Universal Dependencies treebanks: languages, treebanks, licences, sizes and addresses."""

from gardenpath.catalogue.entries import BASE, LanguageEntry, TreebankEntry
from gardenpath.catalogue.reading import languages, release, treebanks
from gardenpath.catalogue.search import choose, find_language, find_treebank, suggestions

__all__ = [
    "BASE", "LanguageEntry", "TreebankEntry", "choose", "find_language", "find_treebank", "languages", "release",
    "suggestions", "treebanks",
]
