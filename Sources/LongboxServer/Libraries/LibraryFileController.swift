// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import NIOCore

/// Imports a reader's library from a file, `/settings/import`, and exports it as one, `/settings/export`.
///
/// docs/library-json.md describes the formats.
struct LibraryFileController: Controller {
  let catalog: Catalog
  let libraries: Libraries
  let pages: ServerPageRenderer
  let bodies: RequestBodies
  /// A large file takes seconds to parse and to merge.
  let heavyWork: HeavyWork
  let now: @Sendable () -> Date

  /// The maximum length of the form with an import, in bytes.
  static let importLimit = LibraryDocument.lengthLimit

  var endpoints: [Endpoint] {
    [
      .get("settings/import") { request, _ in
        try await pages.show(.importing, to: request, as: LibraryCookie(of: request))
      },
      .post("settings/import", bodyLimit: Self.importLimit) { try await importing($0, $1) },
      .get("settings/export") { try await export($0, $1) },
    ]
  }

  /// Imports the submitted file or text.
  /// - Throws: `HTTPError` if the form comes from another site, is too long or malformed, or if too many
  ///   large requests are in progress; `StoreError`.
  private func importing(
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    try SameOrigin.check(request)
    let cookie = LibraryCookie(of: request)
    guard let boundary = MultipartForm.boundary(in: request.headers[.contentType]) else {
      throw HTTPError(.unsupportedMediaType, message: "A file has to be sent as multipart form data.")
    }
    return try await bodies.withBody(of: request, from: context.client, upTo: context.maxUploadSize) { body in
      let document = try await heavyWork.run(for: context.client) {
        Result { () throws(ImportRejection) in
          try ImportForm.document(in: Text(Array(body.readableBytesView)), boundary: boundary)
        }
      }
      switch document {
      case .failure(let rejection):
        return try await pages.show(.importRejected(rejection), to: request, as: cookie)
      case .success(let document):
        return try await merge(document, request, cookie ?? LibraryCookie(), context)
      }
    }
  }

  private func merge(
    _ document: LibraryDocument,
    _ request: Hummingbird.Request,
    _ cookie: LibraryCookie,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let time = now().milliseconds
    let archive = catalog.snapshot.archive
    // With samples only, the number of comics is unknown.
    let latest = archive.isSampleBox ? nil : archive.latest?.number
    let client = context.client
    let outcome = try await libraries.edit(
      cookie.libraryName,
      makes: true,
      for: client,
      isSignedIn: context.isSignedIn,
      waiting: { [heavyWork] replica in
        try await heavyWork.edit(&replica, for: client) { replica in
          Result { () throws(LibraryError) in try document.merge(into: &replica, latest: latest, at: time) }
        }
      }
    )
    switch outcome {
    case .success(let result):
      return try await pages.show(.imported(result), to: request, as: cookie)
    case .failure(let error):
      let rejection = ImportRejection(.notStored(error))
      return try await pages.show(.importRejected(rejection), to: request, as: LibraryCookie(of: request))
    case nil: throw HTTPError(.internalServerError)
    }
  }

  private func export(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    let cookie = LibraryCookie(of: request)
    let library = if let cookie { try await libraries.library(cookie.libraryName) } else { Library() }
    let date = now().milliseconds
    let file = try await heavyWork.run(for: context.client) {
      LibraryDocument(library, exported: date).encoded
    }
    return Hummingbird.Response(
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
