// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// An HTTP request with an encrypted message, and who wants to know what became of it.
struct PushRequest: Sendable {
  let head: HTTPRequestHead
  let body: ByteBuffer
  /// Called on the event loop, once.
  let completion: @Sendable (DeliveryResult.Outcome) -> Void
}
