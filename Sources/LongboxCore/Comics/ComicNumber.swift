// Longbox
// SPDX-License-Identifier: MIT

extension Comic {
  /// The number of a comic: 1 for the first, with no comic 404.
  public struct Number: Hashable, Comparable, Sendable {
    /// The number as xkcd writes it in its addresses.
    public let value: Int

    /// The greatest number that is taken for one: far above what a lifetime of comics needs.
    public static var greatestValue: Int { 999_999 }

    /// The comic before 404, the number that xkcd left out for the joke of its address answering "404 Not Found".
    public static var beforeMissing: Number { Number(unchecked: 403) }

    /// The comic after the number that was left out.
    public static var afterMissing: Number { Number(unchecked: 405) }

    /// The first comic.
    public static var first: Number { Number(unchecked: 1) }

    /// Makes a number, or nothing where no comic can have it: below 1, above a million, or 404.
    public init?(_ value: Int) {
      guard value >= 1, value <= Self.greatestValue, value != 404 else { return nil }
      self.value = value
    }

    private init(unchecked value: Int) {
      self.value = value
    }

    /// The comic after this one, which need not exist yet.
    public var next: Number? { Number(value == 403 ? 405 : value + 1) }

    /// The comic before this one, or nothing at the first.
    public var previous: Number? { Number(value == 405 ? 403 : value - 1) }

    /// How many comics there are up to and with this one: the number itself, less one from 405 on.
    public var ordinal: Int { value > 404 ? value - 1 : value }

    /// The number of the comic with an ordinal, the other way round.
    /// - Parameter ordinal: 1 for the first comic, 404 for comic 405.
    public init?(ordinal: Int) {
      guard ordinal >= 1 else { return nil }
      self.init(ordinal >= 404 ? ordinal + 1 : ordinal)
    }

    /// Orders by the number, which is also the order of publication.
    public static func < (left: Number, right: Number) -> Bool { left.value < right.value }
  }
}
