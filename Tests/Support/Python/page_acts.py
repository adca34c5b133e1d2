# Longbox
# SPDX-License-Identifier: MIT
"""What to do on a page to bring it to a state; see page_states.py."""

import re
from urllib.parse import urljoin

import device
from gestures import Gestures

PASSPHRASE = "four words that are hard to guess"

# As browsers do that can install; resolves when Longbox has decided whether to offer it.
OFFER = """() => {
  const isDecided = new Promise((resolve, reject) => {
    document.addEventListener("longbox:installable", () => resolve(), { once: true })
    setTimeout(reject, 20_000, new Error("The page doesn't decide about the offer to install it."))
  })
  const event = new Event("beforeinstallprompt", { cancelable: true })
  event.prompt = async () => { window.prompted = true; return { outcome: "accepted" } }
  dispatchEvent(event)
  return isDecided
}"""


def base_path(page):
    """The path below which the site is; empty if it has a host of its own."""
    return page.evaluate("document.documentElement.dataset.base ?? ''")


def favorite(page, site, *comics):
    for comic in comics:
        form = {"comic": str(comic), "on": "yes", "back": "/"}
        page.request.post(f"{site}/favorites/set", form=form, headers={"Origin": device.origin(site)})


def press(name):
    """Presses a button of this name where the page shows it: some are for phones only."""

    def act(page):
        page.locator(".to-details[role=button]").wait_for(state="attached")
        button = page.get_by_role("button", name=name, exact=True)
        if button.is_visible():
            button.click()

    return act


def segment(name):
    def act(page):
        press("Details")(page)
        page.get_by_role("tab", name=name, exact=True).click()

    return act


def keys(*names):
    def act(page):
        page.locator("html.gestures").wait_for()
        for name in names:
            page.keyboard.press(name)

    return act


def zoom(page):
    keys("+", "+", "+")(page)
    # On a phone the zoom buttons fade after two seconds, unless one of them has the focus.
    page.get_by_role("button", name="Reset zoom").focus()


def list_keys(page):
    keys("?")(page)
    page.get_by_role("dialog", name="Keyboard shortcuts").wait_for()


def choose_setting(page, field, value):
    """Changes a setting, and shows the page again."""
    address = urljoin(page.url, base_path(page) + "/settings/set")
    page.request.post(address, form={field: value, "back": "/"}, headers={"Origin": device.origin(page.url)})
    page.reload()


def read_up_to(number):
    def act(page):
        form = {"comic": str(number), "back": "/comics"}
        address = urljoin(page.url, base_path(page) + "/read/older")
        page.request.post(address, form=form, headers={"Origin": device.origin(page.url)})
        page.reload()

    return act


def view(*comics):
    """Opens comics, then the page again. Views are kept for a reader with a library, such as one with favorites."""

    def act(page):
        address = page.url
        for comic in comics:
            page.goto(urljoin(address, f"{base_path(page)}/{comic}/"))
        page.goto(address)

    return act


def go_to_a_number(typed=""):
    def act(page):
        press("Go to comic number")(page)
        dialog = page.get_by_role("dialog", name="Go to comic number")
        dialog.wait_for()
        if typed:
            page.get_by_role("textbox", name="Comic number").press_sequentially(typed)
            dialog.get_by_role("status").get_by_text(re.compile(r"\w")).first.wait_for()

    return act


def make_favorite(page):
    press("Favorite")(page)
    page.get_by_role("button", name="Undo").wait_for()


def swipe_to_the_next(page):
    page.locator("html.gestures").wait_for()
    size = page.viewport_size
    middle = size["height"] * 0.4
    Gestures(page).drag((size["width"] * 0.9, middle), (size["width"] * 0.2, middle))


def lose_the_connection(page):
    page.evaluate("dispatchEvent(new Event('offline'))")


def lose_the_connection_before(path):
    """Installs Longbox, and opens a page without a connection."""

    def act(page):
        page.evaluate(device.TAKEN_OVER)
        device.until_pictures_are_here(page)
        page.context.set_offline(True)
        page.goto(urljoin(page.url, base_path(page) + path))

    return act


