# Longbox
# SPDX-License-Identifier: MIT
"""The catalogue is valid OPDS 1.2, and every comic in it can be downloaded."""

import io
import json
import zipfile
from urllib.parse import quote, unquote_plus

import pytest
from lxml import etree
from PIL import Image

import programs
import recording
from feeds import valid_atom

NAMES = {"atom": "http://www.w3.org/2005/Atom", "dc": "http://purl.org/dc/terms/"}
SEARCH = {"os": "http://a9.com/-/spec/opensearch/1.1/"}
KIND = "application/atom+xml;profile=opds-catalog;kind="
ACQUISITION = "http://opds-spec.org/acquisition"
IMAGES = ("http://opds-spec.org/image", "http://opds-spec.org/image/thumbnail")


def links(element, relation=None):
    return [link for link in element.findall("atom:link", NAMES) if relation in (None, link.get("rel"))]


def is_acquisition(link):
    return link.get("rel").startswith(ACQUISITION)


def part(address):
    """A feed of the catalogue, checked by the rules of OPDS 1.2 (https://specs.opds.io/opds-1.2)."""
    status, headers, body = programs.get(address)
    assert status == 200, f"{address}: {status}"
    feed = valid_atom(address, body)
    kind = headers["content-type"].removeprefix(KIND)
    assert kind in ("navigation", "acquisition")
    (own,) = links(feed, "self")
    assert (unquote_plus(own.get("href")), own.get("type")) == (unquote_plus(address), KIND + kind)
    assert all(link.get("type") for link in links(feed))
    assert [link.get("type") for link in links(feed, "start")] == [KIND + "navigation"]
    assert [link.get("type") for link in links(feed, "search")] == [
        "application/opensearchdescription+xml",
        "application/atom+xml",
    ]
    for entry in feed.findall("atom:entry", NAMES):
        check_publication(entry) if kind == "acquisition" else check_section(entry)
    return feed, kind


def check_section(entry):
    assert not any(is_acquisition(link) for link in links(entry))
    assert entry.findtext("atom:content", namespaces=NAMES)
    (link,) = links(entry)
    assert link.get("type") in (KIND + "navigation", KIND + "acquisition")
    assert link.get("rel") in ("subsection", "http://opds-spec.org/sort/new")


def check_publication(entry):
    assert any(is_acquisition(link) for link in links(entry))
    assert all(link.get("type") for link in links(entry))
    for relation in IMAGES:
        # None if the picture has not been fetched yet.
        assert all(image.get("type") in ("image/gif", "image/jpeg", "image/png") for image in links(entry, relation))
    assert entry.findtext("dc:language", namespaces=NAMES) == "en"
    assert entry.findtext("dc:identifier", namespaces=NAMES)
    assert len(entry.findtext("dc:issued", namespaces=NAMES)) == len("2007-12-05")


def publications(address):
    """The comics of a feed, page by page, without the books of all of them."""
    while address:
        feed, kind = part(address)
        assert kind == "acquisition"
        yield from (entry for entry in feed.findall("atom:entry", NAMES) if not is_book_of_many(entry))
        address = next((link.get("href") for link in links(feed, "next")), None)


def all_by_year(site):
    """All comics, found as by an app that knows only the root."""
    root, kind = part(f"{site}/opds")
    assert kind == "navigation"
    (years,) = [links(entry)[0].get("href") for entry in root.findall("atom:entry", NAMES)[1:2]]
    for year in reversed(part(years)[0].findall("atom:entry", NAMES)):
        yield from publications(links(year)[0].get("href"))


def is_book_of_many(entry):
    return entry.findtext("atom:title", namespaces=NAMES).endswith("as one comic book")


def number_of(entry):
    return int(entry.findtext("atom:id", namespaces=NAMES).split("/")[-2])


def test_every_comic_is_found_from_the_root(site):
    without_picture = {recording.NO_PICTURE}
    expected = [number for number in range(1, recording.LATEST + 1) if number != 404 and number not in without_picture]
    assert [number_of(entry) for entry in all_by_year(site)] == expected
    assert [number_of(entry) for entry in publications(f"{site}/opds/latest")] == expected[::-1]


