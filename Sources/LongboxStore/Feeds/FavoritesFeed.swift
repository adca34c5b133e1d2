// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation

/// The feed of a reader's favorites; anyone with its address can read it.
public struct FavoritesFeed: Hashable, Sendable {
  /// The secret part of the address.
  public let token: String
  /// The library whose favorites it lists.
  public let library: LibraryName
  /// When the address was made.
  public let createdAt: Date

  /// Makes a feed.
  /// - Parameters:
  ///   - token: 16 to 64 random letters, digits, `-` or `_`.
  ///   - library: the library whose favorites it lists.
  ///   - createdAt: now.
  public init(token: String, library: LibraryName, createdAt: Date) {
    self.token = token
    self.library = library
    self.createdAt = createdAt
  }

  /// A permanent identifier that hides the token: a version 8 UUID (RFC 9562, section 5.8) from its SHA-256.
  public var identifier: UUID {
    var bytes = Array(SHA256.hash(data: Array(token.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
