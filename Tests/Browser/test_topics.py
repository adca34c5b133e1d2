# Longbox
# SPDX-License-Identifier: MIT
"""Characters and topics: in a comic's details, as lists, in search, and offline; comics like another."""

import re

import pytest
from playwright.sync_api import expect

import details
import device
import page_acts
import programs
import recording
from pages import numbers_linked
from waiting import until
from watch import DEVICES

ADA = set(recording.CATEGORIES["Comics featuring Ada Byte"])
BREAD = set(recording.CATEGORIES["Bread"])


@pytest.fixture(scope="module")
def topics_site(explained_site):
    """A server whose archive has the topics; the explanations come in the background."""

    def has_all():
        pages = [programs.get(f"{explained_site}/topics/{name}")[2].decode() for name in ["ada-byte", "bread"]]
        return all(f">{len(numbers)} comics" in page for numbers, page in zip([ADA, BREAD], pages, strict=True))

    until(has_all, "the archive has the topics", timeout=120)
    return explained_site


def main(page):
    return page.get_by_role("main")


@pytest.mark.parametrize("size", DEVICES)
def test_a_comics_topics_lead_to_their_lists(open_page, topics_site, axe, keep_picture, size):
    page = open_page(f"{topics_site}/100/", device=size)
    topics = details.show(page).get_by_role("navigation", name="Characters and topics")
    assert topics.get_by_role("link").all_text_contents() == ["Ada Byte", "Bread", "All topics"]
    keep_picture(page, f"topics-of-comic-{size}")
    axe(page)
    topics.get_by_role("link", name="Ada Byte").click()
    expect(page.get_by_role("heading", level=1, name="Ada Byte")).to_be_visible()
    expect(main(page).get_by_text("4 comics", exact=True)).to_be_visible()
    assert numbers_linked(page) == ADA
    keep_picture(page, f"topic-{size}")
    axe(page)
    page.get_by_role("link", name="Back to all topics").click()
    expect(page.get_by_role("heading", level=1, name="Characters and topics")).to_be_visible()
    assert main(page).get_by_role("heading", level=2).all_text_contents() == ["Characters", "Topics"]
    keep_picture(page, f"topics-{size}")
    axe(page)


def test_a_list_can_leave_out_what_was_read_without_scripts(open_page, topics_site):
    page = open_page(f"{topics_site}/about", java_script_enabled=False)
    page_acts.favorite(page, topics_site, 353)
    page.goto(f"{topics_site}/100/")
    page.goto(f"{topics_site}/topics/bread")
    filters = page.get_by_role("navigation", name="Comics to show")
    filters.get_by_role("link", name="Unread").click()
    expect(filters.get_by_role("link", name="Unread")).to_have_attribute("aria-current", "true")
    assert numbers_linked(page) == BREAD - {100}


def test_the_sheet_ends_with_comics_like_this_one(open_page, topics_site):
    page = open_page(f"{topics_site}/100/", device="phone")
    part = details.show(page).get_by_role("region", name="More like this")
    assert part.get_by_role("link").first.get_attribute("href").endswith("/200/")
    part.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/200/"))


def test_opening_the_details_asks_for_nothing_new(open_page, topics_site):
    page = open_page(f"{topics_site}/100/", device="phone", service_workers="block")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    expect(details.show(page).get_by_role("region", name="More like this")).to_be_visible()
    assert not [url for url in asked if "/topics" in url or "/thumbnail" in url]


def test_an_unknown_topic_is_named_and_others_are_offered(open_page, topics_site):
    page = open_page(f"{topics_site}/topics/Some%20Person", status=404)
    expect(page.get_by_role("alert")).to_contain_text("No comic has the topic “some-person”.")
    expect(main(page).get_by_role("link", name="Ada Byte")).to_be_visible()


def test_topics_and_their_filters_of_a_search_work_offline(browser, topics_site):
    with device.app(browser, topics_site) as app:
        app.install()
        app.set_offline(True)
        app.stop_worker()
        page = app.open("/topics/ada-byte")
        expect(page.get_by_role("heading", level=1, name="Ada Byte")).to_be_visible()
        assert numbers_linked(page) == ADA
        page = app.open("/search?q=with%3A%22ada+byte%22+about%3Abread&deep=0")
        results = page.get_by_role("list", name="Results").get_by_role("listitem")
        expect(results).to_have_count(len(ADA & BREAD))
        box = page.get_by_role("searchbox", name="Search comics")
        box.fill("-with:ada about:bre")
        expect(results).to_have_count(len(BREAD - ADA))
