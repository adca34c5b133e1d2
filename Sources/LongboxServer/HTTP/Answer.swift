// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import NIOCore

/// An answer whose every byte is in memory, so that it can be sent by a route or by ``ReadyAnswers``.
struct Answer: Sendable {
  /// The status and the header, but for the date.
  let head: HTTPResponse
  /// The content, or nothing where the status has none.
  let body: ByteBuffer?

  /// Makes an answer.
  /// - Parameters:
  ///   - status: the status.
  ///   - fields: the header fields; what stands on every answer is added to them.
  ///   - body: the content.
  init(status: HTTPResponse.Status, fields: HTTPFields, body: ByteBuffer? = nil) {
    var fields = fields
    fields.guardBrowser()
    if let body { fields[.contentLength] = String(body.readableBytes) }
    self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// Makes an answer of a header that is complete.
  init(head: HTTPResponse, body: ByteBuffer?) {
    self.head = head
    self.body = body
  }

  /// The answer as a route gives it.
  var response: Response {
    Response(
      status: head.status,
      headers: head.headerFields,
      body: body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody()
    )
  }
}
