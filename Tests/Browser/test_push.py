# Longbox
# SPDX-License-Identifier: MIT
"""Notifications in Chromium, which subscribes to a stand-in for Google's push service and decrypts the messages."""

import json
import re
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import expect

import device
import programs
from push_service import GoogleStandIn
from sources import FIRST, notifying_server, publish, publisher, when_known
from waiting import until
from watch import CHROMIUM, DEVICES, WITHOUT_HINTS

# The tags of the notifications that the browser shows.
SHOWN = "async () => (await registration.getNotifications()).map(({ tag }) => tag)"
CLOSE = "async () => (await registration.getNotifications()).forEach((notification) => notification.close())"
# The size of a picture, and the range of its pixels' brightness.
LOOK = """async (address) => {
  const bytes = Uint8Array.from(atob(address.split(",")[1]), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes]))
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")
  context.drawImage(bitmap, 0, 0)
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
  const steps = []
  for (let place = 4; place < data.length; place += 4) steps.push(Math.abs(data[place] - data[place - 4]))
  return { width: bitmap.width, height: bitmap.height, sharpest: Math.max(...steps) }
}"""
# Records what was passed to the browser as a notification, by tag, and when.
NOTE_GIVEN = """() => {
  self.given = {}
  const show = ServiceWorkerRegistration.prototype.showNotification
  ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
    await show.call(this, title, options)
    const { body, tag, data, image = "", actions = [] } = options
    self.given[tag] = { title, body, tag, data, image, actions: actions.map(({ title }) => title), time: Date.now() }
  }
}"""
ARE_OLD = "() => Object.values(self.given).every(({ time }) => Date.now() - time > 1_000)"
CLICK = """async ([action, tag]) => {
  const [notification] = await registration.getNotifications({ tag })
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification, action }))
}"""
BADGES = """() => {
  self.badges = []
  navigator.setAppBadge = async (count) => { self.badges.push(count) }
  navigator.clearAppBadge = async () => { self.badges.push(0) }
}"""


@pytest.fixture
def google():
    google = GoogleStandIn()
    yield google
    google.close()


@contextmanager
def profile(browser, folder, google, site, **options):
    """A persistent browser profile, as notifications need it, with Longbox installed."""
    context = browser.browser_type.launch_persistent_context(
        folder,
        executable_path=CHROMIUM["executable_path"],
        args=[*CHROMIUM["args"], *google.arguments],
        **DEVICES["phone"] | {"locale": "en-GB", "timezone_id": "Europe/Berlin"} | options,
    )
    try:
        context.add_init_script(google.script)
        context.add_init_script(WITHOUT_HINTS)
        app = device.App(context, site).install()
        in_worker(app, NOTE_GIVEN)
        yield app
        # The server has only the newest comics, so a prefetched page may be missing.
        complaints = [complaint for complaint in app.watch.complaints if "503" not in complaint]
        assert not complaints, "\n".join(complaints)
    finally:
        context.close()


@pytest.fixture
def replay(recorded):
    with publisher(recorded) as replay:
        yield replay


@pytest.fixture
def server(replay, google, tmp_path):
    with notifying_server(tmp_path / "data", replay.address, google) as server:
        when_known(server.address, FIRST)
        yield server


@pytest.fixture
def app(browser, server, google, tmp_path):
    with profile(browser, tmp_path / "profile", google, server.address) as app:
        app.context.grant_permissions(["notifications"], origin=server.address)
        yield app


def switch(page, name="Notify me of new comics"):
    return page.get_by_role("switch", name=name)


def subscribe(app):
    page = app.open("/settings")
    switch(page).check()
    expect(page.get_by_text("On for this device.")).to_be_visible()
    assert notification(app, "confirmation")["body"] == "Notifications are on."
    return page


def subscriptions(tmp_path):
    return json.loads(programs.longbox("subscriptions", "--json", data=tmp_path / "data").stdout)


def in_worker(app, script, argument=None):
    return app.context.service_workers[0].evaluate(script, argument)


def notification(app, tag):
    """The notification with a tag, once it was passed to the browser."""
    return until(lambda: in_worker(app, "(tag) => self.given[tag]", tag), f"there is a notification {tag}", page=app.page)


