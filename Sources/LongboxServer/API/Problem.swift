// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxReaders
import NIOCore

/// An API error as `application/problem+json` (RFC 9457).
///
/// `type` is always `about:blank`, since the status says what kind of error it is. `detail` is for people;
/// the extension `parameter` names the wrong part of the address.
struct Problem: Error, Equatable {
  let status: HTTPResponse.Status
  let detail: String
  let parameter: String?
  /// The allowed methods, for status 405 (RFC 9110, section 15.5.6).
  let allowed: [HTTPRequest.Method]
  /// The seconds until the client may try again, for status 429 or 503.
  let retryAfter: Int?

  /// Creates a problem.
  /// - Parameters:
  ///   - status: the HTTP error status.
  ///   - detail: a sentence that says what was wrong and, if possible, how to correct it.
  ///   - parameter: the wrong part of the address, if any.
  ///   - allowed: the allowed methods, for status 405.
  ///   - retryAfter: the seconds until the client may try again, for status 429 or 503.
  init(
    _ status: HTTPResponse.Status,
    _ detail: String,
    parameter: String? = nil,
    allowed: [HTTPRequest.Method] = [],
    retryAfter: Int? = nil
  ) {
    self.status = status
    self.detail = detail
    self.parameter = parameter
    self.allowed = allowed
    self.retryAfter = retryAfter
  }

  init(_ error: CatalogError) {
    self.init(error.httpError.status, error.description)
  }
}

extension Problem: HTTPResponseError {
  private struct Body: Encodable {
    var type = "about:blank"
    var title: String
    var status: Int
    var detail: String
    var parameter: String?
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    let body = Body(title: status.reasonPhrase, status: status.code, detail: detail, parameter: parameter)
    var fields: HTTPFields = [
      .contentType: "application/problem+json",
      .cacheControl: "no-store",
      .accessControlAllowOrigin: "*",
    ]
    if !allowed.isEmpty { fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ") }
    if let retryAfter { fields[.retryAfter] = "\(retryAfter)" }
    return Response(
      status: status,
      headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: [UInt8](try JSONEncoder.stable.encode(body))))
    )
  }
}
