// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxReaders
import LongboxStore
import LongboxUpstream
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

extension CatalogError {
  var httpError: HTTPError {
    switch self {
    case .absent: HTTPError(.notFound, message: description)
    case .invalid: HTTPError(.badRequest, message: description)
    case .upstream(.notFound): HTTPError(.notFound, message: description)
    case .upstream(.timedOut): HTTPError(.gatewayTimeout, message: description)
    case .upstream(.malformed), .upstream(.rejected), .upstream(.unexpectedStatus):
      HTTPError(.badGateway, message: description)
    case .upstream, .leader: HTTPError(.serviceUnavailable, message: description)
    case .undecodable(.unavailable): HTTPError(.serviceUnavailable, message: description)
    case .undecodable: HTTPError(.badGateway, message: description)
    case .failed: HTTPError(.internalServerError, message: description)
    case .store(let error): HTTPError(error.httpError.status, message: description)
    }
  }
}

extension Catalog {
  /// Returns a stored comic, and fetches it first if necessary; the requests of a client take turns.
  func comic(
    _ number: Comic.Number,
    within limit: Duration = .seconds(8),
    for client: ClientAddress
  ) async throws(Problem) -> ArchivedComic {
    if let comic = snapshot.archive.comic(number) { return comic }
    do throws(CatalogError) {
      try await ensure(number, within: limit, for: client.description)
    } catch {
      throw Problem(error)
    }
    guard let comic = snapshot.archive.comic(number) else {
      throw Problem(
        .gatewayTimeout,
        "Comic \(number.value) is not stored yet, and xkcd did not answer in time."
      )
    }
    return comic
  }
}

extension Archive {
  /// The newest comic.
  /// - Throws: `Problem` with status 503 if no comic is stored.
  func newest() throws(Problem) -> ArchivedComic {
    guard let latest else { throw Problem(.serviceUnavailable, "No comic is stored yet.") }
    return latest
  }
}

extension Response {
  /// The response, which pages of all other sites may read (CORS); only for one that doesn't depend on cookies.
  var openToAllSites: Response {
    var response = self
    response.headers[.accessControlAllowOrigin] = "*"
    return response
  }
}
