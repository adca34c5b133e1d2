// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// A browser that wants to be told of new comics.
public struct StoredSubscription: Sendable {
  /// Its number here; never given to another.
  public let id: Int64
  /// Where messages for it are sent.
  public let endpoint: String
  /// Scheme, host and port of the endpoint.
  public let service: String
  /// The keys that messages for it are encrypted with: 65 and 16 bytes.
  public let publicKey, secret: [UInt8]
  /// How its reader wants to be told.
  public let wishes: PushWishes
  /// When it was made.
  public let createdAt: Date
  /// The comic up to which it has been told of all; nothing until a comic is known.
  public let announced: Comic.Number?
  /// How often the next message for it was tried.
  public let attempts: Int
  /// Before this nothing is sent.
  public let nextTry: Date?
  /// Why the last message did not arrive, or nothing where it did.
  public let failure: String?
  /// When that was.
  public let failedAt: Date?
}

/// A browser's subscription as it comes in.
public struct NewSubscription: Sendable {
  /// Where messages for it are sent.
  public var endpoint: String
  /// Scheme, host and port of the endpoint.
  public var service: String
  /// The keys that messages for it are encrypted with: 65 and 16 bytes.
  public var publicKey, secret: [UInt8]
  /// The reader's library, where there is one.
  public var library: LibraryName?
  /// How its reader wants to be told; what is nothing stays as it was.
  public var wishes: PushWishes?
  /// The endpoint that this one takes the place of, where a browser has changed it.
  public var replaces: String?

  /// Makes one.
  public init(
    endpoint: String,
    service: String,
    publicKey: [UInt8],
    secret: [UInt8],
    library: LibraryName? = nil,
    wishes: PushWishes? = nil,
    replaces: String? = nil
  ) {
    self.endpoint = endpoint
    self.service = service
    self.publicKey = publicKey
    self.secret = secret
    self.library = library
    self.wishes = wishes
    self.replaces = replaces
  }
}
