# Longbox
# SPDX-License-Identifier: MIT
"""Explanations: hidden until opened, with and without scripts, online and offline."""

import re

import pytest
from playwright.sync_api import expect

import details
import device
import programs
import recording
from pages import make_favorite
from watch import DEVICES

# Requests of the page wait until `release()` is called.
HOLD_REQUESTS = """() => {
  const { fetch } = window
  const held = new Promise(resolve => { window.release = resolve })
  window.fetch = async (...given) => { await held; return fetch(...given) }
}"""


@pytest.fixture
def app(browser, explained_site):
    with device.app(browser, explained_site) as app:
        yield app


def disclosure(page):
    return page.locator(".explanation")


def opened(page):
    if page.locator(".comic-page").count():
        details.show(page, "Explanation")
    else:
        disclosure(page).locator("summary").click()
    return disclosure(page)


@pytest.mark.parametrize("device", DEVICES)
def test_the_whole_explanation_replaces_its_beginning(open_page, explained_site, base_path, axe, keep_picture, device):
    page = open_page(f"{explained_site}/353/", device=device)
    expect(disclosure(page).get_by_text("The joke of number 353 is old.")).to_be_hidden()
    shown = opened(page)
    expect(shown.locator(".lead")).to_contain_text("The joke of number 353 is old.")
    expect(shown).to_contain_text("As of 30 September 2025")
    more = shown.get_by_role("link", name="Show more on explain xkcd")
    expect(more).to_have_attribute("href", "https://www.explainxkcd.com/wiki/index.php/353")
    expect(more).to_have_text("On explain xkcd")
    # Links within the text are links here, too, and don't make their lines higher.
    link = shown.get_by_role("link", name="Another")
    expect(link).to_have_attribute("href", f"{base_path}/4/")
    expect(link).to_have_css("display", "inline")
    axe(page)
    shown.get_by_role("link", name="The whole explanation").click()
    expect(shown.get_by_role("heading", name="A section")).to_be_visible()
    expect(shown.get_by_role("link", name="Another")).to_have_attribute("href", f"{base_path}/4/")
    assert page.evaluate("document.activeElement.className") == "explanation-text"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)
    keep_picture(page, f"explanation-{device}")


def test_a_wide_table_scrolls_on_its_own_also_by_keyboard(open_page, explained_site, axe):
    page = open_page(f"{explained_site}/353/explanation", device="phone")
    table = page.get_by_role("group", name="Table")
    assert table.evaluate("table => table.scrollWidth > table.clientWidth")
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("table => table.scrollLeft > 0", arg=table.element_handle())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)


def test_works_without_scripts(open_page, explained_site):
    page = open_page(f"{explained_site}/163/", java_script_enabled=False)
    disclosure(page).locator("summary").click()
    shown = disclosure(page)
    expect(shown).to_contain_text("They call it incomplete.")
    shown.get_by_role("link", name="The whole explanation").click()
    expect(page.get_by_role("heading", name="Explanation", exact=True)).to_be_visible()
    page.get_by_role("link", name="Back to the comic").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Quoting")


def test_the_page_says_if_there_is_no_explanation_yet(open_page, explained_site):
    page = open_page(f"{explained_site}/{recording.LATEST}/")
    expect(opened(page)).to_contain_text("There is no explanation of this comic yet.")


def test_explanations_of_viewed_and_favorite_comics_work_offline(app):
    app.install("/353/")
    app.open("/200/")
    page = app.open("/353/")
    make_favorite(page)
    app.page.wait_for_function("""async () => {
      const request = indexedDB.open("longbox-explanations" + (document.documentElement.dataset.base ?? ""))
      const database = await new Promise(resolve => { request.onsuccess = () => resolve(request.result) })
      const keys = database.transaction("texts").objectStore("texts").getAllKeys()
      await new Promise(resolve => { keys.onsuccess = resolve })
      database.close()
      return keys.result.includes(353) && keys.result.includes(200)
    }""")
    app.set_offline(True)
    app.stop_worker()
    shown = opened(app.open("/353/"))
    shown.get_by_role("link", name="The whole explanation").click()
    expect(shown.get_by_role("heading", name="A section")).to_be_visible()
    expect(opened(app.open("/200/"))).to_contain_text("The joke of number 200")
    expect(opened(app.open("/201/"))).to_contain_text("This explanation is not on this device yet.")
    page = app.open("/353/explanation")
    expect(page.get_by_role("heading", name="A section")).to_be_visible()
    expect(page.get_by_role("article")).to_contain_text("The joke of number 353")
    app.page.goto(f"{app.site}/201/explanation")
    assert app.page.url.endswith("/201/#explanation")
    expect(disclosure(app.page)).to_contain_text("This explanation is not on this device yet.")
    # The error response counts as a failed request.
    app.watch.complaints.clear()


