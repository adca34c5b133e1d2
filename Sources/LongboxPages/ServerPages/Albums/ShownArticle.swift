// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What Wikipedia says of an album, as a page shows it.
public enum ShownArticle: Equatable, Sendable {
  /// Wikipedia is not asked.
  case off
  /// This page is about it.
  case here(ArticleCandidate, isPicked: Bool, isSample: Bool)
  /// One of these may be.
  case unsure([ArticleCandidate])
  /// There is none.
  case none
  /// Wikipedia has not answered yet.
  case unavailable

  /// The address that a reader's choice is sent to.
  public static func pickAddress(of album: StoreID) -> Text { "/albums/" + album.text + "/article" }

  /// The article behind a disclosure.
  /// - Parameters:
  ///   - album: the album.
  ///   - back: the page to come back to after a choice.
  func disclosure(of album: StoreID, back: Text) -> HTML {
    details(.class("about-album"), isOpen ? Attribute("open") : .none) {
      summary { "About this album" }
      div(.class("explanation-text")) { content(album, back) }
    }
  }

  /// A question to the reader should be seen.
  private var isOpen: Bool {
    if case .unsure = self { true } else { false }
  }

  @HTMLBuilder private func content(_ album: StoreID, _ back: Text) -> HTML {
    switch self {
    case .off:
      p {
        "Articles are switched off: Wikipedia wants to know who runs a server that asks it. Whoever runs this one can say so "
        "by setting LONGBOX_CONTACT to an e-mail address or a web address."
      }
    case .here(let page, let isPicked, let isSample):
      for paragraph in page.extract.paragraphs { p { paragraph } }
      if !isSample {
        credit(page)
        pick(
          isPicked ? nil : 0,
          album,
          back,
          isPicked ? "Choose another article" : "This is about something else"
        )
      }
    case .unsure(let pages):
      p { "Which of these is about this album?" }
      ul(.class("candidates")) {
        for page in pages {
          li {
            p {
              a(.href(.external(page.address))) { bdi { page.title } }
              if !page.summary.isEmpty { ": " + page.summary }
            }
            pick(page.id, album, back, "This one", label: "This one: " + page.title)
          }
        }
      }
      pick(0, album, back, "None of these")
    case .none:
      p { "Wikipedia has no article about this album, as far as Longbox can tell." }
      pick(nil, album, back, "Look again")
    case .unavailable: p { "Wikipedia does not answer now. Load this page again a little later." }
    }
  }

  private func credit(_ page: ArticleCandidate) -> HTML {
    p(.class("hint")) {
      "From "
      a(.href(.external(page.address))) { "“" + page.title + "” on Wikipedia" }
      ", revision " + Text(decimal: page.revision) + ", by its authors, "
      a(.href(.external("https://creativecommons.org/licenses/by-sa/4.0/")), Attribute("rel", "license")) {
        "CC BY-SA 4.0"
      }
      "."
    }
  }

  private func pick(
    _ page: Int?,
    _ album: StoreID,
    _ back: Text,
    _ name: Text,
    label: Text = .empty
  ) -> HTML {
    form(.class("edit"), Attribute("action", Self.pickAddress(of: album)), Attribute("method", "post")) {
      input(
        Attribute("type", "hidden"),
        Attribute("name", "page"),
        Attribute("value", page.map { Text(decimal: $0) } ?? .empty)
      )
      input(Attribute("type", "hidden"), Attribute("name", "back"), Attribute("value", back))
      button(.class("button"), Attribute("type", "submit"), label.isEmpty ? .none : .label(label)) { name }
    }
  }
}

extension Text {
  /// The parts between ends of lines that hold something.
  fileprivate var paragraphs: [Text] {
    bytes.split(separator: UInt8(ascii: "\n")).map { Text($0) }.filter { !$0.bytes.trimmed().isEmpty }
  }
}
