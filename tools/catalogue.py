"""Write the catalogue of treebanks from a release of Universal Dependencies.

    python tools/catalogue.py ud-treebanks-v2.16 --release 2.16

The folder has a folder per treebank (`UD_German-GSD`), each with its CoNLL-U files and README.md. Names, licences,
genres, words and the sizes of the files are read from there. Treebanks that are not in the folder are removed, unless
`--keep` is given: then the folder updates some treebanks, and the others stay as they are.

A release has no own names of languages, and no ISO 639 codes. Those of known languages stay as they are. For new
languages they come from CLDR and ISO 639-3 if the packages Babel and pycountry are installed; otherwise they are left
out.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path

from gardenpath.catalogue.entries import NON_COMMERCIAL, LanguageEntry, TreebankEntry
from gardenpath.catalogue.reading import FILE, read, write
from gardenpath.formats.conllu import read_conllu
from gardenpath.treebank.credits import readme_field
from gardenpath.treebank.parts import find_parts

# The recommended treebank where the rule of `recommended` would choose one that is less suitable for ordinary text.
PREFERRED = {
    "Chinese": "UD_Chinese-GSDSimp",            # simplified characters; the text is that of UD_Chinese-GSD
    "German": "UD_German-GSD",                  # UD_German-HDT does not record where there are spaces
    "Icelandic": "UD_Icelandic-Modern",         # UD_Icelandic-IcePaHC has texts from the 12th century on
    "Latin": "UD_Latin-ITTB",                   # UD_Latin-LLCT has charters
    "Norwegian": "UD_Norwegian-Bokmaal",        # as large as UD_Norwegian-Nynorsk; most Norwegian texts are in Bokmål
    "Portuguese": "UD_Portuguese-Bosque",       # European and Brazilian, with revised annotation
    "Romanian": "UD_Romanian-RRT",              # UD_Romanian-Nonstandard has old and regional texts
    "Turkish": "UD_Turkish-BOUN",               # UD_Turkish-Kenet has examples from a dictionary
}
LARGE_ENOUGH = 0.5          # the share of the largest treebank that a freely licensed one needs to be recommended


def from_folder(folder: Path, release: str) -> TreebankEntry:
    """Return the entry of a treebank."""
    parts = find_parts(folder)
    forms = [word.form for file in parts.files() for sentence in read_conllu(file) for word in sentence.words]
    readme = (folder / "README.md").read_text(encoding="utf-8") if (folder / "README.md").is_file() else ""
    return TreebankEntry(
        folder.name, parts.code, folder.name.removeprefix("UD_").partition("-")[0].replace("_", " "),
        licence=readme_field(readme, "License"), genres=tuple((readme_field(readme, "Genre") or "").split()),
        words=len(forms), words_release=release,
        files={part: sum(file.stat().st_size for file in files) for part, files in parts.by_part.items()},
        files_release=release, has_text=any(form != "_" for form in forms),
    )


def updated(old: TreebankEntry, new: TreebankEntry) -> TreebankEntry:
    """Return the new facts of a treebank, and the old ones where the release states none."""
    return replace(
        new, licence=new.licence or old.licence, genres=new.genres or old.genres, aliases=old.aliases,
        name=old.name, language=old.language,
    )


def recommended(treebanks: list[TreebankEntry]) -> TreebankEntry | None:
    """Return the treebank that models of a language are made from by default.

    It is the largest training set whose licence permits commercial use and adaptations. If another training set is
    more than twice as large, it is that one.
    """
    usable = sorted((each for each in treebanks if each.can_train), key=_size, reverse=True)
    free = [each for each in usable if not NON_COMMERCIAL.search(each.licence or "") and "ND" not in str(each.licence)]
    if free and _size(free[0]) >= LARGE_ENOUGH * _size(usable[0]):
        return free[0]
    return usable[0] if usable else None


def _size(treebank: TreebankEntry) -> int:
    return treebank.files.get("train") or 0


def arranged(language: LanguageEntry) -> LanguageEntry:
    """Mark the recommended treebank of a language, and put it first; the others follow by size."""
    names = {each.name: each for each in language.treebanks}
    preferred = names.get(PREFERRED.get(language.name, ""))
    best = preferred if preferred and preferred.can_train else recommended(list(language.treebanks))
    marked = [replace(each, is_recommended=best is not None and each.name == best.name) for each in names.values()]
    order = sorted(marked, key=lambda each: (not each.is_recommended, not each.can_train, -_size(each), each.name))
    return replace(language, treebanks=tuple(order))


def new_language(treebank: TreebankEntry) -> LanguageEntry:
    """Return a language that is not yet in the catalogue, with names and codes if Babel and pycountry know them."""
    code = treebank.code.partition("_")[0]
    found = LanguageEntry(treebank.language, code)
    try:
        from babel import Locale, UnknownLocaleError
        from pycountry import languages as iso
    except ImportError:
        print(f"{treebank.language}: install Babel and pycountry for its own name and its ISO 639 codes")
        return found
    known = iso.get(alpha_2=code) if len(code) == 2 else iso.get(alpha_3=code)
    iso1, iso3 = getattr(known, "alpha_2", None), getattr(known, "alpha_3", None)
    own = None
    for each in filter(None, (code, iso1)):
        try:
            own = own or Locale.parse(each).languages.get(each)
        except (UnknownLocaleError, ValueError):
            continue
    name = re.sub(r"\s*\(.*?\)", "", getattr(known, "name", treebank.language))
    return replace(
        found, own_name=own, iso1=iso1, iso3=iso3, aliases=() if name == treebank.language else (name,),
    )


def merged(
    known: tuple[LanguageEntry, ...], found: list[TreebankEntry], keep: bool,
) -> list[LanguageEntry]:
    """Return the languages with the treebanks that were found, and with the other known ones if they are kept."""
    languages = {language.name: replace(language, treebanks=()) for language in known}
    old = {treebank.code: treebank for language in known for treebank in language.treebanks}
    new = {each.code: updated(old[each.code], each) if each.code in old else each for each in found}
    for treebank in ((old | new) if keep else new).values():
        language = languages.get(treebank.language) or new_language(treebank)
        languages[language.name] = replace(language, treebanks=(*language.treebanks, treebank))
    return [arranged(language) for language in languages.values() if language.treebanks]


def main() -> None:
    """Write the data file."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, nargs="*", help="folder of a release, or of single treebanks")
    arguments.add_argument("--release", required=True, help="number of the release, such as 2.16")
    arguments.add_argument("--keep", action="store_true", help="keep the entries of treebanks that are not there")
    arguments.add_argument("--output", "-o", type=Path, default=FILE)
    given = arguments.parse_args()
    folders = [each for folder in given.folder for each in (sorted(folder.glob("UD_*")) or [folder])]
    entries = [from_folder(folder, given.release) for folder in folders if any(folder.glob("*.conllu"))]
    release, known = read(FILE)
    languages = merged(known, entries, given.keep)
    write(given.output, release if given.keep else given.release, languages)
    print(f"{given.output}: {sum(len(each.treebanks) for each in languages)} treebanks of {len(languages)} languages")


if __name__ == "__main__":
    main()
