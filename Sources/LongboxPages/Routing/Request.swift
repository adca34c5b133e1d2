// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a reader asks for, with all that an answer may depend on and the core can't know.
public struct Request: Equatable, Sendable {
  /// What is to be done.
  public enum Method: Equatable, Sendable {
    /// A page is to be shown.
    case get
    /// A form was sent, and its host has made sure that it was one of our own pages that sent it.
    case post
  }

  /// What is to be done.
  public var method: Method
  /// The path of the address, percent-encoded as it came, such as `/353/`.
  public var path: Text
  /// What follows the question mark, percent-encoded as it came, or empty.
  public var query: Text
  /// What a form sent, encoded as it came, or empty.
  public var body: Text
  /// A number by chance, for a comic by chance.
  public var chance: UInt64
  /// The host's time in milliseconds since 1970-01-01 UTC.
  public var now: UInt64
  /// Whether the reader has a library already, so that what is viewed is noted in it.
  public var isRemembered: Bool
  /// Whether the page is fetched in advance, and nobody looks at it yet: nothing is noted, and no message is used up.
  public var isAhead: Bool

  /// Makes a request.
  public init(
    method: Method = .get,
    path: Text,
    query: Text = .empty,
    body: Text = .empty,
    chance: UInt64 = 0,
    now: UInt64 = 0,
    isRemembered: Bool = false,
    isAhead: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.chance = chance
    self.now = now
    self.isRemembered = isRemembered
    self.isAhead = isAhead
  }

  /// The fields of the query.
  var fields: FormFields { FormFields(query) }

  /// The address within this site, for a form to come back to.
  var address: Text { query.isEmpty ? path : path + "?" + query }
}
