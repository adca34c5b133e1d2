// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// An explanation on pages.
///
/// Only the server renders it; devices insert both parts unchanged.
public struct ShownExplanation: Equatable, Sendable {
  public enum State: Equatable, Sendable {
    /// It is stored.
    case here(Content)
    /// explain xkcd has none.
    case absent
    /// explain xkcd was not asked yet, or doesn't answer.
    case unavailable
  }

  /// The text from explain xkcd.
  public struct Content: Equatable, Sendable {
    /// The first sentences that explain the comic, with their links; without parts if there are none.
    public var lead: WikiDocument
    /// The full text.
    public var document: WikiDocument
    /// The date of the wiki page, if known.
    public var date: CalendarDate?
    /// Whether the wiki marks the page as incomplete.
    public var isIncomplete: Bool
    /// Whether the stored text is truncated.
    public var isCut: Bool

    public init(
      lead: WikiDocument,
      document: WikiDocument,
      date: CalendarDate?,
      isIncomplete: Bool = false,
      isCut: Bool = false
    ) {
      self.lead = lead
      self.document = document
      self.date = date
      self.isIncomplete = isIncomplete
      self.isCut = isCut
    }
  }

  public var comic: Comic.Number
  public var state: State
  /// Whether it is from the sample box.
  public var isSample: Bool

  public init(of comic: Comic.Number, _ state: State, isSample: Bool) {
    self.comic = comic
    self.state = state
    self.isSample = isSample
  }

  /// The disclosure's content on a comic's page: its source, the lead, and a link to the full text.
  @HTMLBuilder public var beginning: HTML {
    source
    switch state {
    case .here(let content): if !content.lead.bytes.isEmpty { p(.class("lead")) { content.lead.html } }
    case .absent: ExplanationParts.noneYet
    case .unavailable: p(.class("missing")) { "Not downloaded yet." }
    }
    if state != .absent { ExplanationParts.linkToWhole(comic) }
    ExplanationParts.linkToWiki(comic, isSample: isSample)
  }

  /// The full text.
  @HTMLBuilder public var whole: HTML {
    switch state {
    case .here(let content):
      content.document.html
      if content.isCut { p(.class("note")) { "This is only the beginning of it." } }
      source
      ExplanationParts.linkToWiki(comic, isSample: isSample)
    case .absent: ExplanationParts.absent(comic, isSample: isSample)
    case .unavailable: ExplanationParts.unavailable(comic, isSample: isSample)
    }
  }

  /// The date and the authors.
  @HTMLBuilder private var source: HTML {
    if case .here(let content) = state, !isSample {
      p(.class("hint")) {
        if let date = content.date { "As of " + date.spelled + ", " }
        "by the readers of explain xkcd, "
        a(.href(.explainLicence), Attribute("rel", "license")) { "CC BY-SA 3.0" }
        content.isIncomplete ? ". They call it incomplete." : "."
      }
    }
  }
}

/// The text in place of a missing explanation.
enum ExplanationParts {
  static var noneYet: HTML { p { "There is no explanation of this comic yet." } }

  /// explain xkcd has none.
  @HTMLBuilder static func absent(_ comic: Comic.Number, isSample: Bool) -> HTML {
    noneYet
    linkToWiki(comic, isSample: isSample)
  }

  @HTMLBuilder static func unavailable(_ comic: Comic.Number, isSample: Bool) -> HTML {
    p { "explain xkcd isn’t answering right now. Try again a little later." }
    linkToWiki(comic, isSample: isSample)
  }

  /// A static copy was made without it.
  @HTMLBuilder static func notInCopy(_ comic: Comic.Number, isSample: Bool) -> HTML {
    p { "This copy doesn’t have the explanation." }
    linkToWiki(comic, isSample: isSample)
  }

  /// The way to the whole text, from a comic's page.
  static func linkToWhole(_ comic: Comic.Number) -> HTML {
    a(.class("button whole"), .href(.explanation(comic))) { "The whole explanation" }
  }

  /// The way to the wiki's page.
  @HTMLBuilder static func linkToWiki(_ comic: Comic.Number, isSample: Bool) -> HTML {
    if !isSample {
      p(.class("to-wiki")) {
        a(.href(.explainXkcd(comic)), .label("Show more on explain xkcd")) { "On explain xkcd" }
      }
    }
  }
}

/// An explanation, collapsed because it spoils the joke.
struct ExplanationDisclosure {
  let comic: Comic.Number
  /// ``ShownExplanation/beginning``; empty if the host has none.
  let beginning: HTML

  var html: HTML {
    details(.class("part explanation")) {
      summary { "Explanation" }
      div(.class("part-body explanation-body"), .id("part-explanation")) {
        if beginning.isEmpty {
          ExplanationParts.linkToWhole(comic)
        } else {
          beginning
        }
      }
    }
  }
}

struct ExplanationPage: Equatable {
  let comic: Comic.Number
  let name: Text
  /// The explanation, or the reason why there is none.
  let text: HTML
}

extension ExplanationPage: Page {
  var title: Text { "#" + Text(decimal: comic.value) + " " + name + ": explanation" }
  var kind: Text { "explanation-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .explanation(comic) }
  var original: Link { .xkcd(comic) }

  var back: BackLink? { BackLink(link: .comic(comic), name: "Back to the comic") }

  var heading: HTML {
    span(.class("number")) { "#" + Text(decimal: comic.value) }
    " "
    nameHeading(name)
  }

  /// `explanation.js` moves the article into the disclosure on the comic's page.
  var content: HTML {
    article(.class("explanation-text"), .id("explanation")) {
      h2 { "Explanation" }
      text
    }
  }
}
