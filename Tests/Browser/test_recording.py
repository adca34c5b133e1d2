# Longbox
# SPDX-License-Identifier: MIT
"""Every comic of the small recording, from the source's bytes to its page, without a browser."""

import json
import re

import pytest
from lxml import html

import programs
import recording


@pytest.fixture(scope="module")
def pages(site):
    """The page of each comic, parsed."""
    numbers = [number for number in range(1, recording.LATEST + 1) if number != 404]
    return {number: html.fromstring(programs.get(f"{site}/{number}/")[2]) for number in numbers}


def records(recorded):
    lines = (recorded / "xkcd" / "comics.jsonl").read_text(encoding="utf-8").splitlines()
    return {comic["num"]: comic for comic in map(json.loads, lines)}


def test_each_comic_has_its_page_and_its_record(site, recorded, pages):
    for number, record in records(recorded).items():
        status, _, body = programs.get(f"{site}/{number}/info.0.json")
        assert (status, json.loads(body)) == (200, record), number
        assert pages[number].findtext(".//h1//bdi"), number
        date = f"{int(record['year']):04}-{int(record['month']):02}-{int(record['day']):02}"
        assert pages[number].find(".//time").get("datetime") == date, number
    assert programs.get(f"{site}/404/")[0] == 404


def test_each_picture_has_the_size_and_frame_count_that_pillow_finds(recorded, pages):
    pictures = json.loads((recorded / "xkcd" / "images.json").read_text(encoding="utf-8"))
    for number, page in pages.items():
        image = page.find(".//figure/img")
        if str(number) not in pictures:
            assert image is None, number
            continue
        facts = pictures[str(number)]
        size = [facts["width"], facts["height"]]
        # The camera was held sideways.
        if number == recording.TURNED_BY_EXIF:
            size.reverse()
        assert [int(image.get("width")), int(image.get("height"))] == size, number
        assert int(image.get("data-frames", 1)) == facts["frames"], number


def test_each_page_has_the_transcript_of_its_comic(recorded, pages):
    for number, record in records(recorded).items():
        spoken = re.findall(r"^\w+: (.+)$", record["transcript"], re.M)
        if spoken and number != recording.DOUBLE_ENCODED:
            shown = pages[number].get_element_by_id("transcript").text_content()
            assert spoken[0] in shown, number
