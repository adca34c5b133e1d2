// Longbox
// SPDX-License-Identifier: MIT

extension Comic {
  /// The number of a comic, from 1; there is no comic 404.
  public struct Number: Hashable, Comparable, Sendable {
    /// The number as in xkcd's addresses.
    public let value: Int

    /// The greatest valid number, far above any that is expected.
    public static var greatestValue: Int { 999_999 }

    /// The comic before 404, which xkcd left out as a joke: its address answers "404 Not Found".
    public static var beforeMissing: Number { Number(unchecked: 403) }

    /// The comic after 404.
    public static var afterMissing: Number { Number(unchecked: 405) }

    /// The first comic.
    public static var first: Number { Number(unchecked: 1) }

    /// Creates a number; nil below 1, above 999,999 and for 404.
    public init?(_ value: Int) {
      guard value >= 1, value <= Self.greatestValue, value != 404 else { return nil }
      self.value = value
    }

    private init(unchecked value: Int) {
      self.value = value
    }

    /// The comic after this one, which may not exist yet.
    public var next: Number? { Number(value == 403 ? 405 : value + 1) }

    /// The comic before this one; nil for the first.
    public var previous: Number? { Number(value == 405 ? 403 : value - 1) }

    /// The number of comics up to and including this one: one less than the number from 405 on.
    public var ordinal: Int { value > 404 ? value - 1 : value }

    /// Creates the number of the comic with an ordinal.
    /// - Parameter ordinal: 1 for the first comic, 404 for comic 405.
    public init?(ordinal: Int) {
      guard ordinal >= 1 else { return nil }
      self.init(ordinal >= 404 ? ordinal + 1 : ordinal)
    }

    /// Orders by number, which is also the order of publication.
    public static func < (left: Number, right: Number) -> Bool { left.value < right.value }
  }
}
