// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxCore
import LongboxPages

extension FormFields {
  /// Parses the body of a form from one of our own pages.
  /// - Throws: `HTTPError` if the form comes from another site or is too long.
  init(of request: Hummingbird.Request, _ context: ServerContext) async throws {
    try SameOrigin.check(request)
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    self.init(Text(body.readableBytesView))
  }
}
