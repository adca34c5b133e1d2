// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import NIOCore

/// Why a program gets no answer, as RFC 9457 has it: `application/problem+json`.
///
/// `type` is `about:blank`: the status tells programs all that there is to tell, `detail` is for people, and the
/// extension `parameter` names what in the address was wrong.
struct Problem: Error, Equatable {
  let status: HTTPResponse.Status
  let detail: String
  let parameter: String?
  /// What may be asked instead, where it was the method that was wrong (RFC 9110, section 15.5.6).
  let allowed: [HTTPRequest.Method]

  /// Makes a problem.
  /// - Parameters:
  ///   - status: an error's status.
  ///   - detail: a sentence that says what was wrong and, if something can be done, what.
  ///   - parameter: which part of the address was wrong, where it was one.
  ///   - allowed: the methods that are allowed, where another one was used.
  init(
    _ status: HTTPResponse.Status,
    _ detail: String,
    parameter: String? = nil,
    allowed: [HTTPRequest.Method] = []
  ) {
    self.status = status
    self.detail = detail
    self.parameter = parameter
    self.allowed = allowed
  }

  /// What the catalog could not do.
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
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = Body(title: status.reasonPhrase, status: status.code, detail: detail, parameter: parameter)
    var fields: HTTPFields = [
      .contentType: "application/problem+json",
      .cacheControl: "no-store",
      .accessControlAllowOrigin: "*",
    ]
    if !allowed.isEmpty { fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ") }
    return Response(
      status: status,
      headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: [UInt8](try encoder.encode(body))))
    )
  }
}
