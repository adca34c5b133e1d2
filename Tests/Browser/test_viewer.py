# Longbox
# SPDX-License-Identifier: MIT
"""Gestures on a comic: zoom, swipe, double tap and keys, while the bars keep working."""

import re

import pytest
from playwright.sync_api import expect

import recording
from gestures import Gestures

# This comic and the next fit a phone's width.
NARROW = 12


def picture(page):
    return page.get_by_role("img", name=re.compile(r"^Comic \d+: "))


def box(page):
    return picture(page).bounding_box()


def middle(page):
    """The middle of the visible part of the picture."""
    rect = box(page)
    view = page.viewport_size
    left, right = max(rect["x"], 0), min(rect["x"] + rect["width"], view["width"])
    top, bottom = max(rect["y"], 60), min(rect["y"] + rect["height"], view["height"] - 140)
    return (left + right) / 2, (top + bottom) / 2


def zoom_of(page):
    """The picture's zoom level; 1 at rest."""
    level = page.locator(".zoom-level")
    return int(level.inner_text().removesuffix(" %")) / 100 if level.count() else 1


def ready(page):
    """Waits until the page handles gestures."""
    expect(page.locator("html.gestures")).to_be_attached()
    expect(picture(page)).to_have_js_property("complete", True)
    return Gestures(page)


def comic(page, number):
    expect(page.get_by_role("img", name=re.compile(rf"^Comic {number}: "))).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/{number}/$"))


@pytest.fixture
def open_comic(open_page, site):
    # Without a worker, which would reload the page if something had changed when it takes over.
    def open_number(number, device="phone", **options):
        page = open_page(f"{site}/{number}/", device=device, service_workers="block", **options)
        return page, ready(page)

    return open_number


@pytest.mark.parametrize("number", [recording.PLAIN, recording.WIDE, recording.TALL])
def test_a_pinch_zooms_about_the_fingers_and_the_next_comic_is_one_tap_away(open_comic, keep_picture, number):
    page, gestures = open_comic(number)
    x, y = middle(page)
    before = box(page)
    share = (x - before["x"]) / before["width"], (y - before["y"]) / before["height"]
    gestures.pinch((x, y), 60, 180)
    assert zoom_of(page) == pytest.approx(3, abs=0.1)
    after = box(page)
    assert after["width"] == pytest.approx(3 * before["width"], rel=0.05)
    # The point between the fingers stays there, as far as the picture's edges allow.
    if number != recording.PLAIN:
        assert after["x"] + share[0] * after["width"] == pytest.approx(x, abs=12)
    keep_picture(page, f"viewer-pinch-{number}")
    page.get_by_role("link", name="Next comic").click()
    comic(page, number + 1)
    assert zoom_of(page) == 1


@pytest.mark.parametrize("number", [recording.WIDE, recording.TALL])
def test_a_pan_reaches_each_edge_and_never_turns_the_page(open_comic, number):
    page, gestures = open_comic(number)
    gestures.pinch(middle(page), 60, 180)
    x, y = middle(page)
    frame = page.locator(".picture").bounding_box()
    for dx, dy in [(300, 0), (-300, 0), (0, 300), (0, -300)]:
        reached = None
        for _ in range(80):
            gestures.drag((x - dx / 2, y - dy / 2), (x + dx / 2, y + dy / 2), steps=3, pause=4)
            page.wait_for_timeout(30)
            now = box(page)
            if now == reached:
                break
            reached = now
        edges = {
            (300, 0): (now["x"], frame["x"]),
            (-300, 0): (now["x"] + now["width"], frame["x"] + frame["width"]),
            (0, 300): (now["y"], frame["y"]),
            (0, -300): (now["y"] + now["height"], frame["y"] + frame["height"]),
        }
        is_at, edge = edges[dx, dy]
        # A picture smaller than its frame stays inside it.
        is_lower = dy and now["height"] < frame["height"]
        assert is_at == pytest.approx(edge, abs=1) or is_lower, f"drawn by {dx}, {dy}"
    comic(page, number)


def test_a_swipe_turns_the_page_and_half_a_swipe_does_not(open_comic):
    page, gestures = open_comic(NARROW)
    x, y = middle(page)
    gestures.drag((x + 130, y), (x - 130, y))
    comic(page, NARROW + 1)
    gestures.drag((x - 130, y), (x + 130, y))
    comic(page, NARROW)
    gestures.drag((x + 10, y), (x - 10, y))
    gestures.drag((x, y - 100), (x, y + 100))
    page.wait_for_timeout(300)
    comic(page, NARROW)


