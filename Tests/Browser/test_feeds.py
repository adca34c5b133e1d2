# Longbox
# SPDX-License-Identifier: MIT
"""Feeds follow their specifications, and a third-party feed reader reads them."""

import datetime
import json
import re
from html.parser import HTMLParser

import feedparser
import jsonschema_rs
import pytest
from playwright.sync_api import expect

import device
import programs
import recording
from feeds import ATOM, SCHEMAS, valid_atom

JSON_FEED = jsonschema_rs.validator_for(
    json.loads((SCHEMAS / "jsonfeed-1.1.json").read_text(encoding="utf-8")), validate_formats=True
)
NAMES = {"atom": "http://www.w3.org/2005/Atom"}


class Content(HTMLParser):
    """The text and pictures of an entry's HTML."""

    def __init__(self, html):
        super().__init__()
        self.words, self.pictures = "", []
        self.feed(html)

    def handle_data(self, data):
        self.words += data

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.pictures.append(dict(attributes))
        assert tag not in {"script", "style", "iframe", "object", "form"}
        assert not any(name.startswith("on") or name == "style" for name, _ in attributes)


def fetched(address, media_type):
    status, headers, body = programs.get(address)
    assert status == 200, f"{address}: {status} {body[:300]}"
    assert headers["content-type"] == media_type
    return body


def atom(address):
    """Fetches and validates an Atom feed."""
    return valid_atom(address, fetched(address, "application/atom+xml"))


def json_feed(address):
    """Fetches and validates a JSON Feed."""
    feed = json.loads(fetched(address, "application/feed+json"))
    errors = [f"{list(error.instance_path)}: {error.message}" for error in JSON_FEED.iter_errors(feed)]
    assert errors == [], address
    assert feed["feed_url"] == address
    return feed


def all_of(first, read, after):
    """The pages of a feed, newest first."""
    address = first
    while address:
        feed = read(address)
        yield feed
        address = after(feed)


def all_of_atom(address):
    def after(feed):
        return next(iter(feed.xpath("atom:link[@rel='next']/@href", namespaces=NAMES)), None)

    return all_of(address, atom, after)


def all_of_json(address):
    return all_of(address, json_feed, lambda feed: feed.get("next_url"))


@pytest.mark.below_a_path
@pytest.mark.parametrize("path", ["/feed", "/feeds/rerun/1/2020-01-01"])
def test_valid_feeds_list_all_comics(site, path):
    feeds = all_of_atom(f"{site}{path}.atom")
    ids = [text for feed in feeds for text in feed.xpath("atom:entry/atom:id/text()", namespaces=NAMES)]
    items = [item for feed in all_of_json(f"{site}{path}.json") for item in feed["items"]]
    assert [item["id"] for item in items] == ids
    assert len(set(ids)) == len(ids) == recording.LATEST - 1
    numbers = [int(item["url"].split("/")[-2]) for item in items]
    assert numbers == sorted(numbers, reverse=True)


def test_valid_feeds_list_all_recorded_comics(recorded_site):
    count = 0
    for feed in all_of_json(f"{recorded_site}/feed.json"):
        count += len(feed["items"])
        for item in feed["items"]:
            content = Content(item["content_html"])
            assert item.get("summary", "") in content.words
            assert "by Randall Munroe, CC BY-NC 2.5" in content.words
    assert count > 3000
    parts = list(all_of_atom(f"{recorded_site}/feed.atom"))
    assert sum(len(part.findall("atom:entry", NAMES)) for part in parts) == count


def test_feeds_of_the_sample_box_are_marked(sample_site):
    feed = json_feed(f"{sample_site}/feed.json")
    assert feed["items"] and "Longbox samples" in feed["title"]
    assert "Munroe" not in json.dumps(feed["authors"])
    for item in feed["items"]:
        assert item["id"].startswith("urn:uuid:") and "external_url" not in item
        assert "A sample drawn for Longbox" in item["content_html"]
    atom(f"{sample_site}/feed.atom")


def test_the_schemas_reject_invalid_feeds(site):
    document = atom(f"{site}/feed.atom")
    entry = document.find("atom:entry", NAMES)
    entry.remove(entry.find("atom:id", NAMES))
    assert not ATOM.validate(document)
    feed = json_feed(f"{site}/feed.json")
    feed["items"][0]["date_published"] = "yesterday"
    assert not JSON_FEED.is_valid(feed)


@pytest.mark.below_a_path
def test_a_feed_reader_can_read_the_feed(site):
    feed = feedparser.parse(f"{site}/feed.atom")
    assert not feed.bozo, feed.get("bozo_exception")
    assert feed.version == "atom10" and feed.feed.title == "xkcd"
    assert "CC BY-NC 2.5" in feed.feed.rights
    assert len(feed.entries) == 20
    newest = feed.entries[0]
    assert newest.id == f"https://xkcd.com/{recording.LATEST}/"
    assert newest.link == f"{site}/{recording.LATEST}/"
    assert newest.author == "Randall Munroe"
    assert newest.published_parsed[:3] == recording.day_of(recording.LATEST).timetuple()[:3]
    assert newest.updated_parsed >= newest.published_parsed
    for entry in feed.entries:
        content = Content(entry.content[0].value)
        assert entry.summary in content.words
        (picture,) = content.pictures
        status, headers, _ = programs.get(picture["src"])
        assert status == 200 and headers["content-type"].startswith("image/")
        assert int(picture["width"]) > 0 and int(picture["height"]) > 0


