// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct ComicPage: Equatable {
  enum Picture: Equatable {
    /// Available, with known size.
    case known(PictureFacts)
    /// It exists, but its size is not known yet.
    case unknown
    /// The comic has none (1608, 1663), or an empty one (1193).
    case none
    /// The record has the picture of the previous comic (1037, 1350).
    case wrong
  }

  /// A comic that is like this one.
  struct Alike: Equatable {
    var number: Comic.Number
    var name: Text
  }

  let number: Comic.Number
  let name: Text
  let date: CalendarDate?
  let alt: Text
  let altDisplay: AltTextDisplay
  let wideComics: WideComics
  let transcript: [TranscriptLine]
  let link: Text
  let news: News
  let isInteractive: Bool
  let isSample: Bool
  /// The lead of its explanation; nil if not loaded.
  let explanation: HTML?
  let picture: Picture
  let pager: Pager
  /// The comic's place in the list that is read through, if there is one.
  let place: ListPlace?
  /// The reader's favorite of this comic, with its note; nil if it is none.
  let favorite: Favorite?
  var isFavorite: Bool { favorite != nil }
  let isRead: Bool
  /// Whether the reader has chosen to see this comic as drawn on dark pages, too.
  let isShownAsDrawn: Bool
  /// Whether the reader has a library, and so read marks.
  let isRemembered: Bool
  let site: Site
  /// Who and what it is about.
  let topics: [Topic]
  /// Comics that are like it.
  var alike: [Alike] = []
  /// The comic to continue with, if the reader was away for a while.
  var continuation: Comic.Number?

  init(
    _ comic: ArchivedComic,
    in archive: Archive,
    at place: ListPlace? = nil,
    lead: HTML? = nil,
    reader: Reader = .stranger,
    context: PageContext = PageContext()
  ) {
    site = context.site
    number = comic.number
    name = comic.title
    date = comic.date
    alt = comic.alt
    altDisplay = reader.library.value(of: .altText)
    wideComics = reader.library.value(of: .wideComics)
    transcript = TranscriptLine.lines(of: comic.transcript)
    link = comic.link
    news = comic.news
    isInteractive = comic.isInteractive
    isSample = archive.isSampleBox
    explanation = lead
    topics = comic.topics
    picture = Self.picture(of: comic, in: archive)
    self.place = place
    pager = Pager(
      from: comic.number,
      at: place,
      latest: archive.latest?.number ?? comic.number,
      nextDay: archive.isSampleBox ? nil : comic.date?.nextPublication,
      isFile: context.isFile
    )
    favorite = reader.library.favorite(comic.number)
    isRead = reader.reads(comic.number) || reader.library.readMarks.isRead(comic.number)
    isRemembered = reader.isRemembered
    isShownAsDrawn = reader.library.isShownAsDrawn(comic.number)
  }

  /// The comic's picture; `wrong` if the record of an interactive comic has its predecessor's picture.
  static func picture(of comic: ArchivedComic, in archive: Archive) -> Picture {
    guard !comic.pictureAddress.isEmpty else { return .none }
    if comic.isInteractive, let previous = comic.number.previous.flatMap(archive.comic),
      previous.pictureAddress == comic.pictureAddress
    {
      return .wrong
    }
    guard let facts = comic.picture else { return .unknown }
    return comic.isInteractive && facts.isBlank ? .none : .known(facts)
  }

  /// The page's address, with the list that is read through; forms return to it.
  var address: Link { .comic(number, in: place?.list) }

  /// The picture's alt attribute: "Comic 353: Python".
  var pictureName: Text { "Comic " + Text(decimal: number.value) + ": " + name }

  /// The layout: tall pictures fill the width; wide ones scroll sideways on small screens if the reader wants to read them at once.
  var shape: Text {
    guard case .known(let facts) = picture else { return "plain" }
    if facts.height > 2 * facts.width { return "tall" }
    guard wideComics == .readable else { return "plain" }
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
    div(.class(titleClass)) {
      span(.class("number")) { "#" + Text(decimal: number.value) }
      " "
      nameHeading(name)
      a(.class("to-number"), Attribute("href", "#number"), .label("Go to comic number")) {
        Icon.chevron.html(named: "Go to comic number")
      }
    }
    div(.class("actions")) {
      EditForm(address: .favorite, comic: number, isOn: !isFavorite, back: address.address)
        .html(
          .class("button heart"),
          .label("Favorite"),
          Attribute("aria-pressed", isFavorite ? "true" : "false")
        ) {
          // Text browsers don't show whether the button is pressed, either.
          Icon.heart.html(named: isFavorite ? "Remove from favorites" : "Favorite")
        }
      a(.class("button to-details"), Attribute("href", "#details"), .label("Details")) {
        Icon.details.html(named: "Details")
      }
    }
  }

  /// Shows the alt text over the picture.
  ///
  /// Scripts show and handle it. It is missing where the text is always shown.
  var creditControl: HTML {
    guard altDisplay == .onTap, !alt.isEmpty else { return HTML() }
    return button(
      .class("button to-alt"),
      Attribute("type", "button"),
      .label("Alt text"),
      Attribute("aria-pressed", "false")
    ) { Icon.speech.html(named: "Alt text") }
  }

  /// Long titles are smaller, so that two lines fit into the bar.
  private var titleClass: Text {
    switch title.count {
    case ...15: "title"
    case ...24: "title long"
    case ...38: "title longer"
    default: "title longest"
    }
  }

  @HTMLBuilder var content: HTML {
    if let continuation {
      div(.class("continue")) {
        a(.class("button"), .href(.comic(continuation))) {
          "Continue at #" + Text(decimal: continuation.value)
        }
      }
    }
    if let place { place.strip(over: number) }
    div(.class("reading")) {
      div(.class("pages")) {
        div(.class("stage"), isRead ? .none : Attribute("data-unread")) {
          pictureHTML
          if altDisplay == .always { altText }
          interactiveNote
        }
      }
      ComicDetails(page: self).html
      pager.html
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
  /// The class that says how dark pages show the picture.
  private var darkClass: Text {
    guard case .known(let facts) = picture, !isShownAsDrawn else { return " as-drawn" }
    return ComicRules.isLineArt(facts, of: number) ? " line-art" : .empty
  }

  @HTMLBuilder private var pictureHTML: HTML {
    switch picture {
    case .known where !site.shows(picture), .unknown where !site.shows(picture): elsewhere
    case .known(let facts):
      let scrolls = shape == "wide"
      figure(
        .class("picture " + shape + darkClass),
        scrolls ? Attribute("tabindex", "0") : .none,
        scrolls ? .role("group") : .none,
        scrolls ? .label("Picture, scrolls sideways") : .none
      ) {
        let shown = image(
          srcset: facts.doubleSize == .present,
          version: facts.versionText,
          Attribute("width", facts.width),
          Attribute("height", facts.height),
          facts.frames > 1 ? Attribute("data-frames", facts.frames) : .none
        )
        // What blends in a part that scrolls needs a background in that part.
        if scrolls { div(.class("backdrop")) { shown } } else { shown }
      }
    case .unknown:
      figure(.class("picture plain unsized")) { image(srcset: false, version: .empty) }
    case .none, .wrong:
      figure(.class("picture absent")) {
        Drawing.questionMark.html
        p { "This comic only works on xkcd.com." }
      }
    }
  }

  /// What a site without the picture shows: its thumbnail if there is one, and a link to the picture on xkcd.com.
  private var elsewhere: HTML {
    figure(.class("picture absent elsewhere")) {
      if case .known(let facts) = picture, site.pictures == .thumbnails {
        a(.class("thumbnail" + darkClass), .href(.xkcd(number))) {
          img(
            .src(.thumbnail(number, version: facts.versionText)),
            .alt(pictureName),
            Attribute("decoding", "async")
          )
        }
      } else {
        Drawing.questionMark.html
      }
      p { a(.href(.xkcd(number))) { "See this comic on xkcd.com" } }
    }
  }

  private func image(srcset: Bool, version: Text, _ size: Attribute...) -> HTML {
    let plain = Link.picture(number, doubleSize: false, version: version)
    let double = Link.picture(number, doubleSize: true, version: version)
    var attributes: [Attribute] = [.src(plain), .alt(pictureName)]
    if srcset { attributes.append(.srcset(plain, double)) }
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
      p(.class("alt")) { bdi { alt } }
    }
  }
}
