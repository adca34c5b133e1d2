// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird

/// Sets the client's address in the context of a request that a trusted proxy has passed on.
struct ForwardedClient: RouterMiddleware {
  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard let client = request.head.forwardedClient else { return try await next(request, context) }
    var context = context
    context.setClient(client)
    return try await next(request, context)
  }
}