@pytest.mark.parametrize(
    "number",
    [
        recording.RIGHT_TO_LEFT, recording.BRACKET, recording.SCRIPT_IN_ALT, recording.NO_ALT, recording.NO_PICTURE,
        recording.BROKEN_NEWS, recording.INTERACTIVE, recording.ENTITY_IN_TITLE, recording.MARKUP_IN_TITLE,
        recording.AMPERSAND, recording.ANGLE_BRACKETS, recording.TALL, recording.WIDE,
    ],
)  # fmt: skip
def test_the_entry_of_an_odd_comic_matches_its_page(site, number):
    _, _, body = programs.get(f"{site}/api/comics/{number}")
    comic = json.loads(body)
    feed = feedparser.parse(f"{site}/feed.atom?before={number + 1}")
    entry = feed.entries[0]
    assert not feed.bozo
    title = comic["title"].replace("<", "‹").replace(">", "›") if "<" in comic["title"] else comic["title"]
    assert entry.title == f"#{number} {title}"
    assert Content(entry.title).words == entry.title, "it is whole where it is taken for HTML"
    content = Content(entry.content[0].value)
    assert comic["alt"] in content.words
    assert ("picture" in comic) == bool(content.pictures)
    item = json_feed(f"{site}/feed.json?before={number + 1}")["items"][0]
    assert item["title"] == entry.title
    assert item.get("summary", "") == comic["alt"]
    for line in re.findall(r"\[\[(.+?)\]\]", comic.get("transcript", "")):
        assert line in content.words


def test_an_unchanged_feed_answers_304(site):
    first = feedparser.parse(f"{site}/feed.atom")
    assert first.status == 200
    assert feedparser.parse(f"{site}/feed.atom", etag=first.etag).status == 304
    assert feedparser.parse(f"{site}/feed.atom", modified=first.modified).status == 304


@pytest.mark.below_a_path
def test_a_browser_finds_the_feed_of_a_page(open_page, site):
    page = open_page(f"{site}/353/")
    feeds = page.locator("link[rel=alternate][type='application/atom+xml']")
    assert feeds.evaluate_all("links => links.map(link => link.href)") == [f"{site}/feed.atom"]
    in_json = page.locator("link[rel=alternate][type='application/feed+json']")
    assert in_json.evaluate_all("links => links.map(link => link.href)") == [f"{site}/feed.json"]
    page = open_page(f"{site}/search?q=python&deep=1")
    search, comics = feeds_of(page)
    assert comics == f"{site}/feed.atom"
    assert recording.PLAIN in [int(entry.link.split("/")[-2]) for entry in feedparser.parse(search).entries]
    path = search.removeprefix(device.origin(site))
    expect(page.get_by_role("link", name="Feed of this search")).to_have_attribute("href", path)


def feeds_of(page):
    return page.locator("link[rel=alternate][type='application/atom+xml']").evaluate_all("links => links.map(link => link.href)")


@pytest.mark.below_a_path
def test_feeds_can_be_chosen_without_scripts(open_page, site):
    page = open_page(f"{site}/settings", java_script_enabled=False)
    page.get_by_role("link", name="Feeds").click()
    expect(page).to_have_url(f"{site}/feeds")
    page.get_by_label("Words").fill("kettle & co")
    page.get_by_role("button", name="Show the address").first.click()
    search = page.get_by_role("region", name="A search").get_by_role("link").last
    assert json_feed(search.get_attribute("href"))["title"] == "xkcd: kettle & co"

    today = datetime.datetime.now(datetime.UTC).date()
    rerun = page.get_by_role("region", name="From the beginning")
    rerun.get_by_label("First comic").fill("403")
    rerun.get_by_label("First day").fill((today - datetime.timedelta(days=1)).isoformat())
    rerun.get_by_label("Comics a day").fill("2")
    rerun.get_by_role("button", name="Show the address").click()
    items = json_feed(rerun.get_by_role("link").last.get_attribute("href"))["items"]
    # The day may end between the two requests.
    assert [item["title"].split()[0] for item in items][-4:] == ["#407", "#406", "#405", "#403"]

    rerun = page.get_by_role("region", name="From the beginning")
    rerun.get_by_label("First comic").fill("404")
    rerun.get_by_role("button", name="Show the address").click()
    expect(page.get_by_role("alert")).to_contain_text("“404” is no comic’s number")


@pytest.mark.below_a_path
def test_the_feed_of_favorites_can_be_created_and_revoked_without_scripts(open_page, site):
    page = open_page(f"{site}/353/", java_script_enabled=False)
    page.get_by_role("button", name="Favorite").click()
    page.goto(f"{site}/feeds")
    page.get_by_role("button", name="Make an address").click()
    favorites = page.get_by_role("region", name="Your favorites")
    address = favorites.get_by_role("link").first.get_attribute("href")
    assert [entry.id for entry in feedparser.parse(address).entries] == ["https://xkcd.com/353/"]
    atom(address)
    favorites.get_by_role("button", name="Remove the address").click()
    expect(favorites.get_by_role("button", name="Make an address")).to_be_visible()
    assert programs.get(address)[0] == 404


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_the_feeds_page_shows_the_chosen_values(open_page, site, keep_picture, device):
    page = open_page(f"{site}/feeds?q=tea&from=1&start=2026-11-21&per-day=2", device=device)
    expect(page.get_by_role("heading", level=1)).to_have_text("Feeds")
    for name, value in [("Words", "tea"), ("First comic", "1"), ("First day", "2026-11-21"), ("Comics a day", "2")]:
        expect(page.get_by_label(name)).to_have_value(value)
    keep_picture(page, f"feeds-{device}", full_page=True)
