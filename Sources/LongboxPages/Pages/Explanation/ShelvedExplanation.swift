// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

extension Shelf {
  /// The explanation of a comic, as a host hands it in.
  ///
  /// The pages don't read the wiki's text themselves: the server does, and a device gets from it what ``html`` is.
  public struct Explanation: Equatable, Sendable {
    /// The first sentences that explain.
    public var lead: Text
    /// The whole; empty where the page shows the lead only.
    public var html: HTML
    /// The day of the wiki's page, such as "3 May 2024", or empty where it is not known.
    public var asOf: Text
    /// Whether the wiki says of its page that it is not complete.
    public var isIncomplete: Bool
    /// Whether the wiki has more than is kept.
    public var isCut: Bool

    /// Makes an explanation.
    public init(lead: Text, html: HTML, asOf: Text, isIncomplete: Bool = false, isCut: Bool = false) {
      self.lead = lead
      self.html = html
      self.asOf = asOf
      self.isIncomplete = isIncomplete
      self.isCut = isCut
    }
  }

  /// What a host knows of the explanation of a comic.
  public enum ExplanationState: Equatable, Sendable {
    /// It is at hand.
    case here(Explanation)
    /// It is not at hand, but may be fetched.
    case elsewhere
    /// explain xkcd has none.
    case absent
    /// It was to be fetched, and could not be.
    case unavailable
  }

  /// The state of the explanation of one comic.
  public struct ShelvedExplanation: Equatable, Sendable {
    /// The comic.
    public var comic: Comic.Number
    /// What is known.
    public var state: ExplanationState

    /// Says what is known of a comic.
    public init(_ comic: Comic.Number, _ state: ExplanationState) {
      self.comic = comic
      self.state = state
    }
  }

  /// What is known of the explanation of a comic; nothing where the host did not look.
  func explanation(of comic: Comic.Number) -> ExplanationState? {
    explanations.first { $0.comic == comic }?.state
  }
}