def test_an_explanation_that_arrives_later_shows_its_beginning_first(app):
    app.install("/353/")
    app.set_offline(True)
    page = app.open("/201/")
    app.set_offline(False)
    page.evaluate(HOLD_REQUESTS)
    shown = opened(page)
    expect(shown).to_contain_text("Loading…")
    page.evaluate("release()")
    expect(shown.locator(".lead")).to_contain_text("The joke of number 201")
    shown.get_by_role("link", name="The whole explanation").click()
    expect(shown.locator(".lead")).to_have_count(0)
    expect(shown).to_contain_text("The joke of number 201")


def test_all_explanations_can_be_downloaded(app):
    app.install()
    page = app.open("/settings")
    group = page.get_by_role("group", name="Download for offline")
    expect(group.locator("#size-explanations")).to_contain_text("explanations")
    page = app.download("Explanations")
    expect(page.get_by_role("group", name="Download for offline")).to_contain_text(f"{recording.LATEST - 2} explanations saved")
    app.set_offline(True)
    app.stop_worker()
    expect(opened(app.open("/77/"))).to_contain_text("The joke of number 77")


def test_clearing_the_cache_says_that_it_removes_downloaded_explanations(app):
    app.install()
    page = app.download("Explanations")
    button = page.get_by_role("group", name="Download for offline").get_by_role("button", name="Explanations")
    expect(button).to_be_disabled()
    page.get_by_role("button", name="Clear cache", exact=True).click()
    dialog = page.get_by_role("dialog", name="Clear cache?")
    expect(dialog).to_contain_text(" and the downloaded explanations from this device, and fetches all texts again.")
    dialog.get_by_role("button", name="Clear", exact=True).click()
    expect(button).to_be_enabled()


def results(page):
    return page.get_by_role("list", name="Results").get_by_role("listitem")


def test_deep_search_finds_explanations_and_marks_the_words(open_page, explained_site):
    page = open_page(f"{explained_site}/search?q=joke+353&deep=1")
    expect(results(page).first).to_contain_text("#353 Python")
    expect(results(page).first).to_contain_text("Explanation: The joke of number 353 is old.")
    expect(results(page).first.locator("mark").first).to_have_text("joke")
    page.goto(f"{explained_site}/search?q=joke&deep=0&form=1")
    expect(results(page)).to_have_count(0)
    texts = page.get_by_role("region", name="In the texts")
    expect(texts.get_by_role("listitem")).to_have_count(5)
    texts.get_by_role("link", name=re.compile(r"^Show all \d+$")).click()
    expect(results(page)).to_have_count(25)
    expect(page.get_by_role("checkbox", name="Deep search")).to_be_checked()


def test_online_the_server_adds_what_it_finds_in_explanations(app):
    app.install()
    for depth, name, count in (("1", "Results", 25), ("0", "In the texts", 5)):
        page = app.open(f"/search?q=joke&deep={depth}")
        found = page.get_by_role("list", name=name).get_by_role("listitem")
        expect(found.filter(has_text="Explanation: The joke of number")).to_have_count(count)
        expect(page.get_by_text("Only titles, alt texts")).to_have_count(0)
    # While the reader types, too; what the device has found stays where it is.
    page = app.open("/search?q=&deep=1")
    page.get_by_role("searchbox", name="Search comics").fill("python OR joke")
    expect(results(page).filter(has_text="Explanation: The joke of number")).not_to_have_count(0)
    expect(results(page).first).to_contain_text("#353 Python")
    cards = page.locator("#found .card").evaluate_all("cards => cards.map(card => card.href)")
    assert len(set(cards)) == len(cards)


