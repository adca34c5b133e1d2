# Longbox
# SPDX-License-Identifier: MIT
"""A reader's devices, and the library as a file, by role and name."""

import io
import json
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from pages import link_for_another_device, make_favorite


@pytest.fixture
def open_site(open_page, site):
    """Opens a path of the site in a new browser context."""

    def open_path(path, **options):
        return open_page(site + path, **options)

    return open_path


def like(page, site, *comics):
    for comic in comics:
        page.goto(f"{site}/{comic}/")
        make_favorite(page)


def expect_favorites(page, site, *comics):
    """Expects these favorites."""
    page.goto(site + "/favorites")
    links = page.get_by_role("list", name="Favorites").get_by_role("link")
    expect(links).to_have_count(len(comics))
    shown = {int(re.search(r"\d+", link.get_attribute("href"))[0]) for link in links.all()}
    assert shown == set(comics)


@pytest.mark.parametrize("scripts", [True, False])
def test_two_browsers_share_one_library_after_pairing(open_site, site, scripts):
    desktop = open_site("/", java_script_enabled=scripts)
    phone = open_site("/", device="phone", java_script_enabled=scripts)
    like(desktop, site, 1, 2)
    like(phone, site, 3)
    phone.goto(link_for_another_device(desktop, site))
    expect(phone.get_by_role("main")).to_contain_text("2 favorites; this device’s has 1 favorite")
    phone.get_by_role("button", name="Connect").click()
    expect(phone.get_by_role("status").filter(has_text="share one library")).to_contain_text("3 favorites")
    expect_favorites(phone, site, 1, 2, 3)
    expect_favorites(desktop, site, 1, 2, 3)
    like(phone, site, 4)
    expect_favorites(desktop, site, 1, 2, 3, 4)


def test_a_pairing_link_works_once(open_site, site):
    first = open_site("/")
    link = link_for_another_device(first, site)
    other = open_site("/")
    other.goto(link)
    other.get_by_role("button", name="Connect").click()
    late = open_site("/")
    assert late.goto(link).status == 410
    expect(late.get_by_role("alert")).to_contain_text("used already")


def test_the_pairing_link_can_be_copied_and_shared(open_site, site):
    page = open_site("/", permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script("navigator.share = async (data) => { window.shared = data.url }")
    link = link_for_another_device(page, site)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.get_by_role("button", name="Share link").click()
    page.wait_for_function("link => window.shared === link", arg=link)


def test_the_qr_code_contains_the_link(open_site, site, keep_picture):
    page = open_site("/", device="phone", scheme="dark")
    link = link_for_another_device(page, site)
    expect(page.get_by_role("alert")).to_contain_text("can’t reach 127.0.0.1")
    assert link.startswith(site + "/join?code=")
    symbol = page.get_by_role("img", name="QR code of the link")
    read = zxingcpp.read_barcodes(Image.open(io.BytesIO(symbol.screenshot())))
    assert [code.text for code in read] == [link]
    keep_picture(page, "move-phone-dark", full_page=True)


def test_a_library_can_be_exported_as_a_file_and_imported(open_site, site, tmp_path):
    page = open_site("/")
    like(page, site, 2, 3)
    page.goto(site + "/settings")
    row = page.locator(".row", has=page.get_by_role("link", name="Export"))
    expect(row).to_contain_text("longbox-library.json, a JSON file of 1 kB")
    expect(row.get_by_text("Download", exact=True)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    assert download.value.suggested_filename == "longbox-library.json"
    file = tmp_path / "longbox-library.json"
    download.value.save_as(file)
    exported = json.loads(file.read_text(encoding="utf-8"))
    assert exported["format"] == "longbox-library"
    assert {favorite["num"] for favorite in exported["favorites"]} == {2, 3}

    other = open_site("/settings")
    like(other, site, 3)
    other.goto(site + "/settings")
    other.get_by_role("link", name="Import").click()
    other.get_by_label("File").set_input_files(file)
    other.get_by_role("button", name="Import").click()
    expect(other.get_by_role("main").get_by_role("status")).to_contain_text("1 favorite added, 1 was there already.")
    expect_favorites(other, site, 2, 3)


def test_a_pasted_list_is_imported_and_an_invalid_one_is_rejected(open_site, site, keep_picture):
    page = open_site("/settings/import", java_script_enabled=False)
    page.get_by_label("Or paste its text").fill("#1, 2\n3 - Sample\n")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("main").get_by_role("status")).to_contain_text("3 favorites added.")
    page.goto(site + "/settings/import")
    page.get_by_label("Or paste its text").fill("4\nfive\n")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("in line 2, “five” is not the number of a comic")
    expect(page.get_by_label("Or paste its text")).to_have_value("4\nfive\n")
    keep_picture(page, "import-refused")
    expect_favorites(page, site, 1, 2, 3)


def test_the_good_lines_of_a_list_are_imported_if_the_reader_says_so(open_site, site, axe, keep_picture):
    page = open_site("/settings/import", device="phone")
    page.get_by_label("Or paste its text").fill("4. Sample\nfive\nhttps://xkcd.com/6/\nhttps://example.org/7/\n")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("2 lines have neither")
    lines = page.get_by_role("list", name="Lines left out").get_by_role("listitem")
    expect(lines).to_have_text(["Line 2: “five”", "Line 4: “https://example.org/7/”"])
    axe(page)
    keep_picture(page, "import-partly-phone")
    page.get_by_role("button", name="Import the other lines").click()
    expect(page.get_by_role("main").get_by_role("status")).to_contain_text("2 favorites added.")
    expect_favorites(page, site, 4, 6)


def test_bookmarks_of_a_browser_and_a_list_in_utf_16_are_imported(open_site, site, tmp_path):
    bookmarks = tmp_path / "bookmarks.html"
    bookmarks.write_text(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n"
        '<DT><A HREF="https://xkcd.com/8/">xkcd: Sample</A>\n'
        '<DT><A HREF="https://www.explainxkcd.com/wiki/index.php/9:_Sample">9: Sample</A>\n'
        '<DT><A HREF="https://example.org/10/">Ten</A>\n</DL>\n',
        encoding="utf-8",
    )
    numbers = tmp_path / "numbers.txt"
    numbers.write_bytes("11 - Sample\r\n12 - Sample\r\n".encode("utf-16"))
    page = open_site("/settings/import")
    for file in (bookmarks, numbers):
        page.goto(site + "/settings/import")
        page.get_by_label("File").set_input_files(file)
        page.get_by_role("button", name="Import").click()
        expect(page.get_by_role("main").get_by_role("status")).to_contain_text("2 favorites added.")
    expect_favorites(page, site, 8, 9, 11, 12)
