// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOHTTP1

/// The part of a push service's answer that has arrived.
struct PushReply {
  let head: HTTPResponseHead
  private(set) var body = ByteBuffer()

  /// The maximum length of a body in bytes; longer ones end the connection.
  private static let limit = 4096
  /// The maximum length of a quoted body in bytes.
  private static let shown = 200

  init(_ head: HTTPResponseHead) {
    self.head = head
  }

  /// Appends a part of the body; returns whether the body is within the limit.
  mutating func take(_ part: ByteBuffer) -> Bool {
    var part = part
    body.writeBuffer(&part)
    return body.readableBytes <= Self.limit
  }

  /// The result by the status (RFC 8030, section 5; RFC 8291; and the services' documentation).
  ///
  /// `isWhole` says whether the answer is complete; `now` is for a date in `Retry-After`.
  func outcome(isWhole: Bool, now: Date) -> DeliveryResult.Outcome {
    let status = head.status.code
    switch status {
    case 200...299: return .delivered
    case 404, 410: return .gone
    case 408, 429, 500...599:
      return .later(
        after: RetryPause.asked(head.headers.first(name: "Retry-After"), now: now),
        reason: "The push service answered \(status)\(isWhole ? said : "")."
      )
    case 300...399:
      return .rejected(reason: "The push service sent us elsewhere (\(status)), which is not followed.")
    default: return .rejected(reason: "The push service answered \(status)\(isWhole ? said : "").")
    }
  }

  /// The body's beginning, in one line of ASCII.
  private var said: String {
    guard body.readableBytes > 0 else { return "" }
    let line = String(decoding: body.readableBytesView.prefix(Self.shown), as: UTF8.self)
      .map { $0.isNewline || $0.isWhitespace ? " " : $0 }
      .filter { $0.isASCII && ($0.asciiValue ?? 0) >= 0x20 }
    return ": " + String(line)
  }
}