def test_deep_search_finds_explanations_offline_once_all_are_downloaded(app):
    app.install()
    app.download("Explanations")
    app.set_offline(True)
    app.stop_worker()
    page = app.open("/search?q=joke&deep=1")
    expect(results(page)).to_have_count(25)
    expect(results(page).first).to_contain_text("Explanation: The joke of number")
    expect(results(page).first.locator("mark").first).to_have_text("joke")
    page = app.open("/search?q=joke&deep=0&form=1")
    expect(results(page)).to_have_count(0)
    # A damaged index is removed, and search works without it.
    app.in_worker("longbox.explanationStore.keepIndex([new ArrayBuffer(400)]).then(() => longbox.host.drop())")
    page = app.open("/search?q=joke&deep=1")
    expect(results(page)).to_have_count(0)
    expect(page.get_by_text("Only titles, alt texts and transcripts are on this device.")).to_be_visible()
    expect(page.get_by_role("link", name="Download explanations")).to_be_visible()
    assert app.in_worker("longbox.explanationStore.index().then((index) => index === undefined)")
    page = app.open("/search?q=terrarium&deep=1")
    expect(results(page).first).to_contain_text("Python")


def test_the_whole_index_is_fetched_if_the_server_does_not_know_its_revision(app, explained_site):
    app.install()
    app.download("Explanations")
    assert app.in_worker("longbox.explanationDownload.refreshIndex()") == "done"
    state = """longbox.explanationStore.index().then((index) => index.map((segment) =>
      [new DataView(segment).getUint32(28, true), segment.byteLength]))"""
    [[base, size]] = app.in_worker(state)
    assert base == 0 and size > 1000
    # The server does not know this revision, so it sends a whole index.
    app.in_worker("""longbox.explanationStore.index().then(([segment]) => {
      new DataView(segment).setUint32(24, 4_000_000, true)
      return longbox.explanationStore.keepIndex([segment])
    })""")
    assert app.in_worker("longbox.explanationDownload.refreshIndex()") == "done"
    assert app.in_worker(state) == [[0, size]]
    assert len(programs.get(f"{explained_site}/explanations/index")[2]) == size


@pytest.mark.parametrize(("change", "state"), [
    ("store.set('download', null)", None),
    ("store.set('download', { selection: 'latest', state: 'running', total: 0 })", "running"),
    ("storage.clear()", None),
], ids=["stopped", "another download", "cleared"])  # fmt: skip
def test_a_response_that_arrives_after_the_download_ended_is_not_stored(app, change, state):
    app.install("/about")
    script = """(async () => {
      const { connection, downloads, explanationStore, storage, store } = longbox
      const { send } = connection
      const isWaiting = new Promise((resolve) => {
        downloads.settled = () => {
          delete downloads.settled
          resolve()
          return downloads.settled()
        }
      })
      let step
      connection.send = async (...question) => {
        const response = await send.apply(connection, question)
        if (String(question[0]).startsWith("/explanations?")) {
          delete connection.send
          step = %s
          // Clearing waits for this download, so it can't end before the response.
          await Promise.race([step, isWaiting])
        }
        return response
      }
      await downloads.start("explanations")
      await step
      return [
        (await store.get("download")) ?? null, await explanationStore.count(), (await explanationStore.progress()) ?? null,
      ]
    })()"""
    job, kept, progress = app.in_worker(script % change)
    assert (job and job["state"], kept, progress) == (state, 0, None)


def test_a_missing_explanation_can_be_requested_again(app):
    app.install("/353/")
    app.set_offline(True)
    shown = opened(app.open("/202/"))
    message = shown.get_by_role("status").filter(has_text="This explanation is not on this device yet.")
    expect(message).to_have_count(1)
    # A second click repeats the message: the response has arrived before the connection is back.
    message.evaluate("message => { message.id = 'first-message' }")
    shown.get_by_role("link", name="The whole explanation").click()
    expect(shown.locator("#first-message")).to_have_count(0)
    expect(message).to_have_count(1)
    app.set_offline(False)
    shown.get_by_role("link", name="The whole explanation").click()
    expect(shown).to_contain_text("The joke of number 202")
    app.watch.complaints.clear()
