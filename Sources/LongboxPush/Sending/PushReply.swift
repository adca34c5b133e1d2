// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOHTTP1

/// What a push service has answered so far.
struct PushReply {
  let head: HTTPResponseHead
  /// What came of the body.
  private(set) var body = ByteBuffer()

  /// How much is read of what a service says; longer answers end the connection.
  private static let limit = 4096
  /// How much of it stands in a reason.
  private static let shown = 200

  init(_ head: HTTPResponseHead) {
    self.head = head
  }

  /// Takes in a part of the body; says whether the whole is still short enough.
  mutating func take(_ part: ByteBuffer) -> Bool {
    var part = part
    body.writeBuffer(&part)
    return body.readableBytes <= Self.limit
  }

  /// What became of the message, by the status (RFC 8030, section 5; RFC 8291; and what the services document).
  /// - Parameters:
  ///   - isWhole: whether the answer has come to its end.
  ///   - now: the time, since a service may name a date.
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
      return .refused(reason: "The push service sent us elsewhere (\(status)), which is not followed.")
    default: return .refused(reason: "The push service answered \(status)\(isWhole ? said : "").")
    }
  }

  /// What the service says of an error, in brief.
  private var said: String {
    guard body.readableBytes > 0 else { return "" }
    let line = String(decoding: body.readableBytesView.prefix(Self.shown), as: UTF8.self)
      .map { $0.isNewline || $0.isWhitespace ? " " : $0 }
      .filter { $0.isASCII && ($0.asciiValue ?? 0) >= 0x20 }
    return ": " + String(line)
  }
}
