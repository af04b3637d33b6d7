"""The template notation: all shipped sets, the meaning of letters, and errors that name file, line and word."""

import pytest

from gardenpath import systems
from gardenpath.errors import InputError, UsageError
from gardenpath.features.encoding import Encoder
from gardenpath.features.templates import names, parse_template, parse_templates, read_templates, set_for
from gardenpath.formats.document import Word
from gardenpath.perceptron.extractor import Extractor

ARC_EAGER = systems.get("arc-eager")

# Lines and their atoms.
NOTATION = {
    "S0w": "S0.w",
    "S0wp": "S0.w S0.p",
    "S0w S0p": "S0.w S0.p",
    "S0wp N0p": "S0.w S0.p N0.p",
    "B0w B1p": "N0.w N1.p",
    "B0lp": "N0l.p",
    "S0l": "S0.l",                         # the label of the word itself
    "S0lp": "S0l.p",                       # the tag of its leftmost dependent
    "S0ll": "S0l.l",                       # the label of that dependent
    "S0l2l": "S0l2.l",                     # the label of the second dependent
    "S0l2w": "S0l2.w",
    "S0r2p": "S0r2.p",
    "S0rl": "S0r.l",
    "S0vl": "S0.vl",
    "S0lvl": "S0l.vl",
    "S0vr sl": "S0.vr S0.sl",
    "S0w vr": "S0.w S0.vr",
    "S0w N0p vl": "S0.w N0.p N0.vl",       # a property without an address belongs to the address before it
    "S0lp vl": "S0l.p S0l.vl",
    "N0sl sr": "N0.sl N0.sr",
    "S0hp": "S0h.p",
    "S0hl": "S0h.l",
    "S0h2w": "S0h2.w",
    "S0hlp": "S0hl.p",
    "S0p N0p d": "S0.p N0.p .d",
    "d": ".d",
    "S0d": ".d",
    "S0m": "S0.m",
    "S0m[Case]": "S0.m[Case]",
    "S0wm[Case]p": "S0.w S0.m[Case] S0.p",
    "N0m[Number[psor]]": "N0.m[Number[psor]]",
    "S0lm[Case]": "S0l.m[Case]",
    "S0i2e3": "S0.i2 S0.e3",
    "S0li2": "S0l.i2",
    "S3um x": "S3.u S3.m S3.x",
    "S0c N0c4c6": "S0.c N0.c4 N0.c6",      # the cluster of the word, and its first bits
    "S0lc4 N0wc": "S0l.c4 N0.w N0.c",
    "A0w": "A0.w",                         # the word above the head of a deep arc
    "A0lp vr": "A0l.p A0l.vr",
    "A1p A0p S0p": "A1.p A0.p S0.p",
    "S0l'w": "S0l'.w",                     # the nearest dependent
    "S0r'l": "S0r'.l",
    "N0l'p N0lp": "N0l'.p N0l.p",
    "S0l'r2p vl": "S0l'r2.p S0l'r2.vl",
    "S0hr'sr": "S0hr'.sr",
    "CLwp": "CL.w CL.p",                   # the words between the pair in focus
    "CRl": "CR.l",
    "CRlp": "CRl.p",
    "CLh2w CRr'l": "CLh2.w CRr'.l",
    "CLp CRp d": "CL.p CR.p .d",
    "CLw vr": "CL.w CL.vr",
    "CLc CRlc6": "CL.c CRl.c6",
}


def atoms(line):
    return " ".join(f"{atom.address}.{atom.property}" for atom in parse_template(line, "here").atoms)


@pytest.mark.parametrize("line", NOTATION)
def test_notation(line):
    assert atoms(line) == NOTATION[line]
    assert Extractor(ARC_EAGER, [line]).template_count == 1


INVALID = [
    "S0", "A0", "S0h", "S0l2", "S0q", "T0w", "S12w", "s0w", "S0W", "S0m[]", "S0m[Case", "S0v", "S0e", "S0iw", "S0w,",
    "Sw", "é", "S0h'w", "S0'w", "S0l'", "S0l''w", "S0l2'w", "S0l'2w", "S0v'l", "S0l’w", "CL", "CXw", "Cw", "C0w",
    "CL0w", "CLRw", "LCw", "c0w", "S0c10", "S0c04",
]


@pytest.mark.parametrize("word", INVALID)
def test_errors_name_the_invalid_word(word):
    with pytest.raises(InputError) as error:
        parse_template(f"N0w {word}", "my.txt:7")
    assert str(error.value).startswith(f"my.txt:7: {word!r} is not a word address followed by properties")


def test_a_property_needs_an_address():
    with pytest.raises(InputError, match=r"^my.txt:7: 'vr' has no address, .* before it; write `S0vr` or `N0vr`"):
        parse_template("vr S0w", "my.txt:7")


