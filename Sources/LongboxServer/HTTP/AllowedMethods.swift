// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// Refuses what is neither reading nor sending a form.
struct AllowedMethods<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.method == .get || request.method == .head || request.method == .post else {
      return Response(status: .methodNotAllowed, headers: [.allow: "GET, HEAD, POST"])
    }
    return try await next(request, context)
  }
}
