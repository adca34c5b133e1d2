# Longbox
# SPDX-License-Identifier: MIT
"""What pages show, and what many tests do on them."""

import re

from playwright.sync_api import expect

import device


def picture(page):
    return page.get_by_role("img", name=re.compile(r"^Comic \d+: "))


def is_shown(page):
    """Whether the comic's picture is shown."""
    return picture(page).evaluate("image => image.decode().then(() => image.naturalWidth > 1, () => false)")


def heart(page):
    return page.get_by_role("button", name="Favorite", exact=True)


def make_favorite(page):
    """Makes the comic a favorite, and waits until its heart shows it."""
    heart(page).click()
    expect(heart(page)).to_have_attribute("aria-pressed", "true")


def numbers_linked(page):
    """The numbers of the comics to which the page's content links."""
    links = page.get_by_role("main").locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    base_path = re.escape(page.evaluate(device.BASE))
    return {int(found.group(1)) for link in links if (found := re.fullmatch(rf"{base_path}/(\d+)/(\?in=.*)?", link or ""))}


def save_album(page):
    page.get_by_role("button", name="Save album").click()
    expect(page.get_by_role("status").get_by_text("Album saved for offline.")).to_be_visible()


def link_for_another_device(page, site):
    page.goto(site + "/settings")
    page.get_by_role("button", name="Connect another device").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Connect another device")
    return page.get_by_role("link", name="/join?code=").get_attribute("href")