def in_list(app, script):
    """Runs a script that asks the browser for its notifications, at least a second after it got the last one.

    Chromium forgets those that are in its list but not on the screen, and doesn't say when they are.
    """
    until(lambda: in_worker(app, ARE_OLD), "the last notification is a second old", page=app.page)
    return in_worker(app, script)


def until_listed(app, tag):
    """Waits until the browser lists a notification: a script that asks for it sooner would not find it."""
    until(lambda: tag in in_list(app, SHOWN), f"the notification {tag} is listed", page=app.page)


def close_all(app, tag):
    """Closes all notifications, of which the one with this tag is the last."""
    until_listed(app, tag)
    in_worker(app, CLOSE)


def click(app, action, tag):
    """Clicks a button of a notification, or without an action the notification itself."""
    until_listed(app, tag)
    in_worker(app, CLICK, [action, tag])


def badge(app, count):
    """Waits until the app's badge shows a count."""
    until(lambda: in_worker(app, "() => self.badges.at(-1)") == count, f"the badge shows {count}", page=app.page)


def test_a_new_comic_is_announced_once_and_opens_offline(app, replay, google, axe):
    subscribe(app)
    close_all(app, "confirmation")
    in_worker(app, BADGES)
    publish(replay)
    comic = FIRST + 1
    shown = notification(app, f"comic-{comic}")
    title = json.loads(programs.get(f"{app.site}/{comic}/info.0.json")[2])["title"]
    assert shown["title"] == f"#{comic} {title}"
    assert shown["image"].startswith("data:image/")
    assert shown["data"]["path"] == f"/{comic}/"
    assert shown["actions"] == ["Favorite", "Read later"]
    assert in_worker(app, LOOK, shown["image"])["sharpest"] > 100
    assert [headers["Topic"] for headers in google.sent] == ["confirmation", f"comic-{comic}"]
    badge(app, 1)
    # The picture is fetched in parallel with the notification.
    app.page.wait_for_function(
        "comic => caches.open('longbox-pictures').then(cache => cache.match(`/comics/${comic}/image`))", arg=comic
    )
    app.set_offline(True)
    click(app, "", f"comic-{comic}")
    expect(app.page).to_have_url(f"{app.site}/{comic}/")
    picture = app.page.get_by_role("img", name=re.compile(rf"^Comic {comic}: "))
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth > 1, () => false)")
    assert in_list(app, SHOWN) == []
    app.set_offline(False)
    badge(app, 0)
    assert len(google.sent) == 2 and in_list(app, SHOWN) == []


def test_a_repeated_message_is_shown_once(app):
    app.open("/settings")
    push = """async (news) => {
      const event = new PushEvent("push", { data: JSON.stringify(news) })
      const work = []
      event.waitUntil = (promise) => { work.push(promise) }
      self.dispatchEvent(event)
      await Promise.all(work)
    }"""
    in_worker(app, push, {"comic": FIRST})
    notification(app, f"comic-{FIRST}")
    close_all(app, f"comic-{FIRST}")
    in_worker(app, push, {"comic": FIRST})
    in_worker(app, push, {"comic": FIRST - 1})
    notification(app, f"comic-{FIRST - 1}")
    until_listed(app, f"comic-{FIRST - 1}")
    assert in_list(app, SHOWN) == [f"comic-{FIRST - 1}"]
    in_worker(app, push, {"comic": FIRST, "count": 5})
    in_worker(app, push, {"test": True})
    assert notification(app, "test")["body"] == "Notifications work. This one was a test."
    in_worker(app, "async () => self.dispatchEvent(new PushEvent('push', { data: 'no JSON' }))")
    assert notification(app, "news")["title"] == "Longbox"


def test_the_buttons_of_a_notification_work_on_the_device(app, replay):
    subscribe(app)
    close_all(app, "confirmation")
    publish(replay)
    comic = FIRST + 1
    notification(app, f"comic-{comic}")
    click(app, "favorite", f"comic-{comic}")
    link = app.page.get_by_role("list", name="Favorites").get_by_role("link", name=re.compile(f"^#{comic} "))
    until(lambda: app.open("/favorites") and link.count(), "the comic is a favorite", page=app.page)
    expect(link).to_be_visible()
    publish(replay)
    notification(app, f"comic-{comic + 1}")
    click(app, "later", f"comic-{comic + 1}")
    until(lambda: in_list(app, SHOWN) == [], "the notification is gone", page=app.page)
    # "Read later" keeps the picture, and ends with that.
    app.page.wait_for_function(
        "comic => caches.open('longbox-pictures').then(cache => cache.match(`/comics/${comic}/image`))", arg=comic + 1
    )
    app.set_offline(True)
    app.open("/comics?unread=1")
    expect(app.page.get_by_role("link", name=re.compile(f"#{comic + 1}\\b")).first).to_be_visible()


