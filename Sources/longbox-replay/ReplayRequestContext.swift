// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import NIOCore

/// The context of a request: its connection, which a fault may reset, and its log entry.
struct ReplayRequestContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  var ticket = 0

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}
