// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// What explain xkcd said about a comic, to be stored.
public struct FetchedExplanation: Hashable, Sendable {
  /// What came of asking.
  public enum Outcome: Hashable, Sendable {
    /// The page, as its editors wrote it.
    case page(ExplanationText)
    /// There is no page about the comic, or not yet.
    case missing
    /// The page is longer than is read.
    case tooLong
    /// The answer could not be used.
    case failed
  }

  /// The comic that was asked about.
  public var number: Comic.Number
  /// What came of it.
  public var outcome: Outcome
  /// When the answer came.
  public var fetchedAt: Date
  /// When to ask again of our own accord, or nothing.
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
  /// The longest wikitext that is stored, in bytes; the longest page so far, 1608, has 272,884.
  public static let sizeLimit = 16 << 20

  /// The wiki's number of the revision.
  public var pageRevision: Int
  /// When that revision was written, as the wiki says it: `2024-05-03T10:00:00Z`.
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
