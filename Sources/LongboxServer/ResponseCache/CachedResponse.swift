// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// A response that is entirely in memory, which both ``CachedResponseHandler`` and a controller can send.
struct CachedResponse: Sendable {
  /// The status and all headers but the date.
  var head: HTTPResponse
  let body: ResponseBytes?

  /// Creates a response.
  /// - Parameters:
  ///   - status: the status.
  ///   - fields: the header fields, to which the security headers are added.
  ///   - body: the content, if any.
  init(status: HTTPResponse.Status, fields: HTTPFields, body: ResponseBytes? = nil) {
    var fields = fields
    fields.guardBrowser()
    if let body { fields[.contentLength] = String(body.count) }
    self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// Creates a response whose headers are complete.
  init(head: HTTPResponse, body: ResponseBytes?) {
    self.head = head
    self.body = body
  }

  var response: Response {
    Response(
      status: head.status,
      headers: head.headerFields,
      body: body?.asBody ?? ResponseBody()
    )
  }
}

extension ResponseBytes {
  /// The bytes as the body of a response from the application.
  fileprivate var asBody: ResponseBody {
    var rest = self
    // One buffer is sent together with the head.
    if count <= Self.portion, let all = rest.next() { return ResponseBody(byteBuffer: all) }
    return ResponseBody(contentLength: count) { writer in
      var rest = self
      while let portion = rest.next() { try await writer.write(portion) }
      try await writer.finish(nil)
    }
  }
}
