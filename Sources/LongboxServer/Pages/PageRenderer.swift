// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxPages

/// Shows pages about things that only the server knows, in the frame of all other pages.
protocol PageRenderer: Sendable {
  /// Shows a page.
  /// - Parameters:
  ///   - page: what it says.
  ///   - request: the request that it answers.
  ///   - cookie: the library whose settings the page has; its cookie goes with the response.
  /// - Throws: `StoreError`.
  func show(
    _ page: ServerPage,
    to request: Hummingbird.Request,
    as cookie: LibraryCookie?
  ) async throws -> Hummingbird.Response
}
