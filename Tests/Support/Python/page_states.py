# Longbox
# SPDX-License-Identifier: MIT
"""The states of every page that a person can meet, and how to bring a page there."""

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass

import layout
import page_acts as acts
import programs
import recording

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
FAVORITES = (1, 5, 12, 303, 353)


@dataclass(frozen=True)
class State:
    """A page's path, and what to do on it; `has_favorites` if its reader has some. `status` is the page's HTTP status.

    `server` is "whole" (has everything), "samples" (reached no source, and has its samples), "cut-off" (has the texts, and
    reaches no source), "household" (asks strangers to sign in) or "home" (the same, for this machine); or a static copy:
    "copy", "copy-thumbnails" or "copy-texts". `is_installed` if the app's service worker may take over; `is_local` if the
    page opens only on the server's machine, not through a proxy.
    """

    path: str
    act: Callable | None = None
    has_favorites: bool = False
    status: int = 200
    server: str = "whole"
    is_installed: bool = False
    is_local: bool = False

    @property
    def is_copy(self):
        """Whether the page is of a static copy."""
        return self.server.startswith("copy")

    @property
    def options(self):
        """Options of the browser context in which it is shown."""
        return {"service_workers": "allow" if self.is_installed else "block"}

    def show(self, page, site):
        """Brings a page there, until nothing moves."""
        if self.has_favorites:
            acts.favorite(page, site, *FAVORITES)
        reply = page.goto(site + self.path)
        assert reply.status == self.status, f"{reply.url} answered {reply.status}"
        if self.act:
            self.act(page)
        page.evaluate(layout.SETTLED)


@contextmanager
def household(data, upstream, **further):
    """A server that listens on all addresses and asks for a passphrase; the addresses for strangers and for this machine."""
    data.mkdir(parents=True, exist_ok=True)
    file = data / "passphrase.txt"
    file.write_text(acts.PASSPHRASE + "\n", encoding="utf-8")
    settings = {"LONGBOX_HOST": "0.0.0.0", "LONGBOX_TLS": "off", "LONGBOX_PASSPHRASE_FILE": file, "LONGBOX_FILL": "false"}
    settings["LONGBOX_HOOKS"] = "ntfys://ntfy.invalid/comics,discord://1/token"
    with programs.server(data, upstream, **settings | further) as server:
        yield [server.address.replace("0.0.0.0", address) for address in ("127.0.0.2", "127.0.0.1")]


