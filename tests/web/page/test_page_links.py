"""The address of the page, and saved files."""

import struct
from xml.etree import ElementTree

import pytest

from web.page.steering import FALL, SAW, address, arcs, ask, go, made, reloading, step, stop_clock, visit
from web.serving import PLAN

pytestmark = pytest.mark.xdist_group("server")

SVG = "{http://www.w3.org/2000/svg}"


def seen(page):
    """Return what the form, the panels and the comparison show."""
    names = ("#input", "#kind", "#model", "[data-part=who]", "[data-part=oracle]", "[data-part=slider]")
    fields = [page.locator(name).nth(i).input_value() for name in names for i in range(page.locator(name).count())]
    checks = [page.locator(name).is_checked() for name in ("#gold", "#linked", "#show-gold")]
    panels = page.locator(".panel").count()
    return (
        fields, checks, [(step(page, i), made(page, i), arcs(page, panel=i)) for i in range(panels)],
        page.locator(".banner:visible").all_inner_texts(), page.locator("#comparison").inner_text(),
    )


def test_the_address_restores_the_view(page, server, browser):
    visit(page, server, f"{SAW}\n\n{FALL}".replace(SAW, FALL), gold=1, sentence=2)
    page.get_by_role("button", name="Side by side").click()
    page.locator("#comparison-body > *").nth(2).wait_for()
    page.get_by_label("step both together").uncheck()
    page.get_by_label("show gold arcs").check()
    second = page.locator(".panel").nth(1)
    with reloading(page, 1):
        second.locator("[data-part=who]").select_option("system:arc-eager-nmld")
    with reloading(page, 1):
        second.locator("[data-part=oracle]").select_option("static")
    go(page, 3, panel=1)
    second.get_by_role("button", name="What if RIGHT-ARC").click()
    second.locator("[data-part=banner]").wait_for()
    go(page, 6)
    link, before = address(page), seen(page)
    other = browser.new_context(viewport=page.viewport_size, reduced_motion="reduce").new_page()
    other.goto(link)
    other.locator("#comparison-body > *").nth(2).wait_for()
    after = seen(other)
    assert address(other) == link
    other.context.close()
    assert after == before
    assert before[2][0][0] == 6
    assert before[2][1][0] == 4
    assert "sentence=2" in link


def test_the_link_is_copied(page, server):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.clock.install()
    visit(page, server, SAW)
    stop_clock(page)          # the button says that the link is copied for two seconds
    go(page, 9)
    page.get_by_role("button", name="Copy link").click()
    page.locator("#copy", has_text="Copied").wait_for()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == page.evaluate("location.href")
    assert "a.step=9" in link


def test_another_address_is_opened_in_place(page, server):
    visit(page, server, SAW)
    page.goto(f"{server.url}/#text=They+sink.&a.step=1")
    page.locator(".list.stack li", has_text="They").wait_for()
    assert page.input_value("#input") == "They sink."
    page.evaluate(
        "() => { const own = location.hash; location.hash = '#text=We+rise.'; history.replaceState(null, '', own); }"
    )
    page.locator(".list.buffer li", has_text="rise").wait_for()
    assert page.input_value("#input") == "We rise.", "even if the page has written its own address in the meantime"


def test_invalid_addresses(troubled_page, server):
    page = troubled_page
    for fragment in (
        "a.step=99", "a.step=-1&sentence=77", "a=model:none", "a=system:none", "a=nonsense",
        "a.moves=fly(x)&a.chosen=0", "kind=odd", "%zz",
    ):
        page.goto("about:blank")
        page.goto(f"{server.url}/#text=They+sink.&{fragment}")
        page.locator("[data-part=count]:not(:empty), [role=alert]:visible").first.wait_for()
        assert (
            page.locator("[data-part=work]").is_visible()
            or "none" in fragment
            or "nonsense" in fragment
            or "odd" in fragment
        )
        page.select_option("#example", label="She gave him a book.")
        page.locator("#trees .gp-form", has_text="book").wait_for()


def save(page, kind):
    with page.expect_download() as download:
        page.get_by_role("group", name="Save").get_by_role("button", name=kind, exact=True).click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def test_the_picture_as_svg_is_self_contained(page, server):
    page.emulate_media(color_scheme="dark")
    visit(page, server, PLAN, a_step=11)
    name, content = save(page, "SVG")
    assert name == "the-president-admitted-the-plan-will_arc-eager-unshift_step-11.svg"
    root = ElementTree.fromstring(content)
    assert root.tag == f"{SVG}svg"
    lines = [group for group in root.iter(f"{SVG}g") if "gp-arc" in (group.get("class") or "").split()]
    drawn = [(int(line.get("data-head")), int(line.get("data-dependent"))) for line in lines]
    assert sorted(drawn) == sorted([*arcs(page), *arcs(page, "is-broken")])
    assert not [part for part in root.iter() if "is-hidden" in (part.get("class") or "").split()]
    style = "".join(root.find(f"{SVG}style").itertext())
    assert "var(" not in style
    assert ".gp-background { fill: #ffffff; }" in style, "light colours, even if the page is dark"
    whole = page.locator(".stage svg")
    assert root.get("width") == whole.get_attribute("width")
    assert int(root.get("height")) < int(whole.get_attribute("height")), "without the space for hidden arcs"
    assert b"http" not in content.replace(b"http://www.w3.org/2000/svg", b"")


def test_the_picture_as_png(page, server):
    visit(page, server, SAW, a_step=4)
    name, content = save(page, "PNG")
    assert name.endswith("_step-4.png")
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    picture = ElementTree.fromstring(save(page, "SVG")[1])
    assert (width, height) == (2 * int(picture.get("width")), 2 * int(picture.get("height")))


def test_the_derivation_as_latex(page, server):
    visit(page, server, FALL, gold=1, a="system:arc-eager-nml")
    name, content = save(page, "LaTeX")
    assert name == "i-saw-jack-and-jill-fall_arc-eager-nml.tex"
    assert rb"\begin{tabular}" in content
    assert content.count(b"\\textsc{left-arc}") == 3


def test_the_result_as_conllu(page, server):
    visit(page, server, SAW)
    name, content = save(page, "CoNLL-U")
    assert name.endswith(".conllu")
    conllu = ask(server, "/api/parse", {"text": SAW})["conllu"]
    answer = ask(server, "/api/trace", {"conllu": conllu, "model": "en-fast"})
    assert content.decode() == answer["conllu"]
