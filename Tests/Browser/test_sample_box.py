# Longbox
# SPDX-License-Identifier: MIT
"""The first start without a network: the sample box."""

import re

import pytest
from playwright.sync_api import expect

import programs
import recording
from waiting import until
from watch import DEVICES


@pytest.mark.parametrize("device", DEVICES)
def test_is_shown_and_marked_if_xkcd_is_unreachable(open_page, sample_site, keep_picture, device):
    page = open_page(sample_site, device=device)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text(re.compile("sample", re.I)).first).to_be_visible()
    picture = page.get_by_role("img", name=re.compile(r"^Comic \d+: "))
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    keep_picture(page, f"sample-{device}")


def test_can_be_read_from_the_last_to_the_first(open_page, sample_site):
    page = open_page(sample_site)
    read = 1
    previous = page.get_by_role("link", name="Previous comic", exact=True)
    # At the first comic the link has no address.
    while address := previous.evaluate("link => link.href"):
        previous.click()
        expect(page).to_have_url(address)
        expect(page.get_by_text(re.compile("sample", re.I)).first).to_be_visible()
        read += 1
        assert read < 100
    assert read >= 12


def test_its_overview_is_marked_too(open_page, sample_site, keep_picture):
    page = open_page(f"{sample_site}/comics", device="phone")
    expect(page.get_by_text(re.compile("sample", re.I)).first).to_be_visible()
    assert page.get_by_role("main").locator("li").count() >= 12
    keep_picture(page, "sample-comics-phone")


def test_is_not_credited_to_xkcd(open_page, sample_site):
    page = open_page(sample_site)
    assert page.locator("a[href^='https://xkcd.com/']", has_text=re.compile(r"\d")).count() == 0


def test_is_replaced_by_real_comics_once_xkcd_is_reachable(open_page, upstream, tmp_path):
    with programs.server(tmp_path, programs.closed_address()) as server:
        assert b"Sample box." in programs.get(f"{server.address}/")[2]
    with programs.server(tmp_path, upstream, LONGBOX_FILL="false") as server:
        latest = f"Comic {recording.LATEST}: ".encode()
        until(lambda: latest in programs.get(f"{server.address}/")[2], "the latest comic is shown")
        # Without scripts, which would fetch further comics.
        page = open_page(server.address, java_script_enabled=False)
        assert page.get_by_text(re.compile("sample", re.I)).count() == 0
