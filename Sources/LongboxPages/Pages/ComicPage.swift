// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// One comic: the page that everything else leads to.
struct ComicPage: Equatable {
  /// What can be shown of the picture.
  enum Picture: Equatable {
    /// It is there to be shown, and its size is known.
    case known(PictureFacts)
    /// There is one; its size is not known yet.
    case unknown
    /// There is none (1608, 1663).
    case none
    /// The record names the picture of the comic before (1037, 1350).
    case wrong
  }

  let number: Comic.Number
  let name: Text
  let date: CalendarDate?
  let alt: Text
  let transcript: [TranscriptLine]
  let link: Text
  let isInteractive: Bool
  let isSample: Bool
  let picture: Picture
  let first: Comic.Number
  let previous: Comic.Number?
  let next: Comic.Number?
  let latest: Comic.Number

  init(_ comic: ArchivedComic, in archive: Archive) {
    let latest = archive.latest?.number ?? comic.number
    number = comic.number
    name = comic.title
    date = comic.date
    alt = comic.alt
    transcript = TranscriptLine.lines(of: comic.transcript)
    link = comic.link
    isInteractive = comic.isInteractive
    isSample = archive.isSampleBox
    picture = Self.picture(of: comic, in: archive)
    first = .first
    previous = comic.number.previous
    next = comic.number.next.flatMap { $0 <= latest ? $0 : nil }
    self.latest = latest
  }

  /// An interactive comic whose record names its predecessor's picture has none of its own.
  private static func picture(of comic: ArchivedComic, in archive: Archive) -> Picture {
    guard !comic.pictureAddress.isEmpty else { return .none }
    if comic.isInteractive, let previous = comic.number.previous.flatMap(archive.comic),
      previous.pictureAddress == comic.pictureAddress
    {
      return .wrong
    }
    return comic.picture.map(Picture.known) ?? .unknown
  }

  /// "Comic 353: Python", the picture's name.
  var pictureName: Text { "Comic " + Text(decimal: number.value) + ": " + name }

  /// How the picture is laid out: tall ones fill the width and scroll, wide ones scroll sideways on a small screen.
  var shape: Text {
    guard case .known(let facts) = picture else { return "plain" }
    if facts.height > 2 * facts.width { return "tall" }
    if facts.width > 1000 || (facts.width >= 500 && facts.width > 2 * facts.height) { return "wide" }
    return "plain"
  }
}

extension ComicPage: Page {
  var title: Text { "#" + Text(decimal: number.value) + " " + name }
  var abstract: Text { alt }
  var kind: Text { "comic-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .comic(number) }

  var heading: HTML {
    span(.class("number")) { "#" + Text(decimal: number.value) }
    h1 { bdi { name } }
    a(.class("button"), .href(.overview(.init())), .label("All comics")) { Icon.grid.html }
  }

  var content: HTML {
    div(.class("reading")) {
      div(.class("stage")) {
        pictureHTML
        interactiveNote
        pager
      }
      detailsHTML
    }
  }
}

extension ComicPage {
  @HTMLBuilder private var pictureHTML: HTML {
    switch picture {
    case .known(let facts):
      let scrolls = shape == "wide"
      figure(
        .class("picture " + shape + (facts.mayInvert ? " may-invert" : "")),
        scrolls ? Attribute("tabindex", "0") : .none,
        scrolls ? .role("group") : .none,
        scrolls ? .label("Picture, scrolls sideways") : .none
      ) {
        image(
          srcset: facts.doubleSize == .present,
          version: facts.versionText,
          Attribute("width", facts.width),
          Attribute("height", facts.height)
        )
      }
    case .unknown:
      figure(.class("picture plain")) { image(srcset: false, version: .empty) }
    case .none, .wrong:
      figure(.class("picture absent")) {
        p { "This comic has no picture that could stand for it." }
      }
    }
  }

  private func image(srcset: Bool, version: Text, _ size: Attribute...) -> HTML {
    let plain = Link.picture(number, doubleSize: false, version: version)
    let double = Link.picture(number, doubleSize: true, version: version)
    var attributes: [Attribute] = [.src(plain), .alt(pictureName)]
    if srcset { attributes.append(Attribute("srcset", plain.address + " 1x, " + double.address + " 2x")) }
    if !transcript.isEmpty { attributes.append(Attribute("aria-describedby", "transcript")) }
    attributes += size
    attributes.append(Attribute("decoding", "async"))
    attributes.append(Attribute("fetchpriority", "high"))
    return HTML(void: "img", attributes)
  }

  @HTMLBuilder private var interactiveNote: HTML {
    if isInteractive {
      p(.class("note interactive")) {
        "This comic is interactive: there is more to it than this page can show. "
        a(.href(.xkcd(number))) { "Open comic " + Text(decimal: number.value) + " on xkcd.com" }
      }
    }
  }

  private var pager: HTML {
    nav(.class("pager"), .label("Comics")) {
      step("First comic", icon: .first, to: number == first ? nil : first, else: "This is the first comic.")
      step("Previous comic", icon: .previous, to: previous, else: "This is the first comic.")
      a(.class("button"), .href(.random), .label("Random comic"), Attribute("rel", "nofollow")) {
        Icon.random.html
      }
      step("Next comic", icon: .next, to: next, else: "This is the latest comic.")
      step(
        "Latest comic",
        icon: .latest,
        to: number == latest ? nil : latest,
        else: "This is the latest comic."
      )
      NumberForm(typed: .empty).html
    }
  }

  /// A link of the pager; where it leads nowhere it is still there, disabled, and says why.
  private func step(_ name: Text, icon: Icon, to number: Comic.Number?, else reason: Text) -> HTML {
    guard let number else {
      return a(
        .class("button"),
        .role("link"),
        Attribute("aria-disabled", "true"),
        Attribute("tabindex", "0"),
        .label(name),
        .title(reason)
      ) { icon.html }
    }
    return a(.class("button"), .href(.comic(number)), .label(name)) { icon.html }
  }

  private var detailsHTML: HTML {
    aside(.class("details"), .label("About this comic")) {
      details {
        summary { "Details" }
        div(.class("details-body")) {
          if !alt.isEmpty { p(.class("alt")) { bdi { alt } } }
          facts
          if !transcript.isEmpty {
            section(Attribute("aria-labelledby", "transcript-title")) {
              h2(.id("transcript-title")) { "Transcript" }
              div(.id("transcript"), .class("transcript")) {
                for line in transcript { line.html }
              }
            }
          }
        }
      }
      attribution
    }
  }

  private var facts: HTML {
    dl {
      if let date {
        dt { "Date" }
        dd { time(Attribute("datetime", date.iso8601)) { date.spelled } }
      }
      dt { "Number" }
      dd { Text(decimal: number.value) }
      if !link.isEmpty {
        dt { "Link" }
        dd(.class("address")) {
          a(.href(.external(link)), Attribute("rel", "noopener noreferrer external")) { link }
        }
      }
    }
  }

  @HTMLBuilder private var attribution: HTML {
    if isSample {
      p(.class("attribution")) {
        "A sample drawn for Longbox. The real ones are by Randall Munroe, on xkcd.com."
      }
    } else {
      p(.class("attribution")) {
        a(.href(.xkcd(number))) { "xkcd" }
        " by Randall Munroe, "
        a(.href(.xkcdLicence), Attribute("rel", "license")) { "CC BY-NC 2.5" }
      }
    }
  }
}