def test_a_swipe_at_the_end_goes_back_to_its_place(open_comic):
    page, gestures = open_comic(recording.LATEST)
    before = box(page)
    x, y = middle(page)
    gestures.drag((x + 130, y), (x - 130, y))
    page.wait_for_timeout(400)
    comic(page, recording.LATEST)
    assert box(page) == before


def test_a_wide_picture_is_moved_to_its_edge_before_a_new_swipe_turns_the_page(open_comic):
    page, gestures = open_comic(recording.WIDE)
    x, y = middle(page)
    for _ in range(2):
        gestures.drag((x + 130, y), (x - 130, y))
        page.wait_for_timeout(100)
        comic(page, recording.WIDE)
    assert page.locator(".picture").evaluate("figure => figure.scrollLeft") > 200
    page.locator(".picture").evaluate("figure => { figure.scrollLeft = 1e6 }")
    page.wait_for_timeout(100)
    gestures.drag((x + 130, y), (x - 130, y))
    comic(page, recording.WIDE + 1)


def test_a_double_tap_makes_a_favorite_that_can_be_undone(open_comic, keep_picture):
    page, gestures = open_comic(recording.PLAIN)
    heart = page.get_by_role("button", name="Favorite", exact=True)
    gestures.double_tap(middle(page))
    expect(heart).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".burst")).to_be_attached()
    keep_picture(page, "viewer-favorite")
    undo = page.get_by_role("status").get_by_role("button", name="Undo")
    expect(undo).to_be_in_viewport()
    # A second double tap changes nothing.
    page.wait_for_timeout(400)
    gestures.double_tap(middle(page))
    page.wait_for_timeout(300)
    expect(heart).to_have_attribute("aria-pressed", "true")
    undo.click()
    expect(heart).to_have_attribute("aria-pressed", "false")
    comic(page, recording.PLAIN)


def test_a_double_tap_with_a_pen_makes_a_favorite_and_zooms_nothing(open_comic):
    page, gestures = open_comic(recording.PLAIN, device="desktop")
    heart = page.get_by_role("button", name="Favorite", exact=True)
    gestures.double_tap_with_pen(middle(page))
    expect(heart).to_have_attribute("aria-pressed", "true")
    page.wait_for_timeout(400)
    assert zoom_of(page) == pytest.approx(1, abs=0.01)


def test_a_second_tap_that_is_held_and_drawn_zooms(open_comic):
    page, gestures = open_comic(recording.PLAIN)
    x, y = middle(page)
    gestures.double_tap_and_drag((x, y), (x, y + 120))
    assert zoom_of(page) > 1.8
    expect(page.get_by_role("button", name="Favorite", exact=True)).to_have_attribute("aria-pressed", "false")


def test_a_zoom_that_is_taken_back_leaves_the_page_as_it_was(open_comic):
    page, gestures = open_comic(recording.TALL)
    page.evaluate("scrollTo(0, 1500)")
    before = box(page)
    gestures.pinch(middle(page), 60, 180)
    assert zoom_of(page) > 2.5
    gestures.pinch(middle(page), 240, 40)
    assert zoom_of(page) == 1
    after = box(page)
    assert after["width"] == before["width"]
    assert page.evaluate("scrollY") > 500


def test_zoom_and_turn_by_keys(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    for _ in range(8):
        page.keyboard.press("+")
    assert zoom_of(page) >= 8
    left = box(page)["x"]
    page.keyboard.press("Shift+ArrowRight")
    assert box(page)["x"] < left
    page.keyboard.press("-")
    assert zoom_of(page) < 8
    page.keyboard.press("0")
    assert zoom_of(page) == 1
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)
    assert zoom_of(page) == 1
    page.keyboard.press("h")
    comic(page, recording.PLAIN)
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Favorite", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Home")
    comic(page, 1)
    page.keyboard.press("End")
    comic(page, recording.LATEST)
    page.keyboard.press("r")
    expect(page).not_to_have_url(re.compile(rf"/{recording.LATEST}/$"))
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("Previous comic")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("g")
    expect(page.get_by_role("textbox", name="Comic number")).to_be_focused()
    page.keyboard.type("r12")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search comics")).to_be_visible()


