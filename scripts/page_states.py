# Longbox
# SPDX-License-Identifier: MIT
"""The states of every page that a person can meet, and what to do on a page to bring it there."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin

import recording
from gestures import Gestures

# The paths of comics and albums of which states are taken, in the small recording of the browser tests.
OWN_PATHS = {
    "comic": f"/{recording.PLAIN}/",
    "tall": f"/{recording.TALL}/",
    "wide": f"/{recording.WIDE}/",
    "interactive": f"/{recording.INTERACTIVE}/",
    "without_picture": f"/{recording.NO_PICTURE}/",
    "latest": f"/{recording.LATEST}/",
    "artist": "/albums/artists/9001?country=us",
    "album": "/albums/9102?country=us",
}


def favorite(page, site, *comics):
    origin = urljoin(site, "/").removesuffix("/")
    for comic in comics:
        form = {"comic": str(comic), "on": "yes", "back": "/"}
        page.request.post(f"{site}/favorites/set", form=form, headers={"Origin": origin})


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


def swipe_to_the_next(page):
    page.locator("html.gestures").wait_for()
    size = page.viewport_size
    middle = size["height"] * 0.4
    Gestures(page).drag((size["width"] * 0.9, middle), (size["width"] * 0.2, middle))


def lose_the_connection(page):
    page.evaluate("dispatchEvent(new Event('offline'))")


def select_favorites(page):
    page.get_by_role("link", name="Select", exact=True).click()
    page.get_by_role("checkbox", name=re.compile("^#")).first.check()


def ask_to_clear_favorites(page):
    page.get_by_role("link", name=re.compile("^Clear favorites")).click()
    page.get_by_role("dialog").wait_for()


def connect_another_device(page):
    page.get_by_role("button", name="Connect another device").click()
    page.get_by_role("heading", level=1, name="Connect another device").wait_for()


def play_quiz(page):
    page.get_by_role("button", name="Play: Name the tracks").click()
    page.get_by_role("timer").wait_for()


def give_up(page):
    play_quiz(page)
    page.get_by_role("button", name="Give up").click()


@dataclass(frozen=True)
class State:
    """A page's path, and what to do on it; `has_favorites` if its reader has some. `status` is the page's HTTP status."""

    path: str
    act: Callable | None = None
    has_favorites: bool = False
    status: int = 200


def states(comic, tall, wide, interactive, without_picture, latest, artist, album):
    """The states by name, for a site with these paths of comics and albums."""
    quiz = album.replace("?", "/quiz?")
    return {
        "latest": State("/"),
        "comic": State(comic),
        "comic-alt-text": State(comic, press("Alt text")),
        "comic-details": State(comic, segment("Details")),
        "comic-explanation": State(comic, segment("Explanation")),
        "comic-transcript": State(comic, segment("Transcript")),
        "comic-number": State(comic, press("Go to comic number")),
        "comic-zoomed": State(comic, keys("+", "+", "+")),
        "comic-favorite": State(comic, press("Favorite")),
        "comic-keys": State(comic, keys("?")),
        "comic-offline": State(comic, lose_the_connection),
        "comic-end": State(latest, swipe_to_the_next),
        "tall": State(tall),
        "tall-transcript": State(tall, segment("Transcript")),
        "wide": State(wide),
        "interactive": State(interactive),
        "no-picture": State(without_picture),
        "comics": State("/comics", has_favorites=True),
        "comics-unread": State("/comics?unread=1"),
        "comics-list": State("/comics?view=list"),
        "comics-map": State("/comics?view=map"),
        "on-this-day": State("/comics?on=11-21"),
        "favorites-empty": State("/favorites"),
        "favorites": State("/favorites", has_favorites=True),
        "favorites-select": State("/favorites", select_favorites, has_favorites=True),
        "search": State("/search"),
        "search-results": State("/search?q=box&deep=1"),
        "search-nothing": State("/search?q=zzyzxq"),
        "search-unknown-filter": State("/search?q=is:foo+box"),
        "albums": State("/albums"),
        "albums-saved": State("/albums/saved"),
        "artist": State(artist),
        "album": State(album),
        "quiz": State(quiz),
        "quiz-playing": State(quiz, play_quiz),
        "quiz-given-up": State(quiz, give_up),
        "settings": State("/settings"),
        "settings-ask": State("/settings", ask_to_clear_favorites, has_favorites=True),
        "connect": State("/settings", connect_another_device),
        "feeds": State("/feeds"),
        "about": State("/about"),
        "404": State("/404/", status=404),
        "above-latest": State("/999999/", status=404),
        "not-a-number": State("/go?number=12ab5", status=400),
        "not-found": State("/no-such-page", status=404),
    }
