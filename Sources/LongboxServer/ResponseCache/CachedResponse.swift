// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import NIOCore

/// A response that is in memory as a whole, so that ``CachedResponseHandler`` can send it as well as a controller.
struct CachedResponse: Sendable {
  /// The status and the header, but for the date.
  let head: HTTPResponse
  /// The content, or nothing where the status has none.
  let body: ByteBuffer?

  /// Makes a response.
  /// - Parameters:
  ///   - status: the status.
  ///   - fields: the header fields; those of every response are added to them.
  ///   - body: the content.
  init(status: HTTPResponse.Status, fields: HTTPFields, body: ByteBuffer? = nil) {
    var fields = fields
    fields.guardBrowser()
    if let body { fields[.contentLength] = String(body.readableBytes) }
    self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// Makes a response with a header that is complete.
  init(head: HTTPResponse, body: ByteBuffer?) {
    self.head = head
    self.body = body
  }

  /// The response as a controller returns it.
  var response: Response {
    Response(
      status: head.status,
      headers: head.headerFields,
      body: body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody()
    )
  }
}