def test_every_recorded_comic_is_found_from_the_root(recorded_site):
    numbers = [number_of(entry) for entry in all_by_year(recorded_site)]
    assert numbers == sorted(numbers) and len(numbers) > 3000
    # They have no picture, or their records name another comic's picture.
    assert not {404, 1608, 1663} & set(numbers)


def test_the_sample_box_has_a_catalogue(sample_site):
    assert list(publications(f"{sample_site}/opds/latest"))


@pytest.mark.parametrize("words", ["python", "D&D", '"two people"', "café ツ %"])
def test_it_can_be_searched_by_its_search_description(site, words):
    link, direct = links(part(f"{site}/opds")[0], "search")
    status, headers, body = programs.get(link.get("href"))
    assert (status, headers["content-type"]) == (200, link.get("type"))
    description = etree.fromstring(body)
    assert len(description.findtext("os:ShortName", namespaces=SEARCH)) <= 16
    (url,) = description.findall("os:Url", SEARCH)
    assert url.get("type") == KIND + "acquisition"
    assert direct.get("href") == url.get("template")
    found = [number_of(entry) for entry in publications(url.get("template").replace("{searchTerms}", quote(words, safe="")))]
    _, _, api = programs.get(f"{site}/api/search?limit=100&q={quote(words, safe='')}")
    hits = [hit["number"] for hit in json.loads(api)["results"] if "thumbnail" in hit]
    assert found[: len(hits)] == hits


@pytest.mark.parametrize("number", [recording.PLAIN, recording.ANIMATED, recording.TURNED_BY_EXIF, recording.AMPERSAND])
def test_a_comic_can_be_downloaded_as_a_picture_and_as_a_comic_book(site, number):
    entry = next(entry for entry in publications(f"{site}/opds/latest") if number_of(entry) == number)
    assert all(len(links(entry, relation)) == 1 for relation in IMAGES)
    files = {}
    for link in links(entry):
        if is_acquisition(link) or link.get("rel") in IMAGES:
            status, headers, body = programs.get(link.get("href"))
            assert (status, headers["content-type"]) == (200, link.get("type"))
            files[link.get("type")] = body
    book = zipfile.ZipFile(io.BytesIO(files.pop("application/vnd.comicbook+zip")))
    (picture,) = files.values()
    page, info = book.namelist()
    assert book.testzip() is None
    assert info == "ComicInfo.xml" and book.read(page) == picture
    with Image.open(io.BytesIO(book.read(page))) as image:
        assert page == f"xkcd-{number}.{ {'PNG': 'png', 'GIF': 'gif', 'JPEG': 'jpg'}[image.format] }"
    assert book.infolist()[0].date_time[:3] == recording.day_of(number).timetuple()[:3]
    facts = etree.fromstring(book.read(info))
    assert facts.findtext("Number") == str(number)
    assert f"#{number} {facts.findtext('Title')}" == entry.findtext("atom:title", namespaces=NAMES)
    assert "CC BY-NC 2.5" in facts.findtext("Notes")


def test_a_year_can_be_downloaded_as_one_comic_book(site):
    year = recording.day_of(recording.PLAIN).year
    address = f"{site}/opds/years/{year}"
    (entry,) = [entry for entry in part(address)[0].findall("atom:entry", NAMES) if is_book_of_many(entry)]
    (link,) = [link for link in links(entry) if is_acquisition(link)]
    status, headers, body = programs.get(link.get("href"))
    assert (status, headers["content-type"]) == (200, link.get("type"))
    book = zipfile.ZipFile(io.BytesIO(body))
    assert book.testzip() is None
    *pages, info = book.namelist()
    assert info == "ComicInfo.xml" and pages == sorted(pages)
    numbers = [int(page.rpartition("-")[2].partition(".")[0]) for page in pages]
    facts = etree.fromstring(book.read(info))
    missing = facts.findtext("Notes").partition("Could not be fetched: ")[2].rstrip(".").split(", ")
    listed = {number_of(entry) for entry in publications(address)}
    assert set(numbers) <= listed <= {*numbers, *map(int, filter(None, missing))}
    bookmarks = [page.get("Bookmark") for page in facts.find("Pages")]
    assert [int(bookmark.split()[0].lstrip("#")) for bookmark in bookmarks] == numbers
    with Image.open(io.BytesIO(book.read(pages[0]))) as image:
        image.verify()
