# Longbox
# SPDX-License-Identifier: MIT
"""Longbox offers to be installed only when that is due."""

import io
import json

import pytest
from PIL import Image
from playwright.sync_api import expect

import device
import page_acts
import programs

LONG_AGO = "sessionStorage.setItem('longbox-since', '1')"


@pytest.fixture
def app(browser, site):
    with device.app(browser, site) as app:
        yield app.install("/5/")


def used(page, **counts):
    """Sets how Longbox was used in this browser."""
    usage = {"comics": 5, "days": 1, "isKept": True, "dismissals": 0, "dismissedAt": 0} | counts
    page.evaluate(
        "usage => localStorage.setItem('longbox-usage', JSON.stringify({ ...usage, day: new Date().toDateString() }))", usage
    )


def card(page):
    return page.get_by_role("region", name="Keep Longbox at hand")


def test_the_card_appears_when_it_is_due_and_installs(app, keep_picture):
    page = app.page
    used(page)
    page.evaluate(LONG_AGO)
    page = app.open("/favorites")
    page.evaluate(page_acts.OFFER)
    expect(card(page)).to_be_visible()
    keep_picture(page, "install-card")
    card(page).get_by_role("button", name="Install", exact=True).click()
    expect(card(page)).to_have_count(0)
    assert page.evaluate("window.prompted") is True


def test_a_dismissed_card_does_not_appear_again(app):
    page = app.page
    used(page)
    page.evaluate(LONG_AGO)
    page = app.open("/favorites")
    page.evaluate(page_acts.OFFER)
    card(page).get_by_role("button", name="Not now").click()
    expect(card(page)).to_have_count(0)
    page = app.open("/favorites")
    page.evaluate(page_acts.OFFER)
    expect(card(page)).to_have_count(0)
    assert json.loads(page.evaluate("localStorage.getItem('longbox-usage')"))["dismissals"] == 1


@pytest.mark.parametrize("counts", [{"comics": 4}, {"isKept": False}, {"dismissals": 3}])
def test_the_card_does_not_appear_before_it_is_due(app, counts):
    used(app.page, **counts)
    app.page.evaluate(LONG_AGO)
    page = app.open("/favorites")
    page.evaluate(page_acts.OFFER)
    expect(card(page)).to_have_count(0)


def test_settings_have_an_install_button_if_the_browser_can_install(app):
    page = app.open("/settings")
    row = page.get_by_role("button", name="Install Longbox", exact=True)
    expect(page.get_by_role("link", name="Export", exact=True)).to_be_visible()
    expect(row).to_be_hidden()
    page.evaluate(page_acts.OFFER)
    row.click()
    page.wait_for_function("() => window.prompted === true")
    expect(row).to_be_hidden()


def test_an_iphone_shows_the_steps_to_install(browser, site, axe, keep_picture):
    with device.app(browser, site) as app:
        app.page.add_init_script("Object.defineProperty(navigator, 'standalone', { value: false })")
        app.install("/5/")
        used(app.page)
        app.page.evaluate(LONG_AGO)
        page = app.open("/favorites")
        expect(card(page).get_by_role("listitem")).to_have_count(2)
        expect(card(page)).to_contain_text("Add to Home Screen")
        expect(card(page).get_by_role("button")).to_have_count(1)
        axe(page)
        keep_picture(page, "install-card-iphone")


def test_a_mac_does_not_show_the_steps_of_an_iphone(browser, site):
    with device.app(browser, site) as app:
        app.page.add_init_script("Object.defineProperty(navigator, 'standalone', { value: false })")
        app.page.add_init_script("Object.defineProperty(navigator, 'maxTouchPoints', { value: 0 })")
        app.install("/5/")
        used(app.page)
        app.page.evaluate(LONG_AGO)
        page = app.open("/settings")
        expect(page.get_by_role("button", name="Latest 50", exact=True)).to_be_enabled()
        expect(page.get_by_text("Home Screen").filter(visible=True)).to_have_count(0)


def test_the_manifest_has_shortcuts_and_screenshots_for_phones_and_desktops(site):
    origin = device.origin(site)
    manifest = json.loads(programs.get(f"{site}/manifest.webmanifest")[2])
    assert [origin + shortcut["url"] for shortcut in manifest["shortcuts"]] == [
        f"{site}{path}" for path in ("/random", "/favorites", "/search")
    ]
    assert {shot["form_factor"] for shot in manifest["screenshots"]} == {"narrow", "wide"}
    for shot in manifest["screenshots"]:
        status, headers, body = programs.get(origin + shot["src"])
        assert (status, headers["Content-Type"]) == (200, "image/png")
        with Image.open(io.BytesIO(body)) as picture:
            assert shot["sizes"] == f"{picture.width}x{picture.height}"
            assert max(picture.size) <= 2.3 * min(picture.size)
        assert len(body) < 120_000
