// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// An explanation as pages show it.
///
/// Only the server makes HTML of it. A device gets both parts from there and puts them into its pages as they are.
public struct ShownExplanation: Equatable, Sendable {
  /// What is known of it.
  public enum State: Equatable, Sendable {
    /// It is stored.
    case here(Content)
    /// explain xkcd has none.
    case absent
    /// explain xkcd has not been asked yet, or does not answer.
    case unavailable
  }

  /// What explain xkcd says.
  public struct Content: Equatable, Sendable {
    /// The first sentences that explain.
    public var lead: Text
    /// The whole.
    public var document: WikiDocument
    /// The day of the wiki's page, where it is known.
    public var date: CalendarDate?
    /// Whether the wiki says of its page that it is not complete.
    public var isIncomplete: Bool
    /// Whether the wiki has more than is kept.
    public var isCut: Bool

    /// Makes a content.
    public init(
      lead: Text,
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

  /// The comic.
  public var comic: Comic.Number
  /// What is known.
  public var state: State
  /// Whether it is the project's own, and not explain xkcd's.
  public var isSample: Bool

  /// Makes an explanation.
  public init(of comic: Comic.Number, _ state: State, isSample: Bool) {
    self.comic = comic
    self.state = state
    self.isSample = isSample
  }

  /// What stands behind the disclosure of a comic's page: the lead, and the way to the whole.
  @HTMLBuilder public var beginning: HTML {
    switch state {
    case .here(let content): if !content.lead.isEmpty { p(.class("lead")) { content.lead } }
    case .absent: p { "There is no explanation of this comic yet." }
    case .unavailable: p { "It is not here yet." }
    }
    if state != .absent {
      a(.class("button whole"), .href(.explanation(comic))) { "The whole explanation" }
    }
    credit
  }

  /// The whole.
  @HTMLBuilder public var whole: HTML {
    switch state {
    case .here(let content):
      content.document.html
      if content.isCut { p(.class("note")) { "There is more of it than is kept here." } }
      credit
    case .absent: ExplanationText.absent(comic, isSample: isSample)
    case .unavailable: ExplanationText.unavailable(comic, isSample: isSample)
    }
  }

  /// How old it is, whose it is, and where there is more.
  @HTMLBuilder private var credit: HTML {
    if case .here(let content) = state, !isSample {
      p(.class("hint")) {
        if let date = content.date { "As of " + date.spelled + ", " }
        "by the readers of explain xkcd, "
        a(.href(.explainLicence), Attribute("rel", "license")) { "CC BY-SA 3.0" }
        content.isIncomplete ? ". They call it incomplete." : "."
      }
    }
    ExplanationText.more(comic, isSample: isSample)
  }
}
