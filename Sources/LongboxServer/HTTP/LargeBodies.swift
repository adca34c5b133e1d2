// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Reads request bodies, and limits how many large ones are in memory at a time.
final class LargeBodies: Sendable {
  /// The maximum length of a small body, in bytes.
  static let small = 64 << 10

  private let most: Int
  private let count = Mutex(0)

  /// Creates a reader.
  /// - Parameter most: the maximum number of large bodies at a time.
  init(most: Int = 8) {
    self.most = most
  }

  /// Reads a request's body and passes it to `work`.
  /// - Parameters:
  ///   - request: the request.
  ///   - limit: the maximum length of the body, in bytes.
  ///   - work: processes the body.
  /// - Throws: `HTTPError` with status 413 if the body is longer, with status 503 if too many large bodies
  ///   are in progress; what `work` throws.
  func withBody<Result>(
    of request: Request,
    upTo limit: Int,
    _ work: (ByteBuffer) async throws -> Result
  ) async throws -> Result {
    // A body without `Content-Length` counts as large.
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
