// Longbox
// SPDX-License-Identifier: MIT

import CBrotli
import CZlib
import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxReaders
import NIOCore

/// A body in all its codings, each with its entity tag and headers.
///
/// A body is made once and sent often, so everything that doesn't depend on the request is made in advance.
struct EncodedBody: Sendable {
  /// One coding of the body.
  private struct Form: Sendable {
    let tag: EntityTag
    private(set) var whole: CachedResponse

    init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ bytes: [UInt8], tag: EntityTag) {
      var fields = fields
      fields[.eTag] = tag.header
      whole = CachedResponse(status: status, fields: fields, body: ResponseBytes(ByteBuffer(bytes: bytes)))
      self.tag = tag
    }

    mutating func set(lastModified date: String) {
      var head = whole.head
      head.headerFields[.lastModified] = date
      whole = CachedResponse(head: head, body: whole.body)
    }

    /// Whether the client has the body already: an entity tag takes precedence over a date (RFC 9110, section
    /// 13.2.2).
    func isKnown(by fields: HTTPFields) -> Bool {
      guard whole.head.status == .ok else { return false }
      if let field = fields[.ifNoneMatch] { return tag.matches(ifNoneMatch: field) }
      return fields[.ifModifiedSince].map { $0 == whole.head.headerFields[.lastModified] } ?? false
    }

    var notModified: CachedResponse {
      var fields = whole.head.headerFields
      for name: HTTPField.Name in [.contentType, .contentEncoding, .contentLength] { fields[name] = nil }
      return CachedResponse(head: HTTPResponse(status: .notModified, headerFields: fields), body: nil)
    }
  }

  /// The approximate size of a form's headers, in bytes.
  private static var headerCost: Int { 2048 }

  /// The tag of the uncompressed bytes.
  let tag: EntityTag
  /// The memory it takes, in bytes.
  let cost: Int
  /// The forms, best first.
  ///
  /// The uncompressed form is last; if there is only one form, every client gets it.
  private var forms: [(coding: ContentCoding?, form: Form)]

  /// Creates a body in one or more codings.
  /// - Parameters:
  ///   - status: the status of the response.
  ///   - bodies: the body by its coding, nil for the uncompressed bytes; at least one.
  ///   - hash: a hash of the uncompressed bytes, with which the entity tags start.
  ///   - mediaType: the media type of the uncompressed bytes.
  ///   - cacheControl: the `Cache-Control` header.
  ///   - varying: the request fields for `Vary`.
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
      // Each coding is another representation, with its own tag.
      let tag = EntityTag(value: coding.map { "\(hash)-\($0.suffix)" } ?? hash)
      return (coding, Form(status, encoded, bytes, tag: tag))
    }
  }

  /// Creates a body, gzipped if that makes it shorter.
  ///
  /// Its tag is a hash of its bytes.
  /// - Parameters:
  ///   - status: the status of the response.
  ///   - bytes: the body.
  ///   - mediaType: the media type of the bytes.
  ///   - cacheControl: the `Cache-Control` header.
  ///   - variesByCookie: whether the response depends on the reader.
  ///   - request: the only request to answer, which decides whether to gzip; nil for many requests.
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

  /// Creates a body of JSON that browsers check before each use.
  init(json value: some Encodable, by encoder: JSONEncoder = .stable) throws {
    self.init(
      [UInt8](try encoder.encode(value)),
      mediaType: "application/json",
      cacheControl: "public, no-cache"
    )
  }

  static func hash(of bytes: [UInt8]) -> String {
    String(XXH64.hash(bytes.span.bytes), radix: 36)
  }

  /// The response to a request with these header fields; 304 if the client has the body already.
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

  func response(to request: Request) -> Response {
    response(to: request.headers).response
  }
}

/// A compression of response bodies (RFC 9110, section 8.4.1), best first.
enum ContentCoding: String, CaseIterable, Sendable {
  case brotli = "br"
  case gzip

