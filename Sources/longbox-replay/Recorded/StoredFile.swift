// A file of a site, with validators for conditional requests.
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Bytes that a site serves, with what conditional requests need.
struct StoredFile: Sendable {
  let bytes: ByteBuffer
  let mediaType: String
  /// A strong validator with its quotes (RFC 9110, section 8.8.3).
  let etag: String
  let lastModified: Date

  /// Makes a file with an ETag computed from its bytes.
  init(bytes: ByteBuffer, mediaType: String, lastModified: Date) {
    let hash = String(Checksum.fnv1a(bytes.readableBytesView), radix: 16)
    self.init(bytes: bytes, mediaType: mediaType, etag: "\"\(hash)\"", lastModified: lastModified)
  }

  init(bytes: ByteBuffer, mediaType: String, etag: String, lastModified: Date) {
    self.bytes = bytes
    self.mediaType = mediaType
    self.etag = etag
    self.lastModified = lastModified
  }

  /// 200 with the bytes, or 304 if the client has them.
  func response(to headers: HTTPFields) -> Response {
    var fields: HTTPFields = [.eTag: etag, .lastModified: HTTPDate.text(of: lastModified)]
    guard !isCurrent(in: headers) else { return Response(status: .notModified, headers: fields) }
    fields[.contentType] = mediaType
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: bytes))
  }

  /// RFC 9110, section 13.2.2: If-Modified-Since counts only without If-None-Match.
  private func isCurrent(in headers: HTTPFields) -> Bool {
    let tags = headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard tags.isEmpty else {
      return tags.contains { $0 == "*" || $0 == etag || $0 == "W/\(etag)" }
    }
    guard let text = headers[.ifModifiedSince], let since = HTTPDate.date(in: text)
    else {
      return false
    }
    return lastModified.timeIntervalSince1970.rounded(.down) <= since.timeIntervalSince1970
  }
}