def test_no_spoilers_hides_title_and_picture(app, replay, tmp_path):
    page = subscribe(app)
    switch(page, "No spoilers").check()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert subscriptions(tmp_path)[0]["hidesSpoilers"] is True
    publish(replay)
    shown = notification(app, f"comic-{FIRST + 1}")
    assert shown["title"] == f"#{FIRST + 1}"
    assert in_worker(app, LOOK, shown["image"])["sharpest"] < 40, "The picture is not blurred."


def test_quiet_hours_are_saved(app, tmp_path):
    page = subscribe(app)
    with page.expect_response("**/api/push/subscriptions"):
        switch(page, "Quiet hours").check()
    with page.expect_response("**/api/push/subscriptions"):
        page.get_by_label("Until").fill("06:30")
        page.get_by_label("Until").blur()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page = app.open("/settings")
    expect(switch(page, "Quiet hours")).to_be_checked()
    expect(page.get_by_label("From")).to_have_value("22:00")
    expect(page.get_by_label("Until")).to_have_value("06:30")


def test_a_wish_that_could_not_be_saved_goes_back(app, tmp_path):
    page = subscribe(app)
    page.evaluate("""() => {
      const send = window.fetch
      window.fetch = async (...request) => {
        if (!window.isBack) throw new TypeError("The server is away.")
        return send(...request)
      }
    }""")
    switch(page, "No spoilers").click()
    expect(page.get_by_text("The server can’t be reached.")).to_be_visible()
    expect(switch(page, "No spoilers")).not_to_be_checked()
    expect(switch(page)).to_be_checked()
    page.evaluate("() => { window.isBack = true }")
    switch(page, "Quiet hours").check()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert subscriptions(tmp_path)[0]["hidesSpoilers"] is False


def test_wishes_changed_quickly_reach_the_server_in_order(app, tmp_path):
    page = subscribe(app)
    # Holds back the first.
    page.evaluate("""() => {
      const send = window.fetch
      window.answered = 0
      window.fetch = async (...request) => {
        if (!window.release) await new Promise((resolve) => { window.release = resolve })
        const response = await send(...request)
        window.answered += 1
        return response
      }
    }""")
    switch(page, "No spoilers").check()
    page.wait_for_function("() => window.release")
    switch(page, "No spoilers").uncheck()
    page.evaluate("release()")
    page.wait_for_function("() => window.answered === 2")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert subscriptions(tmp_path)[0]["hidesSpoilers"] is False


def test_the_switch_ends_the_subscription(app, tmp_path):
    page = subscribe(app)
    assert len(subscriptions(tmp_path)) == 1
    switch(page).uncheck()
    expect(page.get_by_text("Mondays, Wednesdays and Fridays")).to_be_visible()
    expect(switch(page, "No spoilers")).to_be_hidden()
    assert subscriptions(tmp_path) == []
    page = app.open("/settings")
    expect(switch(page)).not_to_be_checked()
    subscribe(app)
    assert len(subscriptions(tmp_path)) == 1


def test_blocked_notifications_are_explained(browser, server, google, tmp_path):
    with profile(browser, tmp_path / "other", google, server.address) as app:
        page = app.open("/settings")
        switch(page).click()
        expect(page.get_by_text("Blocked for this site.")).to_be_visible()
        expect(switch(page)).not_to_be_checked()


@pytest.mark.parametrize(
    ("rejection", "sentence", "is_on"),
    [(403, "Your browser’s push service doesn’t take messages", False), (503, "hasn’t answered yet", True)],
)
def test_the_switch_shows_whether_messages_arrive(app, google, tmp_path, rejection, sentence, is_on):
    google.rejection = rejection
    page = app.open("/settings")
    # The switch goes back by itself if the server rejects the subscription.
    switch(page).click()
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(switch(page)).to_be_checked(checked=is_on)
    assert [line["isConfirmed"] for line in subscriptions(tmp_path)] == ([False] if is_on else [])
    # The browser itself reports the rejection.
    app.watch.complaints.clear()
    google.rejection = None
    if is_on:
        page = app.open("/settings")
        expect(page.get_by_text("On for this device.")).to_be_visible()
        assert notification(app, "confirmation")["body"] == "Notifications are on."
        assert subscriptions(tmp_path)[0]["isConfirmed"]


