// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A push service's answer.
struct PushReply {
  let status: HTTPResponseStatus
  let headers: HTTPHeaders
  /// The body; nil if it was too long, late or cut, and then the status counts alone.
  let body: ByteBuffer?

  /// The maximum length of a body in bytes; longer ones are not read.
  static let limit = 4096
  /// The maximum length of a quoted body in bytes.
  private static let shown = 200

  /// The result by the status (RFC 8030, section 5; RFC 8291; and the services' documentation).
  /// - Parameter now: for a date in `Retry-After`.
  func outcome(now: Date) -> DeliveryResult.Outcome {
    switch status.code {
    case 200...299: return .delivered
    case 401, 403: return .unauthorized(reason: "The push service answered \(status.code)\(said).")
    case 404, 410: return .gone
    case 408, 429, 500...599:
      return .later(
        after: RetryPause.requested(headers.first(name: "Retry-After"), now: now),
        reason: "The push service answered \(status.code)\(said)."
      )
    case 300...399:
      return .rejected(
        reason: "The push service answered with a redirect (\(status.code)), which Longbox doesn’t follow."
      )
    default: return .rejected(reason: "The push service answered \(status.code)\(said).")
    }
  }

  /// The body's beginning, in one line of ASCII.
  private var said: String {
    guard let body, body.readableBytes > 0 else { return "" }
    let line = String(decoding: body.readableBytesView.prefix(Self.shown), as: UTF8.self)
      .map { $0.isNewline || $0.isWhitespace ? " " : $0 }
      .filter { $0.isASCII && ($0.asciiValue ?? 0) >= 0x20 }
    return ": " + String(line)
  }
}

extension HTTPClientResponse {
  /// The whole body; nil if it is too long, late or cut.
  func body(upTo limit: Int, until deadline: ContinuousClock.Instant) async -> ByteBuffer? {
    await withTaskGroup(of: ByteBuffer?.self) { group in
      group.addTask { try? await body.collect(upTo: limit) }
      group.addTask {
        try? await Task.sleep(until: deadline)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
