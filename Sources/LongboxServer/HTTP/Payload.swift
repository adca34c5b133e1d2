// Longbox
// SPDX-License-Identifier: MIT

import Foundation
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
    private(set) var whole: Answer

    init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ bytes: [UInt8], tag: EntityTag) {
      var fields = fields
      fields[.eTag] = tag.header
      whole = Answer(status: status, fields: fields, body: ByteBuffer(bytes: bytes))
      self.tag = tag
    }

    mutating func set(lastModified date: String) {
      var head = whole.head
      head.headerFields[.lastModified] = date
      whole = Answer(head: head, body: whole.body)
    }

    /// Whether who asks with these header fields has it already: an entity tag goes before a date (RFC 9110, section 13.2.2).
    func isKnown(by fields: HTTPFields) -> Bool {
      guard whole.head.status == .ok else { return false }
      if let field = fields[.ifNoneMatch] { return tag.matches(ifNoneMatch: field) }
      return fields[.ifModifiedSince].map { $0 == whole.head.headerFields[.lastModified] } ?? false
    }

    /// The same without the body, for who has it already.
    var notModified: Answer {
      var fields = whole.head.headerFields
      for name: HTTPField.Name in [.contentType, .contentEncoding, .contentLength] { fields[name] = nil }
      return Answer(head: HTTPResponse(status: .notModified, headerFields: fields), body: nil)
    }
  }

  /// About what the header of a form takes, in bytes.
  private static var headerCost: Int { 2048 }

  /// The hash of the bytes.
  let tag: EntityTag
  /// The bytes that it holds in memory.
  let cost: Int
  private var plain: Form
  private var compressed: Form?

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
    fields[.contentType] = mediaType
    self.tag = tag
    cost = bytes.count + (gzip?.count ?? 0) + 2 * Self.headerCost
    plain = Form(status, fields, bytes, tag: tag)
    fields[.contentEncoding] = "gzip"
    let encoded = fields
    // The compressed form is another representation and has a tag of its own.
    compressed = gzip.map { Form(status, encoded, $0, tag: EntityTag(value: tag.value + "-gz")) }
  }

  /// The body, not compressed.
  var bytes: [UInt8] { plain.whole.body.map { Array($0.readableBytesView) } ?? [] }

  /// The answer to a request with these header fields: 304 where the reader has it already.
  func answer(to fields: HTTPFields) -> Answer {
    let form = compressed.flatMap { Gzip.isAccepted(fields[.acceptEncoding]) ? $0 : nil } ?? plain
    return form.isKnown(by: fields) ? form.notModified : form.whole
  }

  /// The same with the time since when the body is what it is, for who knows no entity tags.
  func modified(at date: Date) -> Payload {
    var payload = self
    payload.plain.set(lastModified: date.inHeader)
    payload.compressed?.set(lastModified: date.inHeader)
    return payload
  }

  /// The answer as a route gives it.
  func response(to request: Request) -> Response {
    answer(to: request.headers).response
  }
}
