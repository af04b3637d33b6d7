"""Guess the encoding of a text from its bytes, by simple rules.

A byte order mark, zero bytes and valid UTF-8 decide at once. Otherwise the bytes beyond ASCII must be letters of one
language in an 8-bit encoding.
"""

from __future__ import annotations

import codecs
import re

UTF8 = "utf-8"
_MARKS = (
    (codecs.BOM_UTF8, UTF8), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)
# 8-bit encodings, each with the letters beyond ASCII of a language. Of those that fit equally well, the first counts.
_LATIN = (
    ("cp1252", "äöüß"), ("cp1252", "éèêëàâçîïôûùœæ"), ("cp1252", "áéíóúüñ"), ("cp1252", "áâãàçéêíóôõú"),
    ("cp1252", "àèéìòù"), ("cp1252", "åäöé"), ("cp1252", "æøåé"), ("cp1252", "áðéíóúýþæö"), ("cp1252", "éëïöü"),
    ("cp1252", "õäöüšž"), ("cp1252", "àçéèíïóòúü"), ("cp1254", "çğıöşüâîû"), ("cp1257", "āčēģīķļņšūž"),
    ("cp1257", "ąčęėįšųūž"), ("cp1250", "áčďéěíňóřšťúůýž"), ("cp1250", "ąćęłńóśźż"), ("cp1250", "áéíóöőúüű"),
    ("cp1250", "čšžćđ"), ("cp1250", "áäčďéíĺľňóôŕšťúýž"), ("cp1250", "ăâîşţ"), ("iso8859-2", "áčďéěíňóřšťúůýž"),
    ("iso8859-2", "ąćęłńóśźż"), ("iso8859-2", "čšžćđ"), ("cp1252", "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœšžß"),
)
_OTHER_SCRIPTS = (
    ("cp1251", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"), ("cp1251", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    ("cp1251", "абвгдђежзијклљмнњопрстћуфхцчџш"),
    ("koi8-r", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"), ("cp1253", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),
)
_SIGNS = frozenset("“”‘’‚„«»‹›–—…·•°§£€©®™´`¡¿\xa0\xad")         # they are in text of any language
_ASCII_LETTERS = re.compile(rb"[A-Za-z]")
_LOOKED_AT = 1 << 16     # number of bytes that tell UTF-16 from other files with zero bytes
_FEW = 10                # so few letters beyond ASCII do not tell a script
_CLEAR = 0.95            # the share of the letters beyond ASCII that must belong to one language


def guess(content: bytes, *, is_whole: bool = False) -> str | None:
    """Return the likely encoding of a text, or None if it is not text or the encoding is unclear.

    Unless the content is the whole text, it may end in the middle of a character.
    """
    for mark, name in _MARKS:
        if content.startswith(mark):
            return name
    if b"\0" in content:
        return _wide(content)
    return UTF8 if _is_utf8(content, is_whole) else _eight_bit(content)


def _wide(content: bytes) -> str | None:
    """Return which UTF-16 this is: the zeros are in the high bytes of most letters, spaces and line ends."""
    size = min(_LOOKED_AT, len(content) - len(content) % 2)
    for name, high in (("utf-16-le", 1), ("utf-16-be", 0)):
        high_bytes, low_bytes = content[high:size:2], content[1 - high : size : 2]
        blanks = sum(low in b" \n\r" and not top for low, top in zip(low_bytes, high_bytes, strict=True))
        if low_bytes.count(0) * 100 < len(low_bytes) < blanks * 100:
            try:
                codecs.getincrementaldecoder(name)().decode(content)
            except UnicodeDecodeError:
                return None
            return name
    return None


def _is_utf8(content: bytes, is_whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder(UTF8)().decode(content, final=is_whole)
    except UnicodeDecodeError:
        return False
    return True


def _eight_bit(content: bytes) -> str | None:
    """Return the 8-bit encoding in which the letters beyond ASCII are those of one language, or None."""
    beyond = bytes(byte for byte in content if byte >= 0x80)
    is_latin = len(beyond) < max(_FEW, len(_ASCII_LETTERS.findall(content)))
    alphabets = _LATIN if is_latin else _OTHER_SCRIPTS
    fits = [_fit(beyond.decode(name, "replace"), letters) for name, letters in alphabets]
    best = max(fits)
    return alphabets[fits.index(best)][0] if best else None


def _fit(text: str, alphabet: str) -> float:
    """Return how well the letters of a text fit an alphabet: 0 if they do not.

    Small letters count more, because in the wrong encoding they often become capitals.
    """
    letters = [letter for letter in text if letter not in _SIGNS]
    known = sum(letter.lower() in alphabet for letter in letters)
    if "\ufffd" in text or known < _CLEAR * len(letters):
        return 0.0
    return (1 + known + sum(letter in alphabet for letter in letters)) / (1 + len(letters))
