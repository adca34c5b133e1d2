// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxReaders
import NIOCore

/// Merges a device's changes into the server's copy of its library, and returns the changes it lacks: `POST
/// /sync`.
///
/// docs/library.md describes the bodies. The cookie names the library. If there is none, the first change
/// creates it and the response sets its cookie. Acknowledged changes are on disk.
struct SyncController: Controller {
  let libraries: Libraries
  let bodies: RequestBodies
  let heavyWork: HeavyWork
  let now: @Sendable () -> Date
  /// Count the entries that devices send and get; nil if metrics are off.
  var (received, sent): (Counter?, Counter?) = (nil, nil)

  /// The maximum length of a request in bytes, which is that of a whole library.
  static var bodyLimit: Int { LibraryLimits.encodedLength }

  private static var mediaType: String { "application/octet-stream" }

  var endpoints: [Endpoint] {
    [.post("sync", bodyLimit: Self.bodyLimit) { try await sync($0, $1) }]
  }

  /// Handles a sync request.
  /// - Throws: `HTTPError` if the request comes from another site, is too long or malformed, if too many
  ///   large requests are in progress, or if the merged library would be too large; `StoreError` if the disk
  ///   fails. Nothing is changed then.
  private func sync(_ request: Request, _ context: ServerContext) async throws -> Response {
    try SameOrigin.check(request)
    guard request.headers[.contentType]?.lowercased() == Self.mediaType else {
      throw HTTPError(.unsupportedMediaType, message: "A sync's body has to be \(Self.mediaType).")
    }
    let known = LibraryCookie(of: request)
    let cookie = known ?? LibraryCookie()
    let (question, reply) = try await bodies.withBody(
      of: request,
      from: context.client,
      upTo: context.maxUploadSize
    ) {
      body async throws -> (SyncRequest, EncodedReply) in
      let isLong = body.readableBytes > HeavyWork.largeChange.bytes
      let question = try await heavyWork.run(for: context.client, if: isLong) {
        Result { () throws(HTTPError) in try Self.question(in: body) }
      }.get()
      return (question, try await self.reply(to: question, from: cookie, isKnown: known != nil, context))
    }
    if case .merged(let merged) = reply.reply.outcome {
      received?.increment(by: question.changes.entries.count)
      sent?.increment(by: merged.changes.entries.count)
    }
    let response = Response(
      status: .ok,
      headers: [.contentType: Self.mediaType, .cacheControl: "private, no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.encoded))
    )
    // A device without changes leaves nothing on the server, so it needs no cookie.
    let isKept = known != nil || !question.changes.entries.isEmpty
    return response.setting(isKept ? cookie : nil, to: request)
  }

  /// A reply and its bytes.
  private struct EncodedReply: Sendable {
    let reply: SyncReply
    let encoded: [UInt8]
  }

  private static func question(in body: ByteBuffer) throws(HTTPError) -> SyncRequest {
    do {
      return try SyncRequest(decoding: Array(body.readableBytesView))
    } catch {
      throw HTTPError(.badRequest, message: error.description)
    }
  }

  private func reply(
    to question: SyncRequest,
    from cookie: LibraryCookie,
    isKnown: Bool,
    _ context: ServerContext
  ) async throws -> EncodedReply {
    let time = now().milliseconds
    let answer = try await edit(cookie, isKnown: isKnown, for: question, context) { replica in
      // The replica's random device number also identifies this copy of the library.
      let epoch = replica.clock.device
      return Result { () throws(LibraryError) in
        let reply = try replica.library.answer(question, epoch: epoch, at: time)
        return EncodedReply(reply: reply, encoded: reply.encoded())
      }
    }
    switch answer {
    case .success(let reply): return reply
    case .failure(let error): throw HTTPError(.contentTooLarge, message: error.description)
    case nil: throw HTTPError(.internalServerError)
    }
  }

  /// Changes the library; merging or sending many entries takes turns with other heavy work.
  private func edit<Outcome: Sendable>(
    _ cookie: LibraryCookie,
    isKnown: Bool,
    for question: SyncRequest,
    _ context: ServerContext,
    _ step: @escaping @Sendable (inout Replica) -> Outcome
  ) async throws -> Outcome? {
    let client = context.client
    var isHeavy = question.changes.entries.count > HeavyWork.largeChange.entries
    if !isHeavy, isKnown, let known = try await libraries.rememberedReplica(cookie.libraryName) {
      isHeavy = Self.isAnswerLong(known, question)
    }
    guard isHeavy else {
      return try await libraries.edit(
        cookie.libraryName,
        makes: true,
        for: client,
        isSignedIn: context.isSignedIn,
        step
      )
    }
    return try await libraries.edit(
      cookie.libraryName,
      makes: true,
      for: client,
      isSignedIn: context.isSignedIn,
      waiting: { [heavyWork] replica in try await heavyWork.edit(&replica, for: client, step) }
    )
  }

  /// Whether the answer may have many entries.
  private static func isAnswerLong(_ known: Replica, _ question: SyncRequest) -> Bool {
    known.library.entries.count > HeavyWork.largeLibrary
      && (question.epoch != known.clock.device || question.since < known.library.sequence)
  }
}
