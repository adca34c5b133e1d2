// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation

/// The feed of a reader's favourites, which whoever has its address can read.
public struct FavoritesFeed: Hashable, Sendable {
  /// The unguessable part of the address.
  public let token: String
  /// Whose favourites it tells.
  public let library: LibraryName
  /// When the address was made.
  public let createdAt: Date

  /// Makes a feed.
  /// - Parameters:
  ///   - token: 16 to 64 letters, digits, `-` or `_`, by chance.
  ///   - library: whose favourites it tells.
  ///   - createdAt: now.
  public init(token: String, library: LibraryName, createdAt: Date) {
    self.token = token
    self.library = library
    self.createdAt = createdAt
  }

  /// An identifier that stays the same and does not tell the token: a UUID of version 8 (RFC 9562, section 5.8) with bits of
  /// the token's SHA-256.
  public var identifier: UUID {
    var bytes = Array(SHA256.hash(data: Array(token.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
