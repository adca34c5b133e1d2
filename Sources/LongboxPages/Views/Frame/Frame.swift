// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The parts around every page: head, top bar, main navigation and messages.
struct Frame {
  let isSampleBox: Bool
  let context: PageContext
  let reader: Reader
  /// The page's address, for forms in the frame to return to.
  let address: Text

  init(archive: Archive, context: PageContext, reader: Reader, address: Text) {
    isSampleBox = archive.isSampleBox
    self.context = context
    self.reader = reader
    self.address = address
  }

  /// The whole document as UTF-8, with the base path before the paths of this site.
  func html(_ page: some Page) -> [UInt8] { html(around: AnyPage(page)) }

  @inline(never)
  private func html(around page: AnyPage) -> [UInt8] {
    var document = HTML(trusted: "<!doctype html>")
    let attributes = [Attribute("lang", "en"), base, shared] + copy + look
    document.append(HTML(element: "html", attributes, head(of: page) + body(of: page)))
    #if !hasFeature(Embedded)
    if let files = context.files { return document.bytes(below: context.basePath, in: files) }
    #endif
    return document.bytes(below: context.basePath)
  }

  /// Attributes for scripts and style sheets: whether the site is a static copy, and whether the page is one of its files.
  private var copy: [Attribute] {
    [
      context.site.isStaticCopy ? Attribute("data-copy", context.site.pictures.word) : .none,
      context.isFile ? Attribute("data-file") : .none,
    ]
  }

  /// The policies, which a server sends as headers.
  ///
  /// They come before the page's scripts, since a policy applies only to what follows it.
  @HTMLBuilder private var policies: HTML {
    #if !hasFeature(Embedded)
    if let files = context.files {
      meta(Attribute("http-equiv", "Content-Security-Policy"), Attribute("content", files.policy))
      meta(Attribute("name", "referrer"), Attribute("content", "same-origin"))
    }
    #endif
  }

  /// The base path, for scripts.
  private var base: Attribute {
    context.basePath.isEmpty ? .none : Attribute("data-base", context.basePath)
  }

  /// What shared links start with, for scripts.
  private var shared: Attribute {
    context.shared.isEmpty ? .none : Attribute("data-shared", context.shared)
  }

  /// The metadata that only a server's pages have: the share card, and links to feeds.
  private func card(of page: AnyPage) -> HTML {
    #if hasFeature(Embedded)
    HTML()
    #else
    (ShareCard(of: page, origin: context.origin)?.html ?? HTML()) + FeedLinks(page.feed, on: context).html
    #endif
  }

  /// The reader's settings that the style sheet and the scripts use.
  private var look: [Attribute] {
    let appearance = reader.library.value(of: .appearance)
    let pictures = reader.library.value(of: .darkPictures)
    let doubleTap = reader.library.value(of: .doubleTap)
    let textSize = reader.library.value(of: .textSize)
    return [
      doubleTap == .favorite ? .none : Attribute("data-double-tap", doubleTap.word),
      reader.library.value(of: .shortcuts) ? .none : Attribute("data-shortcuts", "off"),
      textSize == .medium ? .none : Attribute("data-text", textSize.word),
      appearance == .system ? .none : Attribute("data-appearance", appearance.word),
      pictures == .invert ? .none : Attribute("data-pictures", pictures.word),
    ]
  }

  /// The color of the browser's own bars; the reader's choice of appearance counts before the device's.
  private func themeColor(_ scheme: Appearance) -> HTML {
    let appearance = reader.library.value(of: .appearance)
    let shown = appearance == .system ? scheme : appearance
    return meta(
      Attribute("name", "theme-color"),
      Attribute("media", "(prefers-color-scheme: " + scheme.word + ")"),
      Attribute("content", shown == .dark ? "#1b1f27" as StaticString : "#faf8f3")
    )
  }

  private func head(of page: AnyPage) -> HTML {
    LongboxPages.head {
      meta(Attribute("charset", "utf-8"))
      policies
      meta(
        Attribute("name", "viewport"),
        Attribute("content", "width=device-width, initial-scale=1, viewport-fit=cover")
      )
      LongboxPages.title { page.title.withoutDirectionMarks + " · Longbox" }
      if !page.abstract.isEmpty {
        meta(Attribute("name", "description"), Attribute("content", page.abstract))
      }
      meta(Attribute("name", "color-scheme"), Attribute("content", "light dark"))
      themeColor(.light)
      themeColor(.dark)
      card(of: page)
      if let canonical = page.canonical { link(Attribute("rel", "canonical"), .href(canonical)) }
      link(Attribute("rel", "icon"), Attribute("type", "image/svg+xml"), .href(asset("icon.svg")))
      link(Attribute("rel", "apple-touch-icon"), .href(asset("icon-180.png")))
      // A proxy that signs readers in answers a request without its cookie with a page, and the app can't be installed.
      link(Attribute("rel", "manifest"), Attribute("crossorigin", "use-credentials"), .href(.manifest))
      // The same address as in the style sheet; otherwise the font is fetched twice.
      link(
        Attribute("rel", "preload"),
        Attribute("as", "font"),
        Attribute("type", "font/woff2"),
        Attribute("crossorigin"),
        .href(.asset("lettering.woff2", version: .empty))
      )
      // Before the style sheet, since scripts after it wait until it has loaded.
      HTML(element: "script", [.id("early-keys")], HTML(trusted: EarlyKeys.script))
      link(Attribute("rel", "stylesheet"), .href(asset("style.css")))
      script(Attribute("type", "module"), .src(asset("app.js"))) {}
    }
  }

