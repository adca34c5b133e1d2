// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// What becomes of messages, as it becomes known, for one reader.
///
/// The reader gets all results that have come meanwhile at once: the slower it is, the more at a time.
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

  /// Ends the reading: nothing more will come.
  func finish() {
    arrival.finish()
  }

  /// Reads all that comes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(results: self, arrivals: arrivals.makeAsyncIterator())
  }

  /// Reads all that comes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let results: DeliveryResults
    fileprivate var arrivals: AsyncStream<Void>.Iterator

    /// All that has come since the last call; nothing where no more will.
    public mutating func next() async -> [DeliveryResult]? {
      guard await arrivals.next() != nil else { return nil }
      return results.waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
    }
  }
}
