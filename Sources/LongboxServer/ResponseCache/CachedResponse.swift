// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import NIOCore

/// A response that is entirely in memory, which both ``CachedResponseHandler`` and a controller can send.
struct CachedResponse: Sendable {
  /// The status and all headers but the date.
  let head: HTTPResponse
  let body: ByteBuffer?

  /// Creates a response.
  /// - Parameters:
  ///   - status: the status.
  ///   - fields: the header fields, to which the security headers are added.
  ///   - body: the content, if any.
  init(status: HTTPResponse.Status, fields: HTTPFields, body: ByteBuffer? = nil) {
    var fields = fields
    fields.guardBrowser()
    if let body { fields[.contentLength] = String(body.readableBytes) }
    self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// Creates a response whose headers are complete.
  init(head: HTTPResponse, body: ByteBuffer?) {
    self.head = head
    self.body = body
  }

  var response: Response {
    Response(
      status: head.status,
      headers: head.headerFields,
      body: body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody()
    )
  }
}