@pytest.mark.parametrize("system", systems.names())
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("tag", ["xpos", "upos"])
def test_shipped_sets(name, tag, system):
    lines = read_templates(name)
    assert len(set(lines)) == len(lines)
    # If `p` means UPOS, templates that differ only in `p` and `u` are the same.
    distinct = lines if tag == "xpos" else {line.replace("p", "u") for line in lines}
    assert len(parse_templates(lines)) == len(lines)
    assert Extractor(systems.get(system), lines, tag).template_count == len(distinct)


def test_sets_that_include_others():
    sizes = {"zhang-nivre": 72, "zhang-nivre-ud": 85, "rich": 113, "rich-clusters": 128}
    assert {name: len(read_templates(name)) for name in sizes} == sizes
    for name, included in (("zhang-nivre-ud", "zhang-nivre"), ("rich", "zhang-nivre-ud"), ("rich-clusters", "rich")):
        lines, first = read_templates(name), read_templates(included)
        assert lines[: len(first)] == first


def test_every_system_has_its_set():
    for system in systems.names():
        template_set = systems.get(system).template_set
        assert set_for("auto", template_set) == ("rich" if system.startswith("arc-eager") else system)
        assert set_for("zhang-nivre", template_set) == "zhang-nivre"
        assert set_for("my/own.txt", template_set) == "my/own.txt"
    assert "auto" not in names()


def test_covingtons_sets():
    """`fernandez-gomez` has the paper's 67 templates on single words, ten on pairs and ten on triples."""
    lines = read_templates("fernandez-gomez")
    sizes = [len({atom.address for atom in template.atoms if atom.address}) for template in parse_templates(lines)]
    assert [sizes.count(size) for size in (1, 2, 3)] == [67, 10, 10]
    assert {"S0w d", "S0l'l", "S0h2l", "N0h2p", "CLwp", "CRp", "S0wp N0wp", "N0p N1p", "S0p N0p d"} <= set(lines)
    assert {"S0p S0r'p S0rp", "S0hp S0p N0p"} <= set(lines)
    assert not {"N0h2l", "N0rp", "N0l", "N0w vr"} & set(lines)
    assert read_templates("covington-nm") == read_templates("covington")


def test_the_set_of_zhang_and_nivre_is_complete():
    assert {"zhang-nivre", "rich"} <= set(names())
    lines = read_templates("zhang-nivre")
    assert len(lines) == 72
    assert {"S0wp N0wp", "S0p S0rp S0r2p", "N0p sl", "S0h2p", "S0w N0w d", "N0ll"} <= set(lines)
    assert {line for line in lines if "m" in line or "u" in line} == set()


def test_a_custom_file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_bytes("\ufeff# a comment\r\n\r\nS0w   # the top\r\n  N0p vl\r\n".encode())
    assert read_templates(path) == read_templates(str(path)) == ["S0w", "N0p vl"]


def test_errors_in_a_custom_file(tmp_path):
    path = tmp_path / "mine.txt"
    for text, message in [
        (b"# one\nS0w\n\nS0w N0zz # two\n", r":4: 'N0zz' is not"),
        (b"S0w\nS0w \xff\n", r": byte 9 is not UTF-8"),
        (b"# nothing\n\n", r": the file contains no templates; write one per line, such as `S0w N0p`"),
        (b"", r": the file contains no templates"),
    ]:
        path.write_bytes(text)
        with pytest.raises(InputError, match=f"{path}{message}"):
            read_templates(path)


@pytest.fixture
def write(tmp_path):
    """Return a function that writes template files and returns the path of the first."""
    def files(**texts):
        for name, text in texts.items():
            (tmp_path / name).write_text(text.replace("HERE", str(tmp_path)))
        return tmp_path / next(iter(texts))

    return files


def test_an_include_line_is_replaced_by_the_set(write):
    path = write(mine="S0w\ninclude zhang-nivre  # the papers'\nN0w\n")
    assert read_templates(path) == ["S0w", *read_templates("zhang-nivre"), "N0w"]
    assert read_templates(write(mine="include rich\n")) == read_templates("rich")


def test_files_include_files(write):
    path = write(
        mine="S0w\ninclude HERE/second\nS3w", second="S1w\ninclude  HERE/third\ninclude HERE/third",
        third="# the last\nS2w # word\n",
    )
    assert read_templates(path) == ["S0w", "S1w", "S2w", "S2w", "S3w"]
    assert Extractor(ARC_EAGER, read_templates(path)).template_count == 4


def test_a_file_can_have_the_name_of_the_set_that_it_includes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rich.txt").write_text("include rich\nN5w\n")
    assert read_templates("rich.txt") == [*read_templates("rich"), "N5w"]


def test_include_paths_are_relative_to_the_including_file(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "mine").write_text("include\tbelow/second\nS0w")
    (tmp_path / "below" / "second").write_text("include third")
    (tmp_path / "below" / "third").write_text("N0w")
    assert read_templates(tmp_path / "mine") == ["N0w", "S0w"]