  /// The suffix of entity tags and file names, after `-` or `.`.
  var suffix: String {
    switch self {
    case .brotli: "br"
    case .gzip: "gz"
    }
  }

  /// The compressed bytes; nil if they would not be shorter.
  func compress(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .brotli: Brotli.compress(bytes)
    case .gzip: Gzip.compress(bytes)
    }
  }

  /// The coding to use for an `Accept-Encoding` header (RFC 9110, section 12.5.3); nil for no compression.
  ///
  /// The highest quality wins; among equals, the earlier coding. Without the header nothing is compressed.
  /// - Parameters:
  ///   - header: the header's value.
  ///   - codings: the available codings, best first.
  static func preferred(by header: String?, among codings: some Sequence<ContentCoding> = allCases)
    -> ContentCoding?
  {
    guard let header else { return nil }
    var brotli: Double?
    var gzip: Double?
    var identity: Double?
    var any: Double?
    for item in Array(header.utf8).split(separator: UInt8(ascii: ",")) {
      let end = item.firstIndex(of: UInt8(ascii: ";")) ?? item.endIndex
      let name = item[..<end].trimmed
      func names(_ other: String) -> Bool {
        // Bit 5 makes ASCII letters lowercase, and doesn't change `*`.
        name.elementsEqual(other.utf8) { $0 | 0x20 == $1 }
      }
      if names("br") {
        brotli = quality(item[end...])
      } else if names("gzip") {
        gzip = quality(item[end...])
      } else if names("identity") {
        identity = quality(item[end...])
      } else if names("*") {
        any = quality(item[end...])
      }
    }
    // Identity competes with the codings only if the header names it.
    var best: (coding: ContentCoding?, quality: Double) = (nil, identity ?? 0)
    for coding in codings {
      // A quality for the coding itself takes precedence over `*`.
      let quality = (coding == .brotli ? brotli : gzip) ?? any ?? 0
      let isBetter = best.coding == nil ? quality >= best.quality : quality > best.quality
      if quality > 0, isBetter { best = (coding, quality) }
    }
    return best.coding
  }

  /// The quality in an item's parameters.
  private static func quality(_ parameters: ArraySlice<UInt8>) -> Double {
    for parameter in parameters.split(separator: UInt8(ascii: ";")).map(\.trimmed) {
      let start = parameter.prefix(2)
      guard start.elementsEqual("q=".utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { continue }
      return Double(String(decoding: parameter[start.endIndex...], as: UTF8.self)) ?? 1
    }
    return 1
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmed: ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var trimmed = drop(while: isSpace)
    while trimmed.last.map(isSpace) == true { trimmed.removeLast() }
    return trimmed
  }
}

enum Brotli {
  /// Quality 6 of 11.
  ///
  /// On the recorded archive it is an eighth smaller than gzip, in 1.5 times gzip's time.
  ///
  /// Quality 9 saves 1 % more, but takes twice as long and 42 MB of memory instead of 13.
  static let quality: Int32 = 6

  /// The bytes compressed with Brotli (RFC 7932); nil if they would not be shorter.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    // A result longer than the input is useless, so the buffer has the input's length.
    let compressed = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
      var length = output.count
      let isDone = BrotliEncoderCompress(
        quality,
        BROTLI_DEFAULT_WINDOW,
        BROTLI_MODE_GENERIC,
        bytes.count,
        bytes,
        &length,
        output.baseAddress
      )
      count = isDone == BROTLI_TRUE ? length : 0
    }
    return compressed.isEmpty || compressed.count >= bytes.count ? nil : compressed
  }
}

enum Gzip {
  /// The bytes compressed with zlib as gzip (RFC 1952); nil if they would not be shorter.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, plus 16 for the gzip header.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let room = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    let compressed = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
    return compressed.isEmpty || compressed.count >= bytes.count ? nil : compressed
  }
}
