// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird

/// What the server knows about a request besides the request itself.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The longest body that the endpoint takes, in bytes.
  var maxUploadSize = 0

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}
