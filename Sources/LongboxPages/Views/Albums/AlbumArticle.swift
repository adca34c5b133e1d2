// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The state of an album's Wikipedia article.
public enum ShownArticle: Equatable, Sendable {
  /// Wikipedia is switched off.
  case off
  /// An article about the album.
  case here(ArticleCandidate, isPicked: Bool, isSample: Bool)
  /// Candidates to choose from.
  case unsure([ArticleCandidate])
  /// The reader rejected the article that seemed to fit; other candidates may remain.
  case dismissed([ArticleCandidate])
  /// There is no article.
  case none
  /// Wikipedia has not answered yet.
  case unavailable

  /// The address of the form that has the server ask Wikipedia again.
  static func lookAgainAddress(of album: StoreID) -> Text { "/albums/" + album.text + "/article" }
}

/// An album's Wikipedia article, in a disclosure.
struct ArticleDisclosure {
  let article: ShownArticle
  let album: StoreID
  /// The language code of the article; empty if unknown.
  let language: Text
  /// The codes of the languages that the reader can choose for all articles.
  let languages: [Text]
  /// The page to return to after a choice.
  let back: Text

  var html: HTML {
    details(.class("about-album"), isOpen ? Attribute("open") : .none) {
      summary { "About this album" }
      div(.class("explanation-text")) {
        content
        if ArticleLanguages.isChoice(languages) { languageChoice }
      }
    }
  }

  /// Open if the reader has to choose an article.
  private var isOpen: Bool {
    if case .unsure = article { true } else { false }
  }

  @HTMLBuilder private var content: HTML {
    switch article {
    case .off:
      p {
        "Articles are off: Wikipedia asks for the operator’s contact. The operator of this server can set LONGBOX_CONTACT to an "
        "e-mail or web address."
      }
    case .here(let page, let isPicked, let isSample):
      for paragraph in page.extract.paragraphs {
        p(inItsLanguage, direction) { paragraph }
      }
      if !isSample {
        credit(page)
        pick(isPicked ? nil : 0, isPicked ? "Choose another article" : "Not this album")
      }
    case .unsure(let pages):
      p { "Which of these is about this album?" }
      candidates(pages)
      pick(0, "None of these")
    case .dismissed(let pages):
      if pages.isEmpty {
        p { "You said that none of the articles found is about this album." }
      } else {
        p { "You said that the article found is about something else. Is it one of these?" }
        candidates(pages)
      }
      pick(nil, "Undo choice")
      lookAgain
    case .none:
      p { "No Wikipedia article found for this album." }
      lookAgain
    case .unavailable: p { "Wikipedia isn’t answering right now. Try again later." }
    }
  }

  private func candidates(_ pages: [ArticleCandidate]) -> HTML {
    ul(.class("candidates")) {
      for page in pages {
        li {
          p {
            link(page)
            if !page.summary.isEmpty {
              ": "
              span(inItsLanguage, direction) { page.summary }
            }
          }
          pick(page.id, "This one", label: "This one: " + page.title)
        }
      }
    }
  }

  private func credit(_ page: ArticleCandidate) -> HTML {
    p(.class("hint")) {
      "From "
      link(page, "“", "” on Wikipedia")
      ", revision " + Text(decimal: page.revision) + ", by its authors, "
      a(.href(.external("https://creativecommons.org/licenses/by-sa/4.0/")), Attribute("rel", "license")) {
        "CC BY-SA 4.0"
      }
      "."
    }
  }

  /// A link to an article; plain text if its address is unknown.
  private func link(_ page: ArticleCandidate, _ before: Text = .empty, _ after: Text = .empty) -> HTML {
    let words = span {
      before
      bdi(inItsLanguage) { page.title }
      after
    }
    return page.address.isEmpty ? words : a(.href(.external(page.address))) { words }
  }

  private var inItsLanguage: Attribute { language.isEmpty ? .none : Attribute("lang", language) }
  private var direction: Attribute { Attribute("dir", "auto") }

  /// A button that changes the reader's choice.
  private func pick(_ page: Int?, _ name: Text, label: Text = .empty) -> HTML {
    form(
      .class("edit"),
      .action(.local(EditAddress.pickArticle.path)),
      Attribute("method", "post")
    ) {
      hidden("album", album.text)
      hidden("language", language)
      hidden("page", page.map { Text(decimal: $0) } ?? .empty)
      hidden("back", back)
      button(.class("button"), Attribute("type", "submit"), label.isEmpty ? .none : .label(label)) { name }
    }
  }

  /// Sets the language of all articles, which the settings of albums show, too.
  private var languageChoice: HTML {
    form(
      .class("edit article-language"),
      .action(.local(ShownAlbumSettings.address)),
      Attribute("method", "post")
    ) {
      label(Attribute("for", ArticleLanguages.field)) { "Language of articles" }
      ArticleLanguages.list(languages, chosen: language)
      hidden("back", back)
      button(.class("button action"), Attribute("type", "submit")) { "Change" }
    }
  }

  /// A button that has the server ask Wikipedia again, for all readers.
  private var lookAgain: HTML {
    form(
      .class("edit"),
      .action(.local(ShownArticle.lookAgainAddress(of: album))),
      Attribute("method", "post")
    ) {
      hidden("again", "1")
      hidden("back", back)
      button(.class("button"), Attribute("type", "submit")) { "Search again" }
    }
  }
}

/// The list of languages of articles, in a form that the server handles.
enum ArticleLanguages {
  static var field: Text { "language" }

  /// The languages' own names, by code.
  private static var names: [(code: Text, name: Text)] {
    [
      ("da", "Dansk"), ("de", "Deutsch"), ("en", "English"), ("es", "Español"), ("fi", "Suomi"),
      ("fr", "Français"),
      ("it", "Italiano"), ("nl", "Nederlands"), ("no", "Norsk"), ("pl", "Polski"), ("pt", "Português"),
      ("sv", "Svenska"),
    ]
  }

  /// Whether there is more than one language.
  static func isChoice(_ languages: [Text]) -> Bool { languages.count > 1 }

  /// The language's own name, or its code.
  static func name(of code: Text) -> Text { names.first { $0.code == code }?.name ?? code }

  /// The languages by their names.
  static func list(_ languages: [Text], chosen: Text) -> HTML {
    let known = names.filter { languages.contains($0.code) }
    let others = languages.filter { code in !names.contains { $0.code == code } }
    return SelectList.html(field, chosen: chosen, others.map { (code: $0, name: $0) } + known)
  }
}

extension Text {
  fileprivate var paragraphs: [Text] {
    bytes.split(separator: UInt8(ascii: "\n")).map { Text($0) }.filter { !$0.bytes.trimmed().isEmpty }
  }
}
