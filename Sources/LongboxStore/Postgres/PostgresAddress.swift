// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The address of a PostgreSQL database, as libpq takes it:
/// `postgresql://user:password@host:5432/name?sslmode=require`.
public struct PostgresAddress: Hashable, Sendable {
  /// The whole text, with the password.
  let text: String

  /// Takes an address; nil unless it begins with `postgresql://` or `postgres://`.
  public init?(_ text: String) {
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else { return nil }
    guard !text.utf8.contains(0) else { return nil }
    self.text = text
  }
}

extension PostgresAddress: CustomStringConvertible {
  /// The address without user, password and parameters, for messages and logs.
  public var description: String {
    var rest = text[...]
    if let end = rest.range(of: "://") { rest = rest[end.upperBound...] }
    // The user and password come first: libpq lets them contain a question mark.
    let authority = rest.prefix { $0 != "/" }
    if let user = authority.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
    rest = rest.prefix { $0 != "?" }
    // libpq refuses a password with a slash, but the error must not show it.
    if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
    return "postgresql://\(rest)"
  }
}
