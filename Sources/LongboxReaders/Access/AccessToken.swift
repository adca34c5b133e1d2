// Longbox
// SPDX-License-Identifier: MIT

import LongboxPush
public import LongboxStore

/// A secret of 256 random bits that lets a device or a program in; the store has only its hash.
public struct AccessToken: Hashable, Sendable {
  /// The length of its text.
  public static let length = 43

  /// The secret as base64url.
  public let text: String

  /// Makes a random secret.
  public init() {
    text = Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255) })
  }

  /// The hash of a text that claims to be a secret; nil if it can't be one.
  public static func hash(of text: some StringProtocol) -> CredentialHash? {
    guard text.utf8.count == length else { return nil }
    return CredentialHash(of: text.utf8)
  }

  var hash: CredentialHash { CredentialHash(of: text.utf8) }
}
