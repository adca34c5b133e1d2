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
  let heavyWork: HeavyWork
  let now: @Sendable () -> Date

  var endpoints: [Endpoint] {
    [.get("settings/export") { try await export($0, $1) }]
  }

  private func export(_ request: Request, _ context: ServerContext) async throws -> Response {
    let cookie = LibraryCookie(of: request)
    let library = if let cookie { try await libraries.library(cookie.libraryName) } else { Library() }
    let date = now().milliseconds
    let file = try await heavyWork.run(for: context.client) {
      LibraryDocument(library, exported: date).encoded
    }
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
