// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What stands around every page: the head, the bar, the main navigation and the messages.
struct Frame {
  let page: MadePage
  let isSampleBox: Bool
  let shelf: Shelf
  let reader: Reader
  /// The page's own address, for forms in the frame to come back to.
  let address: Text

  /// Puts the frame around a page.
  init(page: some Page, isSampleBox: Bool, shelf: Shelf, reader: Reader, address: Text) {
    self.init(MadePage(page), isSampleBox: isSampleBox, shelf: shelf, reader: reader, address: address)
  }

  @inline(never)
  init(_ page: MadePage, isSampleBox: Bool, shelf: Shelf, reader: Reader, address: Text) {
    self.page = page
    self.isSampleBox = isSampleBox
    self.shelf = shelf
    self.reader = reader
    self.address = address
  }

  var html: HTML {
    var document = HTML(trusted: "<!doctype html>")
    document.append(HTML(element: "html", [Attribute("lang", "en")] + look, head + body))
    return document
  }

  /// What a server's pages say to others: what a shared link shows, where the page's own address is known to be one that
  /// they can use, and where feed readers find the feeds.
  private var card: HTML {
    #if hasFeature(Embedded)
    HTML()
    #else
    (ShareCard(of: page, origin: shelf.origin)?.html ?? HTML()) + FeedLinks(page.feed, on: shelf).html
    #endif
  }

  /// The reader's choices that the style sheet and the scripts follow.
  private var look: [Attribute] {
    let appearance = reader.library.value(of: .appearance)
    return [
      reader.library.value(of: .doubleTap) == .zoom ? Attribute("data-double-tap", "zoom") : .none,
      reader.library.value(of: .shortcuts) ? .none : Attribute("data-shortcuts", "off"),
      appearance == .system ? .none : Attribute("data-appearance", appearance.word),
      reader.library.value(of: .invertInDark) ? Attribute("data-invert") : .none,
    ]
  }

  private var head: HTML {
    LongboxPages.head {
      meta(Attribute("charset", "utf-8"))
      meta(
        Attribute("name", "viewport"),
        Attribute("content", "width=device-width, initial-scale=1, viewport-fit=cover")
      )
      LongboxPages.title { page.title + " · Longbox" }
      if !page.abstract.isEmpty {
        meta(Attribute("name", "description"), Attribute("content", page.abstract))
      }
      meta(Attribute("name", "color-scheme"), Attribute("content", "light dark"))
      meta(
        Attribute("name", "theme-color"),
        Attribute("media", "(prefers-color-scheme: light)"),
        Attribute("content", "#faf8f3")
      )
      meta(
        Attribute("name", "theme-color"),
        Attribute("media", "(prefers-color-scheme: dark)"),
        Attribute("content", "#1b1f27")
      )
      card
      if let canonical = page.canonical { link(Attribute("rel", "canonical"), .href(canonical)) }
      link(Attribute("rel", "icon"), Attribute("type", "image/svg+xml"), .href(asset("icon.svg")))
      link(Attribute("rel", "apple-touch-icon"), .href(asset("icon-180.png")))
      link(Attribute("rel", "manifest"), .href(.manifest))
      link(Attribute("rel", "stylesheet"), .href(asset("style.css")))
      script(.src(asset("app.js")), Attribute("defer")) {}
    }
  }

  private var body: HTML {
    LongboxPages.body(.class(page.kind)) {
      a(.class("skip"), Attribute("href", "#main")) { "Skip to content" }
      header(.class("bar")) { page.heading }
      nav(.class("tabs"), .label("Main")) {
        a(.class("brand"), .href(.latest), Attribute("aria-hidden", "true"), Attribute("tabindex", "-1")) {
          "Longbox"
        }
        for entry in Tab.allCases { tabLink(entry) }
      }
      messages
      LongboxPages.main(.id("main"), Attribute("tabindex", "-1")) { page.content }
      if page.showsComics { footer { attribution } }
    }
  }

  private func tabLink(_ entry: Tab) -> HTML {
    a(.class("tab"), .href(entry.link), entry == page.tab ? Attribute("aria-current", "page") : .none) {
      entry.icon.html
      span { entry.name }
    }
  }

  /// The one place for messages that come and go.
  private var messages: HTML {
    div(.class("messages"), .role("status")) {
      if shelf.isOffline {
        p(.class("note connection")) {
          strong { "No connection." }
          " What is on this device works as ever."
        }
      }
      if let notice = reader.notice {
        div(.class("note notice")) {
          p { notice.sentence }
          if !notice.undo.isEmpty {
            EditForm(address: .undo, comic: nil, back: address).html(.class("button")) { "Undo" }
          }
        }
      }
      if isSampleBox {
        p(.class("note sample")) {
          strong { "Sample box." }
          " These comics were drawn for Longbox, since xkcd.com can’t be reached and nothing of it is stored yet. "
          "The real ones will stand here as soon as it answers."
        }
      } else if case .down(let since) = shelf.source {
        p(.class("note")) {
          "xkcd.com has not answered since " + since + ". What is stored here can be read as ever."
        }
      }
    }
  }

  /// Whose the comics are, and under which licence.
  private var attribution: HTML {
    p(.class("attribution")) {
      if isSampleBox {
        "Samples drawn for Longbox. The real comics are by Randall Munroe, on xkcd.com."
      } else {
        a(.href(page.original)) { "xkcd" }
        " by Randall Munroe, "
        a(.href(.xkcdLicence), Attribute("rel", "license")) { "CC BY-NC 2.5" }
      }
    }
  }

  private func asset(_ name: Text) -> Link { .asset(name, version: shelf.assetVersion) }
}
