// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxUpstream.SourcePause

/// The result of a question to the iTunes Store.
public enum AlbumLookup<Value: Sendable>: Sendable {
  /// A reply, new or stored.
  case here(Value, Age)
  /// The question is in the queue; ask again after about this many seconds.
  case waiting(seconds: Int)
  /// The source refuses to answer, and nothing is stored.
  case refused(SourcePause)

  /// The age of a reply.
  public struct Age: Equatable, Sendable {
    /// When the source sent it.
    public var fetchedAt: Date
    /// Whether it is older than its lifetime, because the source sent no newer one.
    public var isStale: Bool
  }

  /// The same result with its value transformed.
  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> AlbumLookup<Other> {
    switch self {
    case .here(let value, let age):
      .here(try transform(value), .init(fetchedAt: age.fetchedAt, isStale: age.isStale))
    case .waiting(let seconds): .waiting(seconds: seconds)
    case .refused(let pause): .refused(pause)
    }
  }
}

extension AlbumLookup: Equatable where Value: Equatable {}