@pytest.mark.parametrize("files, invalid, message", [
    ({"mine": "S0w\ninclude HERE/mine"}, "mine", ":2: .*/mine includes itself"),
    (
        {"mine": "include HERE/second", "second": "include HERE/mine"},
        "second", ":1: .*/mine includes itself through .*/mine and .*/second; ",
    ),
    ({"mine": "include second", "second": "include ./second"}, "second", ":1: .*/second includes itself"),
    ({"mine": "include HERE/second", "second": "include HERE/second"}, "second", ":1: .*/second includes itself"),
    ({"mine": "include HERE/second", "second": "S0w\nN0zz"}, "second", ":2: 'N0zz' is not a word address"),
    ({"mine": "include HERE/second", "second": "# nothing\n"}, "second", ": the file contains no templates"),
], ids=["itself", "through another", "another spelling", "second itself", "error in the second", "empty second"])
def test_invalid_includes(files, invalid, message, write, tmp_path):
    with pytest.raises(InputError, match=f"^{tmp_path / invalid}{message}"):
        read_templates(write(**files))


@pytest.mark.parametrize("other", ["nonsense", "no/such/file.txt"])
def test_an_included_set_must_exist(other, write):
    path = write(mine=f"S0w\ninclude {other}\n")
    with pytest.raises(InputError, match=f"no template set '{other}'; use a file or one of .*zhang-nivre") as error:
        read_templates(path)
    assert str(error.value).startswith(f"{path}:2: ")


@pytest.mark.parametrize("source", ["nonsense", "no/such/file.txt", "."])
def test_no_such_set(source):
    with pytest.raises(UsageError, match=rf"no template set '{source}'; use a file or one of .*zhang-nivre"):
        read_templates(source)


def test_duplicate_templates_are_removed():
    assert Extractor(ARC_EAGER, ["S0w N0p", "S0w B0p", "S0w   N0p"]).template_count == 1


BASES = [f"{end}{i}" for end in "SN" for i in range(10)]
ADDRESSES = [f"{base}{step}" for step in ("", "l", "r", "h", "l2", "r2", "h2") for base in BASES]
AFFIXES = [f"{end}{i}" for end in "ie" for i in range(10)]


@pytest.mark.parametrize("lines", [
    [f"{address}w" for address in ADDRESSES],
    [f"{address}{affix}" for address in ADDRESSES[:40] for affix in AFFIXES],
    [f"S0{a}{b}{c}" for a in AFFIXES for b in AFFIXES for c in AFFIXES],
], ids=["addresses", "atoms", "templates"])
def test_exceeding_a_limit_raises_an_error(lines):
    with pytest.raises(UsageError, match=r"at most|more than"):
        Extractor(ARC_EAGER, lines)


def test_too_many_atoms_are_reported_with_file_and_line(tmp_path):
    (tmp_path / "own.txt").write_text("S0w\nS0wpuxm\n")
    with pytest.raises(InputError, match=r"own\.txt:2: 'S0wpuxm' has 5 atoms; a template can have at most 4"):
        read_templates(tmp_path / "own.txt")


def test_properties_are_those_that_the_templates_use():
    """Each property is listed once, in any order."""
    for lines, tag, properties in [
        (["S0wp N0m[Case]", "S0l vl d", "N0e3 S0w", "N0uw"], "upos", ["e3", "m[Case]", "u", "w"]),
        (["S0wp N0u"], "xpos", ["u", "w", "x"]), (["d"], "xpos", []),
        (["CLw CRp", "S0l'm"], "xpos", ["m", "w", "x"]), (["S0cc4", "N0c4w", "N1c"], "xpos", ["c", "c4", "w"]),
    ]:
        assert sorted(Extractor(ARC_EAGER, lines, tag).properties) == properties


@pytest.mark.parametrize("name", ["q", "i", "ex", "m[Case", "form", "l", "cx", "c-4"])
def test_no_such_property(name):
    with pytest.raises(UsageError, match="there is no property"):
        Encoder([name])


def test_unusual_words_can_be_encoded():
    encoder = Encoder(["w", "u", "x", "m", "m[Case]", "i2", "e9", "e0", "c", "c4"])
    feats = {"": "", "é": "Case", "日本語": "Case=", "🌱" * 5000: "|Case=Nom||", "\x00a": "=|="}
    words = [Word(1, form, feats=feats[form]) for form in feats]
    assert encoder.encode([words, [], words]).size == 3
    assert encoder.encode([]).size == 0
    with pytest.raises((TypeError, UnicodeEncodeError)):
        encoder.encode([[Word(1, None)]])
    with pytest.raises(UnicodeEncodeError):
        encoder.encode([[Word(1, "\ud800")]])


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_an_included_name_that_no_file_can_have_is_an_error(name, tmp_path):
    (tmp_path / "mine.txt").write_text(f"S0w\ninclude {name}\n")
    with pytest.raises(InputError, match=r"mine\.txt:2: there is no template set"):
        read_templates(tmp_path / "mine.txt")
