// Longbox
// SPDX-License-Identifier: MIT

/// A set of comics, as bits.
public struct ComicSet: Equatable, Sendable {
  private(set) var bits: [UInt8]

  /// Creates a set.
  /// - Parameters:
  ///   - latest: the greatest number that the set can contain.
  ///   - contains: whether the set contains a comic.
  public init(upTo latest: Comic.Number, _ contains: (Comic.Number) -> Bool) {
    bits = Array(repeating: 0, count: latest.value / 8 + 1)
    for value in 1...latest.value {
      guard let number = Comic.Number(value), contains(number) else { continue }
      bits[value / 8] |= 1 << UInt8(value % 8)
    }
  }

  /// Creates a set from its bits: comic 9 is bit 1 of byte 1.
  public init(bits: [UInt8]) {
    self.bits = bits
  }

  /// The empty set.
  public static var empty: ComicSet { ComicSet(bits: []) }

  /// Whether the set contains a comic.
  public func contains(_ number: Comic.Number) -> Bool {
    let place = number.value / 8
    return place < bits.count && bits[place] & 1 << UInt8(number.value % 8) != 0
  }
}
