// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxReaders
import NIOCore

/// Merges what a device did with the server's copy of its library, and sends what the device lacks: `POST /sync`.
///
/// Body and answer are bytes as docs/library.md gives them. The cookie names the library; where there is none yet, the
/// first change that comes makes it and the answer carries its cookie. What an answer acknowledges is on the disk.
struct SyncController: Controller {
  let libraries: Libraries
  let bodies: LargeBodies
  let now: @Sendable () -> Date

  /// The longest request, in bytes: nobody's whole library is larger.
  static var bodyLimit: Int { LibraryLimits.encodedLength }

  private static var mediaType: String { "application/octet-stream" }

  var endpoints: [Endpoint] {
    [.post("sync", bodyLimit: Self.bodyLimit) { try await sync($0, $1) }]
  }

  /// Merges and answers.
  /// - Throws: `HTTPError` where the request comes from elsewhere, is too long, damaged or no request, where too many
  ///   large ones are under way, or where the library would be too large with it; `StoreError` where the disk fails. Nothing is changed then.
  private func sync(_ request: Request, _ context: ServerContext) async throws -> Response {
    try SameOrigin.check(request)
    guard request.headers[.contentType]?.lowercased() == Self.mediaType else {
      throw HTTPError(.unsupportedMediaType, message: "A sync's body has to be \(Self.mediaType).")
    }
    let known = LibraryCookie(of: request)
    let cookie = known ?? LibraryCookie()
    let (question, reply) = try await bodies.withBody(of: request, upTo: context.maxUploadSize) {
      body async throws -> (SyncRequest, SyncReply) in
      let question = try Self.question(in: body)
      return (question, try await self.reply(to: question, from: cookie))
    }
    var response = Response(
      status: .ok,
      headers: [.contentType: Self.mediaType, .cacheControl: "private, no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.encoded()))
    )
    // A device that has done nothing yet leaves nothing behind, so it needs no name.
    if known != nil || !question.changes.entries.isEmpty {
      response.headers.append(.init(name: .setCookie, value: cookie.header(isSecure: request.isSecure)))
    }
    return response
  }

  private static func question(in body: ByteBuffer) throws -> SyncRequest {
    do {
      return try SyncRequest(decoding: Array(body.readableBytesView))
    } catch {
      throw HTTPError(.badRequest, message: error.description)
    }
  }

  private func reply(to question: SyncRequest, from cookie: LibraryCookie) async throws -> SyncReply {
    let time = now().milliseconds
    let answer = try await libraries.edit(cookie.libraryName, makes: true) { replica in
      // The copy's own number, drawn by chance when it was made, is its name as well.
      let epoch = replica.clock.device
      return Result { () throws(LibraryError) in
        try replica.library.answer(question, epoch: epoch, at: time)
      }
    }
    switch answer {
    case .success(let reply): return reply
    case .failure(let error): throw HTTPError(.contentTooLarge, message: error.description)
    case nil: throw HTTPError(.internalServerError)
    }
  }
}
