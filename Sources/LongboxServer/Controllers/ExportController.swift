// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxReaders
import NIOCore

/// Exports a reader's library as a file: `/settings/export`.
///
/// docs/library-json.md describes the format.
struct ExportController: Controller {
  let libraries: Libraries
  let now: @Sendable () -> Date

  var endpoints: [Endpoint] {
    [.get("settings/export") { request, _ in try await export(request) }]
  }

  private func export(_ request: Request) async throws -> Response {
    var library = Library()
    if let cookie = LibraryCookie(of: request) {
      library = try await libraries.library(cookie.libraryName)
    }
    let file = LibraryDocument(library, exported: now().milliseconds).encoded
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/json; charset=utf-8",
        .cacheControl: "private, no-store",
        .contentDisposition: "attachment; filename=\"\(LibraryDocument.fileName)\"",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: file))
    )
  }
}
