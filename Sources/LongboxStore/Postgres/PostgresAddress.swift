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
  ///
  /// It is `postgresql://…` if a part of a password might be left.
  public var description: String { "postgresql://\(place ?? "…")" }

  /// Everything after the scheme.
  private var rest: Substring {
    text.range(of: "://").map { text[$0.upperBound...] } ?? text[...]
  }

  /// The hosts, ports and name of the database; nil if a part of a password might be among them.
  ///
  /// libpq refuses some passwords that have special characters as they are, but the error must not show them.
  private var place: Substring? {
    let rest = self.rest
    var place = rest.prefix { $0 != "?" }
    let parameters = rest[place.endIndex...]
    if place.contains(":"), let end = parameters.lastIndex(of: "@") {
      // Either the password has a question mark, or a parameter has an "@".
      guard !parameters[..<end].contains("=") else { return nil }
      place = parameters[end...].prefix { $0 != "?" }
    }
    if let user = place.lastIndex(of: "@") { place = place[place.index(after: user)...] }
    // A port that isn't a number may be a password, if the host after it was forgotten.
    let hasPorts = place.prefix { $0 != "/" }.split(separator: ",").allSatisfy { host in
      host.hasPrefix("[") || host.drop { $0 != ":" }.dropFirst().allSatisfy(\.isNumber)
    }
    return hasPorts ? place : nil
  }
}

extension PostgresAddress {
  /// A message of libpq without the parts of the address that ``description`` hides, except the user.
  ///
  /// libpq quotes what it can't use, and may take a part of the password for a host or port.
  func hidingSecrets(in message: String) -> String {
    let separators: Set<Character> = [":", "@", "/", "?", ",", "[", "]"]
    let shown = Set(description.split { separators.contains($0) })
    // The address begins with a user or a host.
    let first = rest.prefix { !separators.contains($0) }
    let forms = [text, text.removingPercentEncoding ?? text]
    return message.split(separator: "\"", omittingEmptySubsequences: false)
      .map { part -> Substring in
        if part == first || shown.contains(part) || part.allSatisfy(separators.contains) { return part }
        return forms.contains { $0.contains(part) } ? "…" : part
      }
      .joined(separator: "\"")
  }
}
