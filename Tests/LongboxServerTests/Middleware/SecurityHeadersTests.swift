// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxCatalog
import LongboxStore
import Testing

@testable import LongboxServer

@Suite struct `A controller that throws an error of the catalog` {
  @Test(
    arguments: [
      (.store(.unreachable(database: "longbox", reason: "no route")), 503, "5"), (.absent, 404, nil),
      (.leader(reason: "xkcd has an internal error."), 503, "5"), (.failed(reason: "unordered"), 500, nil),
    ] as [(CatalogError, Int, String?)]
  )
  func `answers with the error's status`(error: CatalogError, status: Int, retryAfter: String?) async throws {
    let router = Router(context: ServerContext.self)
    router.add(middleware: SecurityHeaders(floods: FloodLog(logger: .silent)))
    router.get("comic") { _, _ -> String in throw error }
    try await Application(router: router, logger: .silent).test(.router) { client in
      let answer = try await client.executeRequest(uri: "/comic", method: .get, headers: [:], body: nil)
      #expect(answer.status.code == status)
      #expect(answer.headers[.retryAfter] == retryAfter)
    }
  }
}