def states(comic, tall, wide, interactive, without_picture, latest, artist, album):
    """The states by name, for a site with these paths of comics and albums."""
    quiz = album.replace("?", "/quiz?")
    country = album.partition("?")[2]
    return {
        "first": State("/1/"),
        "latest": State("/"),
        "comic": State(comic),
        "comic-alt-text": State(comic, acts.press("Alt text")),
        "comic-details": State(comic, acts.segment("Details")),
        "comic-explanation": State(comic, acts.segment("Explanation")),
        "comic-transcript": State(comic, acts.segment("Transcript")),
        "comic-number": State(comic, acts.go_to_a_number()),
        "comic-zoomed": State(comic, acts.zoom),
        "comic-favorite": State(comic, acts.make_favorite),
        "comic-keys": State(comic, acts.list_keys),
        "comic-offline": State(comic, acts.lose_the_connection),
        "comic-end": State(latest, acts.swipe_to_the_next),
        "comic-number-typed": State(comic, acts.go_to_a_number("12")),
        "comic-lost": State(comic, acts.lose_pictures),
        "comic-without-source": State(comic, server="cut-off"),
        "comic-explained": State(f"{comic}explanation"),
        "comic-not-stored": State("/5/", acts.lose_the_connection_before("/7/"), is_installed=True),
        "tall": State(tall),
        "tall-transcript": State(tall, acts.segment("Transcript")),
        "wide": State(wide),
        "wide-readable": State(wide, lambda page: acts.choose_setting(page, "wide", "readable")),
        "interactive": State(interactive),
        "no-picture": State(without_picture),
        "comics": State("/comics", has_favorites=True),
        "comics-unread": State("/comics?unread=1", acts.read_up_to(200), has_favorites=True),
        "comics-list": State("/comics?view=list"),
        "comics-map": State("/comics?view=map", acts.read_up_to(200), has_favorites=True),
        "comics-lost": State("/comics", acts.lose_pictures),
        "comics-without-source": State("/comics", server="cut-off"),
        "topics": State("/topics"),
        "no-such-topic": State("/topics/none", status=404),
        "on-this-day": State("/comics?on=11-21"),
        "history-empty": State("/history"),
        "history": State("/history", acts.view(12, 5, 353), has_favorites=True),
        "favorites-empty": State("/favorites"),
        "favorites": State("/favorites", has_favorites=True),
        "favorites-read-through": State(f"{comic}?in=favorites", has_favorites=True),
        "favorites-select": State("/favorites", acts.select_favorites, has_favorites=True),
        "favorites-install": State("/favorites", acts.offer_installation, has_favorites=True),
        "search": State("/search"),
        "search-recent": State("/search", acts.search_before("box")),
        "search-results": State("/search?q=box&deep=1"),
        "search-in-texts": State("/search?q=box&deep=0"),
        "search-nothing": State("/search?q=zzyzxq"),
        "search-unknown-filter": State("/search?q=is:foo+box"),
        "albums": State("/albums"),
        "albums-found": State(f"/albums?artist=e&{country}"),
        "albums-nobody": State(f"/albums?artist=nobody&{country}"),
        "albums-saved": State("/albums/saved"),
        "albums-offline": State("/albums", acts.lose_the_connection_before("/albums"), is_installed=True),
        "artist": State(artist),
        "album": State(album),
        "album-unknown": State(f"/albums/1?{country}", status=404),
        "quiz": State(quiz),
        "quiz-playing": State(quiz, acts.play_quiz),
        "quiz-paused": State(quiz, acts.pause_quiz),
        "quiz-order": State(quiz, acts.play("Track order")),
        "quiz-choice": State(quiz, acts.play("Which comes next?")),
        "quiz-given-up": State(quiz, acts.give_up),
        "settings": State("/settings"),
        "settings-installed": State("/settings", acts.install, is_installed=True),
        "settings-ask": State("/settings", acts.ask_to_clear_favorites, has_favorites=True),
        "import": State("/settings/import"),
        "connect": State("/settings", acts.connect_another_device),
        "pair": State("/settings", acts.ask_to_pair),
        "paired": State("/settings", acts.pair),
        "pair-unknown": State("/join?code=none", status=404),
        "phone": State("/settings/phone", is_local=True),
        "phone-ready": State("/settings/phone", server="home", is_local=True),
        "server": State("/settings/server", is_local=True),
        "server-hooks": State("/settings/server", server="home", is_local=True),
        "start": State("/start", server="household"),
        "sign-in": State("/sign-in", server="household"),
        "sign-in-wrong": State("/sign-in", acts.sign_in_wrongly, server="household"),
        "devices": State("/settings/devices", acts.sign_in, server="household"),
        "devices-code": State("/settings/devices", acts.connect_and_make_a_key, server="household"),
        "feeds": State("/feeds"),
        "feeds-bad": State("/feeds?q=tea&from=0&start=2026-11-21", status=400),
        "about": State("/about"),
        "404": State("/404/", status=404),
        "above-latest": State("/999999/", status=404),
        "not-a-number": State("/go?number=12ab5", status=400),
        "not-found": State("/no-such-page", status=404),
        "samples": State("/", server="samples"),
        "samples-comics": State("/comics", server="samples"),
        # Files of a static copy, before the service worker has taken over.
        "copy": State("/", server="copy"),
        "copy-comic": State(comic, server="copy"),
        "copy-details": State(comic, acts.segment("Details"), server="copy"),
        "copy-explained": State(f"{comic}explanation", server="copy"),
        "copy-comics": State("/comics", server="copy"),
        "copy-favorites": State("/favorites", server="copy"),
        "copy-search": State("/search", server="copy"),
        "copy-settings": State("/settings", server="copy"),
        "copy-about": State("/about", server="copy"),
        "copy-404": State("/404/", server="copy"),
        "copy-waiting": State("/random", server="copy"),
        "copy-not-found": State("/no-such-page", status=404, server="copy"),
        "copy-thumbnail": State(comic, server="copy-thumbnails"),
        "copy-text": State(comic, server="copy-texts"),
        "copy-texts-comics": State("/comics", server="copy-texts"),
        # Pages that the service worker of a static copy makes.
        "copy-settings-installed": State("/settings", acts.install, server="copy", is_installed=True),
        "copy-texts-settings": State("/settings", acts.install, server="copy-texts", is_installed=True),
        "copy-import": State("/settings", acts.open_installed("/settings/import"), server="copy", is_installed=True),
        "copy-imported": State("/settings", acts.import_favorites, server="copy", is_installed=True),
        "copy-clear": State("/settings", acts.ask_to_clear_read_marks, server="copy", is_installed=True),
        "copy-unknown-filter": State("/settings", acts.open_installed("/search?q=is:foo+box"), server="copy", is_installed=True),
        "copy-offline": State("/7/", acts.lose_the_connection_before("/5/"), server="copy", is_installed=True),
    }
