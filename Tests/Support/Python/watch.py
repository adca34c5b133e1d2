# Longbox
# SPDX-License-Identifier: MIT
"""Pages as on a reader's device: watched for errors that a reader would not see, and with requests that wait."""

from contextlib import contextmanager

DEVICES = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
SCHEMES = ("light", "dark")
# How long pages may take for anything, in milliseconds.
TIME_LIMIT = 60_000

# The popups of Chromium's address bar are pages of their own, which cost each window three times what a test's page does.
# Only the last list of features counts, so it repeats those of Playwright's that matter here.
DISABLED_FEATURES = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "AimEnabled") + (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
CHROMIUM = {
    "executable_path": "/usr/bin/chromium",
    "args": ["--no-sandbox", f"--disable-features={','.join(DISABLED_FEATURES)}"],
}
# Chromium without windows shows pages in half the time, but has no background sync, and its service workers crash when they set a
# badge. Nor does it emulate a graphics card here, which would take it a tenth longer.
HEADLESS_SHELL = {
    "executable_path": "/usr/bin/chromium-headless-shell",
    "args": [*CHROMIUM["args"], "--disable-gpu"],
}


def is_vain(address, failure):
    """Whether a page asked for `device.json` offline, which only happens in a test.

    When Chromium stops a service worker, the pages of its process think that they are online again.
    """
    return address.endswith("/device.json") and "ERR_INTERNET_DISCONNECTED" in failure


class Watch:
    """Collects a page's complaints: console errors (which include CSP violations), exceptions, failed requests."""

    def __init__(self, page):
        self.complaints = []
        self._documents = set()
        page.on("console", self._console)
        page.on("pageerror", self._exception)
        page.on("requestfailed", self._request_failed)
        page.on("response", self._response)

    def _console(self, message):
        # Chromium also reports the status of a document here; that is for the page's test to check.
        if message.type == "error" and message.location.get("url") not in self._documents:
            address = message.location.get("url") or ""
            # Browsers request the icon of any host; longbox-replay, where some tests start, has none.
            if not address.endswith("/favicon.ico") and not is_vain(address, message.text):
                self.complaints.append(f"console: {message.text} ({address})")

    def _exception(self, error):
        # Skipped slides between pages are no failure.
        if not error.message.startswith("Transition was"):
            self.complaints.append(f"exception: {error}")

    def _request_failed(self, request):
        # A picture whose request ended because the reader left the page is no failure.
        if request.failure != "net::ERR_ABORTED" and not is_vain(request.url, request.failure):
            self.complaints.append(f"failed: {request.url}: {request.failure}")

    def _response(self, response):
        if response.request.is_navigation_request():
            self._documents.add(response.url)
        elif response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")


class Held:
    """Holds back a page's requests until they are released."""

    def __init__(self, page, pattern):
        self._routes = []
        self._is_held = True
        page.route(pattern, self._take)

    def _take(self, route):
        if self._is_held:
            self._routes.append(route)
        else:
            route.continue_()

    def release(self):
        self._is_held = False
        for route in self._routes:
            route.continue_()


# A new profile gets the hints of a first visit, which would come over what a test looks at.
WITHOUT_HINTS = "try { localStorage.hints ??= 'tap double-tap title' } catch {}"


@contextmanager
def watched_page(browser, device="desktop", scheme="light", expected=None, has_hints=False, **options):
    """A page of `browser` on `device`; fails at the end if there were complaints.

    Those that contain the text `expected` are what a test provokes.

    The server answers instead of the service worker, unless `service_workers="allow"` is given.
    """
    settings = {"color_scheme": scheme, "locale": "en-GB", "service_workers": "block"}
    if not options.get("java_script_enabled", True):
        # A page that slides in takes no click, and Playwright tries again by a timer, which needs scripts.
        settings["reduced_motion"] = "reduce"
    context = browser.new_context(**DEVICES[device] | settings | options)
    context.set_default_timeout(TIME_LIMIT)
    if not has_hints:
        context.add_init_script(WITHOUT_HINTS)
    try:
        page = context.new_page()
        watch = Watch(page)
        yield page
        complaints = [complaint for complaint in watch.complaints if expected is None or expected not in complaint]
        assert not complaints, "\n".join(complaints)
    finally:
        context.close()
