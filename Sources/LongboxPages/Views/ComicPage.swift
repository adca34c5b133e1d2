// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct ComicPage: Equatable {
  enum Picture: Equatable {
    /// Available, with known size.
    case known(PictureFacts)
    /// It exists, but its size is not known yet.
    case unknown
    /// The comic has none (1608, 1663).
    case none
    /// The record has the picture of the previous comic (1037, 1350).
    case wrong
  }

  let number: Comic.Number
  let name: Text
  let date: CalendarDate?
  let alt: Text
  let altDisplay: AltTextDisplay
  let transcript: [TranscriptLine]
  let link: Text
  let news: News
  let isInteractive: Bool
  let isSample: Bool
  /// The lead of its explanation; nil if not loaded.
  let explanation: HTML?
  let picture: Picture
  let pager: Pager
  let isFavorite: Bool
  let isRead: Bool
  /// Whether the reader has a library, and so read marks.
  let isRemembered: Bool

  init(_ comic: ArchivedComic, in archive: Archive, lead: HTML? = nil, reader: Reader = .stranger) {
    number = comic.number
    name = comic.title
    date = comic.date
    alt = comic.alt
    altDisplay = reader.library.value(of: .altText)
    transcript = TranscriptLine.lines(of: comic.transcript)
    link = comic.link
    news = comic.news
    isInteractive = comic.isInteractive
    isSample = archive.isSampleBox
    explanation = lead
    picture = Self.picture(of: comic, in: archive)
    pager = Pager(from: comic.number, latest: archive.latest?.number ?? comic.number)
    isFavorite = reader.library.isFavorite(comic.number)
    isRead = reader.reads(comic.number) || reader.library.readMarks.isRead(comic.number)
    isRemembered = reader.isRemembered
  }

  /// An interactive comic whose record has its predecessor's picture has no picture of its own.
  static func picture(of comic: ArchivedComic, in archive: Archive) -> Picture {
    guard !comic.pictureAddress.isEmpty else { return .none }
    if comic.isInteractive, let previous = comic.number.previous.flatMap(archive.comic),
      previous.pictureAddress == comic.pictureAddress
    {
      return .wrong
    }
    return comic.picture.map(Picture.known) ?? .unknown
  }

  /// The picture's alt attribute: "Comic 353: Python".
  var pictureName: Text { "Comic " + Text(decimal: number.value) + ": " + name }

  /// The layout: tall pictures fill the width, wide ones scroll sideways on small screens.
  var shape: Text {
    guard case .known(let facts) = picture else { return "plain" }
    if facts.height > 2 * facts.width { return "tall" }
    if facts.width > 1000 || (facts.width >= 500 && facts.width > 2 * facts.height) { return "wide" }
    return "plain"
  }
}

