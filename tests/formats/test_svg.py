"""Trees as SVG: valid XML for any words, reproducible bytes, arcs that do not overlap, labels that fit."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath import Document, Sentence, Token, Word, read_conllu
from gardenpath.formats.drawing import Arc, arcs
from gardenpath.formats.layout import _levels, lay_out, text_width
from gardenpath.formats.svg import to_stage
from gardenpath.trees import is_projective
from sample import DEV

SVG = "{http://www.w3.org/2000/svg}"
SAMPLE = list(read_conllu(DEV))
HORSE = (
    ("The", 2, "det"), ("horse", 6, "nsubj"), ("raced", 2, "acl"), ("past", 5, "case"), ("barn", 3, "obl"),
    ("fell", 0, "root"),
)


def sentence(*rows, **settings):
    return Sentence(
        [Word(i, form, f"lemma{i}", "X", head=head, deprel=label) for i, (form, head, label) in enumerate(rows, 1)],
        **settings,
    )


def drawn(what, **options):
    """Draw a sentence or document and parse the XML."""
    return ElementTree.fromstring(what.to_svg(**options).encode())


def of_class(picture, name):
    return [element for element in picture.iter() if name in element.get("class", "").split()]


def texts(picture, name):
    return [element.text for element in of_class(picture, name)]


def positions(picture):
    """Return the x coordinate of the form of each word."""
    return {int(word.get("data-id")): int(word.find(f"{SVG}text").get("x")) for word in of_class(picture, "gp-word")}


def lines(picture):
    """Return the arcs of a compact picture as (head, dependent) to (left, right, height); left = right for roots."""
    found = {}
    for arc in of_class(picture, "gp-arc"):
        path = arc.find(f"{SVG}path").get("d")
        numbers = [int(number) for number in re.findall(r"-?\d+", path)]
        if "H" in path:
            left, right, height = numbers[0], numbers[3], -numbers[2]
        else:
            left, right, height = numbers[0], numbers[0], numbers[2] - numbers[1]
        found[int(arc.get("data-head")), int(arc.get("data-dependent"))] = left, right, height
    return found


forms = st.text(st.characters(), min_size=1, max_size=60)
labels = st.one_of(st.just("_"), st.text(st.characters(), min_size=1, max_size=20))
any_sentences = st.lists(st.tuples(forms, st.none() | st.integers(0, 12), labels), max_size=10).map(
    lambda rows: sentence(*rows)
)


@settings(max_examples=150, deadline=None)
@given(any_sentences, st.booleans(), st.booleans(), st.booleans())
def test_any_sentence_gives_a_picture(drawing, compact, tags, lemmas):
    picture = drawn(drawing, compact=compact, tags=tags, lemmas=lemmas)
    size = len(drawing)
    assert len(of_class(picture, "gp-word")) == size
    assert len(of_class(picture, "gp-arc")) == sum(
        word.head is not None and word.head <= size and word.head != word.id for word in drawing
    )
    assert picture.get("viewBox") == f"0 0 {picture.get('width')} {picture.get('height')}"


def test_characters_that_xml_forbids_are_replaced():
    picture = drawn(sentence(("a\x00\x1b<&>\"'\ud800\ufffe", 0, "x\x07y")))
    assert texts(picture, "gp-form") == ["a\ufffd\ufffd<&>\"'\ufffd\ufffd"]
    assert texts(picture, "gp-label") == ["x\ufffdy"]


def test_the_same_sentence_gives_the_same_bytes():
    for one, again in zip(SAMPLE, read_conllu(DEV), strict=True):
        assert one.to_svg() == again.to_svg()


def test_the_picture_is_self_contained():
    text = SAMPLE[0].to_svg()
    assert not re.search(r"<script| id=|href|url\(|@import|@font-face", text)
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]


def test_title_and_description_for_screen_readers():
    picture = drawn(sentence(*HORSE))
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == "The horse raced past barn fell"
    assert picture.findtext(f"{SVG}desc").startswith("fell: root; The: det of horse; ")
    assert drawn(sentence(("a", None, "_"), ("b", None, "_"))).findtext(f"{SVG}desc") == "2 words without heads."


def test_light_and_dark_colours_cover_the_same_elements():
    style = drawn(sentence(*HORSE)).findtext(f"{SVG}style")
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    coloured = re.compile(r"([^{};]+)\{[^{}]*#[0-9a-f]{6}")
    names = [
        {name.strip() for rule in coloured.findall(part) for name in rule.split(",")}
        for part in (light, dark.lstrip(" {"))
    ]
    assert names[0] == names[1]


def test_words_tags_and_lemmas():
    picture = drawn(sentence(*HORSE), lemmas=True)
    assert texts(picture, "gp-form") == [form for form, _, _ in HORSE]
    assert texts(picture, "gp-tag") == ["X"] * 6
    assert texts(picture, "gp-lemma") == [f"lemma{i}" for i in range(1, 7)]
    bare = drawn(sentence(*HORSE), tags=False)
    assert texts(bare, "gp-tag") == texts(bare, "gp-lemma") == []
    assert int(bare.get("height")) < int(picture.get("height"))


def test_labels_and_the_root():
    picture = drawn(sentence(*HORSE))
    assert sorted(texts(picture, "gp-label")) == sorted(label for _, _, label in HORSE)
    assert texts(picture, "gp-root-label") == ["root"]
    assert [root.get("data-dependent") for root in of_class(picture, "gp-root")] == ["6"]


def test_arrows_point_at_the_dependents():
    picture = drawn(sentence(*HORSE), compact=True)
    for arc in of_class(picture, "gp-arc"):
        head, dependent = int(arc.get("data-head")), int(arc.get("data-dependent"))
        left, right, _ = lines(picture)[head, dependent]
        tip = int(re.match(r"M(\d+)", arc.findall(f"{SVG}path")[1].get("d"))[1])
        assert tip == (left if dependent < head else right)


def test_words_without_heads_have_no_arcs():
    picture = drawn(sentence(("a", None, "_"), ("b", 9, "x"), ("c", 3, "x")))
    assert len(of_class(picture, "gp-word")) == 3
    assert of_class(picture, "gp-arc") == of_class(picture, "gp-label") == []


@pytest.mark.parametrize(
    "empty", [Sentence(), Document(), Document([Sentence()])], ids=["sentence", "document", "document of one"],
)
def test_nothing_to_draw(empty):
    picture = drawn(empty)
    assert int(picture.get("width")) > 0
    assert int(picture.get("height")) > 0


def test_columns_are_the_tooltip_and_long_forms_are_cut():
    address = "https://example.org/" + "a" * 200
    picture = drawn(sentence((address, None, "_")))
    (shown,) = texts(picture, "gp-form")
    assert address.startswith(shown[:-1])
    assert shown.endswith("…")
    assert len(shown) == 40
    assert of_class(picture, "gp-word")[0].findtext(f"{SVG}title") == f"1 {address} lemma1 X _ _"


heads = st.lists(st.integers(0, 12), min_size=12, max_size=12)


@settings(max_examples=100, deadline=None)
@given(heads)
def test_every_arc_is_above_the_arcs_it_spans(heads):
    drawing = sentence(*(("w", head, "x") for head in heads))
    for one, other in combinations(lay_out(drawing, arcs(drawing), [10] * 12, [], 12, 8).arcs, 2):
        gaps = [set(range(drawn.arc.first, drawn.arc.last)) for drawn in (one, other)]
        if gaps[0] & gaps[1]:
            assert one.level != other.level
            assert not gaps[0] < gaps[1] or one.level < other.level
            assert not gaps[1] < gaps[0] or other.level < one.level


def crossings(picture):
    """Count how often a vertical line crosses a horizontal one or overlaps another vertical one."""
    arcs = lines(picture)
    uprights = [(x, height) for left, right, height in arcs.values() for x in {left, right}]
    through = sum(left < x < right and height < up for left, right, height in arcs.values() for x, up in uprights)
    return through + len(uprights) - len({x for x, _ in uprights})


def test_lines_cross_only_in_non_projective_trees():
    for drawing in SAMPLE:
        assert (crossings(drawn(drawing, compact=True)) == 0) == is_projective(drawing.heads), drawing.where


HEBREW_HORSE = tuple(("סוס", head, label) for _, head, label in HORSE)
STAR = tuple(("w", {14: 13, 15: 0, 16: 17}.get(i, 15), "x") for i in range(1, 31))


@pytest.mark.parametrize("rows", [HORSE, HEBREW_HORSE, STAR], ids=["left to right", "right to left", "star"])
def test_every_arc_attaches_at_its_own_point_of_a_word(rows):
    assert crossings(drawn(sentence(*rows), compact=True)) == 0


@pytest.mark.parametrize("root", [1, 2, 5])
def test_a_root_is_above_its_arcs(root):
    picture = drawn(sentence(*(("w", 0 if i == root else root, "x") for i in range(1, 6))), compact=True)
    heights = {arc: height for arc, (_, _, height) in lines(picture).items()}
    assert heights.pop((0, root)) > max(heights.values())


def test_a_crossing_is_counted():
    assert crossings(drawn(sentence(("a", 3, "x"), ("b", 4, "x"), ("c", 0, "root"), ("d", 3, "x")), compact=True)) > 0


@pytest.mark.parametrize("compact", [False, True])
def test_labels_and_words_do_not_overlap(compact):
    long = sentence(*((form, head, label * 4) for form, head, label in HORSE))
    for drawing in [long, *SAMPLE]:
        picture = drawn(drawing, compact=compact)
        where = positions(picture)
        for one, other in zip(drawing, drawing.words[1:], strict=False):
            assert where[other.id] - where[one.id] > (text_width(one.form, 16) + text_width(other.form, 16)) / 2
        if compact:
            for (head, dependent), (left, right, _) in lines(picture).items():
                assert not head or right - left > text_width(drawing.words[dependent - 1].deprel, 12)


def test_words_stay_inside_the_picture():
    for drawing in [*SAMPLE, sentence(("Donaudampfschifffahrt", 2, "x"), ("Dampfschifffahrtsgesellschaft", 0, "x"))]:
        picture = drawn(drawing)
        where = positions(picture)
        for word in drawing:
            half = text_width(word.form, 16) / 2
            assert half < where[word.id] < int(picture.get("width")) - half


def test_a_hundred_words():
    chain = sentence(*((f"word{i}", i - 1, "conj") for i in range(1, 101)))
    fan = sentence(*((f"word{i}", min(i - 1, 1), "conj") for i in range(1, 101)))
    assert int(drawn(chain).get("width")) < 100 * 100
    assert int(drawn(chain).get("height")) < 150
    where = positions(drawn(fan))
    assert [where[i] for i in range(1, 101)] == sorted(where.values())


def test_right_to_left():
    hebrew = sentence(("הילדה", 2, "nsubj"), ("קראה", 0, "root"), ("(UD)", 2, "obj"))
    where = positions(drawn(hebrew))
    assert where[1] > where[2] > where[3]
    left, right, _ = lines(drawn(hebrew, compact=True))[2, 1]
    assert abs(right - where[1]) < abs(left - where[1])
    english = positions(drawn(sentence(("The", 2, "det"), ("letter", 0, "root"), ("א", 2, "appos"))))
    assert english[1] < english[2] < english[3]


def test_multi_word_tokens():
    picture = drawn(
        sentence(("du", None, "_"), ("a", None, "_"), ("b", None, "_"), ranges=[Token(2, 3, "Donaudampfschifffahrt")])
    )
    (token,) = of_class(picture, "gp-token")
    where = positions(picture)
    assert token.findtext(f"{SVG}text") == "Donaudampfschifffahrt"
    assert where[2] < int(token.find(f"{SVG}text").get("x")) < where[3]
    assert int(token.find(f"{SVG}text").get("x")) - text_width("Donaudampfschifffahrt", 16) // 2 > where[1]
    assert int(picture.get("height")) > int(token.find(f"{SVG}text").get("y"))


@pytest.mark.parametrize("form", ["a", "א"])
def test_brackets_reach_from_the_first_word_to_the_last(form):
    picture = drawn(sentence(*[(form, None, "_")] * 4, ranges=[Token(2, 4, form * 3)]))
    left, _, _, right, _ = map(int, re.findall(r"-?\d+", of_class(picture, "gp-token")[0].find(f"{SVG}path").get("d")))
    assert [left < x < right for _, x in sorted(positions(picture).items())] == [False, True, True, True]


def test_widths_of_characters():
    assert text_width("日本語", 10) == 30
    assert text_width("e\u0301\u0302", 10) == text_width("e", 10)
    assert text_width("ill", 10) < text_width("abc", 10) < text_width("MWM", 10)


def test_sentences_of_a_document_are_below_each_other():
    document = Document(SAMPLE[:3])
    picture = drawn(document)
    offsets = [int(re.search(r",(\d+)\)", group.get("transform"))[1]) for group in of_class(picture, "gp-sentence")]
    heights = [int(drawn(one).get("height")) for one in SAMPLE[:3]]
    assert offsets == [0, heights[0], heights[0] + heights[1]]
    assert int(picture.get("height")) == sum(heights)
    assert int(picture.get("width")) == max(int(drawn(one).get("width")) for one in SAMPLE[:3])


def test_right_to_left_sentences_of_a_document_start_on_the_right():
    picture = drawn(Document([SAMPLE[0], sentence(*HEBREW_HORSE)]))
    shifts = [int(re.search(r"\((\d+),", group.get("transform"))[1]) for group in of_class(picture, "gp-sentence")]
    assert shifts == [0, int(picture.get("width")) - int(drawn(sentence(*HEBREW_HORSE)).get("width"))]
    assert shifts[1] > 0


def test_notebooks():
    assert SAMPLE[0]._repr_svg_() == SAMPLE[0].to_svg()
    assert SAMPLE[0].to_svg() in SAMPLE[0]._repr_html_()
    html = Document(SAMPLE[:25])._repr_html_()
    assert html.count('class="gp-sentence"') == 20
    assert "and 5 more" in html
    assert "more" not in Document([sentence(*HORSE)])._repr_html_()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)).filter(lambda arc: arc[0] != arc[1]), unique=True))
def test_to_stage_draws_the_given_arcs(arcs):
    horse = sentence(*HORSE)
    picture = ElementTree.fromstring(
        to_stage(horse, [Arc(head, dependent, f"{head}-{dependent}") for head, dependent in arcs])
    )
    ends = [(int(arc.get("data-head")), int(arc.get("data-dependent"))) for arc in of_class(picture, "gp-arc")]
    assert sorted(ends) == sorted(arcs)
    labels = {
        (group.get("data-head"), group.get("data-dependent")): group.findtext(f"{SVG}text")
        for group in of_class(picture, "gp-label-group")
    }
    assert labels == {(str(head), str(dependent)): f"{head}-{dependent}" for head, dependent in arcs}
    assert texts(picture, "gp-form") == [form for form, _, _ in HORSE]
    assert picture.findtext(f"{SVG}title") == "The horse raced past barn fell"


def slow_levels(arcs, size):
    """The levels of arcs, with a list of the highest level over each gap."""
    levels, tops = {}, [0] * (size + 1)
    for arc in sorted(arcs, key=lambda arc: (arc.head == 0, arc.last - arc.first, arc.first)):
        gaps = slice(arc.last - 1, arc.last + 1) if arc.head == 0 else slice(arc.first, arc.last)
        levels[arc] = 1 + max(tops[gaps])
        if arc.head:
            tops[gaps] = [levels[arc]] * (arc.last - arc.first)
    return {arc: levels[arc] for arc in arcs}


@given(st.integers(1, 20).flatmap(lambda size: st.tuples(
    st.just(size), st.lists(st.tuples(st.integers(0, size), st.integers(1, size)), max_size=30, unique=True),
)))
def test_levels_are_those_of_a_plain_list(drawn):
    size, pairs = drawn
    arcs = [Arc(head, dependent, "") for head, dependent in pairs if head != dependent]
    assert _levels(arcs, size) == slow_levels(arcs, size)