def test_a_device_subscribes_again_if_the_server_has_another_key(browser, replay, google, tmp_path):
    with ExitStack() as stack:
        with notifying_server(tmp_path / "data", replay.address, google) as server:
            when_known(server.address, FIRST)
            app = stack.enter_context(profile(browser, tmp_path / "profile", google, server.address))
            app.context.grant_permissions(["notifications"], origin=server.address)
            page = subscribe(app)
            switch(page, "No spoilers").check()
            expect(page.get_by_text("Saved.")).to_be_visible()
            (before,) = subscriptions(tmp_path)
        (tmp_path / "data" / "vapid.pem").unlink()
        with server.again():
            # The worker may be the first to subscribe again.
            in_worker(app, f"() => {google.script}")
            page = app.open("/settings")
            expect(page.get_by_text("On for this device.")).to_be_visible()
            expect(switch(page, "No spoilers")).to_be_checked()
            (after,) = subscriptions(tmp_path)
            assert after["isConfirmed"] and after["number"] == before["number"]
            publish(replay)
            assert notification(app, f"comic-{FIRST + 1}")["title"] == f"#{FIRST + 1}"
        # The browser itself reports what was asked while the server was away.
        app.watch.complaints.clear()


def test_a_device_says_that_notifications_were_interrupted(app, google, replay, tmp_path):
    page = subscribe(app)
    google.rejection = 403
    publish(replay)
    until(lambda: not subscriptions(tmp_path)[0]["isConfirmed"], "the subscription is unconfirmed", page=page)
    page = app.open("/settings")
    expect(page.get_by_text("Notifications were interrupted; turn on again.")).to_be_visible()
    expect(switch(page)).not_to_be_checked()
    google.rejection = None
    switch(page).check()
    expect(page.get_by_text("On for this device.")).to_be_visible()
    # What was missed comes with the next comic.
    publish(replay)
    assert notification(app, f"comic-{FIRST + 1}")["data"]["comic"] == FIRST + 1, "nothing is lost"
    page = app.open("/settings")
    expect(page.get_by_text("On for this device.")).to_be_visible()
    app.watch.complaints.clear()


def test_without_push_the_badge_counts_new_comics_after_a_refresh(browser, server, google, replay, tmp_path):
    with profile(browser, tmp_path / "other", google, server.address) as app:
        app.open("/about")
        in_worker(app, BADGES)
        publish(replay, 2)
        when_known(server.address, FIRST + 2)
        in_worker(app, "() => longbox.archive.refresh()")
        # A refresh may have found the first one alone.
        badge(app, 2)
        app.open(f"/{FIRST + 2}/")
        badge(app, 1)


def test_an_open_page_shows_a_new_comic(browser, server, google, replay, tmp_path):
    with profile(browser, tmp_path / "other", google, server.address) as app:
        page = app.open("/comics?view=list")
        latest = app.context.new_page()
        latest.goto(app.site)
        expect(latest).to_have_title(re.compile(f"^#{FIRST} "))
        publish(replay)
        when_known(server.address, FIRST + 1)
        in_worker(app, "() => longbox.archive.refresh()")
        expect(page.get_by_role("main").get_by_role("link", name=re.compile(f"^#{FIRST + 1} "))).to_have_count(1)
        # A comic in view stays until the tab is pressed.
        expect(latest).to_have_title(re.compile(f"^#{FIRST} "))
        latest.get_by_role("navigation", name="Main").get_by_role("link", name="Comics", exact=True).click()
        expect(latest).to_have_title(re.compile(f"^#{FIRST + 1} "))


