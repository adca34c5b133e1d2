// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import NIOCore

/// What goes with a request on its way: the connection, which a fault may reset, and its place in the log.
struct ReplayRequestContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  /// The request's number in the log.
  var ticket = 0

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}
