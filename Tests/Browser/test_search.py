# Longbox
# SPDX-License-Identifier: MIT
"""Search as a reader uses it: by a plain form, while typing, and without a connection."""

import re

import pytest
from playwright.sync_api import expect

import device


def results(page):
    return page.get_by_role("list", name="Results").get_by_role("listitem")


def box(page):
    return page.get_by_role("searchbox", name="Search comics")


@pytest.fixture(params=["scripts", "no scripts"])
def search_page(request, open_page, site):
    return open_page(f"{site}/search", java_script_enabled=request.param == "scripts")


def test_the_form_finds_titles_and_deeply_all_texts(search_page):
    box(search_page).fill("terrarium")
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(search_page.get_by_text("No comics with this title or number.")).to_be_visible()
    search_page.get_by_role("link", name="Search alt texts and transcripts, too").click()
    expect(search_page.get_by_role("link", name="#353 Python")).to_be_visible()
    expect(search_page.get_by_role("checkbox", name="Deep search")).to_be_checked()
    expect(results(search_page).first.locator("mark").first).to_have_text("terrarium")
    expect(search_page.get_by_role("status").get_by_text(re.compile(r"^\d+ comics?$"))).to_be_visible()


def test_a_number_goes_straight_to_its_comic(search_page):
    box(search_page).fill("#353")
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(search_page.get_by_role("heading", level=1, name="Python")).to_be_visible()


def test_what_is_typed_is_shown_as_text(search_page):
    box(search_page).fill('"><img src=x onerror="window.injected=true">')
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(box(search_page)).to_have_value('"><img src=x onerror="window.injected=true">')
    assert search_page.locator("img[src='x']").count() == 0


def test_results_come_while_typing_and_the_latest_stays(open_page, site):
    page = open_page(f"{site}/search")
    page.get_by_role("checkbox", name="Deep search").check()
    box(page).press_sequentially("terrar", delay=15)
    expect(page.get_by_role("link", name="#353 Python")).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=terrar&"))
    box(page).fill("quizzaciously")
    expect(page.get_by_role("link", name="#353 Python")).to_have_count(0)


def test_search_works_on_the_device_with_no_connection(browser, site):
    with device.app(browser, site) as app:
        app.install()
        app.set_offline(True)
        app.stop_worker()
        page = app.open("/search?q=terrarium&deep=1")
        expect(page.get_by_role("link", name="#353 Python")).to_be_visible()
        box(page).fill("pyth")
        page.get_by_role("checkbox", name="Deep search").uncheck()
        expect(results(page).first).to_contain_text("Python")
