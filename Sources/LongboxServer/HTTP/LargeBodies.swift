// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Reads the bodies of requests, but only a few large ones at a time: each is in memory as a whole while it is worked on.
final class LargeBodies: Sendable {
  /// Up to this length, in bytes, a body is no large one.
  static let small = 64 << 10

  private let most: Int
  private let count = Mutex(0)

  /// Makes a reader.
  /// - Parameter most: how many large bodies are worked on at a time.
  init(most: Int = 8) {
    self.most = most
  }

  /// Reads a request's body and works on it.
  /// - Parameters:
  ///   - request: the request.
  ///   - limit: the longest body, in bytes.
  ///   - work: takes the body.
  /// - Throws: `HTTPError` with status 413 where the body is longer, with status 503 where enough large ones are under way; what
  ///   `work` throws.
  func withBody<Result>(
    of request: Request,
    upTo limit: Int,
    _ work: (ByteBuffer) async throws -> Result
  ) async throws -> Result {
    // One that does not say how long it is may be of any length.
    let promised = request.headers[.contentLength].flatMap { Int($0) } ?? .max
    guard promised > Self.small else { return try await work(request.body.collect(upTo: limit)) }
    guard begin() else {
      throw HTTPError(
        .serviceUnavailable,
        headers: [.retryAfter: "5"],
        message: "Several libraries are being sent at this moment. Try again in a few seconds."
      )
    }
    defer { count.withLock { $0 -= 1 } }
    return try await work(request.body.collect(upTo: limit))
  }

  private func begin() -> Bool {
    count.withLock { count in
      guard count < most else { return false }
      count += 1
      return true
    }
  }
}
