// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// A message as it is sent: encrypted for one browser, with the address to which it goes.
struct SealedMessage: Sendable {
  let head: HTTPRequestHead
  let body: ByteBuffer
}
