// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// The results of deliveries, for one consumer.
///
/// Each read returns all results since the previous one, so a slow consumer gets larger batches.
public final class DeliveryResults: AsyncSequence, Sendable {
  private let waiting = Mutex<[DeliveryResult]>([])
  private let (arrivals, arrival) = AsyncStream.makeStream(
    of: Void.self,
    bufferingPolicy: .bufferingNewest(1)
  )

  init() {}

  func add(_ result: DeliveryResult) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(result)
      return waiting.count == 1
    }
    if isFirst { arrival.yield() }
  }

  func finish() {
    arrival.finish()
  }

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(results: self, arrivals: arrivals.makeAsyncIterator())
  }

  /// Reads the results.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let results: DeliveryResults
    fileprivate var arrivals: AsyncStream<Void>.Iterator

    /// All results since the last call; nil after the end.
    public mutating func next() async -> [DeliveryResult]? {
      guard await arrivals.next() != nil else { return nil }
      return results.waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
    }
  }
}
