# Longbox
# SPDX-License-Identifier: MIT
"""Comics on paper: pages are printed as PDF, drawn, and compared with the picture."""

import io

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import expect

import recording
from test_reader_extras import ALT_TEXT
from watch import SCHEMES

PAPERS = [("A4", False), ("A4", True), ("Letter", False), ("Letter", True)]
# Pixels to a point of the paper.
SCALE = 2
# How much a printed edge may differ from the picture's, of 255: it is drawn at another size.
TOLERANCE = 40
# The part of a picture's side that counts as its edge.
EDGE = 0.04


class Paper:
    """A printed page."""

    def __init__(self, page):
        self.picture = page.render(scale=SCALE).to_pil().convert("L")
        self.text = page.get_textpage().get_text_bounded()
        height = page.get_height()
        objects = page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])
        # Left, top, right, bottom in pixels; the part that is beyond the paper counts, too.
        self.places = [
            tuple(round(side * SCALE) for side in (left, height - top, right, height - bottom))
            for left, bottom, right, top in (one.get_bounds() for one in objects)
        ]


def printed(page, paper, landscape):
    """Prints a page when its picture has loaded."""
    page.locator(".picture img").first.evaluate("image => image.decode()")
    if page.locator(".tall").count():
        # What slices the picture is loaded after the page.
        page.wait_for_load_state("networkidle")
    document = pypdfium2.PdfDocument(page.pdf(format=paper, landscape=landscape))
    return [Paper(document[index]) for index in range(len(document))]


def picture_of(page):
    """The picture that a page shows, as a browser draws it on white."""
    address = page.locator(".picture img").first.evaluate("image => image.currentSrc")
    picture = Image.open(io.BytesIO(page.request.get(address).body())).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("L")


def edges(picture):
    """Strips along the four sides."""
    width, height = picture.size
    across, down = max(1, round(EDGE * width)), max(1, round(EDGE * height))
    boxes = [(0, 0, width, down), (0, height - down, width, height), (0, 0, across, height), (width - across, 0, width, height)]
    return [picture.crop(box) for box in boxes]


def assert_on(paper, place):
    left, top, right, bottom = place
    assert min(left, top) >= 0 and right <= paper.picture.width and bottom <= paper.picture.height, "It leaves the paper."


def assert_whole(paper, picture):
    """Fails unless the picture is on the paper with its four edges."""
    assert len(paper.places) == 1
    [(left, top, right, bottom)] = paper.places
    assert_on(paper, (left, top, right, bottom))
    shown = paper.picture.crop((left, top, right, bottom))
    assert abs(shown.width / shown.height / (picture.width / picture.height) - 1) < 0.03, "It is squeezed."
    wanted = picture.resize(shown.size, Image.Resampling.BOX)
    for name, one, other in zip(("upper", "lower", "left", "right"), edges(shown), edges(wanted), strict=True):
        assert ImageStat.Stat(ImageChops.difference(one, other)).mean[0] < TOLERANCE, f"The {name} edge differs."


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("paper", "landscape"), PAPERS)
def test_a_comic_prints_whole_on_one_page_with_its_texts(open_page, site, paper, landscape, scheme):
    page = open_page(f"{site}/{recording.PLAIN}/", scheme=scheme)
    [sheet] = printed(page, paper, landscape)
    assert_whole(sheet, picture_of(page))
    for text in ("Python", ALT_TEXT, "by Randall Munroe"):
        assert text in sheet.text
    for hidden in ("Settings", "Save picture", "Original on xkcd.com", "Explanation", "All topics", "More like this"):
        assert hidden not in sheet.text
    page.emulate_media(media="print")
    expect(page.locator(".actions, .to-number, .rows, .tabs, .pager").locator("visible=true")).to_have_count(0)


@pytest.mark.parametrize("device", ["phone", "desktop"])
@pytest.mark.parametrize("number", [recording.WIDE, recording.ANIMATED, recording.TRANSPARENT])
def test_wide_and_odd_pictures_print_whole(open_page, site, number, device):
    page = open_page(f"{site}/{number}/", device=device)
    [sheet] = printed(page, "Letter", landscape=False)
    assert_whole(sheet, picture_of(page))
    assert "Read" not in sheet.text.split()


def assert_whole_in_slices(sheets, picture):
    """Fails unless the picture's slices are on the papers, in order, from its upper to its lower edge."""
    row = 0
    for sheet in sheets:
        # The texts take a page of their own where the last slice leaves no room.
        assert sheet.places or (sheet is sheets[-1] and sheet.text), "A page has no picture."
        for left, top, right, bottom in sorted(sheet.places, key=lambda place: place[1]):
            assert_on(sheet, (left, top, right, bottom))
            shown = sheet.picture.crop((left, top, right, bottom))
            end = row + picture.width * shown.height / shown.width
            wanted = picture.resize(shown.size, Image.Resampling.BOX, (0, row, picture.width, min(end, picture.height)))
            assert ImageStat.Stat(ImageChops.difference(shown, wanted)).mean[0] < TOLERANCE, f"Row {row:.0f} and the next differ."
            # Places are rounded to the paper's pixels: each slice may be one higher than it should.
            row = end - picture.width / shown.width
    assert abs(row - picture.height) < 0.02 * picture.height, "Rows are lost, or printed twice."


@pytest.mark.parametrize(("paper", "landscape"), PAPERS)
def test_a_tall_comic_prints_whole_on_several_pages(open_page, site, paper, landscape):
    page = open_page(f"{site}/{recording.TALL}/")
    sheets = printed(page, paper, landscape)
    assert len(sheets) > 3
    assert_whole_in_slices(sheets, picture_of(page))
    assert "A Line of Descent" in sheets[0].text
    # Where a page has no more than this line, PDFium takes it for a column of letters and drops spaces.
    assert "byRandallMunroe" in "".join(sheets[-1].text.split())


@pytest.mark.parametrize("number", [7, 327, 936, 1116])
def test_recorded_comics_print_whole_on_one_page(open_page, recorded_site, number):
    page = open_page(f"{recorded_site}/{number}/")
    [sheet] = printed(page, "Letter", landscape=False)
    assert_whole(sheet, picture_of(page))
    assert "by Randall Munroe" in sheet.text


def test_a_recorded_tall_comic_is_cut_between_its_words(open_page, recorded_site):
    page = open_page(f"{recorded_site}/1732/")
    sheets = printed(page, "Letter", landscape=False)
    assert 15 <= len(sheets) <= 20
    assert_whole_in_slices(sheets, picture_of(page))
