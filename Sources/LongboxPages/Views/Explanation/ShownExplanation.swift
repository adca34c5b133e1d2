// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// An explanation on pages.
///
/// Only the server renders it; devices insert both parts unchanged.
public struct ShownExplanation: Equatable, Sendable {
  /// The state of the explanation.
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

    /// Makes a content.
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

  /// The comic.
  public var comic: Comic.Number
  /// The state of the explanation.
  public var state: State
  /// Whether it is from the sample box.
  public var isSample: Bool

  /// Makes an explanation.
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
    case .absent: p { "There is no explanation of this comic yet." }
    case .unavailable: p(.class("missing")) { "Not downloaded yet." }
    }
    if state != .absent { ExplanationText.whole(comic) }
    ExplanationText.elsewhere(comic, isSample: isSample)
  }

  /// The full text.
  @HTMLBuilder public var whole: HTML {
    switch state {
    case .here(let content):
      content.document.html
      if content.isCut { p(.class("note")) { "This is only the beginning of it." } }
      source
      ExplanationText.elsewhere(comic, isSample: isSample)
    case .absent: ExplanationText.absent(comic, isSample: isSample)
    case .unavailable: ExplanationText.unavailable(comic, isSample: isSample)
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
