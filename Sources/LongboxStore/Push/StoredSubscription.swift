// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// A browser that is notified of new comics.
public struct StoredSubscription: Sendable {
  /// Its id, which is never reused.
  public let id: Int64
  /// Where its messages are sent.
  public let endpoint: String
  /// Scheme, host and port of the endpoint.
  public let service: String
  /// The keys that encrypt its messages: 65 and 16 bytes.
  public let publicKey, secret: [UInt8]
  /// Its reader's settings.
  public let preferences: PushPreferences
  /// When it was made.
  public let createdAt: Date
  /// Whether its push service has accepted a message; comics are announced only to such subscriptions.
  public let isConfirmed: Bool
  /// The last comic that it was notified of; nil until a comic is known.
  public let announced: Comic.Number?
  /// How many times the next message was tried.
  public let attempts: Int
  /// Nothing is sent before this.
  public let nextTry: Date?
  /// Why the last message failed, or nil if it arrived.
  public let failure: String?
  /// When it failed.
  public let failedAt: Date?

  /// Whether it was confirmed before, until its push service rejected this server's key.
  public var isInterrupted: Bool { !isConfirmed && attempts == 0 && failure != nil }
}

/// A browser's subscription as it was received.
public struct NewSubscription: Sendable {
  /// Where its messages are sent.
  public var endpoint: String
  /// Scheme, host and port of the endpoint.
  public var service: String
  /// The keys that encrypt its messages: 65 and 16 bytes.
  public var publicKey, secret: [UInt8]
  /// The reader's library, if there is one.
  public var library: LibraryName?
  /// Its reader's settings, or nil to keep the stored ones.
  public var preferences: PushPreferences?
  /// The endpoint that this one replaces, if the browser has changed it.
  public var replaces: String?

  /// Makes a subscription.
  public init(
    endpoint: String,
    service: String,
    publicKey: [UInt8],
    secret: [UInt8],
    library: LibraryName? = nil,
    preferences: PushPreferences? = nil,
    replaces: String? = nil
  ) {
    self.endpoint = endpoint
    self.service = service
    self.publicKey = publicKey
    self.secret = secret
    self.library = library
    self.preferences = preferences
    self.replaces = replaces
  }
}
