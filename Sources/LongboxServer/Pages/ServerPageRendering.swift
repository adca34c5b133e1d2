// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxPages

/// Renders pages about things that only the server knows, in the common page frame.
protocol ServerPageRendering: Sendable {
  /// Renders a page.
  /// - Parameters:
  ///   - page: the page.
  ///   - request: the request to answer.
  ///   - cookie: the cookie of the library whose settings the page uses; the response sets it again.
  /// - Throws: `StoreError`.
  func show(
    _ page: ServerPage,
    to request: Hummingbird.Request,
    as cookie: LibraryCookie?
  ) async throws -> Hummingbird.Response
}
