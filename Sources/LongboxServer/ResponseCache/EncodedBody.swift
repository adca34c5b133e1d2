// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import NIOCore

/// A body in all its encodings, each with its entity tag and its header.
///
/// Everything that does not depend on the request is made once, because a body is made once and sent often.
struct EncodedBody: Sendable {
  /// One of the forms in which the body can be sent.
  private struct Form: Sendable {
    let tag: EntityTag
    private(set) var whole: CachedResponse

    init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ bytes: [UInt8], tag: EntityTag) {
      var fields = fields
      fields[.eTag] = tag.header
      whole = CachedResponse(status: status, fields: fields, body: ByteBuffer(bytes: bytes))
      self.tag = tag
    }

    mutating func set(lastModified date: String) {
      var head = whole.head
      head.headerFields[.lastModified] = date
      whole = CachedResponse(head: head, body: whole.body)
    }

    /// Whether who asks with these header fields has it already: an entity tag goes before a date (RFC 9110, section 13.2.2).
    func isKnown(by fields: HTTPFields) -> Bool {
      guard whole.head.status == .ok else { return false }
      if let field = fields[.ifNoneMatch] { return tag.matches(ifNoneMatch: field) }
      return fields[.ifModifiedSince].map { $0 == whole.head.headerFields[.lastModified] } ?? false
    }

    /// The same without the body, for who has it already.
    var notModified: CachedResponse {
      var fields = whole.head.headerFields
      for name: HTTPField.Name in [.contentType, .contentEncoding, .contentLength] { fields[name] = nil }
      return CachedResponse(head: HTTPResponse(status: .notModified, headerFields: fields), body: nil)
    }
  }

  /// About what the header of a form takes, in bytes.
  private static var headerCost: Int { 2048 }

  /// The tag of the plain bytes.
  let tag: EntityTag
  /// The bytes that it holds in memory.
  let cost: Int
  /// The forms, the best first; what is not compressed is last, and stands for the others where it is alone.
  private var forms: [(coding: ContentCoding?, form: Form)]

  /// Makes a body in one or more codings.
  /// - Parameters:
  ///   - status: the status of a response with the body.
  ///   - bodies: the body by its coding, which is nil for the plain bytes; at least one.
  ///   - hash: a hash of the plain bytes, which the entity tags begin with.
  ///   - mediaType: what the plain bytes are.
  ///   - cacheControl: who may keep it, and for how long.
  ///   - varying: by which fields of a request the response varies.
  init(
    status: HTTPResponse.Status = .ok,
    bodies: [ContentCoding?: [UInt8]],
    hash: String,
    mediaType: String,
    cacheControl: String,
    varying: [String]
  ) {
    var fields: HTTPFields = [.cacheControl: cacheControl]
    if !varying.isEmpty { fields[.vary] = varying.joined(separator: ", ") }
    fields[.contentType] = mediaType
    cost = bodies.values.reduce(0) { $0 + $1.count + Self.headerCost }
    tag = EntityTag(value: hash)
    forms = (ContentCoding.allCases.map(Optional.some) + [nil]).compactMap { coding in
      guard let bytes = bodies[coding] else { return nil }
      var encoded = fields
      encoded[.contentEncoding] = coding?.rawValue
      // Each form is another representation and has a tag of its own.
      let tag = EntityTag(value: coding.map { "\(hash)-\($0.suffix)" } ?? hash)
      return (coding, Form(status, encoded, bytes, tag: tag))
    }
  }

  /// Makes a body, gzipped too where that makes it shorter.
  ///
  /// Its tag is a hash of its bytes.
  /// - Parameters:
  ///   - status: the status of a response with the body.
  ///   - bytes: the body.
  ///   - mediaType: what the bytes are.
  ///   - cacheControl: who may keep it, and for how long.
  ///   - variesByCookie: whether another reader may get something else at the same address.
  ///   - request: the only request that gets it, which then says whether it is gzipped; by default there may be many.
  init(
    status: HTTPResponse.Status = .ok,
    _ bytes: [UInt8],
    mediaType: String,
    cacheControl: String,
    variesByCookie: Bool = false,
    for request: Request? = nil
  ) {
    var bodies: [ContentCoding?: [UInt8]] = [nil: bytes]
    let isLong = bytes.count > 500
    let accepted = request.map { $0.headers[.acceptEncoding] ?? "" } ?? "gzip"
    let isGzipped = isLong && ContentCoding.preferred(by: accepted, among: [.gzip]) != nil
    if isGzipped { bodies[.gzip] = Gzip.compress(bytes) }
    self.init(
      status: status,
      bodies: bodies,
      hash: Self.hash(of: bytes),
      mediaType: mediaType,
      cacheControl: cacheControl,
      varying: (variesByCookie ? ["Cookie"] : [])
        + (bodies.count > 1 || isLong && !isGzipped ? ["Accept-Encoding"] : [])
    )
  }

  /// A hash of a body for its entity tag.
  static func hash(of bytes: [UInt8]) -> String {
    String(XXH64.hash(bytes.span.bytes), radix: 36)
  }

  /// The response to a request with these header fields; 304 where the client has the body already.
  func response(to fields: HTTPFields) -> CachedResponse {
    let coding =
      forms.count > 1
      ? ContentCoding.preferred(by: fields[.acceptEncoding], among: forms.lazy.compactMap(\.coding)) : nil
    let form = (forms.first { $0.coding == coding } ?? forms[forms.count - 1]).form
    return form.isKnown(by: fields) ? form.notModified : form.whole
  }

  /// Adds `Last-Modified`, for clients that ignore entity tags.
  func modified(at date: Date) -> EncodedBody {
    var body = self
    for index in forms.indices { body.forms[index].form.set(lastModified: date.inHeader) }
    return body
  }

  /// The response as a controller returns it.
  func response(to request: Request) -> Response {
    response(to: request.headers).response
  }
}
