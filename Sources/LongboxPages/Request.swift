// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a reader asks for, with all that an answer may depend on and the core can't know.
public struct Request: Equatable, Sendable {
  /// The path of the address, percent-encoded as it came, such as `/353/`.
  public var path: Text
  /// What follows the question mark, percent-encoded as it came, or empty.
  public var query: Text
  /// A number by chance, for a comic by chance.
  public var chance: UInt64

  /// Makes a request.
  public init(path: Text, query: Text = .empty, chance: UInt64 = 0) {
    self.path = path
    self.query = query
    self.chance = chance
  }

  /// The value of a field in the query, decoded, or nothing where the query has no such field.
  ///
  /// It is decoded as forms encode it (`application/x-www-form-urlencoded`, URL Standard, section 5.1).
  func field(_ name: Text) -> Text? {
    for pair in query.bytes.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, FormEncoding.decode(key) == name else { continue }
      return parts.count > 1 ? FormEncoding.decode(parts[1]) : .empty
    }
    return nil
  }
}
