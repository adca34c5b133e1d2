#!/usr/bin/python3
# Longbox
# SPDX-License-Identifier: MIT
"""A window of WebKitGTK with nothing but a page, for WebKitWebDriver, which starts it.

It runs in Debian's Python, which has the bindings to GTK. Debian's own small browser can't be as narrow as a phone. The variables
of its environment: ENGINE_PROFILE, the folder of what it keeps; ENGINE_WIDTH and ENGINE_HEIGHT in pixels; ENGINE_EARLY, a script
that runs before those of each page; ENGINE_DARK, ENGINE_WITHOUT_SCRIPTS and ENGINE_WITHOUT_PAGE_CACHE if they are not empty.
"""

import os

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")

from gi.repository import Gdk, GLib, Gtk, WebKit2  # noqa: E402


def has(name):
    return bool(os.environ.get(f"ENGINE_{name}"))


def settings():
    made = WebKit2.Settings()
    made.set_property("enable-write-console-messages-to-stdout", True)
    made.set_property("enable-javascript", not has("WITHOUT_SCRIPTS"))
    made.set_property("enable-page-cache", not has("WITHOUT_PAGE_CACHE"))
    return made


def content():
    made = WebKit2.UserContentManager()
    if has("EARLY"):
        frames, start = WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.START
        made.add_script(WebKit2.UserScript.new(os.environ["ENGINE_EARLY"], frames, start, None, None))
    return made


def open_window(context):
    view = WebKit2.WebView(
        web_context=context, settings=settings(), user_content_manager=content(), is_controlled_by_automation=True
    )
    width, height = (int(os.environ[f"ENGINE_{side}"]) for side in ("WIDTH", "HEIGHT"))
    window = Gtk.Window(decorated=False, default_width=width, default_height=height)
    window.add(view)
    window.show_all()
    window.present()
    view.grab_focus()

    # Without a window manager the window has no keyboard, and no page would show its focus.
    def take_keyboard():
        surface = window.get_window()
        if surface:
            surface.focus(Gdk.CURRENT_TIME)
        return GLib.SOURCE_CONTINUE if not window.is_active() else GLib.SOURCE_REMOVE

    GLib.timeout_add(50, take_keyboard)
    view.connect("close", lambda _: window.destroy())
    window.connect("destroy", lambda _: Gtk.main_quit())
    view.connect("permission-request", lambda _, request: request.deny() or True)
    return view


def main():
    Gtk.init(None)
    if has("DARK"):
        Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", True)
    # A private session would write no messages of the console.
    profile = os.environ["ENGINE_PROFILE"]
    kept = WebKit2.WebsiteDataManager(base_data_directory=f"{profile}/data", base_cache_directory=f"{profile}/cache")
    context = WebKit2.WebContext.new_with_website_data_manager(kept)
    context.set_automation_allowed(True)

    def started(_, session):
        about = WebKit2.ApplicationInfo()
        # The driver accepts this name only.
        about.set_name("MiniBrowser")
        about.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
        session.set_application_info(about)
        session.connect("create-web-view", lambda _: open_window(context))

    context.connect("automation-started", started)
    Gtk.main()


if __name__ == "__main__":
    main()
