// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// Refuses what is neither reading nor asking what could be read: there is nothing here to be changed.
struct AllowedMethods<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.method == .get || request.method == .head else {
      return Response(status: .methodNotAllowed, headers: [.allow: "GET, HEAD"])
    }
    return try await next(request, context)
  }
}
