// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date

/// A source's reply about albums, as it was sent.
public struct StoredReply: Hashable, Sendable {
  /// What was asked.
  public enum Kind: String, CaseIterable, Sendable {
    /// A search for artists by name.
    case artists
    /// An artist's albums.
    case albums
    /// An album's tracks.
    case tracks

    /// How many replies are kept; the oldest are removed.
    ///
    /// An album has about 15 KB.
    var limit: Int {
      switch self {
      case .artists, .albums: 2_000
      case .tracks: 20_000
      }
    }
  }

  /// The reply, byte for byte.
  public let body: [UInt8]
  /// When it came, to the second.
  public let fetchedAt: Date

  /// Makes a reply.
  public init(body: [UInt8], fetchedAt: Date) {
    self.body = body
    self.fetchedAt = fetchedAt
  }
}
