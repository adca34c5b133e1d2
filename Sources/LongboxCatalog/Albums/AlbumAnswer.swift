// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date

/// What came of asking about albums.
public enum AlbumAnswer<Value: Sendable>: Sendable {
  /// It is here.
  case here(Value, Age)
  /// It is in line, and will be here in about so many seconds; who asks again then gets it.
  case waiting(seconds: Int)

  /// How old an answer is.
  public struct Age: Equatable, Sendable {
    /// When the source gave it.
    public var fetchedAt: Date
    /// Whether it should be newer, and the source did not give a newer one.
    public var isStale: Bool
  }

  /// The same with another value.
  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> AlbumAnswer<Other> {
    switch self {
    case .here(let value, let age):
      .here(try transform(value), .init(fetchedAt: age.fetchedAt, isStale: age.isStale))
    case .waiting(let seconds): .waiting(seconds: seconds)
    }
  }
}

extension AlbumAnswer: Equatable where Value: Equatable {}
