// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// An HTTP request with an encrypted message, and the callback for its result.
struct PushRequest: Sendable {
  let head: HTTPRequestHead
  let body: ByteBuffer
  /// Called on the event loop, once.
  let completion: @Sendable (DeliveryResult.Outcome) -> Void
}
