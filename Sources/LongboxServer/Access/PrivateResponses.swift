// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// Keeps the caches of proxies from storing responses that only signed-in readers may see.
///
/// It is outermost, so that it sees every response of the router; ``EndpointTable`` does the same with those from memory.
struct PrivateResponses: RouterMiddleware {
  let gate: AccessGate

  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    if gate.guards(request.head) { response.headers.keepFromSharedCaches() }
    return response
  }
}

extension HTTPFields {
  /// Makes `Cache-Control` private, with its other directives, unless nothing stores the response anyway.
  mutating func keepFromSharedCaches() {
    let directives = (self[.cacheControl] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
    guard !directives.contains("private"), !directives.contains("no-store") else { return }
    self[.cacheControl] = (["private"] + directives.filter { $0 != "public" }).joined(separator: ", ")
  }
}