extension ComicPage: Page {
  var title: Text { "#" + Text(decimal: number.value) + " " + name }
  /// Not the alt text, so that a shared link doesn't spoil the joke.
  var abstract: Text {
    let name: Text = (isSample ? "A sample of Longbox, no. " : "xkcd comic ") + Text(decimal: number.value)
    return date.map { name + ", " + $0.spelled } ?? name
  }
  var kind: Text { "comic-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .comic(number) }
  var original: Link { .xkcd(number) }

  var heading: HTML {
    span(.class("number")) { "#" + Text(decimal: number.value) }
    " "
    h1 { bdi { name } }
    div(.class("actions")) {
      EditForm(address: .favorite, comic: number, isOn: !isFavorite, back: Link.comic(number).address)
        .html(
          .class("button heart"),
          .label("Favorite"),
          Attribute("aria-pressed", isFavorite ? "true" : "false")
        ) { Icon.heart.html }
      a(.class("button to-details"), Attribute("href", "#details"), .label("About this comic")) {
        Icon.details.html
      }
    }
  }

  var content: HTML {
    div(.class("reading")) {
      div(.class("stage")) {
        pictureHTML
        if altDisplay != .details { altText }
        interactiveNote
      }
      detailsHTML
      pager.html
    }
  }
}

extension PictureFacts.Format {
  fileprivate var ending: Text {
    switch self {
    case .png: ".png"
    case .jpeg: ".jpg"
    case .gif: ".gif"
    }
  }
}

#if !hasFeature(Embedded)
extension ComicPage {
  var sharedPicture: ShareCard.Picture? {
    guard case .known(let facts) = picture else { return nil }
    return ShareCard.Picture(
      link: .picture(number, doubleSize: false, version: facts.versionText),
      width: facts.width,
      height: facts.height,
      name: pictureName
    )
  }
}
#endif

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
          Attribute("height", facts.height),
          facts.frames > 1 ? Attribute("data-frames", facts.frames) : .none
        )
      }
    case .unknown:
      figure(.class("picture plain unsized")) { image(srcset: false, version: .empty) }
    case .none, .wrong:
      figure(.class("picture absent")) {
        HTML(
          trusted: """
            <svg class="drawing" viewBox="0 0 320 200" aria-hidden="true" focusable="false">\
            <path d="M41 33c78-4 160-3 238-1 2 46 1 90-1 137-79 3-158 2-236 1-3-46-3-92-1-137z"/>\
            <path class="mark" d="M136 79c3-32 52-31 49 1-2 21-25 21-25 44M160 141v2"/></svg>
            """
        )
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
        if isSample {
          "This sample stands for comics that are interactive: there is more to them than a page can show."
        } else {
          "This comic is interactive: there is more to it than this page can show. "
          a(.href(.xkcd(number))) { "Open comic " + Text(decimal: number.value) + " on xkcd.com" }
        }
      }
    }
  }

  /// The title text, which touch screens can't show on hover; placed by the reader's setting.
  @HTMLBuilder private var altText: HTML {
    if !alt.isEmpty {
      p(.class(altDisplay == .later ? "alt later" : "alt")) { bdi { alt } }
    }
  }

  private var detailsHTML: HTML {
    aside(.class("details"), .id("details"), .label("About this comic")) {
      details(.class("about")) {
        summary { "Details" }
        div(.class("details-body")) {
          if altDisplay == .details { altText }
          facts
          readMarks
          if !transcript.isEmpty {
            section(Attribute("aria-labelledby", "transcript-title")) {
              h2(.id("transcript-title")) { "Transcript" }
              div(.id("transcript"), .class("transcript")) {
                for line in transcript { line.html }
              }
              if !ComicRules.trustsTranscript(of: number), !isSample {
                p(.class("hint")) {
                  "Transcript from "
                  a(.href(.explainXkcd(number))) { "explain xkcd" }
                  ", "
                  a(.href(.explainLicence), Attribute("rel", "license")) { "CC BY-SA 3.0" }
                }
              }
            }
          }
        }
      }
      ExplanationDisclosure(comic: number, beginning: explanation ?? HTML()).html
    }
  }

  @HTMLBuilder private var readMarks: HTML {
    div(.class("marks")) {
      if isRemembered {
        EditForm(address: .read, comic: number, isOn: !isRead, back: Link.comic(number).address)
          .html(.class("button")) { isRead ? "Mark as unread" : "Mark as read" }
        a(.class("button"), .href(.randomUnread), Attribute("rel", "nofollow")) { "Random unread" }
      }
      EditForm(address: .readOlder, comic: number, back: Link.comic(number).address)
        .html(.class("button")) { "Mark this and everything older as read" }
      savePicture
    }
  }

  @HTMLBuilder private var savePicture: HTML {
    if case .known(let facts) = picture {
      let name = (isSample ? "longbox-sample-" : "xkcd-") + Text(decimal: number.value) + facts.format.ending
      a(
        .class("button"),
        .href(.picture(number, doubleSize: false, version: facts.versionText)),
        Attribute("download", name)
      ) { "Save picture" }
    }
  }

  @HTMLBuilder private func said(_ run: News.Run) -> HTML {
    if run.address.isEmpty {
      run.words
    } else if run.address.bytes.first == UInt8(ascii: "/") {
      a(.href(.local(run.address))) { run.words }
    } else {
      a(.href(.external(run.address)), Attribute("rel", "noopener noreferrer external")) { run.words }
    }
  }

  private var facts: HTML {
    dl {
      if let date {
        dt { "Published" }
        dd { time(Attribute("datetime", date.iso8601)) { date.spelled } }
      }
      if !link.isEmpty {
        dt { "Link" }
        dd(.class("address")) {
          a(.href(.external(link)), Attribute("rel", "noopener noreferrer external")) { link }
        }
      }
      if !news.isEmpty {
        dt { "News" }
        dd(.class("news")) { for run in news.runs { said(run) } }
      }
    }
  }
}
