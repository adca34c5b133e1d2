// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxCatalog
import LongboxStore
import LongboxUpstream

extension CatalogError {
  /// The HTTP error for this error.
  var httpError: HTTPError {
    switch self {
    case .absent: HTTPError(.notFound, message: description)
    case .invalid: HTTPError(.badRequest, message: description)
    case .upstream(.notFound): HTTPError(.notFound, message: description)
    case .upstream(.timedOut): HTTPError(.gatewayTimeout, message: description)
    case .upstream(.malformed), .upstream(.rejected), .upstream(.unexpectedStatus):
      HTTPError(.badGateway, message: description)
    case .upstream, .leader: HTTPError(.serviceUnavailable, message: description)
    case .failed: HTTPError(.internalServerError, message: description)
    case .store(let error): HTTPError(error.httpError.status, message: description)
    }
  }
}
