// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A comic in a feed: picture, and all texts in elements, because feed readers drop attributes.
public struct FeedContent: Equatable, Sendable {
  private let page: ComicPage
  private let origin: Text

  /// Makes the content; `origin` is the server's scheme, host and port, for absolute addresses.
  public init(_ comic: ArchivedComic, in archive: Archive, origin: Text) {
    page = ComicPage(comic, in: archive)
    self.origin = origin
  }

  /// The title with the number: "#353 Python".
  public var title: Text { page.title }

  /// The picture's address; nil if the comic has none.
  public var picture: Text? {
    switch page.picture {
    case .known(let facts): address(.picture(page.number, doubleSize: false, version: facts.versionText))
    case .unknown: address(.picture(page.number, doubleSize: false, version: .empty))
    case .none, .wrong: nil
    }
  }

  /// The facts of the picture; nil if unknown.
  public var pictureFacts: PictureFacts? {
    if case .known(let facts) = page.picture { facts } else { nil }
  }

  /// The content as HTML without a style sheet.
  public var html: HTML { body }

  @HTMLBuilder private var body: HTML {
    pictureHTML
    if !page.alt.isEmpty { p { bdi { page.alt } } }
    if page.isInteractive, !page.isSample {
      p {
        "This comic is interactive: there is more to it than a picture can show. "
        a(.href(page.original)) { "Open it on xkcd.com" }
      }
    }
    if !page.news.isEmpty { p { for run in page.news.runs { said(run) } } }
    if !page.transcript.isEmpty {
      h2 { "Transcript" }
      for line in page.transcript { line.html }
    }
    p { credits }
  }

  @HTMLBuilder private var pictureHTML: HTML {
    if let picture {
      p {
        a(.href(.external(address(.comic(page.number))))) {
          HTML(void: "img", [.src(.external(picture)), .alt(page.pictureName)] + size)
        }
      }
    } else {
      p { "This comic only works on xkcd.com." }
    }
  }

  private var size: [Attribute] {
    guard let facts = pictureFacts else { return [] }
    return [Attribute("width", facts.width), Attribute("height", facts.height)]
  }

  @HTMLBuilder private var credits: HTML {
    if page.isSample {
      "A sample drawn for Longbox. The real comics are by Randall Munroe, on xkcd.com."
    } else {
      a(.href(page.original)) { "xkcd " + Text(decimal: page.number.value) }
      " by Randall Munroe, "
      a(.href(.xkcdLicence), Attribute("rel", "license")) { "CC BY-NC 2.5" }
      if !page.transcript.isEmpty, !ComicRules.trustsTranscript(of: page.number) {
        ". Transcript from "
        a(.href(.explainXkcd(page.number))) { "explain xkcd" }
        ", "
        a(.href(.explainLicence), Attribute("rel", "license")) { "CC BY-SA 3.0" }
      }
    }
  }

  @HTMLBuilder private func said(_ run: News.Run) -> HTML {
    if run.address.isEmpty {
      run.words
    } else if run.address.bytes.first == UInt8(ascii: "/") {
      a(.href(.external(origin + run.address))) { run.words }
    } else {
      a(.href(.external(run.address))) { run.words }
    }
  }

  private func address(_ link: Link) -> Text { origin + link.address }
}
