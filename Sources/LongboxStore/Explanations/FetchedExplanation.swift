// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// The answer of explain xkcd about a comic, to be stored.
public struct FetchedExplanation: Hashable, Sendable {
  /// The result of a request.
  public enum Outcome: Hashable, Sendable {
    /// The page, as its editors wrote it.
    case page(ExplanationText)
    /// There is no page about the comic, or not yet.
    case missing
    /// The page is too long to be read.
    case tooLong
    /// The answer could not be used.
    case failed
  }

  /// The comic that was requested.
  public var number: Comic.Number
  /// The result.
  public var outcome: Outcome
  /// When the answer came.
  public var fetchedAt: Date
  /// When to ask again, or nil.
  public var lookAgain: Date?

  /// Makes an answer.
  public init(number: Comic.Number, outcome: Outcome, fetchedAt: Date, lookAgain: Date?) {
    self.number = number
    self.outcome = outcome
    self.fetchedAt = fetchedAt
    self.lookAgain = lookAgain
  }
}

/// A page of explain xkcd as it was sent.
public struct ExplanationText: Hashable, Sendable {
  /// The longest stored wikitext, in bytes; the longest page so far, 1608, has 272,884.
  public static let sizeLimit = 16 << 20

  /// The wiki's number of the revision.
  public var pageRevision: Int
  /// When that revision was written, in the wiki's format: `2024-05-03T10:00:00Z`.
  public var timestamp: String
  /// The wikitext, byte for byte.
  public var wikitext: [UInt8]

  /// Makes a text.
  public init(pageRevision: Int, timestamp: String, wikitext: [UInt8]) {
    self.pageRevision = pageRevision
    self.timestamp = timestamp
    self.wikitext = wikitext
  }
}
