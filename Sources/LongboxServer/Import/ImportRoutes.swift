// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import NIOCore

/// Gives a reader's library as a file, `/settings/export`, and takes such a file, `/settings/import`.
///
/// docs/library-json.md describes the file, and what else is understood.
struct ImportRoutes: Sendable {
  let pages: PageRoutes
  let bodies: LargeBodies
  let now: @Sendable () -> Date

  /// The longest form with a file, in bytes.
  static let bodyLimit = 8 << 20

  /// The library as a download.
  /// - Throws: `StoreError`.
  func export(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    var library = Library()
    if let cookie = LibraryCookie(of: request) {
      library = try await pages.libraries.library(cookie.libraryName)
    }
    let file = try LibraryDocument(library, exported: now()).encoded()
    var response = Hummingbird.Response(
      status: .ok,
      headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "private, no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: file))
    )
    response.headers[.contentDisposition] = "attachment; filename=\"longbox-library.json\""
    return response
  }

  /// Shows the form, or takes what it sends.
  /// - Throws: `HTTPError` where the form comes from elsewhere, is too long or no form with a file, or where too many
  ///   large ones are under way. `StoreError`.
  func importing(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    let cookie = LibraryCookie(of: request)
    guard request.method == .post else { return try await pages.show(.importing, to: request, as: cookie) }
    try SameOrigin.check(request)
    guard let boundary = MultipartForm.boundary(in: request.headers[.contentType]) else {
      throw HTTPError(.unsupportedMediaType, message: "A file has to be sent as multipart form data.")
    }
    return try await bodies.withBody(of: request, upTo: Self.bodyLimit) { body in
      let document: LibraryDocument
      do throws(ImportError) {
        let form = try MultipartForm(Array(body.readableBytesView), boundary: boundary)
        document = try ImportReader.document(in: Self.content(of: form))
      } catch {
        return try await pages.show(.importRefused(Text(string: error.description)), to: request, as: cookie)
      }
      return try await merge(document, request, cookie ?? LibraryCookie())
    }
  }

  /// What is to be imported: the file, or the pasted text.
  private static func content(of form: MultipartForm) throws(ImportError) -> [UInt8] {
    let file = form["file"] ?? []
    let text = form["text"] ?? []
    guard file.isEmpty || text.allSatisfy(\.isBlank) else { throw .bothFileAndText }
    let content = file.isEmpty ? text : file
    guard !content.allSatisfy(\.isBlank) else { throw .nothing }
    return content
  }

  private func merge(
    _ document: LibraryDocument,
    _ request: Hummingbird.Request,
    _ cookie: LibraryCookie
  ) async throws -> Hummingbird.Response {
    let time = now().milliseconds
    let archive = pages.catalog.snapshot.archive
    // While only samples are there, nobody knows how many comics there are.
    let latest = archive.isSampleBox ? nil : archive.latest?.number
    let outcome = try await pages.libraries.edit(cookie.libraryName, makes: true) { replica in
      Result { () throws(LibraryError) in try document.merge(into: &replica, latest: latest, at: time) }
    }
    switch outcome {
    case .success(let summary): return try await pages.show(.imported(summary), to: request, as: cookie)
    case .failure(let error):
      let problem = Text(string: "Nothing was imported. \(error.description)")
      return try await pages.show(.importRefused(problem), to: request, as: LibraryCookie(of: request))
    case nil: throw HTTPError(.internalServerError)
    }
  }
}