def test_a_comic_that_was_marked_as_read_leaves_the_badge(browser, server, google, replay, tmp_path):
    with profile(browser, tmp_path / "other", google, server.address) as app:
        page = app.open("/settings")
        in_worker(app, BADGES)
        publish(replay)
        when_known(server.address, FIRST + 1)
        in_worker(app, "() => longbox.archive.refresh()")
        badge(app, 1)
        page.get_by_label("I have read up to comic").fill(str(FIRST + 1))
        page.get_by_role("button", name="Mark as read").click()
        badge(app, 0)


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_axe_finds_nothing_in_the_settings_of_notifications(browser, server, google, tmp_path, axe, keep_picture, size, scheme):
    options = DEVICES["desktop"] | {"is_mobile": False, "has_touch": False, "device_scale_factor": 1} if size == "desktop" else {}
    with profile(browser, tmp_path / "other", google, server.address, color_scheme=scheme, **options) as app:
        app.context.grant_permissions(["notifications"], origin=server.address)
        page = subscribe(app)
        switch(page, "Quiet hours").check()
        expect(page.get_by_text("Saved.")).to_be_visible()
        axe(page)
        keep_picture(page, f"news-{size}-{scheme}", full_page=True)


def test_the_question_for_permission_has_no_time_limit(app):
    app.use_clock()
    app.page.add_init_script(
        "Notification.requestPermission = () => new Promise((resolve) => { window.allow = () => resolve('granted') })"
    )
    page = app.open("/settings")
    switch(page).click()
    page.wait_for_function("() => window.allow")
    # Longer than the push service may take.
    page.clock.run_for(25_000)
    expect(switch(page)).to_be_checked()
    page.evaluate("allow()")
    expect(page.get_by_text("On for this device.")).to_be_visible()


def test_the_switch_works_even_if_pressed_before_the_browser_has_answered(app):
    app.page.add_init_script(
        "PushManager.prototype.getSubscription = () => new Promise((resolve) => { window.answer = () => resolve(null) })"
    )
    page = app.open("/settings")
    switch(page).check()
    page.wait_for_function("() => window.answer")
    page.evaluate("answer()")
    expect(page.get_by_text("On for this device.")).to_be_visible()
    expect(switch(page)).to_be_checked()


def test_pressing_the_switch_early_changes_no_stored_settings(app, tmp_path):
    page = subscribe(app)
    switch(page, "No spoilers").check()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.add_init_script("""
      const { getSubscription } = PushManager.prototype
      PushManager.prototype.getSubscription = async function () {
        await new Promise((resolve) => { window.answer = resolve })
        return getSubscription.call(this)
      }""")
    page = app.open("/settings")
    switch(page).check()
    page.wait_for_function("() => window.answer")
    page.evaluate("answer()")
    expect(switch(page, "No spoilers")).to_be_checked()
    assert subscriptions(tmp_path)[0]["hidesSpoilers"] is True


def test_a_switch_used_faster_than_the_server_answers_keeps_its_last_state(app):
    # Holds back the first response.
    app.page.add_init_script("""
      const send = window.fetch
      window.fetch = async (address, options) => {
        const response = await send(address, options)
        if (!window.release && options?.method === "POST" && address.endsWith("/api/push/subscriptions")) {
          await new Promise((resolve) => { window.release = resolve })
        }
        return response
      }""")
    page = app.open("/settings")
    switch(page).check()
    page.wait_for_function("() => window.release")
    switch(page).uncheck()
    expect(page.get_by_text("Mondays, Wednesdays and Fridays")).to_be_visible()
    switch(page).check()
    expect(page.get_by_text("On for this device.")).to_be_visible()
    page.evaluate("release()")
    # By then, the page has dealt with the response.
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.evaluate("navigator.serviceWorker.ready.then(({ pushManager }) => pushManager.getSubscription()).then(Boolean)")
    expect(switch(page)).to_be_checked()


def test_a_push_service_that_never_answers_is_reported_and_the_switch_reverts(browser, server, google, tmp_path):
    with profile(browser, tmp_path / "other", google, server.address) as app:
        app.context.grant_permissions(["notifications"], origin=server.address)
        app.page.add_init_script("PushManager.prototype.subscribe = () => new Promise(() => {})")
        app.use_clock()
        page = app.open("/settings")
        switch(page).click()
        expect(page.get_by_text("Connecting to your browser’s push service")).to_be_visible()
        # What the page waits for an answer.
        page.clock.run_for(20_000)
        expect(switch(page)).to_be_enabled()
        expect(page.get_by_text("Your browser can’t reach its push service.")).to_be_visible()
        expect(switch(page)).not_to_be_checked()
