// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCore
import NIOCore

/// A body that is ready to be sent: plain, compressed where that pays, and with its entity tag.
struct Payload: Sendable {
  let status: HTTPResponse.Status
  let mediaType: String
  let cacheControl: String
  let tag: EntityTag
  let plain: ByteBuffer
  let compressed: ByteBuffer?

  /// Makes a payload.
  ///
  /// Its tag is a hash of its bytes.
  init(
    status: HTTPResponse.Status = .ok,
    _ bytes: [UInt8],
    mediaType: String,
    cacheControl: String,
    compresses: Bool = true
  ) {
    self.status = status
    self.mediaType = mediaType
    self.cacheControl = cacheControl
    tag = EntityTag(value: String(XXH64.hash(bytes.span.bytes), radix: 36))
    plain = ByteBuffer(bytes: bytes)
    compressed = compresses && bytes.count > 500 ? Gzip.compress(bytes).map { ByteBuffer(bytes: $0) } : nil
  }

  /// The bytes that it holds in memory.
  var cost: Int { plain.readableBytes + (compressed?.readableBytes ?? 0) + 256 }

  /// The answer to a request: 304 where the reader has it already.
  func response(to request: Request) -> Response {
    let gzip = compressed != nil && Gzip.isAccepted(request.headers[.acceptEncoding])
    // The compressed form is another representation and has a tag of its own.
    let tag = gzip ? EntityTag(value: tag.value + "-gz") : tag
    var headers: HTTPFields = [.cacheControl: cacheControl, .eTag: tag.header]
    if compressed != nil { headers[.vary] = "Accept-Encoding" }
    if status == .ok, tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = mediaType
    if gzip { headers[.contentEncoding] = "gzip" }
    return Response(
      status: status,
      headers: headers,
      body: ResponseBody(byteBuffer: gzip ? compressed ?? plain : plain)
    )
  }
}
