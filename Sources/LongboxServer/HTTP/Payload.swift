// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCore
import NIOCore

/// A body that is ready to be sent: plain, compressed where that pays, and with its entity tag.
///
/// What does not depend on the request is made once, for a payload is made once and sent often.
struct Payload: Sendable {
  /// One of the forms in which the body can be sent.
  private struct Form: Sendable {
    let tag: EntityTag
    let whole: Answer
    let notModified: Answer

    init(
      status: HTTPResponse.Status,
      fields: HTTPFields,
      body: ByteBuffer,
      tag: EntityTag,
      mediaType: String,
      encoding: String?
    ) {
      var fields = fields
      fields[.eTag] = tag.header
      notModified = Answer(status: .notModified, fields: fields)
      fields[.contentType] = mediaType
      fields[.contentEncoding] = encoding
      whole = Answer(status: status, fields: fields, body: body)
      self.tag = tag
    }
  }

  /// The hash of the bytes.
  let tag: EntityTag
  /// The bytes that it holds in memory.
  let cost: Int
  private let plain: Form
  private let compressed: Form?

  /// Makes a payload.
  ///
  /// Its tag is a hash of its bytes.
  /// - Parameters:
  ///   - status: the status of an answer with the body.
  ///   - bytes: the body.
  ///   - mediaType: what the bytes are.
  ///   - cacheControl: who may keep it, and for how long.
  ///   - variesByCookie: whether another reader may get something else at the same address.
  init(
    status: HTTPResponse.Status = .ok,
    _ bytes: [UInt8],
    mediaType: String,
    cacheControl: String,
    variesByCookie: Bool = false
  ) {
    let tag = EntityTag(value: String(XXH64.hash(bytes.span.bytes), radix: 36))
    let gzip = bytes.count > 500 ? Gzip.compress(bytes) : nil
    var fields: HTTPFields = [.cacheControl: cacheControl]
    let varying = (variesByCookie ? ["Cookie"] : []) + (gzip != nil ? ["Accept-Encoding"] : [])
    if !varying.isEmpty { fields[.vary] = varying.joined(separator: ", ") }
    self.tag = tag
    cost = bytes.count + (gzip?.count ?? 0) + 512
    plain = Form(
      status: status,
      fields: fields,
      body: ByteBuffer(bytes: bytes),
      tag: tag,
      mediaType: mediaType,
      encoding: nil
    )
    compressed = gzip.map {
      Form(
        status: status,
        fields: fields,
        body: ByteBuffer(bytes: $0),
        // The compressed form is another representation and has a tag of its own.
        tag: EntityTag(value: tag.value + "-gz"),
        mediaType: mediaType,
        encoding: "gzip"
      )
    }
  }

  /// The answer to a request with these header fields: 304 where the reader has it already.
  func answer(to fields: HTTPFields) -> Answer {
    let form = compressed.flatMap { Gzip.isAccepted(fields[.acceptEncoding]) ? $0 : nil } ?? plain
    let isKnown = form.whole.head.status == .ok && form.tag.matches(ifNoneMatch: fields[.ifNoneMatch])
    return isKnown ? form.notModified : form.whole
  }

  /// The answer as a route gives it.
  func response(to request: Request) -> Response {
    answer(to: request.headers).response
  }
}
