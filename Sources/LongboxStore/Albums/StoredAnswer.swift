// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date

/// An answer of a source about albums, as it was sent.
public struct StoredAnswer: Hashable, Sendable {
  /// What was asked.
  public enum Kind: String, CaseIterable, Sendable {
    /// Which artists have a name.
    case artists
    /// Which albums an artist has.
    case albums
    /// Which tracks an album has.
    case tracks

    /// How many answers are kept: the oldest leave.
    ///
    /// An album has about 15 KB.
    var limit: Int {
      switch self {
      case .artists, .albums: 2_000
      case .tracks: 20_000
      }
    }
  }

  /// The answer, byte for byte.
  public let body: [UInt8]
  /// When it came, to the second.
  public let fetchedAt: Date

  /// Makes an answer.
  public init(body: [UInt8], fetchedAt: Date) {
    self.body = body
    self.fetchedAt = fetchedAt
  }
}

/// What Wikipedia said about an album, as it was sent, and what a reader said of that.
public struct StoredArticle: Hashable, Sendable {
  /// The answer.
  public let answer: StoredAnswer
  /// The page that a reader picked, 0 for none of them, or nothing where nobody did.
  public let pick: Int?
}