def install(page):
    page.evaluate(device.TAKEN_OVER)
    page.reload()
    # What only the app knows.
    page.locator("#storage").wait_for()


def open_installed(path):
    """Installs Longbox, and opens a page that the device makes."""

    def act(page):
        install(page)
        page.goto(urljoin(page.url, base_path(page) + path))

    return act


def import_favorites(page):
    open_installed("/settings/import")(page)
    page.get_by_label("Or paste its text").fill("1 5 12 404")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("3 favorites added.").wait_for()


def ask_to_clear_read_marks(page):
    open_installed("/settings")(page)
    page.get_by_label("I have read up to comic").fill("200")
    page.get_by_role("button", name="Mark as read").click()
    page.get_by_role("button", name="Undo").wait_for()
    page.get_by_role("link", name=re.compile("^Mark all comics as unread")).click()
    page.get_by_role("dialog").wait_for()


def lose_pictures(page):
    """Makes pictures and covers impossible to have."""
    lost = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    for kind in ("image", "thumbnail"):
        page.route(f"**/{kind}*", lambda route: route.fulfill(content_type="image/svg+xml", body=lost))
    page.reload()
    page.locator(".lost, img[data-missing]").first.wait_for(state="attached")


def offer_installation(page):
    """Makes the card with the offer due, as after days of use."""
    page.evaluate("""() => {
      const usage = { comics: 5, days: 2, isKept: true, dismissals: 0, dismissedAt: 0, day: new Date().toDateString() }
      localStorage.setItem("longbox-usage", JSON.stringify(usage))
      sessionStorage.setItem("longbox-since", "1")
    }""")
    page.reload()
    page.evaluate(OFFER)
    page.get_by_role("region", name="Keep Longbox at hand").wait_for()


def search_before(text):
    def act(page):
        page.get_by_role("searchbox", name="Search comics").fill(text)
        with page.expect_event("load"):
            page.get_by_role("button", name="Search", exact=True).click()
        page.goto(urljoin(page.url, "search"))
        page.get_by_role("list", name="Recent searches").wait_for()

    return act


def select_favorites(page):
    page.get_by_role("link", name="Select", exact=True).click()
    page.get_by_role("checkbox", name=re.compile("^#")).first.check()


def ask_to_clear_favorites(page):
    page.get_by_role("link", name=re.compile("^Clear favorites")).click()
    page.get_by_role("dialog").wait_for()


def connect_another_device(page):
    page.get_by_role("button", name="Connect another device").click()
    page.get_by_role("heading", level=1, name="Connect another device").wait_for()


def ask_to_pair(page):
    """Follows the link of another device."""
    connect_another_device(page)
    link = page.get_by_role("link", name="/join?code=").get_attribute("href")
    page.context.clear_cookies()
    page.goto(urljoin(page.url, link))


def pair(page):
    ask_to_pair(page)
    page.get_by_role("button", name="Connect").click()
    page.get_by_role("heading", level=1, name="Connected").wait_for()


def sign_in(page):
    page.get_by_label("Passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", level=1, name="Sign in").wait_for(state="detached")


def sign_in_wrongly(page):
    page.get_by_label("Passphrase").fill("four words somebody guesses")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()


def connect_and_make_a_key(page):
    sign_in(page)
    page.get_by_label("Name of the program").fill("Feed reader")
    page.get_by_role("button", name="Make a key").click()
    page.get_by_role("button", name="Connect", exact=True).click()
    page.get_by_role("region", name="One-time code").or_(page.get_by_role("status", name="One-time code")).wait_for()


def play(name):
    def act(page):
        page.get_by_role("button", name=f"Play: {name}").click()
        page.get_by_role("timer").wait_for()

    return act


def play_quiz(page):
    play("Name the tracks")(page)
    page.get_by_role("button", name="Hint: first letters of track 1", exact=True).click()
    page.get_by_role("button", name="Hint: more letters of track 1", exact=True).wait_for()


def pause_quiz(page):
    play_quiz(page)
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("The quiz is paused.").wait_for()


def give_up(page):
    play_quiz(page)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("link", name="Other quizzes").wait_for()
