// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// What becomes of letters, as it becomes known; for one to read.
///
/// Whoever reads gets all that has come meanwhile at once: the slower the reader, the more at a time.
public final class PushDeliveries: AsyncSequence, Sendable {
  private let waiting = Mutex<[PushDelivery]>([])
  private let (arrivals, arrival) = AsyncStream.makeStream(
    of: Void.self,
    bufferingPolicy: .bufferingNewest(1)
  )

  init() {}

  func add(_ delivery: PushDelivery) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(delivery)
      return waiting.count == 1
    }
    if isFirst { arrival.yield() }
  }

  /// Nothing more will come.
  func finish() {
    arrival.finish()
  }

  /// Reads all that comes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(deliveries: self, arrivals: arrivals.makeAsyncIterator())
  }

  /// Reads all that comes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let deliveries: PushDeliveries
    fileprivate var arrivals: AsyncStream<Void>.Iterator

    /// All that has come since the last time; nothing where no more will.
    public mutating func next() async -> [PushDelivery]? {
      guard await arrivals.next() != nil else { return nil }
      return deliveries.waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
    }
  }
}