  private func body(of page: AnyPage) -> HTML {
    LongboxPages.body(.class(page.kind)) {
      unstyled
      a(.class("skip"), Attribute("href", "#main")) { "Skip to content" }
      header(.class("bar")) {
        if let back = page.back { back.html }
        page.heading
      }
      nav(.class("tabs"), .label("Main")) {
        a(.class("brand"), .href(.latest), Attribute("aria-hidden", "true"), Attribute("tabindex", "-1")) {
          "Longbox"
        }
        for entry in Tab.allCases where entry != .albums || !context.site.isStaticCopy {
          " "
          tabLink(entry, in: page)
        }
      }
      strips
      LongboxPages.main(.id("main"), Attribute("tabindex", "-1")) { page.content }
      if page.showsComics {
        footer {
          attribution(of: page)
          page.creditControl
        }
      }
      toast
    }
  }

  /// What to do if the page lacks its style sheet, which hides this: then a proxy has probably removed a path from its address.
  ///
  /// The picture is loaded only if it is seen, and its address begins with what the proxy has removed. So the server learns that.
  @HTMLBuilder private var unstyled: HTML {
    #if !hasFeature(Embedded)
    if context.mayLackPath {
      div(.class("unstyled")) {
        p {
          strong { "This page has come without its style sheet." }
          " If a proxy removes a path such as /longbox from addresses, list it in LONGBOX_TRUSTED_PROXIES, and let it name the path "
          "in X-Forwarded-Prefix. Or let it pass the path on, and set LONGBOX_BASE_PATH. See docs/proxies.md."
          HTML(
            void: "img",
            [
              Attribute("src", PageContext.unstyledQuery), Attribute("alt", ""),
              Attribute("width", 1), Attribute("height", 1), Attribute("loading", "lazy"),
            ]
          )
        }
      }
    }
    #endif
  }

  private func tabLink(_ entry: Tab, in page: AnyPage) -> HTML {
    a(
      .class("tab"),
      .href(target(of: entry, from: page)),
      entry == page.tab ? Attribute("aria-current", "page") : .none
    ) {
      entry.icon.html
      span { entry.name }
    }
  }

  /// The link of a tab.
  ///
  /// On other tabs, `Comics` leads to the comic viewed last; on its own pages, to the newest.
  private func target(of entry: Tab, from page: AnyPage) -> Link {
    guard entry == .comics, page.tab != .comics, reader.library.place != nil else { return entry.link }
    // Going back to the comics isn't opening Longbox, which may begin with a random one.
    return reader.library.value(of: .openingComic) == .latest ? .start : .resume
  }

  /// The strips: one line over every page if the device is offline, shows samples, or can't reach xkcd.com.
  private var strips: HTML {
    div(.class("strips"), .role("status")) {
      if context.isOffline {
        p(.class("strip connection")) {
          Icon.offline.html
          "Offline. You can read what is saved on this device."
        }
      }
      if isSampleBox {
        p(.class("strip sample")) {
          strong { "Sample box." }
          " The real comics come once xkcd.com answers."
        }
      } else if case .down = context.source {
        // The page “About” shows the time.
        p(.class("strip")) { "xkcd.com isn’t answering. New comics come later." }
      }
    }
  }

  /// The toast: a temporary message in a live region, and its Undo outside of it.
  private var toast: HTML {
    div(.class("toast")) {
      p(.role("status")) { if let notice = reader.notice { notice.sentence } }
      if let notice = reader.notice, !notice.undo.isEmpty {
        EditForm(address: .undo, comic: nil, back: address).html(.class("button")) { "Undo" }
      }
    }
  }

  /// The authors and license of the comics.
  private func attribution(of page: AnyPage) -> HTML {
    p(.class("attribution")) {
      if isSampleBox {
        "Samples drawn for Longbox."
      } else {
        a(.href(page.original)) { "xkcd" }
        " by Randall Munroe, "
        a(.href(.xkcdLicence), Attribute("rel", "license")) { "CC BY-NC 2.5" }
      }
    }
  }

  private func asset(_ name: Text) -> Link { .asset(name, version: context.assetVersion) }
}

/// Collects the keys that are pressed before app.js has loaded, which then acts on them.
///
/// It is the only script within pages, so the Content-Security-Policy names its hash
/// ([CSP Level 3, 2.3.1](https://www.w3.org/TR/CSP3/#grammardef-hash-source)).
public enum EarlyKeys {
  static var script: StaticString { "onkeydown=function(e){(self.earlyKeys??=[]).push(e)}" }
  /// The source expression that allows the script.
  public static var source: StaticString { "'sha256-2Cd90QroImYedzBiPv1gIuAFOQaV4RRLAb2D2+Tfrkc='" }
}