class Held:
    """Holds back a page's requests until they are released."""

    def __init__(self, page, pattern):
        self._routes = []
        self._is_held = True
        page.route(pattern, self._take)

    def _take(self, route):
        if self._is_held:
            self._routes.append(route)
        else:
            route.continue_()

    def release(self):
        self._is_held = False
        for route in self._routes:
            route.continue_()


def heart(page, name="Favorite"):
    return page.get_by_role("button", name=name, exact=True)


def test_keys_act_once_their_scripts_are_here(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    held = Held(page, "**/assets/comic-*.js")
    with page.expect_request("**/assets/comic-*.js"):
        page.goto(f"{site}/{recording.PLAIN}/", wait_until="domcontentloaded")
    page.evaluate("window.isSamePage = true")
    for key in ("ArrowRight", "+", "+", "Shift+ArrowRight"):
        page.keyboard.press(key)
    assert zoom_of(page) == 1
    held.release()
    comic(page, recording.PLAIN + 1)
    expect(page.locator(".zoom-level")).to_have_text("225 %")
    assert page.evaluate("window.isSamePage"), "the page was loaded again"


def test_keys_act_although_their_scripts_do_not_come(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    page.route("**/assets/comic-*.js", lambda route: route.abort("aborted"))
    page.goto(f"{site}/{recording.PLAIN}/")
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)


def test_a_key_right_after_a_turn_is_for_the_comic_that_comes(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    held = Held(page, f"**/{recording.PLAIN + 1}/")
    page.goto(f"{site}/{recording.PLAIN}/")
    ready(page)
    for key in ("ArrowRight", "ArrowRight", "+", "f"):
        page.keyboard.press(key)
    comic(page, recording.PLAIN)
    assert zoom_of(page) == 1
    held.release()
    comic(page, recording.PLAIN + 2)
    expect(page.locator(".zoom-level")).to_have_text("150 %")
    expect(heart(page)).to_have_attribute("aria-pressed", "true")


def test_a_favorite_stays_although_the_page_was_asked_for_before(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", device="desktop")
    ready(page)
    views = []

    def take(route):
        if views or route.request.method == "POST" or "purpose" in route.request.headers:
            route.continue_()
        else:
            views.append(route)

    page.route(f"**/{recording.PLAIN + 1}/", take)
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)
    while not views:
        page.evaluate("new Promise(requestAnimationFrame)")
    before = views[0].fetch()
    page.keyboard.press("f")
    expect(heart(page)).to_have_attribute("aria-pressed", "true")
    # The neighbours of a comic are fetched once its page was viewed.
    with page.expect_request(f"**/{recording.PLAIN + 2}/"):
        views[0].fulfill(response=before)
    expect(heart(page)).to_have_attribute("aria-pressed", "true")


def test_the_wheel_zooms_and_a_drag_moves(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    x, y = middle(page)
    page.mouse.move(x, y)
    for _ in range(4):
        page.mouse.wheel(0, -200)
        page.wait_for_timeout(30)
    assert zoom_of(page) > 2
    before = box(page)
    page.mouse.down()
    page.mouse.move(x - 80, y - 40, steps=4)
    page.mouse.up()
    assert box(page)["x"] < before["x"]
    page.get_by_role("button", name="Reset zoom").click()
    assert zoom_of(page) == 1


def test_the_way_back_leads_through_the_comics_that_were_turned_to(open_comic):
    page, _ = open_comic(recording.PLAIN)
    for _ in range(3):
        page.get_by_role("link", name="Next comic").click()
    comic(page, recording.PLAIN + 3)
    page.go_back()
    comic(page, recording.PLAIN + 2)
    page.go_back()
    comic(page, recording.PLAIN + 1)
    page.go_forward()
    comic(page, recording.PLAIN + 2)
    page.reload()
    comic(page, recording.PLAIN + 2)


def test_a_link_and_a_key_lead_back_to_what_chance_gave_before(open_comic, axe, keep_picture):
    page, _ = open_comic(recording.PLAIN)
    back = page.get_by_role("link", name="Previous random comic")
    drawn = []
    for _ in range(3):
        expect(back).to_have_count(1 if len(drawn) > 1 else 0)
        before = page.url
        page.get_by_role("link", name="Random comic", exact=True).click()
        page.wait_for_url(lambda url: url != before)  # noqa: B023 (not called after this round)
        drawn.append(page.url)
    keep_picture(page, "viewer-random-before")
    axe(page)
    # The way back skips the page in between.
    before = page.url
    page.get_by_role("link", name=re.compile("Next comic|Previous comic")).and_(page.locator("[href]")).first.click()
    page.wait_for_url(lambda url: url != before)
    back.click()
    page.wait_for_url(drawn[2])
    page.keyboard.press("Shift+R")
    page.wait_for_url(drawn[1])
    back.click()
    page.wait_for_url(drawn[0])
    expect(back).to_have_count(0)


def test_the_focus_stays_on_the_way_that_was_taken(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    page.get_by_role("link", name="Next comic").focus()
    page.keyboard.press("Enter")
    comic(page, recording.PLAIN + 1)
    expect(page.get_by_role("link", name="Next comic")).to_be_focused()
    expect(page.locator("[aria-live=polite].announcer")).to_contain_text(f"Comic {recording.PLAIN + 1}: ")


def test_an_animation_can_be_stopped_and_is_for_who_wants_less_motion(open_comic):
    page, _ = open_comic(recording.ANIMATED)
    page.get_by_role("button", name="Pause animation").click()
    expect(page.locator(".picture canvas")).to_be_visible()
    page.get_by_role("button", name="Play animation").click()
    expect(page.locator(".picture canvas")).to_have_count(0)
    page, _ = open_comic(recording.ANIMATED, reduced_motion="reduce")
    expect(page.get_by_role("button", name="Play animation")).to_be_visible()
    expect(page.locator(".picture canvas")).to_be_visible()


def test_sharing_gives_link_title_and_picture_or_copies_the_link(open_comic, open_page, site):
    page, _ = open_comic(recording.PLAIN)
    page.evaluate("navigator.share = async (data) => { window.shared = data }; navigator.canShare = () => true")
    page.get_by_role("button", name="Share").click()
    page.wait_for_timeout(300)
    shared = page.evaluate("({ ...shared, files: shared.files.map(({ name, type, size }) => ({ name, type, size })) })")
    assert shared["url"] == f"{site}/{recording.PLAIN}/"
    assert "CC BY-NC 2.5" in shared["text"] and "Python" in shared["title"]
    assert shared["files"][0]["name"] == f"xkcd-{recording.PLAIN}.png" and shared["files"][0]["size"] > 100
    page, _ = open_comic(recording.PLAIN, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("status").get_by_text("Link copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{site}/{recording.PLAIN}/"


def test_details_come_in_a_sheet_on_a_phone(open_comic, axe, keep_picture):
    page, _ = open_comic(recording.PLAIN)
    page.get_by_role("link", name="About this comic").click()
    sheet = page.get_by_role("dialog", name="About this comic")
    expect(sheet.get_by_text("It hugged back, and that was the whole interview.")).to_be_visible()
    axe(page)
    keep_picture(page, "viewer-details")
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)
    page.get_by_text("Details", exact=True).click()
    expect(page.get_by_text("It hugged back, and that was the whole interview.")).to_be_visible()


def test_the_page_is_named_at_the_thumb_when_its_heading_is_gone(open_comic, keep_picture, axe):
    page, _ = open_comic(recording.TALL)
    page.evaluate("scrollTo(0, 2000)")
    place = page.get_by_role("button", name=re.compile(f"#{recording.TALL}"))
    expect(place).to_be_in_viewport()
    keep_picture(page, "viewer-place")
    axe(page)
    place.click(delay=700)
    menu = page.get_by_role("dialog")
    expect(menu.get_by_role("button", name="All comics")).to_be_visible()
    keep_picture(page, "viewer-menu")
    menu.get_by_role("button", name="Close").click()
    place.click()
    page.wait_for_timeout(800)
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_a_zoomed_page_is_clean(open_comic, axe, keep_picture, device, scheme):
    page, _ = open_comic(recording.PLAIN, device=device, scheme=scheme)
    page.keyboard.press("+")
    page.keyboard.press("+")
    axe(page)
    keep_picture(page, f"viewer-zoomed-{device}-{scheme}")


@pytest.mark.parametrize(("width", "fold", "gap"), [(1114, 540, 34), (800, 400, 0)])
def test_on_a_device_that_unfolds_the_fold_lies_between_comic_and_details(open_comic, width, fold, gap):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    feature = {"orientation": "vertical", "offset": fold, "maskLength": gap}
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": True, "displayFeature": feature}
    page.context.new_cdp_session(page).send("Emulation.setDeviceMetricsOverride", screen)
    assert page.evaluate("matchMedia('(horizontal-viewport-segments: 2)').matches")
    figure = page.locator(".picture").bounding_box()
    assert figure["x"] + figure["width"] <= fold
    transcript = page.get_by_role("heading", name="Transcript").bounding_box()
    assert transcript["x"] >= fold + gap


def test_a_sharper_picture_leaves_the_zoom_as_it_is(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    picture(page).evaluate("""image => {
      image.addEventListener("load", () => setTimeout(() => { window.isSharp = image.currentSrc.endsWith("&sharp") }))
      image.srcset = `${image.src} 1x, ${image.src}&sharp 2x`
      return image.decode()
    }""")
    before = box(page)
    page.keyboard.press("+")
    page.wait_for_function("() => window.isSharp")
    assert box(page)["width"] == pytest.approx(1.5 * before["width"], abs=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_stopped_animation_lies_on_the_picture_and_is_zoomed_with_it(open_comic, keep_picture, scheme):
    # A window narrower than the picture.
    page, _ = open_comic(recording.ANIMATED, scheme=scheme, viewport={"width": 220, "height": 844})
    page.get_by_role("button", name="Pause animation").click()
    still = page.locator(".picture canvas")
    for key in ("0", "+", "+", "0"):
        page.keyboard.press(key)
        assert still.bounding_box() == pytest.approx(box(page), abs=1)
        keep_picture(page, f"viewer-still-{key}-{scheme}")
    # The moving picture does not shine through.
    expect(picture(page)).to_have_css("opacity", "0")


def test_a_double_click_zooms_and_the_next_one_takes_it_back(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    page.evaluate("document.documentElement.dataset.doubleTap = 'zoom'")
    x, y = middle(page)
    page.mouse.dblclick(x, y)
    assert zoom_of(page) == 2.5
    page.wait_for_timeout(400)
    page.mouse.dblclick(x, y)
    assert zoom_of(page) == 1


def test_a_swipe_soon_after_a_tap_turns_the_page(open_comic):
    page, gestures = open_comic(NARROW)
    x, y = middle(page)
    gestures.tap((x + 130, y))
    page.wait_for_timeout(60)
    gestures.drag((x + 130, y), (x - 130, y))
    comic(page, NARROW + 1)


@pytest.fixture
def at_slow_comic(open_comic):
    """A page one comic after NARROW, whose request for the previous one waits until the test answers it."""
    page, _ = open_comic(NARROW)
    # Turns off prefetching.
    page.evaluate("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page.get_by_role("link", name="Next comic").click()
    comic(page, NARROW + 1)
    waiting = []
    page.route(f"**/{NARROW}/", lambda route: waiting.append(route))
    return page, waiting


def test_back_and_forward_before_a_slow_comic_has_come_shows_what_the_address_says(at_slow_comic):
    page, waiting = at_slow_comic
    page.evaluate("history.back()")
    expect(page.locator(".busy")).to_be_attached()
    page.evaluate("history.forward()")
    page.wait_for_url(f"**/{NARROW + 1}/")
    expect(page.locator(".busy")).to_have_count(0)
    with page.expect_request_finished(lambda request: request.url.endswith(f"/{NARROW}/")):
        waiting[0].continue_()
    page.wait_for_timeout(200)
    comic(page, NARROW + 1)


def test_a_turn_that_another_has_overtaken_leaves_no_sign_of_loading(at_slow_comic):
    page, waiting = at_slow_comic
    page.evaluate("history.back()")
    page.get_by_role("link", name="Next comic").click()
    comic(page, NARROW + 2)
    page.wait_for_timeout(500)
    expect(page.locator(".busy")).to_have_count(0)
    waiting[0].abort()


def test_the_focus_goes_back_when_the_zoom_ends(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    page.get_by_role("link", name="Next comic").focus()
    page.keyboard.press("+")
    page.get_by_role("button", name="Reset zoom").focus()
    page.keyboard.press("Enter")
    assert zoom_of(page) == 1
    expect(page.get_by_role("link", name="Next comic")).to_be_focused()


def test_what_another_device_changed_waits_while_the_picture_is_zoomed(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    tell = "navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { kind: 'library' } }))"
    page.keyboard.press("+")
    page.evaluate(tell)
    page.wait_for_timeout(500)
    assert zoom_of(page) == 1.5
    page.keyboard.press("0")
    with page.expect_event("load"):
        page.evaluate(tell)
