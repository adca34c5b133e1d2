// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// What lets a device or a program in: a device's session, or a program's access key.
public struct StoredCredential: Equatable, Identifiable, Sendable {
  /// What it is for.
  public enum Kind: String, Sendable {
    /// A browser that signed in.
    case session
    /// A program that reads feeds or the API.
    case key
  }

  /// The number in the store.
  public let id: Int64
  /// What it is for.
  public let kind: Kind
  /// The hash of its secret.
  public let hash: CredentialHash
  /// The name that people see, such as "Firefox on Android".
  public let name: String
  /// When it was made.
  public let createdAt: Date
  /// When the browser last got its cookie.
  public let renewedAt: Date
  /// When it was last used; nil if never.
  public let seenAt: Date?

  /// Makes a credential with these values.
  public init(
    id: Int64,
    kind: Kind,
    hash: CredentialHash,
    name: String,
    createdAt: Date,
    renewedAt: Date,
    seenAt: Date?
  ) {
    self.id = id
    self.kind = kind
    self.hash = hash
    self.name = name
    self.createdAt = createdAt
    self.renewedAt = renewedAt
    self.seenAt = seenAt
  }
}
