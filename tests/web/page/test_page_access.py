"""Accessibility of the page: keyboard, screen reader, dark theme, small screens."""

import re

import pytest

from web.page.steering import FALL, SAW, step, visit
from web.serving import PLAN

pytestmark = pytest.mark.xdist_group("server")

NAMED = {"button", "link", "textbox", "combobox", "slider", "checkbox", "group", "article", "dialog", "region", "image"}


def nodes(page):
    """Return role and name of all elements that a screen reader announces."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in tree if not node["ignored"]
    ]


def test_every_control_has_a_name(page, server):
    visit(page, server, FALL, gold=1, a_step=3, b="system:covington-nm")
    page.locator("#comparison-body > *").nth(2).wait_for()
    there = nodes(page)
    nameless = {role for role, name in there if role in NAMED and not name}
    assert nameless == set()
    assert {"button", "textbox", "combobox", "slider", "checkbox", "article"} <= {role for role, _ in there}


def test_landmarks_and_headings(page, server):
    visit(page, server, SAW)
    there = nodes(page)
    roles = [role for role, _ in there]
    for landmark in ("banner", "main", "navigation"):
        assert roles.count(landmark) == 1, landmark
    regions = {name for role, name in there if role == "region"}
    assert regions >= {"Sentence", "Tree predicted by en-fast", "Step by step"}
    assert page.get_by_role("heading").all_inner_texts()[:4] == [
        "gardenpath", "Sentence", "Tree predicted by en-fast", "Step by step",
    ]
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.title()


def test_tables_have_headers_and_the_live_region_is_polite(page, server):
    visit(page, server, FALL, gold=1, a_step=3)
    assert page.locator("[data-part=moves] thead th[scope=col]").all_inner_texts() == [
        "next", "transition", "score", "cost", "what if",
    ]
    assert (
        page.locator("[data-part=moves] tbody th[scope=row]").count()
        == page.locator("[data-part=moves] tbody tr").count()
    )
    assert page.locator("#live").get_attribute("aria-live") == "polite"
    page.keyboard.press("ArrowRight")
    assert page.locator("#live").inner_text().startswith("Step 4 of ")


def test_everything_by_keyboard(page, server):
    page.goto(server.url)
    page.locator("[data-part=count]:not(:empty)").wait_for()
    tab_to(page, "#input")
    page.keyboard.press("Control+a")
    page.keyboard.type("I saw Jack.")
    page.keyboard.press("Control+Enter")
    page.locator("[data-part=count]", has_text="of 7").wait_for()
    tab_to(page, "[data-go=next]")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    assert step(page) == 2
    tab_to(page, "[data-part=slider]")
    page.keyboard.press("ArrowRight")
    assert step(page) == 3
    tab_to(page, ".strip [tabindex='0']")
    page.keyboard.press("ArrowLeft")
    assert (step(page), page.evaluate("() => document.activeElement.dataset.step")) == (2, "2")
    page.keyboard.press("ArrowRight")
    tab_to(page, ".what-if[aria-label='What if SHIFT']")
    page.keyboard.press("Enter")
    page.locator("[data-part=banner]").wait_for()
    tab_to(page, "[data-part=back]")
    page.keyboard.press("Enter")
    page.locator("[data-part=banner]").wait_for(state="hidden")
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Help").is_visible()
    page.keyboard.press("ArrowLeft")
    assert step(page) == 4, "an open dialog receives the keys"
    page.keyboard.press("Enter")
    assert page.get_by_role("dialog").count() == 0


def tab_to(page, selector):
    """Press Tab until this element has the focus."""
    for _ in range(120):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def test_the_focus_is_visible_and_never_trapped(page, server):
    visit(page, server, SAW, a_step=3)
    reached = []
    for _ in range(80):
        page.keyboard.press("Tab")
        here = page.evaluate("""() => {
            const here = document.activeElement;
            return here === document.body ? null : [here.outerHTML.slice(0, 120), getComputedStyle(here).outlineStyle];
        }""")
        if here is None:
            break
        reached.append(here)
    else:
        raise AssertionError("Tab never leaves the page")
    assert len(reached) > 20
    assert {outline for _, outline in reached} == {"solid"}


PAIRS = [
    ("ink", "paper"),
    ("soft", "paper"),
    ("ink", "band"),
    ("soft", "band"),
    ("accent", "paper"),
    ("on-accent", "accent"),
    ("ink", "middle-ground"),
    ("ink", "broken-ground"),
    *(
        (name, ground)
        for name in ("stack", "middle", "buffer", "made", "wrong", "broken")
        for ground in ("paper", f"{name}-ground")
    ),
    ("soft", "stack-ground"),
    ("soft", "buffer-ground"),
    ("soft", "middle-ground"),
    ("wrong", "middle-ground"),
    ("made", "middle-ground"),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(page, server, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(server.url)
    names = sorted({name for pair in PAIRS for name in pair})
    read = """names => names.map(name => {
        document.body.style.color = `var(--${name})`;
        return getComputedStyle(document.body).color;
    })"""
    colours = dict(zip(names, page.evaluate(read, names), strict=True))
    assert (luminance(colours["paper"]) < 0.5) is (scheme == "dark")
    weak = {
        pair: round(contrast(*(colours[name] for name in pair)), 2)
        for pair in PAIRS
        if contrast(*(colours[name] for name in pair)) < 4.5
    }
    assert weak == {}


def contrast(one, other):
    """Return the contrast ratio of WCAG 2."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    parts = [int(part) / 255 for part in re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour).groups()]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_dark_theme_of_the_system_and_of_the_user(page, server):
    def ground():
        return page.evaluate(
            "() => [getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(document.querySelector('.stage .gp-background')).fill]"
        )

    visit(page, server, SAW)
    light = ground()
    page.emulate_media(color_scheme="dark")
    dark = ground()
    assert light == ["rgb(255, 255, 255)"] * 2
    assert dark[0] == dark[1] != light[0]
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Dark").click()
    assert ground() == dark
    assert page.get_by_role("button", name="Dark").get_attribute("aria-pressed") == "true"
    page.reload()
    page.locator("[data-part=count]:not(:empty)").wait_for()
    assert ground() == dark
    page.get_by_role("button", name="Dark").click()
    assert ground() == light


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_reduced_motion(page, server, motion):
    page.emulate_media(reduced_motion=motion)
    visit(page, server, PLAN, a_step=11)
    moving = page.locator(".stage :is(.is-broken, .is-made .gp-line, .gp-cross)")
    names = moving.evaluate_all("parts => parts.map(part => getComputedStyle(part).animationName)")
    assert names
    assert all((name == "none") is (motion == "reduce") for name in names)


@pytest.mark.parametrize("width", [320, 390, 768])
def test_small_screens(page, server, width):
    page.set_viewport_size({"width": width, "height": 700})
    visit(page, server, FALL, gold=1, a_step=3, b="system:swap")
    page.locator("#comparison-body > *").nth(2).wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    cut = page.locator("main :is(button, select, textarea, input):visible").evaluate_all(
        "(controls, width) => controls"
        ".filter(each => each.getBoundingClientRect().right > width && !each.closest('th'))"
        ".map(each => each.outerHTML)",
        width,
    )
    assert cut == []
