// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird

struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The maximum length of the body, in bytes.
  var maxUploadSize = 0

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}
