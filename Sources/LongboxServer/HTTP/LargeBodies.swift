// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxReaders
import NIOCore
import Synchronization

/// Reads request bodies, and limits how many large ones are in memory at a time.
final class LargeBodies: Sendable {
  /// The maximum length of a small body, in bytes.
  static let small = 64 << 10

  private let most: Int
  private let mostOfClient: Int
  private let floods: FloodLog
  private let counts = Mutex<[ClientAddress: Int]>([:])

  /// Creates a reader.
  ///
  /// One client with slow uploads must not keep others from sending.
  /// - Parameters:
  ///   - most: the maximum number of large bodies at a time.
  ///   - mostOfClient: the maximum number from one client.
  ///   - floods: logs rejections.
  init(most: Int = 24, mostOfClient: Int = 4, floods: FloodLog) {
    self.most = most
    self.mostOfClient = mostOfClient
    self.floods = floods
  }

  /// Reads a request's body and passes it to `work`.
  /// - Parameters:
  ///   - request: the request.
  ///   - client: who sends it.
  ///   - limit: the maximum length of the body, in bytes.
  ///   - work: processes the body.
  /// - Throws: `HTTPError` with status 413 if the body is longer, with status 503 if too many large bodies
  ///   are in progress; what `work` throws.
  func withBody<Result>(
    of request: Request,
    from client: ClientAddress,
    upTo limit: Int,
    _ work: (ByteBuffer) async throws -> Result
  ) async throws -> Result {
    // A body without `Content-Length` counts as large.
    let promised = request.headers[.contentLength].flatMap { Int($0) } ?? .max
    guard promised > Self.small else { return try await work(request.body.collect(upTo: limit)) }
    guard begin(client) else {
      floods.note(.largeBodies, "\(client)")
      throw HTTPError(
        .serviceUnavailable,
        headers: [.retryAfter: "5"],
        message: "Several libraries are being sent at this moment. Try again in a few seconds."
      )
    }
    defer { end(client) }
    return try await work(request.body.collect(upTo: limit))
  }

  private func begin(_ client: ClientAddress) -> Bool {
    counts.withLock { counts in
      let count = counts[client] ?? 0
      guard count < mostOfClient, counts.values.reduce(0, +) < most else { return false }
      counts[client] = count + 1
      return true
    }
  }

  private func end(_ client: ClientAddress) {
    counts.withLock { counts in
      guard let count = counts[client], count > 1 else { return counts[client] = nil }
      counts[client] = count - 1
    }
  }
}
