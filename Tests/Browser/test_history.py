# Longbox
# SPDX-License-Identifier: MIT
"""Recently viewed comics: a list on this device, which can be cleared."""

import re

import pytest
from playwright.sync_api import expect

import device
import page_acts
import recording


@pytest.fixture
def app(browser, site):
    with device.app(browser, site) as app:
        yield app.install("/5/")


def shown(page):
    return page.get_by_role("list", name="Recently viewed").get_by_role("link")


def test_the_app_lists_what_was_viewed_and_forgets_it_on_request(app, axe):
    for comic in (12, 353, 42):
        app.read(comic)
    page = app.open("/comics")
    page.get_by_role("link", name="Recently viewed").click()
    expect(page.get_by_role("heading", level=1, name="Recently viewed")).to_be_visible()
    numbers = [re.match(r"#(\d+)", text)[1] for text in shown(page).all_inner_texts()]
    assert numbers[:3] == ["42", "353", "12"]
    axe(page)
    page.get_by_role("button", name="Clear recently viewed").click()
    expect(page.get_by_role("heading", name="Nothing viewed yet")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(shown(page).first).to_contain_text("#42")


def test_the_list_works_without_scripts_and_without_a_connection(app, open_page, site):
    page = open_page(f"{site}/about", java_script_enabled=False)
    page_acts.favorite(page, site, 5)
    for comic in (7, 303):
        page.goto(f"{site}/{comic}/")
    page.goto(f"{site}/history")
    # The favorite's form led back to the latest comic.
    expect(shown(page)).to_contain_text(["#303", "#7", f"#{recording.LATEST}"])
    page.get_by_role("button", name="Clear recently viewed").click()
    expect(page.get_by_role("heading", name="Nothing viewed yet")).to_be_visible()
    app.read(42)
    app.set_offline(True)
    expect(shown(app.open("/history")).first).to_contain_text("#42")
