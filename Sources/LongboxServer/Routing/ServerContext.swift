// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxReaders

struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The maximum length of the body, in bytes.
  var maxUploadSize = 0
  /// Who asks, for limits.
  let client: ClientAddress

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    client = ClientAddress(source.channel.remoteAddress)
  }
}
